/**
 * Turns one file, or JSON, into the layout of a project. What the user wrote is kept as far as
 * the YAML library can: comments, the style of scalars, and which maps stand on one line.
 */
import { Document, isAlias, isCollection, isMap, isPair, isScalar, isSeq } from 'yaml';
import { Pair, parseDocument, Scalar, visit, YAMLMap, YAMLSeq } from 'yaml';
import { fileOf, isModeline, modeline, seedFileOf, type FileKind } from './layout.ts';
import type { Source } from '../reading/source.ts';
import { isMergeKey } from '../reading/tree.ts';
import type { SourceFile } from '../reading/position.ts';

/** The files of a service that was written in one, and its seeds; `name` is that of the service. */
export function splitFile(
  source: Source,
  name: string,
): { readonly files: readonly SourceFile[]; readonly seeds: readonly SourceFile[] } {
  const top = prepared(source);
  const collections = pairNamed(top, 'collections')!;
  const seeds = pairNamed(top, 'seeds');
  const service = new YAMLMap();
  service.items = top.items.filter((pair) => pair !== collections && pair !== seeds);
  if (seeds !== undefined) service.items.push(new Pair('seeds', true));
  const heading = takeHeading(service);
  if (pairNamed(service, 'name') === undefined) service.items.unshift(new Pair('name', name));
  const { commentBefore, comment } = source.document;
  const before = [commentBefore, top.commentBefore, heading];
  const after = [commentOf(collections.key), top.comment, comment];
  const written = writeFile('service', name, service, before, after);
  const all = collections.value as YAMLMap;
  const files = all.items.map((pair, index) =>
    // A comment before the first of them is told as one of the map.
    collectionFile(pair, index === 0 ? all.commentBefore : undefined),
  );
  return {
    files: [written, ...files.toSorted(byPath)],
    seeds: seeds === undefined ? [] : seedFiles(seeds),
  };
}

const byPath = (one: SourceFile, other: SourceFile): number => (one.path < other.path ? -1 : 1);

/** A file for each collection that has seeds. */
function seedFiles({ key, value }: Pair): readonly SourceFile[] {
  const all = value as YAMLMap;
  return all.items
    .map((pair, index) => {
      const before = index === 0 ? [commentOf(key), all.commentBefore] : [];
      const comments = [...before, commentOf(pair.key)];
      const name = String((pair.key as Scalar).value);
      // Without a value the file is empty.
      const own = isMap(pair.value) ? pair.value : new YAMLMap();
      comments.push(own.commentBefore, takeHeading(own));
      const map = new YAMLMap();
      map.items = own.items;
      const text = [...commentLines(comments), ...(map.items.length === 0 ? [] : [bodyOf(map)])];
      const end = commentLines([own.comment]).filter((line) => line !== '');
      return seedFileOf(name, [...text.map(endLine), ...end.map(endLine)].join(''));
    })
    .toSorted(byPath);
}

const endLine = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

/** A file of a folder that is JSON, as YAML. */
export function yamlFile(
  source: Pick<Source, 'document'>,
  kind: FileKind,
  name: string,
): SourceFile {
  return writeFile(kind, name, prepared(source), [], []);
}

/** A service file for definitions that have none, so that the name does not hang on a folder. */
export function newServiceFile(name: string): SourceFile {
  return fileOf('service', name, `${modeline('service')}\nname: ${name}\n`);
}

function collectionFile({ key, value }: Pair, before: Comment): SourceFile {
  const name = String((key as Scalar).value);
  const content = value as YAMLMap;
  const map = new YAMLMap();
  const heading = takeHeading(content);
  map.items = [new Pair('name', name), ...content.items];
  return writeFile(
    'collection',
    name,
    map,
    [before, commentOf(key), content.commentBefore, heading],
    [content.comment],
  );
}

type Comment = string | null | undefined;

/** The comment before the first key, which is that of the whole file; so is the space there. */
function takeHeading(map: YAMLMap): Comment {
  const first = map.items[0]?.key;
  if (!isScalar(first)) return undefined;
  const { commentBefore } = first;
  first.commentBefore = null;
  first.spaceBefore = false;
  return commentBefore;
}

function writeFile(
  kind: FileKind,
  name: string,
  contents: YAMLMap,
  before: readonly Comment[],
  after: readonly Comment[],
): SourceFile {
  const body = bodyOf(contents);
  const head = [modeline(kind), ...commentLines(before)].map((line) => `${line}\n`);
  // A blank line after the body could become part of a text that ends it.
  const foot = commentLines(after).filter((line) => line !== '');
  return fileOf(kind, name, [...head, body, ...foot.map((line) => `${line}\n`)].join(''));
}

