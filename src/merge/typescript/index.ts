/**
 * Merging TypeScript by its structure, and the check of what was merged: the one door to ts-morph,
 * which takes a quarter of a second to load, and is loaded where lines alone do not do.
 *
 * Positions come from the parser, and text is put together from pieces of the three texts, so that
 * comments and layout stay.
 */
import { posix } from 'node:path';

import { ts } from 'ts-morph';

import { conflict, merged } from '../types.ts';
import type { MergeResult, ConflictPlace, MergeSides } from '../types.ts';
import { newContext } from './context.ts';
import type { MissingPart } from './context.ts';
import { keyOf } from './keys.ts';
import { readList } from './lists.ts';
import type { List } from './lists.ts';
import { mergeList } from './merge-lists.ts';
import { duplicatesIn, usesOf } from './names.ts';
import { mergeNode } from './nodes.ts';
import { withoutRepeatedImports } from './imports.ts';
import { lostImports, restoreImports } from './restore.ts';
import { lineAt, parse } from './source.ts';

/** Merges by structure; the result parses, and declares nothing twice. */
export function mergeStructure(path: string, texts: MergeSides): MergeResult {
  const { removedFiles } = texts;
  const files = parseAll(path, [texts.base, texts.ours, texts.theirs]);
  if (!files.ok) return conflict([files.place]);
  const [base, ours, theirs] = files.sources;
  const context = newContext(mergeNode, texts);
  const [one, two, three] = [partsOf(base), partsOf(ours), partsOf(theirs)];
  const header =
    headerOf(one.header, two.header, three.header) ??
    context.lines(one.header, two.header, three.header);
  if (header === undefined) {
    context.places.push({
      line: 1,
      what: 'the comment at the top changed here and in the newly generated text',
    });
  }
  const list = mergeList(one.list, two.list, three.list, context);
  const isRefused = context.places.length > 0 && texts.prefers === undefined;
  if (isRefused) return conflict(context.places);
  const text = `${header}${list}`;
  const result = completed(path, text, { ours, theirs, removedFiles });
  if (typeof result === 'string') return merged(result, 'structure');
  // What both sides say twice has no side to take: both stay.
  const isShown = texts.prefers !== undefined && parse(path, text).ok;
  return isShown ? merged(text, 'structure') : conflict([result]);
}

/** A text with the generated pieces that it lacks, and what these are. */
export interface RestoredText {
  readonly text: string;
  readonly parts: readonly MissingPart[];
}

/** Restores what an edit removed of a generated text; undefined where one of the texts does not parse. */
export function restoreStructure(
  path: string,
  generated: string,
  ours: string,
): RestoredText | undefined {
  const files = parseAll(path, [generated, ours, generated]);
  if (!files.ok) return undefined;
  const [base, disk, theirs] = files.sources;
  const parts: MissingPart[] = [];
  const context = newContext(mergeNode, { prefers: 'ours' }, parts);
  // An import is missing only where the file uses it: others went with their last use.
  const lost = lostImports(disk, [theirs]);
  for (const [declaration, names] of lost) {
    const label = keyOf(declaration)?.label ?? 'an import';
    parts.push({
      line: 1,
      name: names.length === 0 ? label : `\`${names.join(', ')}\` in ${label}`,
    });
  }
  const imported = parse(path, restoreImports(disk, lost));
  const [from, own, again] = [base, imported.ok ? imported.file : disk, theirs].map(partsOf) as [
    Parts,
    Parts,
    Parts,
  ];
  const text = `${own.header}${mergeList(from.list, own.list, again.list, context)}`;
  const result = completed(path, text, { ours: disk, theirs, removedFiles: undefined });
  if (typeof result !== 'string') return undefined;
  // Lines of restored imports are not on disk.
  const added = own.list.file.text.split('\n').length - disk.text.split('\n').length;
  return {
    text: result,
    parts: parts.map(({ line, name }) => ({ line: Math.max(line - added, 1), name })),
  };
}

/**
 * Checks a text that was merged by lines; the result is that text, with imports that it lost, or
 * the conflict that it has.
 */
export function checkMerged(
  path: string,
  text: string,
  { removedFiles, ...texts }: MergeSides,
): MergeResult {
  const files = parseAll(path, [texts.ours, texts.theirs, texts.ours]);
  if (!files.ok) return conflict([files.place]);
  const [ours, theirs] = files.sources;
  const result = completed(path, text, { ours, theirs, removedFiles });
  return typeof result === 'string' ? merged(result, 'lines') : conflict([result]);
}

