/** Merging a list by its elements. */
import { ts } from 'ts-morph';

import { quoteExcerpt, quoteExcerpts } from '../excerpts.ts';
import { nameOf } from './context.ts';
import type { Context } from './context.ts';
import { isMovedElsewhere, isReplacedBy } from './removed.ts';
import { isImportOfNames, mergeImports } from './imports.ts';
import { indentedAs } from './indentation.ts';
import { readList, writeList } from './lists.ts';
import type { Element, Frame, List, Written } from './lists.ts';
import { areRoutesAlike, containsNode, matchElements } from './match-elements.ts';
import type { Matches } from './match-elements.ts';
import { isSame, tokensOfText } from './tokens.ts';

/** One element in the versions that have it. */
interface Row {
  readonly base: Element | undefined;
  readonly ours: Element | undefined;
  readonly theirs: Element | undefined;
}

/** Merges a list; the text is that of the region of the list on disk. */
export function mergeList(base: List, ours: List, generated: List, context: Context): string {
  const before = context.ofLists;
  const text = mergeElements(base, ours, generated, context);
  if (context.prefers === undefined || context.restored !== undefined) return text;
  if (context.ofLists === before) return text;
  const [one, two, three] = [base, ours, generated].map(({ file, start, end }) =>
    file.text.slice(start, end),
  ) as [string, string, string];
  return context.lines(one, two, three) ?? text;
}

function mergeElements(base: List, ours: List, generated: List, context: Context): string {
  const theirs = withBlocksOpened(base, generated);
  const { renamedMembers } = context;
  const sides = {
    ours: matchElements(base, ours, renamedMembers),
    theirs: matchElements(base, theirs, renamedMembers),
  };
  const rows = rowsOf(base, ours, theirs, sides);
  const moves = movesIn(rows, base, ours, theirs);
  refuseMoves(moves, ours, context);
  const order = orderOf(moves);
  const refused = refuseUnsure(order, sides, moves, ours, context);
  refuseRivals(order, ours, context);
  const lost = lostRows(order, sides.ours, ours, context);
  const pieces = order.flatMap((row, index): Piece[] => {
    const line = () => lineBefore(order, index, ours);
    if (lost.has(row) && row.theirs !== undefined) {
      context.restored?.push({ line: line(), name: nameOf(row.theirs.node) });
      return [{ row, written: writtenAnew(row.theirs, ours) }];
    }
    const written = refused.has(row) ? undefined : writtenOf(row, ours, context, line);
    return written === undefined ? [] : [{ row, written }];
  });
  refuseCopies(pieces, ours, theirs, context);
  return writeList(ours, inFrames(pieces, context), mergeRest(base, ours, theirs, context));
}

/** Generated elements that the disk lacks, and has nothing in the place of; none in a merge. */
function lostRows(
  order: readonly Row[],
  { unsure }: Matches,
  list: List,
  { restored }: Context,
): ReadonlySet<Row> {
  // Modifiers, arguments and names taken out of a value are no parts of what is generated.
  const [first] = order.flatMap(({ theirs = [] }) => theirs);
  const isOfParts = !list.isPositional && list.form !== 'words' && first !== undefined;
  if (restored === undefined || !isOfParts || ts.isBindingElement(first.node)) return new Set();
  return new Set(
    order.filter(({ base, ours, theirs }, index) => {
      if (base === undefined || ours !== undefined || theirs === undefined) return false;
      // What the file uses of an import is imported at the end.
      const isImport = ts.isImportDeclaration(base.node) && base.node.importClause !== undefined;
      return (
        !isImport &&
        !unsure.has(base) &&
        !ownBeside(order, index).some((node) => isReplacedBy(base.node, node)) &&
        !isMovedElsewhere(base.node, list.file)
      );
    }),
  );
}

