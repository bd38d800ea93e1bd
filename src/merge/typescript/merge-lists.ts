/** Merging a list by its elements. */
import { diffIndices } from 'node-diff3';
import { ts } from 'ts-morph';

import type { Context } from './context.ts';
import { isImportOfNames, mergeImports } from './imports.ts';
import { indentedAs } from './indentation.ts';
import { sortOf } from './keys.ts';
import { writeList } from './lists.ts';
import type { Element, List, Written } from './lists.ts';
import { isSame } from './tokens.ts';

/** One element in the versions that have it. */
interface Row {
  readonly base: Element | undefined;
  readonly disk: Element | undefined;
  readonly now: Element | undefined;
}

/** Merges a list; the text is that of the region of the list on disk. */
export function mergeList(base: List, disk: List, now: List, context: Context): string {
  const rows = rowsOf(base, disk, now);
  const order = orderOf(rows, base, disk, now, context);
  refuseRivals(order, disk, context);
  const written = order.flatMap((row, index) => {
    const line = () => lineBefore(order, index, disk);
    return writtenOf(row, disk, context, line) ?? [];
  });
  return writeList(disk, written, mergeRest(base, disk, now, context));
}

/** The rows: elements of the base, those that the disk adds, those that are generated anew. */
function rowsOf(base: List, disk: List, now: List): Row[] {
  const onDisk = matches(base, disk);
  const inNow = matches(base, now);
  const rows: Row[] = base.elements.map((element) => ({
    base: element,
    disk: onDisk.get(element),
    now: inNow.get(element),
  }));
  const added = (list: List, known: ReadonlyMap<Element, Element>): Element[] => {
    const old = new Set(known.values());
    return list.elements.filter((element) => !old.has(element));
  };
  const ours = added(disk, onDisk);
  const rest = new Set(added(now, inNow));
  for (const element of ours) {
    const twin = [...rest].find(
      (other) =>
        other.id === element.id &&
        (disk.isSet ||
          element.key !== undefined ||
          isValue(element.node) ||
          anchorOf(element, disk, onDisk) === anchorOf(other, now, inNow)),
    );
    if (twin !== undefined) rest.delete(twin);
    rows.push({ base: undefined, disk: element, now: twin });
  }
  for (const element of rest) rows.push({ base: undefined, disk: undefined, now: element });
  return rows;
}

/** Whether an element of an array stands for itself, wherever in the array it is. */
const isValue = (node: ts.Node): boolean => ts.isArrayLiteralExpression(node.parent);

/** The element of the base after which an element was added. */
function anchorOf(
  element: Element,
  list: List,
  known: ReadonlyMap<Element, Element>,
): Element | undefined {
  const place = list.elements.indexOf(element);
  const before = new Set(list.elements.slice(0, place));
  return [...known].findLast(([, other]) => before.has(other))?.[0];
}

/** Which element of a list is which of the base. */
function matches(base: List, list: List): Map<Element, Element> {
  const found = new Map<Element, Element>();
  const [from, to] = [base.elements, list.elements];
  const hunks = diffIndices(from.map(idOf), to.map(idOf));

  // 1. The same at the same place.
  let [at, other] = [0, 0];
  for (const { buffer1, buffer2 } of [...hunks, endOf(from, to)]) {
    for (; at < buffer1[0]; at++, other++) pair(found, from[at], to[other]);
    at += buffer1[1];
    other += buffer2[1];
  }
  // 2. The same key at another place.
  const taken = new Set(found.values());
  for (const element of from) {
    if (found.has(element) || element.key === undefined) continue;
    const moved = to.find((candidate) => candidate.id === element.id && !taken.has(candidate));
    if (moved === undefined) continue;
    pair(found, element, moved);
    taken.add(moved);
  }
  // 3. Without a key, and changed: of one sort, in the place of each other.
  if (base.isSet) return found;
  for (const { buffer1, buffer2 } of hunks) {
    const olds = from
      .slice(buffer1[0], buffer1[0] + buffer1[1])
      .filter((element) => !found.has(element) && element.key === undefined);
    const news = to
      .slice(buffer2[0], buffer2[0] + buffer2[1])
      .filter((element) => !taken.has(element) && element.key === undefined);
    const sorts = (elements: readonly Element[]) => elements.map(({ node }) => sortOf(node));
    let [one, two] = [0, 0];
    for (const { buffer1: gap, buffer2: fill } of [
      ...diffIndices(sorts(olds), sorts(news)),
      endOf(olds, news),
    ]) {
      for (; one < gap[0]; one++, two++) pair(found, olds[one], news[two]);
      one += gap[1];
      two += fill[1];
    }
  }
  return found;
}