type Sources =
  | { readonly ok: true; readonly sources: readonly [ts.SourceFile, ts.SourceFile, ts.SourceFile] }
  | { readonly ok: false; readonly place: ConflictPlace };

/** Parses the texts; the second is that on disk, whose place is told. */
function parseAll(path: string, texts: readonly [string, string, string]): Sources {
  const [base, ours, theirs] = [
    parse(path, texts[0]),
    parse(path, texts[1]),
    parse(path, texts[2]),
  ];
  if (!ours.ok) {
    return { ok: false, place: { ...ours.place, what: `this does not parse: ${ours.place.what}` } };
  }
  if (!base.ok || !theirs.ok) {
    return { ok: false, place: { line: 1, what: 'what is generated does not parse' } };
  }
  return { ok: true, sources: [base.file, ours.file, theirs.file] };
}

interface Sides {
  readonly ours: ts.SourceFile;
  readonly theirs: ts.SourceFile;
  readonly removedFiles: MergeSides['removedFiles'];
}

/** Whether a module, as a file imports it, is a file that goes. */
const isGone = (file: string, module: string, gone: MergeSides['removedFiles']): boolean =>
  module.startsWith('.') && gone?.has(posix.join(posix.dirname(file), module)) === true;

/** The merged text with the imports that it needs; a place where it says something twice. */
function completed(
  path: string,
  text: string,
  { ours, theirs, removedFiles }: Sides,
): string | ConflictPlace {
  const first = parse(path, text);
  if (!first.ok) return { line: 1, what: `both sides together do not parse: ${first.place.what}` };
  const lost = lostImports(first.file, [ours, theirs]);
  for (const [declaration, names] of lost) {
    const module = declaration.moduleSpecifier.getText().slice(1, -1);
    if (!isGone(path, module, removedFiles)) continue;
    const [use] = usesOf(first.file, names);
    const what = `\`${names.join(', ')}\` is used here, and '${module}' is no longer generated`;
    return { line: use === undefined ? 1 : sameLine(ours, use), what };
  }
  const restored = restoreImports(first.file, lost);
  const repeats = restored === text ? first : parse(path, restored);
  const whole = repeats.ok ? withoutRepeatedImports(repeats.file) : restored;
  const result = whole === text ? first : parse(path, whole);
  if (!result.ok)
    return { line: 1, what: `both sides together do not parse: ${result.place.what}` };
  const known = new Set([...duplicatesIn(ours).keys(), ...duplicatesIn(theirs).keys()]);
  for (const [id, { label, node }] of duplicatesIn(result.file)) {
    if (known.has(id)) continue;
    const what = `${label} is there and generated too: both together would have it twice`;
    return { line: lineIn(ours, node), what };
  }
  return whole;
}

/** The line on disk that is equal to the line of a piece of the merged text. */
function sameLine(ours: ts.SourceFile, node: ts.Node): number {
  const file = node.getSourceFile();
  const wanted = file.text.split('\n')[lineAt(file, node.getStart()) - 1]?.trim();
  return ours.text.split('\n').findIndex((line) => line.trim() === wanted) + 1 || 1;
}

/** The line on disk of a piece of the merged text, as near as its own first line tells. */
function lineIn(ours: ts.SourceFile, node: ts.Node): number {
  const [line] = node.getText().split('\n');
  const place = line === undefined ? -1 : ours.text.indexOf(line);
  return place === -1 ? 1 : lineAt(ours, place);
}

/** A file as its header and its statements. */
interface Parts {
  readonly header: string;
  readonly list: List;
}

/** Reads a file as its header and its statements. */
function partsOf(file: ts.SourceFile): Parts {
  const start = endOfHeader(file);
  return {
    header: file.text.slice(0, start),
    list: readList(file, 'statements', file.statements, start),
  };
}

/** Where the comment ends that says what a file is for: it is not a comment of the first statement. */
function endOfHeader(file: ts.SourceFile): number {
  const { text } = file;
  const first = file.statements[0];
  const shebang = ts.getShebang(text)?.length ?? 0;
  const comments = ts.getLeadingCommentRanges(text, shebang) ?? [];
  const isImport = first !== undefined && ts.isImportDeclaration(first);
  const last = isImport
    ? comments.at(-1)
    : comments.findLast(({ end }) => /^[ \t]*\r?\n[ \t]*\r?\n/.test(text.slice(end)));
  return last?.end ?? shebang;
}

/** The header of the side that changed it; undefined where both did. */
function headerOf(base: string, ours: string, theirs: string): string | undefined {
  if (ours === theirs || base === theirs) return ours;
  return base === ours ? theirs : undefined;
}
