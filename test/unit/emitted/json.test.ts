/** The strict JSON of emitted services: what passes means what `JSON.parse` says. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { HttpError } from '../../../templates/service/src/platform/http/errors.ts';
import {
  hasTooManyNames,
  isSameJson,
  parseJsonObject,
} from '../../../templates/service/src/platform/http/json.ts';

const parse = (text: string): unknown => parseJsonObject(Buffer.from(text));

/** The value with ordinary prototypes, to compare. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function refusal(bytes: Buffer | string): string {
  try {
    parseJsonObject(Buffer.from(bytes));
  } catch (error) {
    if (error instanceof HttpError && error.statusCode === 400) return error.message;
    throw error;
  }
  return 'taken';
}

test('any object comes through as it is', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string({ unit: 'binary' }).filter((name) => name !== '__proto__' && name.isWellFormed()),
        fc.json({ maxDepth: 4 }).map((text) => JSON.parse(text) as unknown),
      ),
      fc.constantFrom(undefined, 1, '\t'),
      (value, space) => {
        const text = JSON.stringify(value, undefined, space);
        if (text.includes('__proto__') || /\d{16}/.test(text)) return;
        expect(plain(parse(text))).toEqual(plain(value));
      },
    ),
    { numRuns: 500 },
  );
});

test.each([
  ['', 'The body is empty: a JSON object is needed.'],
  ['\ufeff{}', 'The body begins with a byte order mark: send it without.'],
  [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'The body is not encoded in UTF-8.'],
  [Buffer.from('{"a":"\ud800"}', 'utf16le'), 'The body is not encoded in UTF-8.'],
  ['[]', 'The body must be a JSON object.'],
  ['null', 'The body must be a JSON object.'],
  ['"a"', 'The body must be a JSON object.'],
  ['{', /^The body is not JSON: /],
  ["{'a':1}", /^The body is not JSON: /],
  ['{"a":1,}', /^The body is not JSON: /],
  ['{"a":01}', /^The body is not JSON: /],
  ['{"a":NaN}', /^The body is not JSON: /],
  ['{"a":1} x', /^The body is not JSON: /],
  ['{"a":1,"a":2}', 'The body has the member "a" twice.'],
  ['{"a":1,"\\u0061":2}', 'The body has the member "\\u0061" twice.'],
  ['{"b":[{"a":1,"c":{},"a":1}]}', 'The body has the member "a" twice.'],
  ['{"__proto__":{}}', 'The body has a member called "__proto__".'],
  ['{"a":{"\\u005f_proto__":1}}', 'The body has a member called "__proto__".'],
  [`{"a":${'['.repeat(64)}${']'.repeat(64)}}`, 'The body is nested deeper than 64 levels.'],
])('body %# is refused', (text, message) => {
  expect(refusal(text)).toMatch(message);
});

test('64 levels are not too deep, and brackets in texts are none', () => {
  expect(refusal(`{"a":${'['.repeat(63)}${']'.repeat(63)}}`)).toBe('taken');
  expect(plain(parse('{"a":"[[[{{{\\"}","b":"\\\\"}'))).toEqual({ a: '[[[{{{"}', b: '\\' });
});

test('a hostile depth is refused, and does not break the parser', () => {
  expect(refusal(`{"a":${'['.repeat(500_000)}`)).toMatch(/^The body is not JSON: /);
  expect(refusal(`{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}`)).toBe(
    'The body is nested deeper than 64 levels.',
  );
});

describe('names of members', () => {
  // With "a", "b" and "c", each body has one name for each number and three more.
  const body = (numbers: number, quote: (at: number) => string): string => {
    const members = Array.from({ length: numbers }, (_, at) => `${quote(at)}:0`);
    const half = Math.floor(numbers / 2);
    const [one, other] = [members.slice(0, half).join(), members.slice(half).join()];
    return `{"a":{${one}},"b":[{"c":{${other}}},{"c":{${one}}}]}`;
  };

  test.each([
    ['plain', (at: number) => `"m${at}"`],
    ['escaped', (at: number) => `"\\u006d${at}"`],
  ])('%s: 10,000 different ones are read, however often, and no more', (_, quote) => {
    const most = parse(body(9_997, quote));
    expect(hasTooManyNames(most)).toBe(false);
    expect(() => parse(body(9_998, quote))).toThrow(
      expect.objectContaining({ statusCode: 422, message: expect.stringContaining('10000') }),
    );
    expect(hasTooManyNames(JSON.parse(body(9_998, quote)))).toBe(true);
  });
});

describe('numbers', () => {
  test.each([
    ['5.0', 5],
    ['1e2', 100],
    ['-0', -0],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['1e300', 1e300],
    ['0.1', 0.1],
  ])('%s is %d', (text, value) => {
    expect(parse(`{"a":${text}}`)).toEqual({ a: value });
  });

  test.each([
    '9007199254740992',
    '-9007199254740993',
    '9007199254740993.0',
    '123456789012345678901234567890',
    '1e999',
    '1e-400',
  ])('%s is no number that any shape takes', (text) => {
    const { a, b } = parse(`{"a":${text},"b":[1,{"c":${text}}]}`) as {
      a: number;
      b: [number, { c: number }];
    };
    expect([Number.isFinite(a), b[0], Number.isFinite(b[1].c)]).toEqual([false, 1, false]);
  });
});

test('members that every object has are there only if the body has them', () => {
  const body = parse('{"a":{}}') as { a: object };
  expect('constructor' in body).toBe(false);
  expect('toString' in body.a).toBe(false);
});

test.each([
  [{ a: { b: 1 }, c: [1, { d: null }] }, { c: [1, { d: null }], a: { b: 1 } }, true],
  [Object.assign(Object.create(null), { a: 1 }), { a: 1 }, true],
  [-0, 0, true],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: null }, { b: null }, false],
  [[1, 2], [2, 1], false],
  [[], {}, false],
  [null, {}, false],
  ['1', 1, false],
])('%j and %j mean the same: %s', (left, right, verdict) => {
  expect(isSameJson(left, right)).toBe(verdict);
  expect(isSameJson(right, left)).toBe(verdict);
});