/** What the disk alone has between the elements before and after a row that both have. */
function ownBeside(order: readonly Row[], index: number): readonly ts.Node[] {
  const isFixed = ({ ours, theirs }: Row): boolean => ours !== undefined && theirs !== undefined;
  const start = order.slice(0, index).findLastIndex(isFixed) + 1;
  const after = order.slice(index).findIndex(isFixed);
  const between = order.slice(start, after === -1 ? order.length : index + after);
  return between.flatMap((row) => (isOwn(row) && row.ours !== undefined ? [row.ours.node] : []));
}

/** An element as it is to be written, and the row that it comes from. */
interface Piece {
  readonly row: Row;
  readonly written: Written;
}

/**
 * The generated list, with the statements of a new block in place of the block where the base has
 * them outside: so edits of a statement are merged although the generator now wraps it.
 */
function withBlocksOpened(base: List, theirs: List): List {
  if (theirs.form !== 'lines') return theirs;
  const before = new Set(base.elements.map(({ id }) => id));
  const after = new Set(theirs.elements.map(({ id }) => id));
  const missing = base.elements.filter(({ id }) => !after.has(id));
  if (missing.length === 0) return theirs;
  const elements = theirs.elements.flatMap((element): readonly Element[] => {
    const list = before.has(element.id) ? undefined : blockOf(element.node);
    const isWrapped = list?.elements.some((inner) =>
      missing.some((old) => old.id === inner.id || areRoutesAlike(old, inner)),
    );
    if (list === undefined || isWrapped !== true) return [element];
    return list.elements.map((inner) => ({ ...inner, frame: { element, list } }));
  });
  return { ...theirs, elements };
}

/** The statements of the one block of a statement. */
function blockOf(node: ts.Node): List | undefined {
  const block = ts.isIfStatement(node) && node.elseStatement === undefined && node.thenStatement;
  if (!block || !ts.isBlock(block)) return undefined;
  return readList(block, 'statements', block.statements);
}

/** Which element of each side is which of the base. */
interface Sides {
  readonly ours: Matches;
  readonly theirs: Matches;
}

