/**
 * Merges the definition of a collection by its keys: `base` is what the last import wrote, `ours` the definition on disk,
 * and `theirs` what import writes now. All three have the same names for the same columns (`align-names.ts`).
 */
import { isDeepStrictEqual } from 'node:util';

import type { JsonObject, JsonValue } from '../shared/json.ts';
import { isJsonObject, ownMember } from '../shared/json.ts';

/** A place in a definition: `fields`, `title`, `max_length`. */
export type DefinitionPath = readonly string[];

/** What both sides changed to different values; a side is undefined if it does not have it. */
export interface DefinitionConflict {
  readonly at: DefinitionPath;
  readonly base: JsonValue | undefined;
  readonly ours: JsonValue | undefined;
  readonly theirs: JsonValue | undefined;
}

/** A change of the definition on disk. */
export interface DefinitionChange {
  readonly at: DefinitionPath;
  /** Undefined if it is new. */
  readonly before: JsonValue | undefined;
  /** Undefined if it goes. */
  readonly after: JsonValue | undefined;
}

export interface MergedDefinition {
  /** Has the value of `ours` wherever there is a conflict. */
  readonly value: JsonObject;
  readonly changes: readonly DefinitionChange[];
  readonly conflicts: readonly DefinitionConflict[];
}

interface Sides {
  readonly base: JsonValue | undefined;
  readonly ours: JsonValue | undefined;
  readonly theirs: JsonValue | undefined;
}

interface Noted {
  readonly changes: DefinitionChange[];
  readonly conflicts: DefinitionConflict[];
}

/** Lists whose order means nothing: entries are added and removed one by one. */
const LISTS: ReadonlySet<string> = new Set(['sort', 'filter', 'indexes', 'unique', 'values']);

export function mergeDefinition(
  base: JsonObject,
  ours: JsonObject,
  theirs: JsonObject,
): MergedDefinition {
  const noted: Noted = { changes: [], conflicts: [] };
  const value = mergeValue([], { base, ours, theirs }, noted) as JsonObject;
  return { value, ...noted };
}

function mergeValue(at: DefinitionPath, sides: Sides, noted: Noted): JsonValue | undefined {
  const { base, ours, theirs } = sides;
  if (isDeepStrictEqual(ours, theirs) || isDeepStrictEqual(base, theirs)) return ours;
  // A field that the team wrote before import did stays as it is.
  if (isField(at) && base === undefined && ours !== undefined) return ours;
  if (isJsonObject(ours) && isJsonObject(theirs) && (base === undefined || isJsonObject(base))) {
    return mergeMembers(at, base ?? {}, ours, theirs, noted);
  }
  if (LISTS.has(at.at(-1) ?? '') && [base, ours, theirs].every(isListOrAbsent)) {
    return mergeList(at, sides, noted);
  }
  if (isDeepStrictEqual(base, ours)) {
    noted.changes.push({ at, before: ours, after: theirs });
    return theirs;
  }
  if (!isNarrower(at, ours, theirs)) noted.conflicts.push({ at, base, ours, theirs });
  return ours;
}

const isField = (at: DefinitionPath): boolean => at.length === 2 && at[0] === 'fields';

function mergeMembers(
  at: DefinitionPath,
  base: JsonObject,
  ours: JsonObject,
  theirs: JsonObject,
  noted: Noted,
): JsonObject {
  const merged = new Map<string, JsonValue>();
  const merge = (key: string): JsonValue | undefined => {
    const sides = {
      base: ownMember(base, key),
      ours: ownMember(ours, key),
      theirs: ownMember(theirs, key),
    };
    return mergeValue([...at, key], sides, noted);
  };
  for (const key of Object.keys(ours)) {
    const value = merge(key);
    if (value !== undefined) merged.set(key, value);
  }
  const keys = Object.keys(theirs);
  for (const [index, key] of keys.entries()) {
    if (Object.hasOwn(ours, key)) continue;
    const value = merge(key);
    if (value === undefined) continue;
    const previous = keys.slice(0, index).findLast((one) => merged.has(one));
    insertAfter(merged, previous, key, value);
  }
  return Object.fromEntries(merged);
}

