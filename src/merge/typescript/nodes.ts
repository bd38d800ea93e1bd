/** Merging a node by its parts. */
import { ts } from 'ts-morph';

import type { Context } from './context.ts';
import { indentedAs } from './indentation.ts';
import { listOfOne, readList } from './lists.ts';
import type { List } from './lists.ts';
import { findWrappedNode } from './match-elements.ts';
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

/** Merges a node; what conflicts is told to the context, and has the text of the preferred side. */
export function mergeNode(base: ts.Node, ours: ts.Node, theirs: ts.Node, context: Context): string {
  const isRestored = context.restored !== undefined;
  if (isSame(ours, theirs) || (isSame(base, theirs) && !isRestored)) return ours.getText();
  // What the team only laid out otherwise is looked into, so that its layout stays around a change.
  const isUntouched = isSame(base, ours);
  if (isUntouched && base.getText() === ours.getText()) return taken(theirs, ours);
  const result = mergeParts(base, ours, theirs, context);
  if (result !== undefined) return result;
  if (isUntouched) return taken(theirs, ours);
  const wrapped = mergeWrapped(base, ours, theirs, context);
  if (wrapped !== undefined) return wrapped;
  if (isRestored) return ours.getText();
  return context.clash({ base, ours, theirs }) === 'ours' ? ours.getText() : taken(theirs, ours);
}

/**
 * Merges a node that one side put into another: `audited(routes)`, `[limit, hook]`, an `if` around a
 * statement. What the other side made of it goes in there. Undefined where neither or both did so.
 */
function mergeWrapped(
  base: ts.Node,
  ours: ts.Node,
  theirs: ts.Node,
  context: Context,
): string | undefined {
  const [here, generated] = [findWrappedNode(ours, base), findWrappedNode(theirs, base)];
  if (here !== undefined && generated === undefined && isFormOf(base, theirs)) {
    return around(ours, here, context.merge(base, here, theirs));
  }
  if (generated !== undefined && here === undefined && isFormOf(base, ours)) {
    return around(theirs, generated, context.merge(base, ours, generated));
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
const taken = (theirs: ts.Node, ours: ts.Node): string =>
  indentedAs({ file: ours.getSourceFile(), position: ours.getStart() }, theirs.getSourceFile(), [
    theirs.getStart(),
    theirs.end,
  ]);

/** Undefined where the parts do not go together. */
function mergeParts(
  base: ts.Node,
  ours: ts.Node,
  theirs: ts.Node,
  context: Context,
): string | undefined {
  const unions = [base, ours, theirs].map(unionOf);
  if ([base, ours, theirs].some(ts.isUnionTypeNode)) {
    const [baseUnion, ourUnion, theirUnion] = unions;
    return (
      baseUnion && ourUnion && theirUnion && mergeList(baseUnion, ourUnion, theirUnion, context)
    );
  }
  if (base.kind !== ours.kind || base.kind !== theirs.kind) return undefined;
  if (isWhole(base) || isOtherCall(base, ours) || isOtherCall(base, theirs)) return undefined;
  return mergeShapes(shapeOf(base), shapeOf(ours), shapeOf(theirs), context);
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
function mergeShapes(
  base: Shape,
  ours: Shape,
  theirs: Shape,
  context: Context,
): string | undefined {
  if (base.slots.length === 0 && ours.slots.length === 0 && theirs.slots.length === 0)
    return undefined;
  const frame = frameOf(base, ours, theirs);
  if (frame === undefined) return undefined;
  const parts: string[] = [];
  for (const [index, slot] of frame.slots.entries()) {
    const text = mergeSlot(
      slotOf(base, slot.name),
      slotOf(ours, slot.name),
      slotOf(theirs, slot.name),
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
function frameOf(base: Shape, ours: Shape, theirs: Shape): Shape | undefined {
  const [baseParts, ourParts, theirParts] = [base, ours, theirs].map(partsOf);
  if (baseParts === undefined || ourParts === undefined || theirParts === undefined)
    return undefined;
  const isKept = (removed: Shape, by: Shape): boolean =>
    removed.slots.every((slot) => {
      if (slotOf(by, slot.name) !== undefined) return true;
      const old = slotOf(base, slot.name);
      return old === undefined || textOf(old) === textOf(slot);
    });
  if (ourParts === theirParts || baseParts === theirParts)
    return isKept(theirs, ours) ? ours : undefined;
  if (baseParts === ourParts) return isKept(ours, theirs) ? theirs : undefined;
  return undefined;
}

/** The names of the parts and what stands between them, as one text. */
const partsOf = ({ slots, gaps }: Shape): string =>
  gaps.map((gap, index) => `${tokensOfText(gap)} ${slots[index]?.name ?? ''}`).join('\n');

/** The tokens and comments of a part that one side removes: whether the other changed it. */
const textOf = (slot: Slot): string => tokensOfText(sliceOf(slot));

function mergeSlot(
  base: Slot | undefined,
  ours: Slot | undefined,
  theirs: Slot | undefined,
  context: Context,
): string | undefined {
  const own = ours ?? theirs;
  if (own === undefined) return undefined;
  if (ours === undefined || theirs === undefined) return sliceOf(own);
  if (base === undefined) return textOf(ours) === textOf(theirs) ? sliceOf(ours) : undefined;
  const [basePart, ourPart, theirPart] = [base.part, ours.part, theirs.part];
  if (isList(basePart) && isList(ourPart) && isList(theirPart)) {
    return mergeList(basePart, ourPart, theirPart, context);
  }
  if (isList(basePart) || isList(ourPart) || isList(theirPart)) return undefined;
  return context.merge(basePart, ourPart, theirPart);
}

const isList = (part: ts.Node | List): part is List => 'form' in part;

function sliceOf({ part, start, end }: Slot): string {
  const file = isList(part) ? part.file : part.getSourceFile();
  return file.text.slice(start, end);
}
