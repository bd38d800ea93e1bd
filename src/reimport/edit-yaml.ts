/**
 * Edits the text of a definition so that it has another value. Whatever keeps its value keeps its place, layout and
 * comments: the text is spliced, and never printed as a whole.
 */
import { isDeepStrictEqual } from 'node:util';

import { isAlias, isCollection, isMap, isPair, isScalar, isSeq, Lexer, parseDocument } from 'yaml';
import type { Document, Node, Pair, YAMLMap, YAMLSeq } from 'yaml';

import { inlinePair, inlineYaml } from '../compatibility/definition-yaml.ts';
import { isModeline } from '../definition/layout.ts';
import { textWithoutAliases } from '../definition/split.ts';
import { definitionText } from '../import/definition-text.ts';
import type { JsonObject, JsonValue } from '../shared/json.ts';
import { isJsonObject, ownMember } from '../shared/json.ts';

/** A range of the text, and what takes its place. */
interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** How values are written: as YAML, or as JSON. */
interface Writer {
  readonly value: (value: JsonValue) => string;
  readonly pair: (key: string, value: JsonValue) => string;
}

const YAML: Writer = { value: inlineYaml, pair: inlinePair };

const JSON_WRITER: Writer = {
  value: (value) => JSON.stringify(value),
  pair: (key, value) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`,
};

/** The value of a valid definition. Aliases and merge keys are expanded. */
export const definitionValue = (text: string): JsonObject =>
  JSON.parse(JSON.stringify(read(text).toJS({ maxAliasCount: -1 }))) as JsonObject;

const read = (text: string): Document.Parsed => parseDocument(text, { merge: true });

/**
 * The text with another value. An alias or a merge key whose target changes is replaced by what it stands for,
 * together with all others of the text.
 * @param text with LF.
 */
export function editYaml(text: string, value: JsonObject, isJson: boolean): string {
  const writer = isJson ? JSON_WRITER : YAML;
  const whole = text.endsWith('\n') ? text : `${text}\n`;
  for (const from of [() => whole, () => textWithoutAliases(whole)]) {
    const edited = spliced(from(), value, writer);
    if (edited !== undefined) return withComments(edited, whole);
  }
  return isJson
    ? `${JSON.stringify(value, undefined, 2)}\n`
    : withComments(definitionText(value), whole);
}

/** The edited text with comments that the edit would lose, at its top. */
function withComments(edited: string, before: string): string {
  const rest = [...yamlComments(edited)];
  const lost = yamlComments(before).filter((comment) => {
    const at = rest.indexOf(comment);
    if (at !== -1) rest.splice(at, 1);
    return at === -1;
  });
  return lost.map((comment) => `${comment}\n`).join('') + edited;
}

/** The text with other names for keys of `fields`. */
export function renameWrittenFields(text: string, renames: ReadonlyMap<string, string>): string {
  const fields = (read(text).contents as YAMLMap | null)?.get('fields');
  if (!isMap(fields)) return text;
  const splices = fields.items.flatMap(({ key }): Splice[] => {
    const name = isScalar(key) && key.range ? renames.get(String(key.value)) : undefined;
    if (name === undefined) return [];
    const [start, end] = rangeOf(key);
    return [{ start, end, text: text[start] === '"' ? JSON.stringify(name) : name }];
  });
  return applied(text, splices);
}

/** The comments of a text, without the line for editors. */
export const yamlComments = (text: string): readonly string[] =>
  [...new Lexer().lex(text)].filter((token) => token.startsWith('#') && !isModeline(token));

/** The line of a value, or of its nearest existing parent; from 1. */
export function lineOf(text: string, at: readonly string[]): number {
  let node: unknown = read(text).contents;
  let start = 0;
  for (const step of at) {
    const pair = isMap(node) ? pairNamed(node, step) : undefined;
    if (pair === undefined) break;
    start = rangeOf(pair.key)[0];
    node = pair.value;
  }
  return text.slice(0, start).split('\n').length;
}

/** The edited text; undefined if it does not have the value. */
function spliced(text: string, value: JsonObject, writer: Writer): string | undefined {
  const document = read(text);
  const editor = new Editor(text, document, writer);
  editor.edit(document.contents, value);
  const edited = applied(text, editor.splices);
  return isDeepStrictEqual(readableValue(edited), value) ? edited : undefined;
}

/** The value of a text; undefined if it has none, for example because an alias has lost its anchor. */
function readableValue(text: string): unknown {
  const document = read(text);
  if (document.errors.length > 0) return undefined;
  try {
    return document.toJS({ maxAliasCount: -1 });
  } catch {
    return undefined;
  }
}

/** At one place, what is removed goes first, and what is inserted keeps its order. */
const applied = (text: string, splices: readonly Splice[]): string =>
  splices
    .toReversed()
    .toSorted((one, other) => other.start - one.start || other.end - one.end)
    .reduce(
      (result, { start, end, text: put }) => result.slice(0, start) + put + result.slice(end),
      text,
    );

class Editor {
  readonly splices: Splice[] = [];
  readonly #text: string;
  readonly #document: Document.Parsed;
  readonly #writer: Writer;

  constructor(text: string, document: Document.Parsed, writer: Writer) {
    this.#text = text;
    this.#document = document;
    this.#writer = writer;
  }

  edit(node: unknown, value: JsonValue): void {
    if (isDeepStrictEqual(this.#valueOf(node), value)) return;
    const members = isMap(node) && isJsonObject(value);
    if (members && node.flow !== true && this.#hasOwnLines(node)) this.#editLines(node, value);
    else if (members && node.flow === true) this.#editFlowMap(node, value);
    else if (isSeq(node) && Array.isArray(value))
      this.#editList(node, value as readonly JsonValue[]);
    else this.#replace(node as Node, value);
  }

  #replace(node: Node, value: JsonValue): void {
    const [start] = rangeOf(node);
    const last = endOf(node);
    // A block scalar ends with its line.
    const end = this.#text[last - 1] === '\n' && last > start ? last - 1 : last;
    const put = this.#writer.value(value);
    this.splices.push({ start, end, text: start === end ? ` ${put}` : put });
  }

  #editLines(map: YAMLMap, value: JsonObject): void {
    const isRoot = map === this.#document.contents;
    const [first] = map.items;
    const start = this.#lineStart(rangeOf(first?.key)[0]);
    const indent = this.#text.slice(start, rangeOf(first?.key)[0]);
    for (const pair of map.items) {
      const next = ownMember(value, keyOf(pair));
      if (next !== undefined) this.edit(pair.value, next);
      else if (!isMergePair(pair)) this.#removeLines(rangeOf(pair.key)[0], endOf(pair));
    }
    if (Object.keys(value).length === 0) {
      this.splices.push({ start, end: start, text: `${indent}{}\n` });
    }
    for (const { key, after } of addedKeys(map, value)) {
      const place = after === undefined ? start : this.#lineEnd(endOf(after));
      const text = isRoot
        ? definitionText({ [key]: ownMember(value, key) ?? null })
        : `${indent}${this.#writer.pair(key, ownMember(value, key) ?? null)}\n`;
      this.splices.push({ start: place, end: place, text });
    }
  }

  #editFlowMap(map: YAMLMap, value: JsonObject): void {
    for (const pair of map.items) {
      const next = ownMember(value, keyOf(pair));
      if (next !== undefined) this.edit(pair.value, next);
    }
    const isKept = (pair: Pair): boolean =>
      isMergePair(pair) || ownMember(value, keyOf(pair)) !== undefined;
    const additions = addedKeys(map, value).map(({ key, after }) => ({
      after,
      text: this.#writer.pair(key, ownMember(value, key) ?? null),
    }));
    this.#editFlow(map, isKept, additions, ' ');
  }

  #editList(list: YAMLSeq, value: readonly JsonValue[]): void {
    const rest = list.items.map((item) => this.#valueOf(item));
    const kept = new Set<unknown>();
    const additions: { text: string; after: unknown }[] = [];
    let after: unknown;
    for (const element of value) {
      const found = rest.findIndex(
        (one, index) => !kept.has(list.items[index]) && isDeepStrictEqual(one, element),
      );
      if (found === -1) additions.push({ text: this.#writer.value(element), after });
      else {
        after = list.items[found];
        kept.add(after);
      }
    }
    if (list.flow === true) {
      this.#editFlow(list, (item) => kept.has(item), additions, '');
      return;
    }
    const [first] = list.items;
    const start = this.#lineStart(rangeOf(first)[0]);
    if (kept.size === 0 || !/^ *- +$/.test(this.#text.slice(start, rangeOf(first)[0]))) {
      this.#replace(list, value);
      return;
    }
    const [indent = ''] = /^ */.exec(this.#text.slice(start)) ?? [];
    for (const item of list.items) {
      if (!kept.has(item)) this.#removeLines(rangeOf(item)[0], endOf(item));
    }
    for (const { text, after: item } of additions) {
      const place = item === undefined ? start : this.#lineEnd(endOf(item));
      this.splices.push({ start: place, end: place, text: `${indent}- ${text}\n` });
    }
  }

  /** Removes and adds entries of `{ … }` or `[ … ]`. */
  #editFlow(
    { items, range }: YAMLMap | YAMLSeq,
    isKept: (item: never) => boolean,
    additions: readonly { readonly text: string; readonly after: unknown }[],
    padding: string,
  ): void {
    const all = items as readonly unknown[];
    const kept = all.filter((item) => isKept(item as never));
    const [first] = kept;
    for (const [index, item] of all.entries()) {
      if (kept.includes(item)) continue;
      const next = all[index + 1];
      const isLeading = first === undefined || index < all.indexOf(first);
      const start = isLeading ? startOf(item) : endOf(all[index - 1]);
      const end = isLeading && next !== undefined ? startOf(next) : endOf(item);
      const comments = yamlComments(this.#text.slice(start, end));
      const text = comments.map((comment) => ` ${comment}\n`).join('');
      this.splices.push({ start, end, text });
    }
    const leading = additions.filter(({ after }) => after === undefined).map(({ text }) => text);
    const joined = leading.join(', ');
    if (all.length === 0) {
      const place = (range?.[0] ?? 0) + 1;
      const end = (range?.[1] ?? 0) - 1;
      this.splices.push({ start: place, end, text: `${padding}${joined}${padding}` });
    } else if (joined !== '') {
      const place = startOf(first ?? all[0]);
      const text = first === undefined ? joined : `${joined}, `;
      this.splices.push({ start: place, end: place, text });
    }
    for (const { text, after } of additions) {
      if (after === undefined) continue;
      const place = endOf(after);
      this.splices.push({ start: place, end: place, text: `, ${text}` });
    }
  }

  #valueOf(node: unknown): unknown {
    return isScalar(node) || isCollection(node) || isAlias(node)
      ? node.toJS(this.#document, { maxAliasCount: -1 })
      : (node ?? null);
  }

  /** Whether the first key of a map in block style stands in a line of its own. */
  #hasOwnLines(map: YAMLMap): boolean {
    const [start] = rangeOf(map.items[0]?.key);
    return this.#text.slice(this.#lineStart(start), start).trim() === '';
  }

  /** Removes lines but for their comments, which get lines of their own. */
  #removeLines(from: number, to: number): void {
    const [start, end] = [this.#lineStart(from), this.#lineEnd(to)];
    const lines = this.#text.slice(start, end);
    const [indent = ''] = /^ */.exec(lines) ?? [];
    const text = yamlComments(lines).map((comment) => `${indent}${comment}\n`);
    this.splices.push({ start, end, text: text.join('') });
  }

  #lineStart(at: number): number {
    return this.#text.lastIndexOf('\n', at - 1) + 1;
  }

  /** The start of the line after a place; a block scalar ends there already. */
  #lineEnd(at: number): number {
    return this.#text[at - 1] === '\n' ? at : this.#text.indexOf('\n', at) + 1;
  }
}

