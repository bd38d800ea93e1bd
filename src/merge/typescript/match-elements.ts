/**
 * Identity of list elements: `matchElements` says which element of one side is which of the base, and
 * where that cannot be known. Merging a list is safe only as far as this is.
 */
import { diffIndices } from 'node-diff3';
import { ts } from 'ts-morph';

import { isRouteCall, elementKind } from './keys.ts';
import type { Element, List } from './lists.ts';
import { isReference } from './names.ts';
import { tokensOf } from './tokens.ts';

/** The elements of one side, by the elements of the base. */
export interface Matches {
  readonly pairs: ReadonlyMap<Element, Element>;
  /**
   * Elements of the base that the side no longer has as they were, each with those elements of the
   * side that may be changed forms of it. None of these is in a pair.
   */
  readonly unsure: ReadonlyMap<Element, readonly Element[]>;
}

/** Matches the elements of a side with those of the base; what is surer is matched first. */
export function matchElements(
  base: List,
  side: List,
  renamedMembers: ReadonlyMap<string, string> = new Map(),
): Matches {
  const pairs = new Map<Element, Element>();
  const taken = new Set<Element>();
  const pair = (one: Element | undefined, other: Element | undefined): void => {
    if (one === undefined || other === undefined) return;
    pairs.set(one, other);
    taken.add(other);
  };
  const [from, to] = [base.elements, side.elements];
  const hunks = diffIndices(from.map(idOf), to.map(idOf));
  const missing = (): Element[] => from.filter((element) => !pairs.has(element));
  const added = (): Element[] => to.filter((element) => !taken.has(element));

  // 1. Equal elements in the same order.
  let [at, other] = [0, 0];
  for (const { buffer1, buffer2 } of [...hunks, endOf(from, to)]) {
    for (; at < buffer1[0]; at++, other++) pair(from[at], to[other]);
    at += buffer1[1];
    other += buffer2[1];
  }
  // 2. Equal elements at another place.
  const byId = groupedBy(added(), idOf);
  for (const element of missing()) pair(element, byId.get(element.id)?.shift());
  // A member that has the new name of one of the base is that member.
  for (const element of missing()) {
    pair(element, byId.get(renamedId(element, renamedMembers))?.shift());
  }
  // 3. Routes whose path is written another way: '/books/:id' and `/${path}/:id`.
  pairRoutes(missing(), added(), pair);
  // 4. An element that contains another is that element.
  const unsure = new Map<Element, Element[]>();
  const doubt = (element: Element, candidates: readonly Element[]): void => {
    unsure.set(element, [...new Set([...(unsure.get(element) ?? []), ...candidates])]);
  };
  if (side.form !== 'words') pairContaining(missing(), added(), pair, doubt);
  // 5. Elements without a key, of the same sort, in the place of each other.
  if (base.isSet) return { pairs, unsure };
  for (const { buffer1, buffer2 } of hunks) {
    const olds = from
      .slice(buffer1[0], buffer1[0] + buffer1[1])
      .filter((element) => isKeyless(element) && !pairs.has(element) && !unsure.has(element));
    const news = to
      .slice(buffer2[0], buffer2[0] + buffer2[1])
      .filter((element) => isKeyless(element) && !taken.has(element));
    pairReplaced(base, olds, news, { pair, doubt });
  }
  return { pairs, unsure };
}

type Pair = (one: Element | undefined, other: Element | undefined) => void;
type Doubt = (element: Element, candidates: readonly Element[]) => void;

const idOf = ({ id }: Element): string => id;

/** The id of a member under its new name; its own where it keeps its name. */
function renamedId({ id }: Element, renamedMembers: ReadonlyMap<string, string>): string {
  if (!id.startsWith('member ')) return id;
  const start = id.lastIndexOf(' ') + 1;
  const name = id.slice(start);
  return `${id.slice(0, start)}${renamedMembers.get(name) ?? name}`;
}

