/**
 * Merging values of JSON and YAML by their keys: what is to change in the value on disk so that it
 * has the changes of both sides.
 */
import { isDeepStrictEqual } from 'node:util';

import { excerptOf, excerptsOf } from './excerpts.ts';
import type { Side } from './types.ts';

export type Value = null | boolean | number | string | readonly Value[] | Members;
export interface Members {
  readonly [key: string]: Value | undefined;
}

/** Where a value stands: keys and indexes. */
export type ValuePath = readonly (string | number)[];

/** A change of the value on disk. */
export type ValueChange =
  | { readonly kind: 'set'; readonly at: ValuePath; readonly value: Value }
  | { readonly kind: 'remove'; readonly at: ValuePath }
  /** A new key; `after` is the key of the same object that it follows; undefined: it is the first. */
  | {
      readonly kind: 'add';
      readonly at: ValuePath;
      readonly value: Value;
      readonly after: string | undefined;
    }
  /** A new element of a list, before the one that has this index. */
  | { readonly kind: 'insert'; readonly at: ValuePath; readonly value: Value };

/** What both sides want differently; a side is undefined where it does not have it. */
export interface Collision {
  readonly at: ValuePath;
  readonly base: Value | undefined;
  readonly here: Value | undefined;
  readonly generated: Value | undefined;
}

interface ValueDifference {
  /** To be made in this order. */
  readonly changes: readonly ValueChange[];
  readonly collisions: readonly Collision[];
}

/** What decides a value that both sides changed; undefined leaves it a collision. */
export type Decide = (at: ValuePath, values: Three) => Value | typeof REMOVED | undefined;

/** Settles what is left undecided by the preferred side, if there is one. */
export const preferSide =
  (side: Side | undefined, decide?: Decide): Decide =>
  (at, values) =>
    decide?.(at, values) ?? (side === undefined ? undefined : (values[side] ?? REMOVED));

/** A value goes, for the side that removed it is right. */
export const REMOVED = Symbol('removed');

/** A value in the three versions; undefined where it is not there. */
interface Three {
  readonly base: Value | undefined;
  readonly ours: Value | undefined;
  readonly theirs: Value | undefined;
}

/** The changes that bring what is generated now into the value on disk. */
export function differenceOf(three: Three, decide: Decide = () => undefined): ValueDifference {
  const changes: ValueChange[] = [];
  const collisions: Collision[] = [];
  visit([], three, undefined, { changes, collisions, decide });
  return { changes, collisions };
}

interface Found {
  readonly changes: ValueChange[];
  readonly collisions: Collision[];
  readonly decide: Decide;
}

function visit(at: ValuePath, three: Three, after: string | undefined, found: Found): void {
  const { base, ours, theirs } = three;
  if (isDeepStrictEqual(ours, theirs) || isDeepStrictEqual(base, theirs)) return;
  if (isDeepStrictEqual(base, ours) && !isMembers(theirs)) {
    put(at, ours, theirs, after, found);
    return;
  }
  if (isMembers(ours) && isMembers(theirs) && (base === undefined || isMembers(base))) {
    visitMembers(at, base ?? {}, ours, theirs, found);
    return;
  }
  if (isDeepStrictEqual(base, ours)) {
    put(at, ours, theirs, after, found);
    return;
  }
  if (isList(ours) && isList(theirs) && (base === undefined || isList(base))) {
    if (visitList(at, base ?? [], ours, theirs, found)) return;
  }
  const decided = found.decide(at, three);
  if (decided === undefined) found.collisions.push({ at, base, here: ours, generated: theirs });
  else put(at, ours, decided === REMOVED ? undefined : decided, after, found);
}

function put(
  at: ValuePath,
  ours: Value | undefined,
  value: Value | undefined,
  after: string | undefined,
  { changes }: Found,
): void {
  if (isDeepStrictEqual(ours, value)) return;
  if (value === undefined) changes.push({ kind: 'remove', at });
  else if (ours === undefined) changes.push({ kind: 'add', at, value, after });
  else changes.push({ kind: 'set', at, value });
}

function visitMembers(
  at: ValuePath,
  base: Members,
  ours: Members,
  theirs: Members,
  found: Found,
): void {
  for (const key of Object.keys(base)) {
    if (!Object.hasOwn(theirs, key))
      visit([...at, key], threeOf(key, base, ours, theirs), undefined, found);
  }
  const isOwn = (key: string | undefined): boolean =>
    key !== undefined && !Object.hasOwn(base, key) && !Object.hasOwn(theirs, key);
  // The keys in the order of the result.
  const order = Object.keys(ours);
  const keys = Object.keys(theirs);
  const isSorted = isInOrder(order) && isInOrder(keys);
  for (const [index, key] of keys.entries()) {
    const previous = keys.slice(0, index).findLast((other) => order.includes(other));
    let place = previous === undefined ? 0 : order.indexOf(previous) + 1;
    // What the team added at this place comes first; where both have a sorted object, it stays so.
    while (isSorted ? (order[place] ?? key) < key : isOwn(order[place])) place++;
    visit([...at, key], threeOf(key, base, ours, theirs), order[place - 1], found);
    const last = found.changes.at(-1);
    if (last?.kind === 'add' && isDeepStrictEqual(last.at, [...at, key]))
      order.splice(place, 0, key);
  }
}

