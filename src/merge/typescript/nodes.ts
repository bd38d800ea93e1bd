/** Merging a node by its parts. */
import { ts } from 'ts-morph';

import type { Context } from './context.ts';
import { indentedAs } from './indentation.ts';
import { listOfOne, readList } from './lists.ts';
import type { List } from './lists.ts';
import { innerOf } from './match-elements.ts';
import { mergeList } from './merge-lists.ts';
import { isSame, tokensOfText } from './tokens.ts';

/** A part of a node: one node, or a list of them. */
interface Slot {
  /** Its name among the properties of the node. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly part: ts.Node | List;
}

/** A node as parts, and what stands between them: keywords and punctuation. */
interface Shape {
  readonly slots: readonly Slot[];
  /** One more than slots. */
  readonly gaps: readonly string[];
}

/** Merges a node; what conflicts is told to the context, and stays as it is on disk. */
export function mergeNode(base: ts.Node, disk: ts.Node, now: ts.Node, context: Context): string {
  if (isSame(disk, now) || isSame(base, now)) return disk.getText();
  // What the team only laid out otherwise is looked into, so that its layout stays around a change.
  const isUntouched = isSame(base, disk);
  if (isUntouched && base.getText() === disk.getText()) return taken(now, disk);
  const result = mergeParts(base, disk, now, context);
  if (result !== undefined) return result;
  if (isUntouched) return taken(now, disk);
  const wrapped = mergeWrapped(base, disk, now, context);
  if (wrapped !== undefined) return wrapped;
  context.clash({ base, disk, now });
  return disk.getText();
}

/**
 * Merges a node that one side put into another: `audited(routes)`, `[limit, hook]`, an `if` around a
 * statement. What the other side made of it goes in there. Undefined where neither or both did so.
 */
function mergeWrapped(
  base: ts.Node,
  disk: ts.Node,
  now: ts.Node,
  context: Context,
): string | undefined {
  const [here, generated] = [innerOf(disk, base), innerOf(now, base)];
  if (here !== undefined && generated === undefined && isFormOf(base, now)) {
    return around(disk, here, context.merge(base, here, now));
  }
  if (generated !== undefined && here === undefined && isFormOf(base, disk)) {
    return around(now, generated, context.merge(base, disk, generated));
  }
  return undefined;
}

/** Whether a node is what another became, and nothing else in its place. */
const isFormOf = (base: ts.Node, side: ts.Node): boolean =>
  base.kind === side.kind && !isOtherCall(base, side);

/** The text of a node, with another in the place of one within it. */
function around(node: ts.Node, inner: ts.Node, text: string): string {
  const { text: source } = node.getSourceFile();
  return source.slice(node.getStart(), inner.getStart()) + text + source.slice(inner.end, node.end);
}

/** What is generated now, indented as what it takes the place of. */
const taken = (now: ts.Node, disk: ts.Node): string =>
  indentedAs({ file: disk.getSourceFile(), position: disk.getStart() }, now.getSourceFile(), [
    now.getStart(),
    now.end,
  ]);

/** Undefined where the parts do not go together. */
function mergeParts(
  base: ts.Node,
  disk: ts.Node,
  now: ts.Node,
  context: Context,
): string | undefined {
  const unions = [base, disk, now].map(unionOf);
  if ([base, disk, now].some(ts.isUnionTypeNode)) {
    const [before, ours, theirs] = unions;
    return before && ours && theirs && mergeList(before, ours, theirs, context);
  }
  if (base.kind !== disk.kind || base.kind !== now.kind) return undefined;
  if (isWhole(base) || isOtherCall(base, disk) || isOtherCall(base, now)) return undefined;
  return mergeShapes(shapeOf(base), shapeOf(disk), shapeOf(now), context);
}

/** A type as a list of alternatives, be it of one. */
function unionOf(node: ts.Node): List | undefined {
  if (ts.isUnionTypeNode(node)) return readList(node, 'types', node.types);
  return ts.isTypeNode(node) ? listOfOne(node, 'union') : undefined;
}

/** Whether a call calls something else: its arguments are another's. */
const isOtherCall = (base: ts.Node, side: ts.Node): boolean =>
  ts.isCallLikeExpression(base) &&
  ts.isCallLikeExpression(side) &&
  'expression' in base &&
  'expression' in side &&
  !isSame(base.expression, side.expression);

/** Kinds of which a part alone means nothing: SQL, for one, is text with placeholders. */
const isWhole = (node: ts.Node): boolean =>
  ts.isTemplateExpression(node) || ts.isTaggedTemplateExpression(node);

function shapeOf(node: ts.Node): Shape {
  const file = node.getSourceFile();
  const names = new Map<unknown, string>(
    Object.entries(node).map(([name, value]) => [value, name]),
  );
  const slots: Slot[] = [];
  ts.forEachChild(
    node,
    (child) => {
      const name = names.get(child) ?? '';
      slots.push({ name, start: child.getStart(file), end: child.end, part: child });
    },
    (children) => {
      const name = names.get(children) ?? '';
      const list = readList(node, name, children);
      slots.push({ name, start: list.start, end: list.end, part: list });
    },
  );
  const sorted = slots.toSorted((one, other) => one.start - other.start);
  const ends = [node.getStart(file), ...sorted.map((slot) => slot.end)];
  const starts = [...sorted.map((slot) => slot.start), node.end];
  return { slots: sorted, gaps: ends.map((from, index) => file.text.slice(from, starts[index])) };
}

/** Undefined where both sides changed which parts there are, or what stands between them. */
function mergeShapes(base: Shape, disk: Shape, now: Shape, context: Context): string | undefined {
  if (base.slots.length === 0 && disk.slots.length === 0 && now.slots.length === 0)
    return undefined;
  const frame = frameOf(base, disk, now);
  if (frame === undefined) return undefined;
  const parts: string[] = [];
  for (const [index, slot] of frame.slots.entries()) {
    const text = mergeSlot(
      slotOf(base, slot.name),
      slotOf(disk, slot.name),
      slotOf(now, slot.name),
      context,
    );
    if (text === undefined) return undefined;
    parts.push(frame.gaps[index] ?? '', text);
  }
  return [...parts, frame.gaps.at(-1) ?? ''].join('');
}

const slotOf = (shape: Shape, name: string): Slot | undefined =>
  shape.slots.find((slot) => slot.name === name);

/** The parts of the result: those of the side that changed them, where one alone did. */
function frameOf(base: Shape, disk: Shape, now: Shape): Shape | undefined {
  const [before, ours, theirs] = [base, disk, now].map(partsOf);
  if (before === undefined || ours === undefined || theirs === undefined) return undefined;
  const isKept = (removed: Shape, by: Shape): boolean =>
    removed.slots.every((slot) => {
      if (slotOf(by, slot.name) !== undefined) return true;
      const old = slotOf(base, slot.name);
      return old === undefined || textOf(old) === textOf(slot);
    });
  if (ours === theirs || before === theirs) return isKept(now, disk) ? disk : undefined;
  if (before === ours) return isKept(disk, now) ? now : undefined;
  return undefined;
}

/** The names of the parts and what stands between them, as one text. */
const partsOf = ({ slots, gaps }: Shape): string =>
  gaps.map((gap, index) => `${tokensOfText(gap)} ${slots[index]?.name ?? ''}`).join('\n');

/** The tokens and comments of a part that one side removes: whether the other changed it. */
const textOf = (slot: Slot): string => tokensOfText(sliceOf(slot));

function mergeSlot(
  base: Slot | undefined,
  disk: Slot | undefined,
  now: Slot | undefined,
  context: Context,
): string | undefined {
  const own = disk ?? now;
  if (own === undefined) return undefined;
  if (disk === undefined || now === undefined) return sliceOf(own);
  if (base === undefined) return textOf(disk) === textOf(now) ? sliceOf(disk) : undefined;
  const [before, ours, theirs] = [base.part, disk.part, now.part];
  if (isList(before) && isList(ours) && isList(theirs)) {
    return mergeList(before, ours, theirs, context);
  }
  if (isList(before) || isList(ours) || isList(theirs)) return undefined;
  return context.merge(before, ours, theirs);
}

const isList = (part: ts.Node | List): part is List => 'form' in part;

function sliceOf({ part, start, end }: Slot): string {
  const file = isList(part) ? part.file : part.getSourceFile();
  return file.text.slice(start, end);
}
