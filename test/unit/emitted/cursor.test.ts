/** The cursors of emitted services: good for the list they were made for, and as they were made. */
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { cursorsWith } from '../../../templates/service/src/platform/http/cursor.ts';
import type { KeysetPosition } from '../../../templates/service/src/platform/http/cursor.ts';
import { HttpError } from '../../../templates/service/src/platform/http/errors.ts';

const cursors = cursorsWith(() => 'secret');
const place: KeysetPosition = { direction: 'after', values: ['title', null, 5, 'id'] };

test('a cursor is read as the place that it was made of, by any process with the secret', () => {
  for (const direction of ['after', 'before'] as const) {
    const cursor = cursors.write({ ...place, direction }, 'books');
    expect(cursorsWith(() => 'secret').read(cursor, 'books')).toEqual({ ...place, direction });
  }
});

test('any change of a cursor is refused with 400', () => {
  const cursor = cursors.write(place, 'books');
  fc.assert(
    fc.property(
      fc.nat(cursor.length - 1),
      fc.constantFrom('A', 'z', '9', '-', '_', '', 'AA', '='),
      (at, text) => {
        const changed = cursor.slice(0, at) + text + cursor.slice(at + 1);
        fc.pre(changed !== cursor);
        expect(() => cursors.read(changed, 'books')).toThrow(HttpError);
      },
    ),
    { numRuns: 500 },
  );
});

test.each(['', 'x', 'AAAA', 'A'.repeat(22), 'ü', 'a b', '='])('%j is no cursor', (text) => {
  expect(() => cursors.read(text, 'books')).toThrow(HttpError);
});

test('a cursor is good for no other list, and not with another secret', () => {
  const cursor = cursors.write(place, 'books');
  expect(() => cursors.read(cursor, 'authors')).toThrow(HttpError);
  expect(() => cursorsWith(() => 'other').read(cursor, 'books')).toThrow(HttpError);
});