/** Inserts an entry after another one; at the end if there is none. */
function insertAfter(
  map: Map<string, JsonValue>,
  previous: string | undefined,
  key: string,
  value: JsonValue,
): void {
  const entries = [...map];
  const place = previous === undefined ? entries.length : [...map.keys()].indexOf(previous) + 1;
  map.clear();
  for (const entry of entries.toSpliced(place, 0, [key, value])) map.set(...entry);
}

function mergeList(at: DefinitionPath, sides: Sides, noted: Noted): JsonValue | undefined {
  const base = (sides.base ?? []) as readonly JsonValue[];
  const ours = (sides.ours ?? []) as readonly JsonValue[];
  const allTheirs = (sides.theirs ?? []) as readonly JsonValue[];
  const theirs = withoutConflicts(at, { base, ours, theirs: allTheirs }, noted);
  const has = (list: readonly JsonValue[], one: JsonValue): boolean =>
    list.some((other) => isDeepStrictEqual(other, one));
  const merged = ours.filter((one) => has(theirs, one) || !has(base, one));
  for (const [index, one] of theirs.entries()) {
    if (has(base, one) || has(ours, one)) continue;
    const previous = theirs.slice(0, index).findLast((other) => has(merged, other));
    const place = merged.findIndex((other) => isDeepStrictEqual(other, previous));
    merged.splice(place === -1 ? merged.length : place + 1, 0, one);
  }
  if (isDeepStrictEqual(merged, ours)) return sides.ours;
  const result = merged.length === 0 && sides.theirs === undefined ? undefined : merged;
  noted.changes.push({ at, before: sides.ours, after: result });
  return result;
}

/** The list of the database, with the entries of `base` where both sides have changed an entry with a name. */
function withoutConflicts(
  at: DefinitionPath,
  lists: Readonly<Record<'base' | 'ours' | 'theirs', readonly JsonValue[]>>,
  { conflicts }: Noted,
): readonly JsonValue[] {
  const keptFromBase = new Map<string, JsonValue | undefined>();
  for (const name of new Set([...lists.base, ...lists.theirs].map(nameOf))) {
    if (name === undefined) continue;
    const entryIn = (list: readonly JsonValue[]): JsonValue | undefined =>
      list.find((one) => nameOf(one) === name);
    const base = entryIn(lists.base);
    const ours = entryIn(lists.ours);
    const theirs = entryIn(lists.theirs);
    const isSame = isDeepStrictEqual(base, theirs) || isDeepStrictEqual(ours, theirs);
    if (isSame || isDeepStrictEqual(base, ours)) continue;
    conflicts.push({ at: [...at, name], base, ours, theirs });
    keptFromBase.set(name, base);
  }
  const rest = lists.theirs.filter((one) => !keptFromBase.has(nameOf(one) ?? ''));
  return [...rest, ...[...keptFromBase.values()].filter((one) => one !== undefined)];
}

function nameOf(entry: JsonValue): string | undefined {
  const name = isJsonObject(entry) ? ownMember(entry, 'name') : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** Types with others whose columns take all of their values. */
const WIDER_TYPES = [
  ['integer', 'bigint'],
  ['string', 'text'],
] as const;

const BOUNDS: ReadonlySet<string> = new Set(['max_length', 'maximum', 'max_bytes', 'minimum']);

/** Whether a bound of the definition, of a field or of the entries of its list, is within that of the database. */
function isNarrower(
  at: DefinitionPath,
  ours: JsonValue | undefined,
  theirs: JsonValue | undefined,
): boolean {
  const owner = at.slice(0, -1);
  const isOfEntries = owner.at(-1) === 'of' && isField(owner.slice(0, -1));
  if (!isOfEntries && !isField(owner)) return false;
  // A type whose values the column takes, too.
  if (at.at(-1) === 'type') {
    return WIDER_TYPES.some(([type, wider]) => type === ours && wider === theirs);
  }
  // A column without a bound takes all values.
  if (theirs === undefined) return ours !== undefined && BOUNDS.has(at.at(-1) ?? '');
  if (['max_length', 'maximum', 'max_bytes'].includes(at.at(-1) ?? '')) {
    return numberIn(ours) <= numberIn(theirs);
  }
  return at.at(-1) === 'minimum' && numberIn(ours) >= numberIn(theirs);
}

const numberIn = (value: JsonValue | undefined): number =>
  typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;

const isListOrAbsent = (value: JsonValue | undefined): boolean =>
  value === undefined || Array.isArray(value);