const isInOrder = (keys: readonly string[]): boolean =>
  keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') < key);

const threeOf = (key: string, base: Members, ours: Members, theirs: Members): Three => ({
  base: memberOf(base, key),
  ours: memberOf(ours, key),
  theirs: memberOf(theirs, key),
});

const memberOf = (members: Members, key: string): Value | undefined =>
  Object.hasOwn(members, key) ? members[key] : undefined;

/**
 * Lists: elements that stand for themselves are added and removed one by one; elements with a name
 * are merged by it. False where it is neither.
 */
function visitList(
  at: ValuePath,
  base: readonly Value[],
  ours: readonly Value[],
  theirs: readonly Value[],
  found: Found,
): boolean {
  const [baseIds, ourIds, theirIds] = [idsOf(base), idsOf(ours), idsOf(theirs)];
  if (baseIds === undefined || ourIds === undefined || theirIds === undefined) return false;
  // Positions on disk are those baseIds any change; changes are made from the end.
  const steps: ValueChange[] = [];
  for (const [index, id] of ourIds.entries()) {
    const [old, next] = [baseIds.indexOf(id), theirIds.indexOf(id)];
    if (next !== -1) {
      const three = { base: base[old], ours: ours[index], theirs: theirs[next] };
      visit([...at, index], three, undefined, found);
    } else if (old !== -1) {
      if (isDeepStrictEqual(base[old], ours[index]))
        steps.push({ kind: 'remove', at: [...at, index] });
      else
        found.collisions.push({
          at: [...at, index],
          base: base[old],
          here: ours[index],
          generated: undefined,
        });
    }
  }
  for (const [index, id] of theirIds.entries()) {
    const value = theirs[index];
    if (ourIds.includes(id) || value === undefined) continue;
    if (baseIds.includes(id)) {
      if (!isDeepStrictEqual(base[baseIds.indexOf(id)], value)) {
        const old = base[baseIds.indexOf(id)];
        found.collisions.push({ at, base: old, here: undefined, generated: value });
      }
      continue;
    }
    const previous = theirIds.slice(0, index).findLast((other) => ourIds.includes(other));
    let place = previous === undefined ? 0 : ourIds.indexOf(previous) + 1;
    // What the team added at this place comes first.
    while (place < ourIds.length && isOwn(ourIds[place] ?? '', baseIds, theirIds)) place++;
    steps.push({ kind: 'insert', at: [...at, place], value });
  }
  const placeOf = (change: ValueChange): number => Number(change.at.at(-1));
  const rank = (change: ValueChange): number => (change.kind === 'remove' ? 0 : 1);
  // At one index, later elements are inserted first; so they end up behind.
  found.changes.push(
    ...steps
      .toReversed()
      .toSorted((one, other) => placeOf(other) - placeOf(one) || rank(one) - rank(other)),
  );
  return true;
}

const isOwn = (id: string, before: readonly string[], theirs: readonly string[]): boolean =>
  !before.includes(id) && !theirs.includes(id);

/** What tells elements apart: a scalar itself, a name or an id; undefined where two are alike. */
function idsOf(list: readonly Value[]): string[] | undefined {
  const ids = list.map((value) => {
    if (!isMembers(value)) return JSON.stringify(value);
    const name = value['id'] ?? value['name'] ?? value['uses'] ?? value['run'];
    return name === undefined ? JSON.stringify(value) : `name ${JSON.stringify(name)}`;
  });
  return new Set(ids).size === ids.length ? ids : undefined;
}

const isList = (value: Value | undefined): value is readonly Value[] => Array.isArray(value);

const isMembers = (value: Value | undefined): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What collides, in a sentence; the path as a user would write it. */
export function describeCollision({ at, base, here, generated }: Collision): string {
  const path = at.map((step) => (typeof step === 'number' ? `[${step}]` : step)).join('.');
  const name = path === '' ? '' : `\`${path}\`: `;
  const [mine, theirs] = [here, generated].map((value) => JSON.stringify(value) ?? '') as [
    string,
    string,
  ];
  if (here === undefined) return `${name}removed here; generated now: ${excerptOf(theirs)}`;
  if (generated === undefined) {
    return `${name}changed here to ${excerptOf(mine)}; no longer generated`;
  }
  const [one, other] = excerptsOf(mine, theirs);
  if (base === undefined) return `${name}added here: ${one}; generated too: ${other}`;
  return `${name}changed here to ${one}; generated now: ${other}`;
}
