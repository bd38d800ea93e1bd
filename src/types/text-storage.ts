/** Helpers for values that JSON carries as text, and the storage of `string`, `text` and `enum`. */
import type { Issues } from '../reading/issues.ts';
import { quote } from '../reading/quote.ts';
import { text } from '../reading/shapes.ts';
import type { Tree } from '../reading/tree.ts';
import { literal } from '../shared/sql.ts';
import type { JsonValue } from '../shared/json.ts';

/** Bytes of a character of a text in JSON at most: `\u0001`. */
const ESCAPED = 6;
/** Bytes that the length of a text takes in an entry of an index. */
export const TEXT_HEADER = 4;
/** Bytes of most other values in an index. */
export const WORD_BYTES = 8;

/** Bytes of a text of so many characters in JSON at most, with its quotes. */
export const jsonTextBytes = (longest = Infinity): number => 2 + ESCAPED * longest;

/** Bytes of an entry of an index, by those of the text. */
export const indexTextBytes = (bytes: number): number =>
  bytes > 0 ? TEXT_HEADER + bytes : WORD_BYTES;

/** Refuses a value that was read as text. @param write what to write in place of it */
export type Refuse = (why: string, write: string) => undefined;

/** Reads a value that JSON carries as text, and what is wrong with it. */
export function readText<V>(
  tree: Tree,
  what: string,
  issues: Issues,
  read: (value: string, refuse: Refuse) => V | undefined,
): V | undefined {
  const value = text().read(tree, what, issues);
  if (value === undefined) return undefined;
  return read(value, (why, write) => {
    issues.add(tree.at, 'bad-value', `${what} ${quote(value)} ${why}. Write ${write}.`);
    return undefined;
  });
}

/** What the texts of all three are in the database. */
export const TEXT_STORAGE = {
  // By code point, on every server alike.
  column: () => ({ definition: 'text collate "C"', cast: 'text' }),
  nullSubstitute: `''`,
  literal: (_type: object, value: JsonValue) => literal(String(value)),
  toText: (_type: object, value: string) => value,
} as const;
