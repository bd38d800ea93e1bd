/** JSON Merge Patch in emitted services: the RFC's own examples, and what shapes add to it. */
import { describe, expect, test } from 'vitest';

import { applyPatch } from '../../../templates/service/src/platform/http/json.ts';
import {
  json,
  object,
  optional,
  string,
} from '../../../templates/service/src/platform/http/shapes.ts';

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('RFC 7396, appendix A, within a free JSON member', () => {
  const shape = object({ value: optional(json()) });
  test.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('%j patched with %j is %j', (value, patch, expected) => {
    expect(plain(applyPatch(shape, { value }, { value: patch }))).toEqual({ value: expected });
  });
});

describe('members that have a shape', () => {
  const shape = object({
    title: optional(string(), 'untitled'),
    address: optional(object({ city: optional(string(), 'here'), zip: optional(string()) })),
  });
  const stored = { title: 'a', address: { city: 'b', zip: 'c' } };

  test.each([
    [{}, stored],
    [{ title: null }, { title: null, address: stored.address }],
    [{ address: { city: null } }, { title: 'a', address: { city: null, zip: 'c' } }],
    [{ address: null }, { title: 'a', address: null }],
  ])('patched with %j: null is null, and no default', (patch, expected) => {
    expect(plain(applyPatch(shape, stored, patch))).toEqual(expected);
  });

  test('an object that is not there yet is made of the patch alone', () => {
    expect(
      plain(applyPatch(shape, { title: 'a', address: null }, { address: { zip: '1' } })),
    ).toEqual({
      title: 'a',
      address: { zip: '1' },
    });
  });

  test('what is patched is not changed itself', () => {
    applyPatch(shape, stored, { address: { zip: 'x' }, title: 'x' });
    expect(stored).toEqual({ title: 'a', address: { city: 'b', zip: 'c' } });
  });
});