/** The keys that a map does not have, each with the pair that it follows; undefined: it is the first. */
function addedKeys(
  map: YAMLMap,
  value: JsonObject,
): readonly { readonly key: string; readonly after: Pair | undefined }[] {
  const keys = Object.keys(value);
  return keys.flatMap((key, index) => {
    if (pairNamed(map, key) !== undefined || ownMember(value, key) === undefined) return [];
    const previous = keys.slice(0, index).findLast((one) => pairNamed(map, one) !== undefined);
    return [{ key, after: previous === undefined ? undefined : pairNamed(map, previous) }];
  });
}

const pairNamed = (map: YAMLMap, name: string): Pair | undefined =>
  map.items.find((pair) => keyOf(pair) === name);

const keyOf = ({ key }: Pair): string => (isScalar(key) ? String(key.value) : '');

const isMergePair = (pair: Pair): boolean => keyOf(pair) === '<<';

const rangeOf = (node: unknown): readonly [number, number] => {
  const { range } = (node ?? {}) as Partial<Node>;
  return range ? [range[0], range[1]] : [0, 0];
};

const startOf = (item: unknown): number => rangeOf(isPair(item) ? item.key : item)[0];

/** Where a node ends, without comments and empty lines behind it. */
function endOf(item: unknown): number {
  if (isPair(item)) return Math.max(endOf(item.value), rangeOf(item.key)[1]);
  if (isCollection(item) && item.flow !== true && item.items.length > 0) {
    return endOf(item.items.at(-1));
  }
  return rangeOf(item)[1];
}