/** The rows: elements of the base, those that the disk adds, those that are generated anew. */
function rowsOf(base: List, ours: List, theirs: List, sides: Sides): Row[] {
  const onDisk = sides.ours.pairs;
  const inNow = sides.theirs.pairs;
  const rows: Row[] = base.elements.map((element) => ({
    base: element,
    ours: onDisk.get(element),
    theirs: inNow.get(element),
  }));
  const added = (list: List, known: ReadonlyMap<Element, Element>): Element[] => {
    const old = new Set(known.values());
    return list.elements.filter((element) => !old.has(element));
  };
  const addedByUs = added(ours, onDisk);
  const rest = new Set(added(theirs, inNow));
  for (const element of addedByUs) {
    const isThere = (other: Element): boolean =>
      ours.isSet ||
      element.key !== undefined ||
      isValue(element.node) ||
      anchorOf(element, ours, onDisk) === anchorOf(other, theirs, inNow);
    const others = [...rest];
    const twin =
      others.find((other) => other.id === element.id && isThere(other)) ??
      // Around what is generated too: `audited(tagsRoutes)`.
      (isValue(element.node)
        ? others.find((other) => containsNode(element.node, other.node))
        : undefined);
    if (twin !== undefined) rest.delete(twin);
    rows.push({ base: undefined, ours: element, theirs: twin });
  }
  for (const element of rest) rows.push({ base: undefined, ours: undefined, theirs: element });
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

/** The rows in the order of each text, and which side has another order than the base. */
interface Moves {
  readonly base: readonly Row[];
  readonly ours: readonly Row[];
  readonly theirs: readonly Row[];
  readonly isMovedHere: boolean;
  readonly isMovedNow: boolean;
  /** The first row that both sides moved, each to another place. */
  readonly rival: Row | undefined;
}

function movesIn(rows: readonly Row[], base: List, ours: List, theirs: List): Moves {
  const sorted = (list: List, side: 'base' | 'ours' | 'theirs'): Row[] => {
    const places = new Map(list.elements.map((element, index) => [element, index]));
    const place = (row: Row): number => places.get(row[side] as Element) ?? 0;
    return rows.filter((row) => row[side] !== undefined).toSorted((a, b) => place(a) - place(b));
  };
  const [baseOrder, ourOrder, theirOrder] = [
    sorted(base, 'base'),
    sorted(ours, 'ours'),
    sorted(theirs, 'theirs'),
  ];
  const kept = new Set(rows.filter((row) => row.base && row.ours && row.theirs));
  const shared = (order: readonly Row[]): readonly Row[] => order.filter((row) => kept.has(row));
  const different = (one: readonly Row[], other: readonly Row[]): Row | undefined => {
    const others = shared(other);
    return shared(one).find((row, index) => row !== others[index]);
  };
  const isMovedHere = different(ourOrder, baseOrder) !== undefined;
  const isMovedNow = different(theirOrder, baseOrder) !== undefined;
  const rival = isMovedHere && isMovedNow ? different(ourOrder, theirOrder) : undefined;
  return { base: baseOrder, ours: ourOrder, theirs: theirOrder, isMovedHere, isMovedNow, rival };
}

/** Refuses an order that both sides changed, each to another one. */
function refuseMoves({ rival }: Moves, ours: List, context: Context): void {
  const node = rival?.ours?.node;
  if (node === undefined || ours.isSet) return;
  context.clash({
    ours: node,
    what: 'moved here, and elsewhere in the newly generated text',
    isOfList: true,
  });
}

/**
 * The rows in the order of the result: that of the disk, or of what is generated now where that
 * alone has another order than the base. What only one side has stands after what it follows there;
 * at one place, what the disk has comes first.
 */
function orderOf({ base, ours, theirs, isMovedHere, isMovedNow }: Moves): Row[] {
  if (isMovedNow && !isMovedHere) return insert(insert(theirs, ours, false), base, true);
  return insert(insert(ours, theirs, true), base, true);
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
  row !== undefined && row.base === undefined && row.theirs === undefined;

const isGenerated = (row: Row): boolean => row.base === undefined && row.ours === undefined;

/**
 * Refuses elements of the base that a side may have replaced, where there is no telling by what, and
 * the other side did not leave them as they were. The rows are told, and not to be written.
 */
function refuseUnsure(
  order: readonly Row[],
  sides: Sides,
  { isMovedHere, isMovedNow }: Moves,
  list: List,
  context: Context,
): ReadonlySet<Row> {
  const refused = new Set<Row>();
  const isAsBefore = (base: Element, side: Element | undefined, isMoved: boolean): boolean =>
    side !== undefined &&
    side.frame === undefined &&
    isSame(base.node, side.node) &&
    base.remarks === side.remarks &&
    (list.isSet || !isMoved);
  for (const [index, row] of order.entries()) {
    const { base, ours, theirs } = row;
    if (base === undefined) continue;
    const here = sides.ours.unsure.get(base);
    const generated = sides.theirs.unsure.get(base);
    const isRefused =
      (here !== undefined && !isAsBefore(base, theirs, isMovedNow)) ||
      (generated !== undefined && !isAsBefore(base, ours, isMovedHere));
    if (!isRefused || areAlike(here, generated)) continue;
    context.clash({
      base: base.node,
      ...nodeOf('ours', ours ?? here?.[0]),
      ...nodeOf('theirs', theirs ?? generated?.[0]),
      line: lineBefore(order, index, list),
      isOfList: true,
    });
    refused.add(row);
  }
  return refused;
}

/** Whether both sides have the same in the place of an element. */
const areAlike = (here: readonly Element[] = [], generated: readonly Element[] = []): boolean =>
  here.length === generated.length &&
  here.every(({ node }, index) => isSame(node, generated[index]?.node ?? node));

const nodeOf = (side: 'ours' | 'theirs', element: Element | undefined): object =>
  element === undefined ? {} : { [side]: element.node };

/**
 * Refuses an element that is there more often than on either side: what one of them moved or
 * changed, the other has made anew.
 */
function refuseCopies(pieces: readonly Piece[], ours: List, theirs: List, context: Context): void {
  if (ours.form === 'words') return;
  const countsOf = (texts: readonly string[]): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
    return counts;
  };
  const inList = ({ elements }: List): Map<string, number> =>
    countsOf(elements.map(({ node }) => tokensOfText(node.getText())));
  const bodies = pieces.map(({ written }) => tokensOfText(written.body));
  const [ourCounts, theirCounts, both] = [inList(ours), inList(theirs), countsOf(bodies)];
  const told = new Set<string>();
  for (const [index, body] of bodies.entries()) {
    const most = Math.max(ourCounts.get(body) ?? 0, theirCounts.get(body) ?? 0);
    if ((both.get(body) ?? 0) <= Math.max(most, 1) || told.has(body)) continue;
    told.add(body);
    const copies = pieces.filter((_, at) => bodies[at] === body);
    const node = copies.find(({ row }) => row.ours !== undefined)?.row.ours?.node;
    const line = lineBefore(
      pieces.map(({ row }) => row),
      index,
      ours,
    );
    const text = quoteExcerpt(copies[0]?.written.body ?? '');
    context.clash({
      ...(node !== undefined && { ours: node }),
      line,
      what: `both sides together would have ${text} more often than either has it`,
      isOfList: true,
    });
  }
}

/** The pieces with those in one place that are generated within a block. */
function inFrames(pieces: readonly Piece[], context: Context): Written[] {
  const result: Written[] = [];
  let index = 0;
  while (index < pieces.length) {
    const { row, written } = pieces[index] as Piece;
    const frame = row.theirs?.frame;
    if (frame === undefined) {
      result.push(written);
      index += 1;
      continue;
    }
    const isIn = (piece: Piece): boolean => piece.row.theirs?.frame?.element === frame.element;
    const end = pieces.findLastIndex(isIn) + 1;
    const group = pieces.slice(index, end);
    const other = group.find((piece) => !isIn(piece) && !isOwn(piece.row));
    if (other !== undefined) {
      const { ours, theirs } = other.row;
      context.clash({
        ...nodeOf('ours', ours),
        ...nodeOf('theirs', theirs),
        what: 'this stands here between statements that are generated within a block now',
        isOfList: true,
      });
    }
    result.push(
      framed(
        frame,
        group.map((piece) => piece.written),
      ),
    );
    index = end;
  }
  return result;
}

/** A block with these statements. */
function framed({ element, list }: Frame, elements: readonly Written[]): Written {
  const { text } = list.file;
  const head = text.slice(element.node.getStart(), list.start);
  const [first, ...others] = elements;
  // Outside of the block a blank line stood before the first of them.
  const inside = first && [{ ...first, lead: first.lead.replace(/^\s*\n/, '\n') }, ...others];
  const tail = text.slice(list.end, element.node.end);
  return { ...element, body: head + writeList(list, inside ?? [], list.rest) + tail };
}

/**
 * Refuses what both sides put in the place of one element: a name that both changed, each in its
 * own way, or an argument that both added.
 */
function refuseRivals(order: readonly Row[], ours: List, context: Context): void {
  let gap: Row[] = [];
  const look = (): void => {
    const own = gap.find(isOwn);
    const other = gap.find(isGenerated);
    const gone = gap.find((row) => row.base && !row.ours && !row.theirs);
    if (own?.ours === undefined || other?.theirs === undefined) return;
    if (gone?.base !== undefined && !isImportOfNames(gone.base.node)) {
      context.clash({
        base: gone.base.node,
        ours: own.ours.node,
        theirs: other.theirs.node,
        isOfList: true,
      });
    } else if (ours.isPositional) {
      context.clash({ ours: own.ours.node, theirs: other.theirs.node, isOfList: true });
    }
  };
  for (const row of order) {
    const isFixed = row.ours !== undefined && row.theirs !== undefined;
    if (!isFixed) {
      gap.push(row);
      continue;
    }
    if (!ours.isSet) look();
    gap = [];
  }
  if (!ours.isSet) look();
}

/** An element as it is to be written; undefined where it goes. */
function writtenOf(
  row: Row,
  list: List,
  context: Context,
  line: () => number,
): Written | undefined {
  const { base, ours, theirs } = row;
  const imports = mergeImports(base?.node, ours?.node, theirs?.node);
  if (imports !== undefined) {
    const frame = ours ?? theirs;
    const isRemarked = base !== undefined && ours !== undefined && base.remarks !== ours.remarks;
    if (imports.text === undefined && isRemarked) {
      context.clash({
        ours: ours.node,
        what: 'a comment here is of an import that is no longer generated',
      });
    }
    if (frame === undefined || imports.text === undefined) return undefined;
    return { ...remarksOf(base, frame, theirs, context), body: imports.text };
  }
  if (base === undefined) {
    if (ours === undefined) return theirs && writtenAnew(theirs, list);
    if (theirs !== undefined && !isSame(ours.node, theirs.node)) {
      const side = context.clash({ ours: ours.node, theirs: theirs.node });
      if (side === 'theirs') return writtenAnew(theirs, list);
    }
    return { ...ours, body: ours.node.getText() };
  }
  if (ours !== undefined && theirs !== undefined) {
    const body = context.merge(base.node, ours.node, theirs.node);
    return { ...remarksOf(base, ours, theirs, context), body };
  }
  if (ours !== undefined) {
    const isEdited = !isSame(base.node, ours.node);
    if (!isEdited && base.remarks === ours.remarks) return undefined;
    const what = `a comment here is on what is no longer generated: ${quoteExcerpt(ours.node.getText())}`;
    const side = context.clash({ base: base.node, ours: ours.node, ...(!isEdited && { what }) });
    return side === 'ours' ? { ...ours, body: ours.node.getText() } : undefined;
  }
  if (theirs !== undefined && !isSame(base.node, theirs.node)) {
    const side = context.clash({ base: base.node, theirs: theirs.node, line: line() });
    if (side === 'theirs') return writtenAnew(theirs, list);
  }
  return undefined;
}

/** An element that is generated anew, indented as those on disk. */
function writtenAnew(element: Element, list: List): Written {
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
  ours: Element,
  theirs: Element | undefined,
  context: Context,
): Element {
  if (base === undefined || theirs === undefined) return ours;
  if (ours.remarks === theirs.remarks || base.remarks === theirs.remarks) return ours;
  if (base.remarks === ours.remarks) return theirs;
  const lead = context.lines(base.lead, ours.lead, theirs.lead);
  if (lead === undefined) {
    const [here, generated] = quoteExcerpts(ours.remarks, theirs.remarks);
    context.clash({
      ours: ours.node,
      what: `its comment changed here to ${here}; generated now: ${generated}`,
    });
  }
  return { ...ours, lead: lead ?? ours.lead };
}

/** What stands after the last element: comments, and the blanks before the bracket. */
function mergeRest(base: List, ours: List, theirs: List, context: Context): string {
  const [baseComments, ourComments, theirComments] = [base, ours, theirs].map(({ rest }) =>
    rest.replaceAll(/\s+/g, ' ').trim(),
  );
  if (ourComments === theirComments || baseComments === theirComments) return ours.rest;
  if (baseComments === ourComments) return theirs.rest;
  const rest = context.lines(base.rest, ours.rest, theirs.rest);
  const last = ours.elements.at(-1)?.node;
  if (rest === undefined && last !== undefined) {
    context.clash({
      ours: last,
      what: 'the comment after it changed here and in the newly generated text',
    });
  }
  return rest ?? ours.rest;
}

/** The line on disk after which a row would stand. */
function lineBefore(order: readonly Row[], index: number, ours: List): number {
  const before = order.slice(0, index).findLast((row) => row.ours !== undefined)?.ours?.node;
  const position = before?.end ?? ours.start;
  return ours.file.getLineAndCharacterOfPosition(position).line + 1;
}