const idOf = ({ id }: Element): string => id;

/** A difference of nothing at the end of two lists: what is before it is equal. */
const endOf = (
  from: readonly unknown[],
  to: readonly unknown[],
): { readonly buffer1: [number, number]; readonly buffer2: [number, number] } => ({
  buffer1: [from.length, 0],
  buffer2: [to.length, 0],
});

function pair(
  found: Map<Element, Element>,
  one: Element | undefined,
  other: Element | undefined,
): void {
  if (one !== undefined && other !== undefined) found.set(one, other);
}

/**
 * The rows in the order of the result: that of the disk, or of what is generated now where that
 * alone has another order than the base. What only one side has stands after what it follows there;
 * at one place, what the disk has comes first.
 */
function orderOf(rows: readonly Row[], base: List, disk: List, now: List, context: Context): Row[] {
  const common = rows.filter((row) => row.base && row.disk && row.now);
  const sorted = (list: List, side: 'base' | 'disk' | 'now'): Row[] => {
    const places = new Map(list.elements.map((element, index) => [element, index]));
    const place = (row: Row): number => places.get(row[side] as Element) ?? 0;
    return rows.filter((row) => row[side] !== undefined).toSorted((a, b) => place(a) - place(b));
  };
  const [before, ours, theirs] = [sorted(base, 'base'), sorted(disk, 'disk'), sorted(now, 'now')];
  const kept = new Set(common);
  const shared = (order: readonly Row[]): readonly Row[] => order.filter((row) => kept.has(row));
  const equal = (one: readonly Row[], other: readonly Row[]): boolean =>
    one.every((row, index) => row === other[index]);
  const isMovedNow = !equal(shared(before), shared(theirs));
  const isMovedHere = !equal(shared(before), shared(ours));
  if (isMovedNow && !isMovedHere) {
    return insert(theirs, [...ours], false);
  }
  if (isMovedNow && !disk.isSet && !equal(shared(ours), shared(theirs))) {
    const first = shared(ours).find((row, index) => row !== shared(before)[index]);
    const node = first?.disk?.node;
    if (node !== undefined)
      context.clash({
        disk: node,
        what: 'moved here, and to another place by what is generated now',
      });
  }
  return insert(insert(ours, theirs, true), before, true);
}

/** Adds the rows of another order that are not there, each after the one that it follows. */
function insert(order: readonly Row[], other: readonly Row[], isAfterOwn: boolean): Row[] {
  const result = [...order];
  for (const [index, row] of other.entries()) {
    if (result.includes(row)) continue;
    const before = other[index - 1];
    let place = before === undefined ? 0 : result.indexOf(before) + 1;
    if (isAfterOwn) while (isOwn(result[place])) place++;
    result.splice(place, 0, row);
  }
  return result;
}

/** Whether an element was added on disk alone. */
const isOwn = (row: Row | undefined): boolean =>
  row !== undefined && row.base === undefined && row.now === undefined;

const isGenerated = (row: Row): boolean => row.base === undefined && row.disk === undefined;

/**
 * Refuses what both sides put in the place of one element: a name that both changed, each in its
 * own way, or an argument that both added.
 */
function refuseRivals(order: readonly Row[], disk: List, context: Context): void {
  let gap: Row[] = [];
  const look = (): void => {
    const own = gap.find(isOwn);
    const other = gap.find(isGenerated);
    const gone = gap.find((row) => row.base && !row.disk && !row.now);
    if (own?.disk === undefined || other?.now === undefined) return;
    if (gone?.base !== undefined && !isImportOfNames(gone.base.node)) {
      context.clash({ base: gone.base.node, disk: own.disk.node, now: other.now.node });
    } else if (disk.isPositional) {
      context.clash({ disk: own.disk.node, now: other.now.node });
    }
  };
  for (const row of order) {
    const isFixed = row.disk !== undefined && row.now !== undefined;
    if (!isFixed) {
      gap.push(row);
      continue;
    }
    if (!disk.isSet) look();
    gap = [];
  }
  if (!disk.isSet) look();
}

