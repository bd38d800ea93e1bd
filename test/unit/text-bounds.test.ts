/** How many bytes the texts of a type take at most, in UTF-8. */
import { expect, test } from 'vitest';

import { mostTextBytes } from '../../src/types/text-bounds.ts';

test.each<[options: Parameters<typeof mostTextBytes>[0], bytes: number]>([
  [{}, Infinity],
  [{ maxLength: 5 }, 20],
  // Characters of one to four bytes.
  [{ pattern: '^[0-9]{13}$' }, 13],
  [{ pattern: String.raw`^\d{3}$` }, 3],
  [{ pattern: String.raw`^\w\w$` }, 2],
  [{ pattern: '^é{2}$' }, 4],
  [{ pattern: '^[a-é]$' }, 2],
  [{ pattern: '^€$' }, 3],
  [{ pattern: String.raw`^\u{1F600}$` }, 4],
  // Sets of all but a few characters.
  [{ pattern: String.raw`^\D{2}$` }, 8],
  [{ pattern: String.raw`^\W$` }, 4],
  [{ pattern: String.raw`^[\Da]$` }, 4],
  [{ pattern: '^[^a]$' }, 4],
  [{ pattern: '^.$' }, 4],
  // The longest of several alternatives, each of which has both anchors.
  [{ pattern: '^(?:ab|c)$' }, 2],
  [{ pattern: '^a$|^bcd$' }, 3],
  [{ pattern: '^a$|b' }, Infinity],
  [{ pattern: '^a|b$' }, Infinity],
  [{ pattern: '^a' }, Infinity],
  [{ pattern: 'a$' }, Infinity],
  // Without an end.
  [{ pattern: '^a*$' }, Infinity],
  [{ pattern: '^a*$', maxLength: 5 }, 5],
  [{ pattern: '^a{0}$' }, 0],
  [{ pattern: String.raw`^(a)\1$` }, Infinity],
  // Formats.
  [{ format: 'ipv4' }, 15],
  [{ format: 'slug', maxLength: 10 }, 10],
  [{ format: 'hostname', pattern: '^[a-z.]{1,20}$' }, 20],
])('%j: %d', (options, bytes) => {
  expect(mostTextBytes(options)).toBe(bytes);
});
