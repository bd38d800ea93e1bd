/**
 * A YAML document as plain values with positions: maps with text keys, lists and scalars, with
 * aliases and merge keys resolved. Readers see this tree, and never the YAML library.
 */
import { isAlias, isMap, isScalar, isSeq, Scalar, type Node, type Pair } from 'yaml';
import type { Issues } from './issues.ts';
import { quote } from './quote.ts';
import { DEEPEST, tooDeepMessage, type Source } from './source.ts';
import type { Position } from './position.ts';

/** How many values all aliases and merge keys of one file may stand for, taken together. */
const MOST_EXPANDED = 20_000;

interface ScalarTree {
  readonly kind: 'scalar';
  readonly at: Position;
  /** A bigint is an integer that no number holds exactly. */
  readonly value: string | number | bigint | boolean | null;
  /** As it was written, without quotes. */
  readonly source: string;
  /** Where a text begins behind its quote; absent if a place in it is none in the file, as with escapes. */
  readonly textAt?: Position;
}

export interface Entry {
  readonly name: string;
  /** Where the key stands. */
  readonly at: Position;
  readonly value: Tree;
}

export interface MapTree {
  readonly kind: 'map';
  readonly at: Position;
  readonly entries: readonly Entry[];
}

export interface ListTree {
  readonly kind: 'list';
  readonly at: Position;
  readonly items: readonly Tree[];
}

export type Tree = ScalarTree | MapTree | ListTree;

/** The tree of a file; undefined where it is empty, or an issue was added. */
export function toTree(source: Source, issues: Issues): Tree | undefined {
  const contents = source.document.contents;
  if (contents === null || (isScalar(contents) && contents.value === null)) return undefined;
  return new Builder(source, issues).build(contents);
}

/** What an anchor stands for: a value that is whole, or still being built around the alias. */
type Anchored = { readonly tree: Tree; readonly size: number } | 'unfinished';

class Builder {
  readonly #source: Source;
  readonly #issues: Issues;
  readonly #anchors = new Map<string, Anchored>();
  /** How many values were built so far, and how many came from aliases. */
  #built = 0;
  #expanded = 0;
  #failed = false;

  constructor(source: Source, issues: Issues) {
    this.#source = source;
    this.#issues = issues;
  }

  build(contents: Node): Tree | undefined {
    const tree = this.#tree(contents, 0);
    return this.#failed ? undefined : tree;
  }