const isKeyless = ({ key }: Element): boolean => key === undefined;

function groupedBy(
  elements: readonly Element[],
  nameOf: (element: Element) => string,
): Map<string, Element[]> {
  const groups = new Map<string, Element[]>();
  for (const element of elements) {
    const group = groups.get(nameOf(element));
    if (group === undefined) groups.set(nameOf(element), [element]);
    else group.push(element);
  }
  return groups;
}

/** The empty difference at the end of two lists: all before it that is in no hunk is equal. */
const endOf = (
  from: readonly unknown[],
  to: readonly unknown[],
): { readonly buffer1: [number, number]; readonly buffer2: [number, number] } => ({
  buffer1: [from.length, 0],
  buffer2: [to.length, 0],
});

/** Pairs routes by the shapes of their paths; of several with one shape, in their order. */
function pairRoutes(missing: readonly Element[], added: readonly Element[], pair: Pair): void {
  const routes = added.filter(({ node }) => isRouteCall(node));
  if (routes.length === 0) return;
  const unpaired = new Set(missing);
  for (const route of routes) {
    const olds = [...unpaired].filter((old) => areRoutesAlike(old, route));
    const rivals = routes.filter((rival) => olds.some((old) => areRoutesAlike(old, rival)));
    const [first] = olds;
    if (first === undefined || olds.length > rivals.length) continue;
    pair(first, route);
    unpaired.delete(first);
  }
}

/** Whether two statements register a route for one method and, placeholders aside, one path. */
export function areRoutesAlike({ node: one }: Element, { node: other }: Element): boolean {
  const [first, second] = [routeOf(one), routeOf(other)];
  if (first === undefined || second === undefined) return false;
  // Paths in full are equal or not; a placeholder stands for a segment.
  if (first.isPlain === second.isPlain || first.callee !== second.callee) return false;
  return (
    first.segments.length === second.segments.length &&
    first.segments.every((segment, index) => {
      const counterpart = second.segments[index] ?? '';
      return segment === counterpart || segment === HOLE || counterpart === HOLE;
    })
  );
}

/** Stands for a placeholder in a path; no path holds it. */
const HOLE = '\u0000';

interface Route {
  readonly callee: string;
  readonly segments: readonly string[];
  /** Whether the path is written in full. */
  readonly isPlain: boolean;
}

function routeOf(node: ts.Node): Route | undefined {
  if (!isRouteCall(node)) return undefined;
  const { expression: callee, arguments: given } = node.expression;
  const [path] = given;
  if (path === undefined) return undefined;
  const text = ts.isStringLiteralLike(path)
    ? path.text
    : ts.isTemplateExpression(path)
      ? path.head.text + path.templateSpans.map(({ literal }) => HOLE + literal.text).join('')
      : '';
  if (!text.startsWith('/') && !text.startsWith(HOLE)) return undefined;
  return {
    callee: tokensOf(callee),
    segments: text.split('/'),
    isPlain: ts.isStringLiteralLike(path),
  };
}

/** More pairs of elements than these are not compared: it would take seconds. */
const MOST_COMPARED = 40_000;

/** Pairs elements of which one contains the other, where there is one candidate only. */
function pairContaining(
  missing: readonly Element[],
  added: readonly Element[],
  pair: Pair,
  doubt: Doubt,
): void {
  if (missing.length * added.length > MOST_COMPARED) return;
  const candidates = new Map<Element, Element[]>();
  const claims = new Map<Element, number>();
  for (const old of missing) {
    const all = added.filter(({ node }) => isWithin(old.node, node) || isWithin(node, old.node));
    const alike = all.filter(({ node }) => elementKind(node) === elementKind(old.node));
    const found = alike.length > 0 ? alike : all;
    if (found.length > 0) candidates.set(old, found);
    for (const element of found) claims.set(element, (claims.get(element) ?? 0) + 1);
  }
  for (const [old, found] of candidates) {
    const [only] = found;
    if (found.length === 1 && only !== undefined && claims.get(only) === 1) pair(old, only);
    else doubt(old, found);
  }
}

