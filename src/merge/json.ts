/** Merging JSON by its keys, with the comments and the layout of the file on disk. */
import {
  applyEdits,
  findNodeAtLocation,
  modify,
  parse,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import type { FormattingOptions, Node, ParseError } from 'jsonc-parser';

import { mergeLines, GIT_RULES } from './merge-lines.ts';
import { conflict, merged } from './types.ts';
import type { MergeResult, ConflictPlace, MergeSides } from './types.ts';
import { describeCollision, differenceOf, preferSide } from './value-difference.ts';
import type { ValueChange, Collision, Decide, ValuePath, Value } from './value-difference.ts';

const SYNTAX = { allowTrailingComma: true } as const;

/** Merges JSON, with comments or without: by lines, and by keys where these conflict. */
export async function mergeJson(versions: MergeSides): Promise<MergeResult> {
  const result = mergeLines({ ...versions, prefers: undefined }, GIT_RULES);
  if (result.kind === 'merged' && problemOf(result.text) === undefined) return result;
  return mergeJsonKeys(versions);
}

/** What else is to change, once both sides are one: made after all other changes. */
type Finish = (base: Value, ours: Value, theirs: Value) => readonly ValueChange[];

/** Merges JSON by keys; `decide` settles what both sides changed. */
export function mergeJsonKeys(
  texts: MergeSides,
  decide?: Decide,
  finish: Finish = () => [],
): MergeResult {
  const problem = problemOf(texts.ours);
  if (problem !== undefined) return conflict([problem]);
  const [base, ours, theirs] = [texts.base, texts.ours, texts.theirs].map(
    (text) => parse(text, [], SYNTAX) as Value,
  ) as [Value, Value, Value];
  const { changes, collisions } = differenceOf(
    { base, ours, theirs },
    preferSide(texts.prefers, decide),
  );
  if (collisions.length > 0)
    return conflict(collisions.map((collision) => placeOf(texts.ours, collision)));
  const formattingOptions = layoutOf(texts.ours);
  const text = [...changes, ...finish(base, ours, theirs)].reduce(
    (result, change) => apply(result, change, formattingOptions),
    texts.ours,
  );
  return merged(text, 'keys');
}

function apply(text: string, change: ValueChange, formattingOptions: FormattingOptions): string {
  const at = [...change.at];
  const edits = (value: Value | undefined, more: object = {}) =>
    applyEdits(text, modify(text, at, value, { formattingOptions, ...more }));
  if (change.kind === 'remove') return edits(undefined);
  if (change.kind === 'set') return edits(change.value);
  if (change.kind === 'insert') return edits(change.value, { isArrayInsertion: true });
  const { after, value } = change;
  return edits(value, {
    getInsertionIndex: (keys: string[]) => (after === undefined ? 0 : keys.indexOf(after) + 1),
  });
}

/** The indentation of a text, for what is added to it. */
function layoutOf(text: string): FormattingOptions {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length, eol: '\n' };
}

/** The first thing that does not parse, or the first key that an object has twice. */
function problemOf(text: string): ConflictPlace | undefined {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, SYNTAX);
  const [error] = errors;
  if (error !== undefined) {
    const what = `this does not parse: ${printParseErrorCode(error.error)}`;
    return { line: lineAt(text, error.offset), what };
  }
  const twice = tree === undefined ? undefined : repeatedKey(tree);
  if (twice === undefined) return undefined;
  return {
    line: lineAt(text, twice.offset),
    what: `the key ${JSON.stringify(twice.value)} stands twice`,
  };
}

function repeatedKey(node: Node): Node | undefined {
  const seen = new Set<unknown>();
  for (const child of node.children ?? []) {
    const [key] = child.type === 'property' ? (child.children ?? []) : [];
    if (key !== undefined) {
      if (seen.has(key.value)) return key;
      seen.add(key.value);
    }
    const inner = repeatedKey(child);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function placeOf(ours: string, collision: Collision): ConflictPlace {
  return { line: lineOf(ours, collision.at), what: describeCollision(collision) };
}

/** The line of a value; of what it would stand in, where it is not there. */
function lineOf(text: string, at: ValuePath): number {
  const tree = parseTree(text, [], SYNTAX);
  if (tree === undefined) return 1;
  // From the value outwards.
  const nodes = [...at, ''].map((_, index) =>
    findNodeAtLocation(tree, at.slice(0, at.length - index)),
  );
  const node = nodes.find((found) => found !== undefined) ?? tree;
  return lineAt(text, (node.parent?.type === 'property' ? node.parent : node).offset);
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