function bodyOf(contents: YAMLMap): string {
  const document = new Document(contents, { intAsBigInt: true });
  return document.toString({ lineWidth: 0, singleQuote: true, flowCollectionPadding: true });
}

function commentLines(comments: readonly Comment[]): readonly string[] {
  return (
    comments
      .filter((comment): comment is string => typeof comment === 'string')
      .flatMap((comment) => comment.split('\n'))
      // The library has an empty line for a blank one, and a blank for a comment without text.
      .map((line) => (line === '' ? '' : `#${line}`.trimEnd()))
      .filter((line) => !isModeline(line))
  );
}

function commentOf(node: unknown): Comment {
  return isScalar(node) ? node.commentBefore : undefined;
}

function pairNamed(map: YAMLMap, name: string): Pair | undefined {
  return map.items.find(({ key }) => isScalar(key) && key.value === name);
}

/** The map of a file, without aliases, and in the style of YAML where it was JSON. */
function prepared({ document }: Pick<Source, 'document'>): YAMLMap {
  const copy = document.clone();
  expandAliases(copy);
  const top = copy.contents as unknown as YAMLMap;
  if (top.flow === true) restyle(top);
  visit(top, { Collection: (_, node) => padAsExamples(node) });
  return top;
}

/** A text in which each alias and each merge key is replaced by what it stands for. */
export function textWithoutAliases(text: string): string {
  const document = parseDocument(text);
  expandAliases(document);
  visit(document, { Collection: (_, node) => padAsExamples(node) });
  return document.toString({ lineWidth: 0, singleQuote: true, flowCollectionPadding: true });
}

/** Puts values in place of aliases: each collection goes to a file of its own. */
function expandAliases(document: Document): void {
  const anchors = new Map<string, unknown>();
  const expand = (node: unknown): unknown => {
    if (isAlias(node)) {
      const copy = cloneOf(anchors.get(node.source));
      if (isCollection(copy) || isScalar(copy)) copy.comment = node.comment ?? null;
      return copy;
    }
    if (isMap(node)) {
      for (const pair of node.items) pair.value = expand(pair.value);
      mergeKeys(node);
    } else if (isSeq(node)) node.items = node.items.map(expand);
    if ((isCollection(node) || isScalar(node)) && node.anchor !== undefined) {
      anchors.set(node.anchor, node);
      delete node.anchor;
      // A null that was not written would vanish together with its anchor.
      if (isScalar(node) && node.value === null) delete node.source;
    }
    return node;
  };
  document.contents = expand(document.contents) as typeof document.contents;
}

function cloneOf(node: unknown): unknown {
  return isCollection(node) || isScalar(node) ? node.clone() : node;
}

const isMerge = (pair: Pair): boolean => isMergeKey(pair.key);

function mergeKeys(map: YAMLMap): void {
  if (!map.items.some(isMerge)) return;
  const own = map.items.filter((pair) => !isMerge(pair));
  const names = new Set(own.map(({ key }) => nameOf(key)));
  const merged = map.items.filter(isMerge).flatMap(({ value }) => {
    const maps = isSeq(value) ? value.items : [value];
    return maps.flatMap((one) => (isMap(one) ? one.items : []));
  });
  map.items = own;
  for (const pair of merged) {
    const name = nameOf(pair.key);
    if (names.has(name)) continue;
    names.add(name);
    map.items.push(pair.clone());
  }
}

/** Prints `[a, b]` beside `{ a: b }`, as in the examples: the library pads both or none. */
export function padAsExamples(node: YAMLMap | YAMLSeq): void {
  const print = node.toString.bind(node);
  const flowCollectionPadding = isSeq(node) ? '' : ' ';
  node.toString = (context, ...rest) =>
    print(context && Object.assign({}, context, { flowCollectionPadding }), ...rest);
}

function nameOf(key: unknown): string {
  return isScalar(key) ? String(key.source ?? key.value) : '';
}

/** Block style as in the examples: a field on one line, plain text where that is possible. */
function restyle(top: YAMLMap): void {
  visit(top, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string') delete node.type;
    },
    Collection: (_, node, path) => {
      node.flow = !isBlock(
        path.filter(isPair).map(({ key }) => nameOf(key)),
        isSeq(node),
      );
    },
  });
}

/** Whether the value under these keys takes a line for each entry. */
function isBlock(keys: readonly string[], isList: boolean): boolean {
  const [first, , ...inCollection] = keys;
  const within = first === 'collections' ? inCollection : keys;
  if (first === 'collections' && keys.length < 3) return true;
  if (first === 'seeds') return keys.length < 3 && !isList;
  if (isList) return false;
  return (
    within.length === 0 || (within.length === 1 && ['fields', 'permissions'].includes(within[0]!))
  );
}
