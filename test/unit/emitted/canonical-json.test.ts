/** What two bodies with one `Idempotency-Key` have in common. */
import { isDeepStrictEqual } from 'node:util';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  canonicalJson,
  parseJsonObject,
} from '../../../templates/service/src/platform/http/json.ts';

const canonicalOf = (text: string): string => canonicalJson(parseJsonObject(Buffer.from(text)));

test.each([
  ['{"a":1e999}', '{"a":"Infinity"}'],
  ['{"a":-1e999}', '{"a":"-Infinity"}'],
  ['{"a":"Infinity"}', '{"a":"\\"Infinity"}'],
  ['{"a":[1e999]}', '{"a":["Infinity"]}'],
  ['{"a":null}', '{"a":1e999}'],
])('%s and %s are two bodies', (one, other) => {
  expect(canonicalOf(one)).not.toBe(canonicalOf(other));
});

test('the order of members and blanks are no difference', () => {
  expect(canonicalOf('{"b":{"d":1,"c":[2]},"a":1e999}')).toBe(
    canonicalOf('{ "a": 1e999, "b": { "c": [2], "d": 1 } }'),
  );
});

const word = fc.constantFrom('Infinity', '-Infinity', '"Infinity', '""-Infinity', 'a', '');
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    word,
    fc.constantFrom(Infinity, -Infinity, 0, 1, null, true),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b'), tie('value'), { noNullPrototype: true }),
  ),
}));

test('two bodies have one text exactly if they are equal', () => {
  fc.assert(
    fc.property(value, value, (one, other) => {
      expect(canonicalJson({ one }) === canonicalJson({ one: other })).toBe(
        isDeepStrictEqual(one, other),
      );
    }),
  );
});
