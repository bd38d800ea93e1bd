/**
 * Edits follow a rename: where a collection is called otherwise now, all that is generated for it is
 * too, and an edit in the middle of it would be one of something that is gone. So the new names are
 * put into what was generated last and into what stands on disk, before these are merged.
 */
import { diffIndices } from 'node-diff3';

import { anchorsOf } from '../merge/anchors.ts';
import type { MergeInput, MergeResult } from '../merge/index.ts';

/** A text as it was generated, and as it would have been under the names of now. */
export interface RenamedText {
  readonly before: string;
  readonly now: string;
}

export interface Renames {
  /** By the path that a file has now. */
  readonly retold: ReadonlyMap<string, RenamedText>;
  /** New names by old ones, where there is no doubt: `createBook`, `BookValues`, `"books"` in SQL. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * @param words what a collection was called: in what a team wrote they may mean something else.
 */
export function renamesOf(
  retold: ReadonlyMap<string, RenamedText>,
  words: ReadonlySet<string>,
): Renames {
  const found = new Map<string, Set<string>>();
  const still = new Set<string>();
  for (const { before, now } of retold.values()) {
    if (before === now) continue;
    for (const word of splitWords(now).words) still.add(keyOf(word));
    for (const word of alignWords(before, now)) {
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
interface Following {
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
  const texts = retold.get(path);
  if (input.base === undefined || texts === undefined) return merge(input);
  // The base may be of an older version of this tool: only what both versions generate is aligned.
  const words = renamedInEdited(texts.before, alignWords(texts.before, texts.now), input.base);
  const base = rewritten(input.base, words, names);
  const ours = rewritten(input.ours, renamedInEdited(input.base, words, input.ours), names);
  if (base === input.base && ours === input.ours) return merge(input);
  // Another name may need another layout, in a file that keeps to that of the project.
  if ((await format(path, input.ours)) === input.ours) {
    const styled = { base: await format(path, base), ours: await format(path, ours) };
    const result = await merge({ ...input, ...styled });
    if (result.kind === 'merged') return result;
  }
  // Places are told by the lines on disk.
  return merge({ ...input, base, ours });
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

/** A text by its lines and its words. */
interface Words {
  readonly lines: readonly string[];
  readonly words: readonly Word[];
  /** The index of the first word of each line, and of the first after the last. */
  readonly starts: readonly number[];
}

function splitWords(text: string): Words {
  const lines = text.split('\n');
  const words: Word[] = [];
  const starts: number[] = [];
  let offset = 0;
  for (const line of lines) {
    starts.push(words.length);
    for (const { 0: word, index } of line.matchAll(/[\w$]+(?:-[\w$]+)*/g)) {
      const isQuoted = line[index - 1] === '"' && line[index + word.length] === '"';
      words.push({ text: word, start: offset + index, isQuoted });
    }
    offset += line.length + 1;
  }
  return { lines: lines.map((line) => line.trim()), words, starts: [...starts, words.length] };
}

/** A run of words that others stand in the place of. */
interface Hunk {
  readonly from: number;
  readonly length: number;
  readonly start: number;
  readonly count: number;
}

/** Where the words of two texts differ; between lines that both have once, so that it takes no time. */
function hunksBetween(one: Words, other: Words): Hunk[] {
  const hunks: Hunk[] = [];
  let [from, to] = [0, 0];
  const end = [other.lines.length, one.lines.length] as const;
  for (const [on, at] of [...anchorsOf(other.lines, one.lines, other.lines), end]) {
    const [first, second] = [one.starts[from] ?? 0, other.starts[to] ?? 0];
    const mine = one.words.slice(first, one.starts[at]).map(textOf);
    const others = other.words.slice(second, other.starts[on]).map(textOf);
    for (const { buffer1, buffer2 } of diffIndices(mine, others)) {
      hunks.push({
        from: first + buffer1[0],
        length: buffer1[1],
        start: second + buffer2[0],
        count: buffer2[1],
      });
    }
    [from, to] = [at + 1, on + 1];
  }
  return hunks;
}

const textOf = ({ text }: Word): string => text;

/** What a word is known by among the names that are sure. */
const keyOf = ({ text, isQuoted }: Word): string => (isQuoted ? `"${text}"` : text);

/** More words than these that differ in a row are another text, and no longer another name. */
const LONGEST_NAME = 8;

/** Words with single spaces between them: a name in prose, and neither code nor a whole sentence. */
const isName = (text: string): boolean => /^[\w$]+(?:-[\w$]+)*(?: [\w$]+(?:-[\w$]+)*)*$/.test(text);

/** The words of a text, by another that is the same but for names. */
function alignWords(before: string, now: string): Renamed[] {
  const [oldWords, current] = [splitWords(before), splitWords(now)];
  const becomes: (string | undefined)[] = oldWords.words.map(textOf);
  for (const { from, length, start, count } of hunksBetween(oldWords, current)) {
    const own = current.words.slice(start, start + count);
    for (let index = 0; index < length; index++) {
      becomes[from + index] = length === count ? own[index]?.text : undefined;
    }
    const [first, last] = [own[0], own.at(-1)];
    if (length === count || first === undefined || last === undefined) continue;
    if (length === 0 || Math.max(length, count) > LONGEST_NAME) continue;
    const [firstOld, lastOld] = [oldWords.words[from], oldWords.words[from + length - 1]];
    if (firstOld === undefined || lastOld === undefined) continue;
    const name = before.slice(firstOld.start, lastOld.start + lastOld.text.length);
    const newName = now.slice(first.start, last.start + last.text.length);
    // Where the generator has changed this text too, the words are no longer one name.
    if (!isName(name) || !isName(newName)) continue;
    // One word that is two now, or the other way round.
    becomes[from] = newName;
    becomes.fill('', from + 1, from + length);
  }
  return oldWords.words.map((word, index) => ({ ...word, becomes: becomes[index] }));
}

/** The words of an edited text: what is of the text before becomes what it becomes there. */
function renamedInEdited(before: string, words: readonly Renamed[], text: string): Renamed[] {
  const own = splitWords(text);
  const becomes: (string | undefined)[] = own.words.map(() => undefined);
  let [at, other] = [0, 0];
  const end = { from: words.length, length: 0, start: own.words.length, count: 0 };
  for (const { from, length, start, count } of [...hunksBetween(splitWords(before), own), end]) {
    for (; at < from; at++, other++) becomes[other] = words[at]?.becomes;
    [at, other] = [from + length, start + count];
  }
  return own.words.map((word, index) => ({ ...word, becomes: becomes[index] }));
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
