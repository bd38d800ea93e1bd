/** Texts with conflict markers, put together and taken apart. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { conflictSides, withMarkers } from '../../../src/update/text.ts';

const MARKED = 'one\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\nlast\n';

test('two versions with markers around what differs are taken apart into these versions', () => {
  const text = fc
    .array(fc.constantFrom('one', 'two', 'three', '', '======', '<<<<<<<<'), { maxLength: 8 })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (ours, theirs) => {
      expect(conflictSides(withMarkers(ours, theirs)) ?? [ours, ours]).toEqual([ours, theirs]);
    }),
  );
  expect(withMarkers('one\nours\nlast\n', 'one\ntheirs\nlast\n')).toBe(
    'one\n<<<<<<< on disk\nours\n=======\ntheirs\n>>>>>>> generated\nlast\n',
  );
});

describe('the two sides of a text with the markers of git', () => {
  test('have what is outside of the markers in common', () => {
    expect(conflictSides(MARKED)).toEqual(['one\nours\nlast\n', 'one\ntheirs\nlast\n']);
  });

  test('are without the base that git may show between them', () => {
    const withBase = MARKED.replace('=======\n', '||||||| 1a2b3c4\nbase\n=======\n');
    expect(conflictSides(withBase)).toEqual(conflictSides(MARKED));
  });

  test.each([
    ['there are none', 'one\nlast\n'],
    ['the last ones do not end', `${MARKED}<<<<<<< HEAD\nours\n`],
    ['the last ones lack one side', `${MARKED}<<<<<<< HEAD\nours\n=======\n`],
  ])('are not known where %s', (_what, text) => {
    expect(conflictSides(text)).toBeUndefined();
  });
});
