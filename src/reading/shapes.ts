/**
 * The shapes that a value can have. Each knows both how to read itself from a tree, with an issue
 * for what does not fit, and the JSON Schema that tells the same to an editor; so the two agree.
 */
import { Issues } from './issues.ts';
import { booleanHint, listHint, mismatch, numberHint, quotedHint, shown } from './mismatch.ts';
import { nearest } from './nearest.ts';
import { enumerate, quote } from './quote.ts';
import type { Tree } from './tree.ts';
import type { Position } from './position.ts';

/** A schema of draft-07, which the YAML servers of editors understand. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

export interface Shape<T> {
  readonly schema: JsonSchema;
  /** `what` names the value in messages; undefined means that an issue was added. */
  read(tree: Tree, what: string, issues: Issues): T | undefined;
  /** What to write in place of a value that has another type; absent or undefined where that is not known. */
  readonly hint?: (tree: Tree) => string | undefined;
}

/** A value and where it stands. */
export interface Located<T> {
  readonly value: T;
  readonly at: Position;
}

/**
 * Text that may hold anything but NUL and lone surrogates.
 * @param schema what else the schema says; readers check that themselves.
 * @param example what to write in place of what is no text, where quotes do not make it one that fits.
 */
export function text(schema: TextSchema = {}, example?: string): Shape<string> {
  return {
    schema: { type: 'string', ...schema },
    read(tree, what, issues) {
      if (tree.kind !== 'scalar' || typeof tree.value !== 'string') {
        const quoted = quotedHint(tree);
        const fits = quoted !== undefined && fitsText(quoted.slice(1, -1), schema);
        return mismatch(tree, what, 'text', fits ? quoted : example, issues);
      }
      if (!isStorable(tree.value)) {
        const message = `${what} ${quote(tree.value)} holds NUL or half of a surrogate pair: neither can be stored. Remove it.`;
        issues.add(tree.at, 'bad-text', message);
        return undefined;
      }
      return tree.value;
    },
  };
}

/** The keywords of a schema for text. */
interface TextSchema extends JsonSchema {
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

const fitsText = (value: string, { pattern, minLength = 0, maxLength = Infinity }: TextSchema) =>
  (pattern === undefined || new RegExp(pattern, 'u').test(value)) &&
  value.length >= minLength &&
  value.length <= maxLength;

/** Whether PostgreSQL and UTF-8 can hold the text. */
export function isStorable(value: string): boolean {
  return !/\0|\p{Surrogate}/u.test(value);
}

/** `true` or `false`. */
export const flag: Shape<boolean> = {
  schema: { type: 'boolean' },
  read(tree, what, issues) {
    if (tree.kind === 'scalar' && typeof tree.value === 'boolean') return tree.value;
    return mismatch(tree, what, 'true or false', booleanHint(tree), issues);
  },
};

/** A whole number within bounds. */
export function whole(least: number, most: number): Shape<number> {
  return {
    schema: { type: 'integer', minimum: least, maximum: most },
    read(tree, what, issues) {
      const value = numeric(tree, what, 'a whole number', Number.isInteger, issues);
      if (value === undefined) return undefined;
      if (value >= least && value <= most) return Object.is(value, -0) ? 0 : Number(value);
      const message = `${what} ${shown(tree)} is out of range. Write a number from ${least} to ${most}.`;
      issues.add(tree.at, 'out-of-range', message);
      return undefined;
    },
  };
}

/** A number that JSON can hold. */
export const numberShape: Shape<number> = {
  schema: { type: 'number' },
  read(tree, what, issues) {
    const value = numeric(tree, what, 'a number', Number.isFinite, issues);
    if (typeof value !== 'bigint') return Object.is(value, -0) ? 0 : value;
    const message = `${what} ${shown(tree)} is an integer that no number holds exactly. Write a nearer one.`;
    issues.add(tree.at, 'out-of-range', message);
    return undefined;
  },
};

/** A text that nothing becomes by quotes. */
const NO_TEXT = { pattern: '(?!)' };

/** One of a few words. */
export function word<const W extends string>(
  words: readonly W[],
  synonyms: Readonly<Record<string, W>> = {},
): Shape<W> {
  return {
    schema: { enum: words },
    read(tree, what, issues) {
      const value = text(NO_TEXT, `one of ${enumerate(words, 'or')}`).read(tree, what, issues);
      if (value === undefined) return undefined;
      const found = words.find((candidate) => candidate === value);
      if (found !== undefined) return found;
      const [only, another] = words;
      const close = another === undefined ? only : nearest(value, words);
      const near = Object.hasOwn(synonyms, value) ? synonyms[value] : close;
      const hint = near === undefined ? `one of ${enumerate(words, 'or')}` : quote(near);
      issues.add(tree.at, 'wrong-word', `${what} ${quote(value)} is not known. Write ${hint}.`);
      return undefined;
    },
  };
}

/** A list, each entry with its position. Entries that do not fit are told, and left out. */
export function list<T>(item: Shape<T>, least = 0): Shape<readonly Located<T>[]> {
  const hint = (tree: Tree): string | undefined => {
    if (item.read(tree, '', new Issues()) !== undefined) return listHint(tree);
    const inner = item.hint?.(tree);
    return inner === undefined ? undefined : `[${inner}]`;
  };
  return {
    hint,
    schema: { type: 'array', items: item.schema, ...(least > 0 && { minItems: least }) },
    read(tree, what, issues) {
      if (tree.kind !== 'list') return mismatch(tree, what, 'a list', hint(tree), issues);
      if (tree.items.length < least) {
        issues.add(tree.at, 'empty-list', `${what} is empty. Write at least one entry.`);
        return undefined;
      }
      return tree.items.flatMap((entry) => {
        const value = item.read(entry, `${what} entry`, issues);
        return value === undefined ? [] : [{ value, at: entry.at }];
      });
    },
  };
}

/** A list of at least one of a few words, or one of them by itself. */
export function oneOrMore<const W extends string>(
  words: readonly W[],
): Shape<readonly Located<W>[]> {
  const one = word(words);
  const more = list(one, 1);
  return {
    schema: { anyOf: [one.schema, more.schema] },
    read(tree, what, issues) {
      if (tree.kind === 'list') return more.read(tree, what, issues);
      const value = one.read(tree, what, issues);
      return value === undefined ? undefined : [{ value, at: tree.at }];
    },
  };
}

/** Anything, to be read once more is known. */
export function anything(schema: JsonSchema = {}): Shape<Tree> {
  return { schema, read: (value) => value };
}

function numeric(
  tree: Tree,
  what: string,
  wanted: string,
  fits: (value: number) => boolean,
  issues: Issues,
): number | bigint | undefined {
  if (tree.kind === 'scalar') {
    if (typeof tree.value === 'bigint') return tree.value;
    if (typeof tree.value === 'number' && fits(tree.value)) return tree.value;
    if (typeof tree.value === 'number') {
      issues.add(tree.at, 'wrong-type', `${what} ${shown(tree)} is not ${wanted}.`);
      return undefined;
    }
  }
  return mismatch(tree, what, wanted, numberHint(tree), issues);
}
