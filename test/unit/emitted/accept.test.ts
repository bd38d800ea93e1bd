/** The reading of `Accept` in emitted services, against the negotiator package and RFC 9110. */
import fc from 'fast-check';
import Negotiator from 'negotiator';
import { expect, test } from 'vitest';

import {
  parseAccept,
  parseMediaType,
  weightOf,
} from '../../../templates/service/src/platform/http/accept.ts';

const NO_PARAMETERS = new Map<string, string>();
const UTF_8 = new Map([['charset', 'utf-8']]);
const VENDOR = 'application/vnd.shop.v1+json';

test('what is acceptable is what negotiator finds acceptable', () => {
  const types = ['application/json', VENDOR, 'text/html'];
  const range = fc.constantFrom(...types, 'application/*', 'text/*', '*/*', 'image/png');
  const q = fc.constantFrom('', ';q=0', ';q=0.5', '; q=1.0', ';Q=0.001', ' ; q=0.999');
  const header = fc
    .array(
      fc.tuple(range, q).map((parts) => parts.join('')),
      { minLength: 1, maxLength: 5 },
    )
    .map((ranges) => ranges.join(', '));
  fc.assert(
    fc.property(header, (accept) => {
      // A type that stands twice has no one weight; the grammar does not say which of them counts.
      const names = accept.split(',').map((part) => part.split(';')[0]?.trim());
      fc.pre(new Set(names).size === names.length);
      const expected = new Negotiator({ headers: { accept } }).mediaTypes(types);
      const found = types.filter((type) => weightOf(parseAccept(accept), type, NO_PARAMETERS) > 0);
      expect(found.toSorted()).toEqual(expected.toSorted());
    }),
    { numRuns: 1000 },
  );
});

test.each([
  [undefined, 1],
  ['', 1],
  ['APPLICATION/JSON', 1],
  ['application/json;charset=UTF-8', 1],
  ['application/json;charset="utf-8"', 1],
  ['application/json;charset=utf8', 1],
  ['application/json;charset=latin1', 1],
  ['application/json;profile=x', 1],
  ['application/json;profile=x;q=0.5', 0.5],
  ['application/json;profile=x;q=0, application/json', 1],
  ['application/json;profile=x;q=0', 0],
  ['application/json;profile=x;q=0, */*', 0],
  ['*/*;q=0.3, application/json;q=0.7, application/*;q=0.5', 0.7],
  ['application/json;q=0, */*', 0],
  ['application/json;q=2', 0],
  ['application/json;q=0.1234', 0],
  // What HttpURLConnection of Java 8 to 18 sends by default.
  ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', 0.2],
  ['application/json;q=.9', 0.9],
  ['application/json;q=.123', 0.123],
  ['application/json;q=.0', 0],
  ['application/json;q=.', 0],
  ['application/json;q=.1234', 0],
  ['application/json;q=1.5', 0],
  ['application/json;q=abc', 0],
  ['text/html;x="a,application/json"', 0],
  ['text/html;x="\\",application/json", application/json;q=0.2', 0.2],
  [';;;,application/json', 1],
  ['application / json', 0],
  ['application/json;q=0.5;ext=1', 0.5],
])('%s wants JSON by %d', (header, expected) => {
  expect(weightOf(parseAccept(header), 'application/json')).toBe(expected);
});

test.each([
  [VENDOR, 1],
  [`${VENDOR};charset=UTF-8`, 1],
  [`${VENDOR};charset=utf8;q=.5`, 0.5],
  [`${VENDOR};charset="UTF8"`, 1],
  [`${VENDOR};charset=latin1`, 0],
  [`${VENDOR};charset=utf88`, 0],
  [`${VENDOR};profile=x`, 0],
  [`${VENDOR};charset=utf-8;q=.2, ${VENDOR};q=.9`, 0.2],
])('%s wants a type with a charset by %d', (header, expected) => {
  expect(weightOf(parseAccept(header), VENDOR, UTF_8)).toBe(expected);
});

test('a media type that does not parse is none', () => {
  expect(parseMediaType('application/json; charset')).toBeUndefined();
  expect(parseMediaType('json')).toBeUndefined();
  expect(parseMediaType('application/json; charset=utf-8')).toMatchObject({
    type: 'application/json',
    parameters: UTF_8,
  });
  expect(parseMediaType('application/json; charset=utf8')?.parameters).toEqual(UTF_8);
});
