/** What emitted services say of a body that is wrong, and that they say it of every such body. */
import Type from 'typebox';
import { describe, expect, test } from 'vitest';

import { parseJsonObject } from '../../../templates/service/src/platform/http/json.ts';
import { bigint, decimal } from '../../../templates/service/src/platform/http/exact-numbers.ts';
import {
  complete,
  date,
  defaulting,
  integer,
  json,
  list,
  object,
  oneOf,
  optional,
  string,
  timestamp,
  uuid,
} from '../../../templates/service/src/platform/http/shapes.ts';
import { validator } from '../../../templates/service/src/platform/http/validation.ts';

const shape = object({
  title: string({ minLength: 2, maxLength: 3, pattern: '^\\p{L}+$' }),
  count: optional(integer({ minimum: 1, maximum: 5 })),
  price: optional(decimal({ precision: 5, scale: 2, minimum: '1.00', maximum: '10.00' })),
  big: optional(bigint({ maximum: '10' })),
  day: optional(date({ minimum: '2026-01-01' })),
  at: optional(timestamp({ maximum: '2026-12-31T00:00:00.000Z' })),
  owner: optional(uuid()),
  kind: defaulting(oneOf(['a', 'b']), 'a'),
  tags: optional(list(string({ maxLength: 2 }), { maxItems: 2, uniqueItems: true })),
  times: optional(list(timestamp(), { uniqueItems: true })),
  inner: optional(object({ name: string(), note: optional(string(), 'none') })),
  extra: optional(json()),
});
const validate = validator(shape, ['id', 'stars']);
const problems = (body: object): string[] =>
  validate(parseJsonObject(Buffer.from(JSON.stringify(body)))).map(
    ({ member, text }) => `${member} ${text}`,
  );
const good = { title: 'abc' };