/** Whether a node is within another, or what it evaluates is, where both are of one kind. */
function isWithin(part: ts.Node, node: ts.Node): boolean {
  if (containsNode(node, part)) return true;
  const [inner, outer] = [operandOf(part), operandOf(node)];
  return part.kind === node.kind && inner !== part && containsNode(outer, inner);
}

/** What a statement or a prefix evaluates: `x` of `return x;`, `await x` and `void x;`. */
function operandOf(node: ts.Node): ts.Node {
  const isPrefix =
    ts.isExpressionStatement(node) ||
    ts.isReturnStatement(node) ||
    ts.isAwaitExpression(node) ||
    ts.isVoidExpression(node);
  return isPrefix && node.expression !== undefined ? operandOf(node.expression) : node;
}

/** Whether a node has another within it: `x` in `x.trim()`, in `f(x)`, or in a block. */
export const containsNode = (node: ts.Node, part: ts.Node): boolean =>
  partsEqualTo(node, part).length > 0;

/**
 * The one node within another that is a given node of the base: equal to it, or a call of the same
 * function. Undefined where there is none, or more than one.
 */
export function findWrappedNode(node: ts.Node, base: ts.Node): ts.Node | undefined {
  const equal = partsEqualTo(node, base);
  if (equal.length > 0) return equal.length === 1 ? equal[0] : undefined;
  const sort = elementKind(base);
  if (!sort.startsWith('call ')) return undefined;
  const alike = partsOf(node, (inner) => inner.kind === base.kind && elementKind(inner) === sort);
  return alike.length === 1 ? alike[0] : undefined;
}

/** The outermost nodes within a node that are equal to another. */
function partsEqualTo(node: ts.Node, part: ts.Node): readonly ts.Node[] {
  const wanted = tokensOf(part);
  const whole = tokensOf(node);
  if (whole.length <= wanted.length || !whole.includes(wanted)) return [];
  return partsOf(
    node,
    (inner) =>
      inner.kind === part.kind &&
      tokensOf(inner) === wanted &&
      // The name of a member is no use of a variable that has the same name.
      (!ts.isIdentifier(inner) || isReference(inner)),
  );
}

/** The outermost nodes within a node that a condition holds for. */
function partsOf(node: ts.Node, isWanted: (inner: ts.Node) => boolean): readonly ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (inner: ts.Node): void => {
    if (isWanted(inner)) found.push(inner);
    else ts.forEachChild(inner, visit);
  };
  ts.forEachChild(node, visit);
  return found;
}

/**
 * Pairs elements that stand in the place of each other: as many of one sort as there were. Where the
 * numbers differ, or nothing of that sort is there any more, there is no telling which is which.
 */
function pairReplaced(
  { isPositional }: List,
  olds: readonly Element[],
  news: readonly Element[],
  { pair, doubt }: { readonly pair: Pair; readonly doubt: Doubt },
): void {
  if (olds.length === 0 || news.length === 0) return;
  if (isPositional && olds.length === news.length) {
    for (const [index, element] of olds.entries()) pair(element, news[index]);
    return;
  }
  const ofSort = (elements: readonly Element[]): Map<string, Element[]> =>
    groupedBy(elements, ({ node }) => elementKind(node));
  const replacements = ofSort(news);
  const rest: Element[] = [];
  for (const [sort, group] of ofSort(olds)) {
    const others = replacements.get(sort) ?? [];
    if (others.length === group.length) {
      for (const [index, element] of group.entries()) pair(element, others[index]);
      replacements.delete(sort);
    } else if (others.length > 0) {
      for (const element of group) doubt(element, others);
      replacements.delete(sort);
    } else {
      rest.push(...group);
    }
  }
  const left = [...replacements.values()].flat();
  if (left.length > 0) for (const element of rest) doubt(element, left);
}
