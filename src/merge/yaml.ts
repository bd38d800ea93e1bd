/** Merging YAML by its keys, with the comments of the file on disk and of what is added to it. */
import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  visit,
} from 'yaml';
import type { Document, ParsedNode, YAMLMap } from 'yaml';

import { mergeLines, GIT_RULES } from './merge-lines.ts';
import { conflict, merged } from './types.ts';
import type { MergeResult, ConflictPlace, MergeSides } from './types.ts';
import { describeCollision, differenceOf, preferSide } from './value-difference.ts';
import type { ValueChange, Collision, ValuePath, Value } from './value-difference.ts';

/** Merges YAML: by lines, and by keys where these conflict. */
export async function mergeYaml(texts: MergeSides): Promise<MergeResult> {
  const result = mergeLines({ ...texts, prefers: undefined }, GIT_RULES);
  if (result.kind === 'merged' && read(result.text).ok) return result;

  const [base, ours, theirs] = [read(texts.base), read(texts.ours), read(texts.theirs)];
  if (!ours.ok) return conflict([ours.place]);
  if (!base.ok || !theirs.ok || ![base, ours, theirs].every(({ isPlain }) => isPlain)) {
    // Anchors and keys that are no names mean more than their value says.
    return mergeLines(texts, { neighbours: 'apart', additions: 'conflict' });
  }
  const { changes, collisions } = differenceOf(
    { base: base.value, ours: ours.value, theirs: theirs.value },
    preferSide(texts.prefers),
  );
  if (collisions.length > 0) {
    return conflict(collisions.map((collision) => placeOf(ours, collision)));
  }
  const untouched = print(ours.document, texts.ours);
  for (const change of changes) apply(ours.document, theirs.document, change);
  const changed = print(ours.document, texts.ours);
  // Printing has a layout of its own: only what changed in it is brought into the file.
  const relaid = mergeLines(
    { base: untouched, theirs: changed, ours: texts.ours },
    { neighbours: 'apart', additions: 'conflict' },
  );
  return merged(relaid.kind === 'merged' && read(relaid.text).ok ? relaid.text : changed, 'keys');
}

type Read =
  | { readonly ok: false; readonly place: ConflictPlace }
  | {
      readonly ok: true;
      readonly document: Document.Parsed;
      readonly lines: LineCounter;
      readonly value: Value;
      /** Whether the value says all: one document, no anchors, and names for keys. */
      readonly isPlain: boolean;
    };

function read(text: string): Read {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines });
  const [document] = documents;
  if (document === undefined) return { ok: false, place: { line: 1, what: 'the file is empty' } };
  const error = documents.flatMap(({ errors }) => errors)[0];
  if (error !== undefined) {
    const what = `this does not parse: ${error.message.split('\n')[0]?.replace(/ at line .*/, '')}`;
    return { ok: false, place: { line: lines.linePos(error.pos[0]).line, what } };
  }
  let isPlain = documents.length === 1;
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node) || ('anchor' in node && node.anchor !== undefined)) isPlain = false;
    },
    Pair: (_, { key }) => {
      if (!isScalar(key) || typeof key.value !== 'string') isPlain = false;
    },
  });
  return { ok: true, document, lines, value: isPlain ? (document.toJS() as Value) : null, isPlain };
}

function apply(document: Document.Parsed, theirs: Document.Parsed, change: ValueChange): void {
  const { at } = change;
  if (change.kind === 'remove') {
    document.deleteIn(at);
    return;
  }
  const node = document.getIn(at, true);
  if (change.kind === 'set' && isScalar(node) && !isCollection(change.value)) {
    // The node stays, with its comment.
    node.value = change.value;
    delete node.source;
    return;
  }
  const value = document.createNode(change.value);
  if (change.kind === 'set') {
    document.setIn(at, value);
    return;
  }
  const parent = at.length === 1 ? document.contents : document.getIn(at.slice(0, -1), true);
  if (change.kind === 'insert' && isSeq(parent)) parent.items.splice(Number(at.at(-1)), 0, value);
  if (change.kind === 'add' && isMap(parent)) {
    const place = change.after === undefined ? 0 : indexOf(parent, change.after) + 1;
    const pair = pairIn(theirs, at) ?? document.createPair(at.at(-1), change.value);
    parent.items.splice(place, 0, pair as (typeof parent.items)[number]);
  }
}

const isCollection = (value: Value): boolean => typeof value === 'object' && value !== null;

const indexOf = (map: YAMLMap, key: string): number =>
  map.items.findIndex((item) => isScalar(item.key) && item.key.value === key);

/** The pair that is generated at a path of names, with its comments. */
function pairIn(document: Document.Parsed, at: ValuePath): unknown {
  if (at.some((step) => typeof step === 'number')) return undefined;
  const parent = at.length === 1 ? document.contents : document.getIn(at.slice(0, -1), true);
  return isMap(parent) ? parent.items[indexOf(parent, String(at.at(-1)))] : undefined;
}

function print(document: Document.Parsed, ours: string): string {
  const indent = /\n( +)[^\s#-]/.exec(ours)?.[1]?.length ?? 2;
  return document.toString({
    lineWidth: 0,
    indent: Math.max(indent, 1),
    flowCollectionPadding: true,
  });
}

function placeOf(
  { document, lines }: Extract<Read, { ok: true }>,
  collision: Collision,
): ConflictPlace {
  for (let at = [...collision.at]; at.length > 0; at = at.slice(0, -1)) {
    const node = document.getIn(at, true) as ParsedNode | undefined;
    if (node !== undefined && !isPair(node)) {
      return { line: lines.linePos(node.range[0]).line, what: describeCollision(collision) };
    }
  }
  return { line: 1, what: describeCollision(collision) };
}