  #tree(node: unknown, depth: number): Tree {
    const at = this.#at(node);
    if (depth > DEEPEST) return this.#fail(at, 'too-deep', tooDeepMessage);
    if (isAlias(node)) return this.#alias(node.source, at);
    const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
    const before = this.#built + this.#expanded;
    if (anchor !== undefined) this.#anchors.set(anchor, 'unfinished');
    const tree = this.#plain(node, at, depth);
    this.#built += 1;
    if (anchor !== undefined) {
      this.#anchors.set(anchor, { tree, size: this.#built + this.#expanded - before });
    }
    return tree;
  }

  #plain(node: unknown, at: Position, depth: number): Tree {
    if (isMap(node)) return this.#map(node.items, at, depth);
    if (isSeq(node)) {
      return { kind: 'list', at, items: node.items.map((item) => this.#tree(item, depth + 1)) };
    }
    if (!isScalar(node)) return absent(at);
    const textAt = typeof node.value === 'string' ? this.#textAt(node, at) : undefined;
    return { ...scalar(node, at), ...(textAt !== undefined && { textAt }) };
  }

  #map(pairs: readonly Pair[], at: Position, depth: number): MapTree {
    const own = new Map<string, Entry>();
    const merged: Entry[] = [];
    for (const pair of pairs) {
      const keyAt = this.#at(pair.key);
      if (isMergeKey(pair.key)) {
        merged.push(...this.#merged(pair.value, keyAt, depth));
        continue;
      }
      const name = keyText(pair.key);
      if (name === undefined) {
        this.#fail(keyAt, 'wrong-type', 'a key is not text: keys are names. Write a word.');
        continue;
      }
      const value = pair.value === null ? absent(keyAt) : this.#tree(pair.value, depth + 1);
      const first = own.get(name);
      if (first === undefined) own.set(name, { name, at: keyAt, value });
      else {
        const message = `${quote(name)} stands here twice: first in line ${first.at.line}. Remove one.`;
        this.#issues.add(keyAt, 'duplicate-key', message);
      }
    }
    for (const entry of merged) if (!own.has(entry.name)) own.set(entry.name, entry);
    return { kind: 'map', at, entries: [...own.values()] };
  }

  /** The entries that `<<` brings in: of one map, or of several in a list, the first winning. */
  #merged(value: unknown, keyAt: Position, depth: number): readonly Entry[] {
    const tree = this.#tree(value, depth + 1);
    const maps = tree.kind === 'list' ? tree.items : [tree];
    return maps.flatMap((map) => {
      if (map.kind === 'map') {
        this.#expanded += map.entries.length;
        this.#checkExpansion(keyAt);
        return this.#failed ? [] : map.entries;
      }
      if (!this.#failed) {
        this.#fail(keyAt, 'wrong-type', '"<<" merges maps only. Write an alias of a map.');
      }
      return [];
    });
  }

  #alias(name: string, at: Position): Tree {
    const target = this.#anchors.get(name);
    if (target === undefined) {
      const message = `the alias ${quote(`*${name}`)} has no anchor before it. Write ${quote(`&${name}`)} where its value stands.`;
      return this.#fail(at, 'syntax', message);
    }
    if (target === 'unfinished') {
      const message = `the alias ${quote(`*${name}`)} stands inside its own value: it would expand without end.`;
      return this.#fail(at, 'alias-expansion', message);
    }
    this.#expanded += target.size;
    return this.#checkExpansion(at) ?? target.tree;
  }

  #checkExpansion(at: Position): Tree | undefined {
    if (this.#expanded <= MOST_EXPANDED || this.#failed) return undefined;
    const message = `the aliases of this file expand to more than ${MOST_EXPANDED} values. Write them out.`;
    return this.#fail(at, 'alias-expansion', message);
  }

  /** A file that fails here is not read further, so only the first failure is told. */
  #fail(
    at: Position,
    code: 'too-deep' | 'syntax' | 'alias-expansion' | 'wrong-type',
    message: string,
  ): Tree {
    if (!this.#failed) this.#issues.add(at, code, message);
    this.#failed = true;
    return absent(at);
  }

  #textAt({ range, value }: Scalar, at: Position): Position | undefined {
    const [start = 0, end = 0] = range ?? [];
    const written = this.#source.text.slice(start, end);
    if (written === value) return at;
    return /^['"]/.test(written) && written.slice(1, -1) === value
      ? Object.freeze({ ...at, column: at.column + 1 })
      : undefined;
  }

  #at(node: unknown): Position {
    const range = (node as Node | null)?.range;
    return this.#source.place(range?.[0] ?? 0);
  }
}

function absent(at: Position): ScalarTree {
  return { kind: 'scalar', at, value: null, source: '' };
}

function scalar(node: Scalar, at: Position): ScalarTree {
  const { value } = node;
  const source = node.source ?? String(value);
  if (typeof value === 'bigint') {
    const number = Number(value);
    return { kind: 'scalar', at, value: Number.isSafeInteger(number) ? number : value, source };
  }
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) {
    return { kind: 'scalar', at, value, source };
  }
  // Only text is left: the core schema has no other scalars, and other tags were refused.
  return { kind: 'scalar', at, value: value as string, source };
}

/** Keys are taken as they are written, so that a field may be called `null` or `true`. */
function keyText(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  return typeof key.value === 'string' ? key.value : (key.source ?? '');
}

/** Whether a key is the merge key of YAML: `<<`, not in quotes. */
export function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && key.type === Scalar.PLAIN;
}
