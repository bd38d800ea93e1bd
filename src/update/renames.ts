/**
 * Edits follow a rename: where a collection is called otherwise now, all that is generated for it is
 * too, and an edit in the middle of it would be one of something that is gone. So the new names are
 * put into what was generated last and into what stands on disk, before these are merged.
 */
import { diffIndices } from 'node-diff3';

import type { MergeInput, MergeResult } from '../merge/index.ts';

/** A text as it was generated, and as it would have been under the names of now. */
export interface Retold {
  readonly before: string;
  readonly now: string;
}

export interface Renames {
  /** By the path that a file has now. */
  readonly retold: ReadonlyMap<string, Retold>;
  /** New names by old ones, where there is no doubt: `createBook`, `BookValues`, `"books"` in SQL. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * @param words what a collection was called: in what a team wrote they may mean something else.
 */
export function renamesOf(
  retold: ReadonlyMap<string, Retold>,
  words: ReadonlySet<string>,
): Renames {
  const found = new Map<string, Set<string>>();
  const still = new Set<string>();
  for (const { before, now } of retold.values()) {
    if (before === now) continue;
    for (const word of wordsIn(now)) still.add(keyOf(word));
    for (const word of aligned(before, now)) {
      const { text, becomes } = word;
      if (becomes === undefined || becomes === text || !/^[\w$]+$/.test(becomes)) continue;
      found.set(keyOf(word), (found.get(keyOf(word)) ?? new Set()).add(becomes));
    }
  }
  const names = [...found].flatMap(([name, becomes]): [string, string][] => {
    const [only] = becomes;
    const isSure = becomes.size === 1 && !still.has(name) && !words.has(name);
    return isSure && only !== undefined ? [[name, only]] : [];
  });
  return { retold, names: new Map(names) };
}

/** What following needs of the stages around it. */
export interface Following {
  readonly merge: (input: MergeInput) => Promise<MergeResult>;
  /** Formats as what is generated is; a text that does not parse stays as it is. */
  readonly format: (path: string, text: string) => Promise<string>;
}

/** Merges a file, with the names of before replaced by those of now. */
export async function mergeFollowing(
  input: MergeInput,
  { retold, names }: Renames,
  { merge, format }: Following,
): Promise<MergeResult> {
  const { path } = input;
  const wanted = retold.get(path)?.now;
  if (input.base === undefined || wanted === undefined) return merge(input);
  const words = aligned(input.base, wanted);
  const base = rewritten(input.base, words, names);
  const disk = rewritten(input.disk, carriedOver(words, input.disk), names);
  if (base === input.base && disk === input.disk) return merge(input);
  // Another name may need another layout, in a file that keeps to that of the project.
  if ((await format(path, input.disk)) === input.disk) {
    const styled = { base: await format(path, base), disk: await format(path, disk) };
    const result = await merge({ ...input, ...styled });
    if (result.kind === 'merged') return result;
  }
  // Places are told by the lines on disk.
  return merge({ ...input, base, disk });
}

/** A name or a word of prose, and where in the text it is. */
interface Word {
  readonly text: string;
  readonly start: number;
  /** Whether it stands in double quotes: in what is generated, that is a name in SQL. */
  readonly isQuoted: boolean;
}

/** A word, and what it becomes; undefined where that cannot be told. */
interface Renamed extends Word {
  readonly becomes: string | undefined;
}

const wordsIn = (text: string): Word[] =>
  [...text.matchAll(/[\w$]+(?:-[\w$]+)*/g)].map(({ 0: word, index }) => ({
    text: word,
    start: index,
    isQuoted: text[index - 1] === '"' && text[index + word.length] === '"',
  }));

const textOf = ({ text }: Word): string => text;

/** What a word is known by among the names that are sure. */
const keyOf = ({ text, isQuoted }: Word): string => (isQuoted ? `"${text}"` : text);

/** More words than these that differ in a row are another text, and no longer another name. */
const LONGEST_NAME = 8;

/** The words of a text, by another that is the same but for names. */
function aligned(before: string, now: string): Renamed[] {
  const [old, current] = [wordsIn(before), wordsIn(now)];
  const becomes: (string | undefined)[] = old.map(textOf);
  for (const { buffer1, buffer2 } of diffIndices(old.map(textOf), current.map(textOf))) {
    const [[from, length], [start, count]] = [buffer1, buffer2];
    const own = current.slice(start, start + count);
    for (let index = 0; index < length; index++) {
      becomes[from + index] = length === count ? own[index]?.text : undefined;
    }
    const [first, last] = [own[0], own.at(-1)];
    if (length === count || first === undefined || last === undefined) continue;
    if (length === 0 || Math.max(length, count) > LONGEST_NAME) continue;
    // One word that is two now, or the other way round.
    becomes[from] = now.slice(first.start, last.start + last.text.length);
    becomes.fill('', from + 1, from + length);
  }
  return old.map((word, index) => ({ ...word, becomes: becomes[index] }));
}

/** The words of a text that was edited: what is of the text before becomes what it becomes there. */
function carriedOver(words: readonly Renamed[], text: string): Renamed[] {
  const own = wordsIn(text);
  const becomes: (string | undefined)[] = own.map(() => undefined);
  let [at, other] = [0, 0];
  const end = { buffer1: [words.length, 0], buffer2: [own.length, 0] } as const;
  for (const { buffer1, buffer2 } of [...diffIndices(words.map(textOf), own.map(textOf)), end]) {
    for (; at < buffer1[0]; at++, other++) becomes[other] = words[at]?.becomes;
    at += buffer1[1];
    other += buffer2[1];
  }
  return own.map((word, index) => ({ ...word, becomes: becomes[index] }));
}

/** The text with its words replaced; one of which nothing is told by its name. */
function rewritten(
  text: string,
  words: readonly Renamed[],
  names: ReadonlyMap<string, string>,
): string {
  const parts: string[] = [];
  let end = 0;
  for (const word of words) {
    const to = word.becomes ?? names.get(keyOf(word)) ?? word.text;
    const between = text.slice(end, word.start);
    parts.push(to === '' ? between.trimEnd() : between, to);
    end = word.start + word.text.length;
  }
  return [...parts, text.slice(end)].join('');
}