test.each([
  [{}, ['title is required']],
  [{ title: null }, ['title must not be null']],
  [{ title: 5 }, ['title must be a string']],
  [{ title: 'é' }, ['title must have at least 2 characters']],
  [{ title: '12' }, ['title must match the pattern ^\\p{L}+$']],
  [{ title: '𝒳𝒳𝒳' }, []],
  [{ title: '𝒳𝒳𝒳𝒳' }, ['title must have at most 3 characters']],
  [
    { ...good, title: 'a\0' },
    [
      'title must not contain a NUL character or a lone surrogate',
      'title must match the pattern ^\\p{L}+$',
    ],
  ],
  [{ ...good, count: '5' }, ['count must be an integer or null']],
  [{ ...good, count: 1.5 }, ['count must be an integer or null']],
  [{ ...good, count: 0 }, ['count must be at least 1']],
  [{ ...good, count: 6 }, ['count must be at most 5']],
  [{ ...good, price: 5 }, ['price must be a string or null']],
  [{ ...good, price: '0.99' }, ['price must be from 1.00 to 10.00']],
  [
    { ...good, price: '1.001' },
    [
      'price must be a decimal number as text, such as "1.00", with at most 3 digits before the point and 2 after it',
    ],
  ],
  [{ ...good, big: '11' }, ['big must be at most 10']],
  [{ ...good, big: '1.0' }, ['big must be an integer of 64 bits as text, such as "42"']],
  [{ ...good, day: '2025-12-31' }, ['day must be at least 2026-01-01']],
  [{ ...good, day: '2026-02-30' }, ['day must be a date as YYYY-MM-DD']],
  [{ ...good, at: '2026-12-31T00:00:00.000001Z' }, ['at must be at most 2026-12-31T00:00:00.000Z']],
  [{ ...good, owner: 'x' }, ['owner must be a UUID']],
  [{ ...good, kind: null }, ['kind must not be null']],
  [{ ...good, kind: 'c' }, ['kind must be one of "a", "b"']],
  [
    { ...good, tags: ['a', 'abc', 5] },
    // Its items are not looked at.
    ['tags must have at most 2 items'],
  ],
  [
    { ...good, tags: ['abc', 5] },
    ['tags[0] must have at most 2 characters', 'tags[1] must be a string'],
  ],
  [
    { title: 5, odd: 1, inner: { odd: 1 } },
    [
      'title must be a string',
      'odd is not a known member',
      'inner.odd is not a known member',
      'inner.name is required',
    ],
  ],
  [{ ...good, constructor: 1 }, ['constructor is not a known member']],
  [{ ...good, tags: ['a', 'a'] }, ['tags must not contain duplicates']],
  [
    { ...good, times: ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00+01:00'] },
    ['times must not contain duplicates'],
  ],
  [{ ...good, inner: {} }, ['inner.name is required']],
  [{ ...good, inner: { name: 'x', odd: 1 } }, ['inner.odd is not a known member']],
  [{ ...good, inner: [] }, ['inner must be an object or null']],
  [
    { ...good, extra: { a: ['\0'] } },
    ['extra must not contain integers beyond the safe range, NUL characters or lone surrogates'],
  ],
  [
    { ...good, id: 'x', stars: 5, 'a.b': 1 },
    ['id is read-only', 'stars is read-only', '"a.b" is not a known member'],
  ],
])('of %j it says so', (body, expected) => {
  expect(problems(body).toSorted()).toEqual(expected.toSorted());
});

test('everything optional may be null or absent', () => {
  const nulls = Object.fromEntries(
    ['count', 'price', 'big', 'day', 'at', 'owner', 'tags', 'times', 'inner', 'extra'].map(
      (name) => [name, null],
    ),
  );
  expect(problems({ ...good, ...nulls })).toEqual([]);
});

test('a body means its defaults, its nulls, and its values in their canonical form', () => {
  const body = {
    title: 'abc',
    price: '5',
    at: '2026-01-01T02:00:00+02:00',
    owner: 'ABCDEF00-0000-4000-8000-000000000000',
    inner: { name: 'x' },
  };
  expect(complete(shape, body)).toEqual({
    title: 'abc',
    count: null,
    price: '5.00',
    big: null,
    day: null,
    at: '2026-01-01T00:00:00.000Z',
    owner: 'abcdef00-0000-4000-8000-000000000000',
    kind: 'a',
    tags: null,
    times: null,
    inner: { name: 'x', note: 'none' },
    extra: null,
  });
});

describe('a hostile body', () => {
  test.each([999, 1000, 1001, 9_000])('of %d unknown members is refused', (count) => {
    const junk = Object.fromEntries(Array.from({ length: count }, (_, at) => [`zz${at}`, 0]));
    expect(problems({ ...junk, ...good }).length).toBeGreaterThan(0);
    expect(problems({ ...good, inner: { name: 'x', ...junk } }).length).toBeGreaterThan(0);
  });

  test('is told a hundred problems, and that there are more', () => {
    const body = { ...good, times: Array.from({ length: 2000 }, () => 'x'), inner: { name: 5 } };
    const found = problems(body);
    expect(found).toHaveLength(101);
    expect(found[99]).toMatch(/^times\[99\] must be a time/);
    expect(found[100]).toBe('the body has more problems than these');
    const fewer = { ...good, times: Array.from({ length: 100 }, () => 'x') };
    expect(problems(fewer)).toHaveLength(100);
  });

  test('has no item of a list looked at that has too many', () => {
    let looked = 0;
    const item = Type.Refine(
      string(),
      () => {
        looked++;
        return true;
      },
      () => 'is never wrong',
    );
    const bounded = validator(object({ tags: list(item, { maxItems: 20 }) }));
    const tags = Array.from({ length: 100_000 }, () => 'x');
    expect(bounded({ tags }).map(({ text }) => text)).toEqual(['must have at most 20 items']);
    expect(looked).toBe(0);
  });

  test('has few of its wrong items looked at', () => {
    let looked = 0;
    const item = Type.Refine(
      string(),
      () => {
        looked++;
        return false;
      },
      () => 'is always wrong',
    );
    const unbounded = validator(object({ tags: list(item) }));
    const tags = Array.from({ length: 100_000 }, () => 'x');
    expect(unbounded({ tags })).toHaveLength(101);
    expect(looked).toBeLessThan(1000);
  });

  test('does not make a pattern look at a text that is too long anyway', () => {
    const slow = validator(object({ code: string({ maxLength: 10, pattern: '[0-9]+x' }) }));
    // Quadratic: looked at, it would take minutes.
    expect(slow({ code: '1'.repeat(1_000_000) }).map(({ text }) => text)).toEqual([
      'must have at most 10 characters',
    ]);
  });
});