/** An element as it is to be written; undefined where it goes. */
function writtenOf(
  row: Row,
  list: List,
  context: Context,
  line: () => number,
): Written | undefined {
  const { base, disk, now } = row;
  const imports = mergeImports(base?.node, disk?.node, now?.node);
  if (imports !== undefined) {
    const frame = disk ?? now;
    const isRemarked = base !== undefined && disk !== undefined && base.remarks !== disk.remarks;
    if (imports.text === undefined && isRemarked) {
      context.clash({
        disk: disk.node,
        what: 'a comment here is of an import that is no longer generated',
      });
    }
    if (frame === undefined || imports.text === undefined) return undefined;
    return { ...remarksOf(base, frame, now, context), body: imports.text };
  }
  if (base === undefined) {
    if (disk === undefined) return now && generated(now, list);
    if (now !== undefined && !isSame(disk.node, now.node)) {
      context.clash({ disk: disk.node, now: now.node });
    }
    return { ...disk, body: disk.node.getText() };
  }
  if (disk !== undefined && now !== undefined) {
    const body = context.merge(base.node, disk.node, now.node);
    return { ...remarksOf(base, disk, now, context), body };
  }
  if (disk !== undefined) {
    if (isSame(base.node, disk.node) && base.remarks === disk.remarks) return undefined;
    context.clash({ base: base.node, disk: disk.node });
    return { ...disk, body: disk.node.getText() };
  }
  if (now !== undefined && !isSame(base.node, now.node)) {
    context.clash({ base: base.node, now: now.node, line: line() });
  }
  return undefined;
}

/** An element that is generated anew, indented as those on disk. */
function generated(element: Element, list: List): Written {
  const { node, lead } = element;
  const file = node.getSourceFile();
  const [start, end] = [node.getStart(file), node.end];
  const sibling = list.elements[0]?.node;
  // A list without elements has no indentation to take over.
  if (sibling === undefined) return { ...element, body: node.getText() };
  const place = { file: list.file, position: sibling.getStart() };
  const whole = indentedAs(place, file, [start - lead.length, end], start);
  const body = indentedAs(place, file, [start, end], start);
  return { ...element, lead: whole.slice(0, whole.length - body.length), body };
}

/** The comments around an element, with its blanks: those of the side that changed them. */
function remarksOf(
  base: Element | undefined,
  disk: Element,
  now: Element | undefined,
  context: Context,
): Element {
  if (base === undefined || now === undefined) return disk;
  if (disk.remarks === now.remarks || base.remarks === now.remarks) return disk;
  if (base.remarks === disk.remarks) return now;
  const lead = context.lines(base.lead, disk.lead, now.lead);
  if (lead === undefined) {
    context.clash({
      disk: disk.node,
      what: `its comment changed here to "${shown(disk.remarks)}"; generated now: "${shown(now.remarks)}"`,
    });
  }
  return { ...disk, lead: lead ?? disk.lead };
}

const shown = (text: string): string => (text.length > 72 ? `${text.slice(0, 71)}…` : text);

/** What stands after the last element: comments, and the blanks before the bracket. */
function mergeRest(base: List, disk: List, now: List, context: Context): string {
  const [before, ours, theirs] = [base, disk, now].map(({ rest }) =>
    rest.replaceAll(/\s+/g, ' ').trim(),
  );
  if (ours === theirs || before === theirs) return disk.rest;
  if (before === ours) return now.rest;
  const rest = context.lines(base.rest, disk.rest, now.rest);
  const last = disk.elements.at(-1)?.node;
  if (rest === undefined && last !== undefined) {
    context.clash({
      disk: last,
      what: 'the comment after it changed here and in what is generated now',
    });
  }
  return rest ?? disk.rest;
}

/** The line on disk after which a row would stand. */
function lineBefore(order: readonly Row[], index: number, disk: List): number {
  const before = order.slice(0, index).findLast((row) => row.disk !== undefined)?.disk?.node;
  const position = before?.end ?? disk.start;
  return disk.file.getLineAndCharacterOfPosition(position).line + 1;
}
