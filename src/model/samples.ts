/**
 * Example items: for each collection, bodies that its service takes, any number of which can be
 * created one after the other as far as unique values allow. Pure; the same model gives the same.
 */
import type { Field, UniqueDefinition } from '../definition/types.ts';
import { whereCondition } from '../definition/unique.ts';
import { candidateValues } from '../expressions/candidate-values.ts';
import { findValues } from '../expressions/find-values.ts';
import { KEY_TYPES, keySpec } from '../types/key.ts';
import type { ReferenceType } from '../types/reference.ts';
import type { ScalarType } from '../types/registry.ts';
import type { JsonValue } from '../shared/json.ts';
import { membersOf } from '../expressions/expression.ts';
import { checkValues, isKeptValue } from './check-values.ts';
import type { CheckValues } from './check-values.ts';
import { isBackground } from './jobs.ts';
import { collectionNamed } from './lookup.ts';
import { differentValues, exampleValues } from '../types/example-values.ts';
import { specOf } from '../types/registry.ts';
import { startValue } from './test-steps.ts';
import type { Collection, Model } from './types.ts';

/** How many different items are thought of at most. */
const MOST = 40;
/** A target with fewer items than this is shared by those who refer to it. */
const FEW = 12;

/** What a member of a body is, in the n-th body of a collection, counted from 0. */
export type Member =
  | { readonly kind: 'value'; readonly field: Field; readonly value: JsonValue }
  /** The n-th of several; each once. */
  | { readonly kind: 'series'; readonly field: Field; readonly values: readonly JsonValue[] }
  /** The id of an item of another collection: a new one for each, or any. */
  | {
      readonly kind: 'parent';
      readonly field: Field;
      readonly type: ReferenceType;
      readonly shared: boolean;
    };

type Series = Extract<Member, { readonly kind: 'series' }>;

/** The example items of one collection. */
export interface Samples {
  readonly collection: Collection;
  /** Why no item can be created. */
  readonly obstacle: Obstacle | undefined;
  /** How many items can be there side by side, as far as it matters. */
  readonly capacity: number;
  /** The members of a body that are needed, in the order of the fields. */
  readonly members: readonly Member[];
  /** The values that members of checks may have; absent if there are no checks. */
  readonly checks?: CheckValues;
}

/** Nothing was found that the field's pattern takes: the definition has to give an example. */
interface Obstacle {
  /** No value of the field is known, or so few that there cannot be two items. */
  readonly kind: 'no-sample' | 'one-item';
  readonly field: Field;
}

/** Many files of each collection ask for the samples of all: without this, time grows by its square. */
const samplesByModel = new WeakMap<Model, ReadonlyMap<string, Samples>>();

/** The samples of all collections, by name; of a model they are worked out once. */
export function samplesOf(model: Model): ReadonlyMap<string, Samples> {
  const before = samplesByModel.get(model);
  if (before !== undefined) return before;
  const samples = allSamples(model);
  samplesByModel.set(model, samples);
  return samples;
}

function allSamples(model: Model): ReadonlyMap<string, Samples> {
  const done = new Map<string, Samples>();
  const visit = (name: string): Samples | undefined => {
    const before = done.get(name);
    if (before !== undefined) return before;
    const collection = collectionNamed(model, name);
    if (collection === undefined) return undefined;
    const samples = samplesFor(collection, visit);
    done.set(name, samples);
    return samples;
  };
  for (const { definition } of model.collections) visit(definition.name);
  return done;
}

function samplesFor(collection: Collection, visit: (name: string) => Samples | undefined): Samples {
  const { fields } = collection.definition;
  const groups = clashingGroups(collection);
  const varied = new Set(uniqueFieldGroups(collection).flat());
  const checks = checkedValues(collection, varied);
  const needed = fields.filter(
    (field) =>
      !field.readOnly &&
      (isRequiredInPost(field) ||
        // Nobody knows what the database would set.
        field.hasDatabaseDefault === true ||
        (field.default !== undefined && groups.flat().includes(field.name)) ||
        !isKeptWithout(field, checks)),
  );
  let capacity = MOST;
  let obstacle = checks === undefined ? firstChecked(collection) : undefined;
  const members: Member[] = [];
  for (const field of needed) {
    const { type } = field;
    if (type.type === 'reference') {
      const target = visit(type.to);
      obstacle ??= target?.obstacle;
      const alone = groups.some((group) => group.length === 1 && group[0] === field.name);
      const most = capacityOf(target);
      const shared = most < FEW && !alone;
      if (!shared) capacity = Math.min(capacity, most);
      members.push({ kind: 'parent', field, type, shared });
      continue;
    }
    const isUnique = varied.has(field.name);
    const values = isUnique
      ? series(field, type as ScalarType).filter((value) => isKeptValue(checks, field, value))
      : (keptValues(field, checks) ?? exampleValues(specOf, field));
    // Of objects the last is whole: a fixture has every member that an item has.
    const first = type.type === 'object' ? values.at(-1) : values[0];
    if (first === undefined) {
      obstacle ??= { kind: 'no-sample', field };
      continue;
    }
    members.push(
      isUnique ? { kind: 'series', field, values } : { kind: 'value', field, value: first },
    );
  }
  const arranged = arrange(members, groups);
  const distinct = firstClash(arranged, groups);
  capacity = Math.min(capacity, distinct);
  const [scarce] = arranged
    .flatMap((member) => (member.kind === 'series' ? [member] : []))
    .toSorted((one, other) => one.values.length - other.values.length);
  if (capacity < 2 && scarce !== undefined) obstacle ??= { kind: 'one-item', field: scarce.field };
  return {
    collection,
    obstacle,
    capacity,
    ...(checks !== undefined && { checks }),
    members: arranged.map((member) =>
      member.kind === 'series' ? { ...member, values: member.values.slice(0, capacity) } : member,
    ),
  };
}

/** The values for members of checks. @param varied members that differ from one item to the next. */
function checkedValues(
  { definition }: Collection,
  varied: ReadonlySet<string>,
): CheckValues | undefined {
  const { fields, checks } = definition;
  const fixed = new Map(
    fields
      .filter(({ name, type, readOnly, transitions }) => {
        const isFree = type.type !== 'reference' && !readOnly && transitions === undefined;
        return varied.has(name) && isFree;
      })
      .map((field) => [field.name, series(field, field.type as ScalarType)]),
  );
  return checkValues(fields, checks, fixed);
}

/** The field that values are missing of, if no values are known that keep all checks. */
function firstChecked({ definition }: Collection): Obstacle | undefined {
  const [check] = definition.checks;
  const names = check === undefined ? [] : membersOf(check.expression).map(({ name }) => name);
  const field = definition.fields.find(({ name }) => names.includes(name));
  return field && { kind: 'no-sample', field };
}

/** Whether a body without the member keeps the checks. */
function isKeptWithout(
  { name, default: defaultValue }: Field,
  checks: CheckValues | undefined,
): boolean {
  const [plain] = checks?.kept.get(name) ?? [];
  return plain === undefined || JSON.stringify(plain) === JSON.stringify(defaultValue ?? null);
}

/** The values that tests may send of a member of checks, without null; undefined for other members. */
export function keptValues(
  field: Field,
  checks: CheckValues | undefined,
): readonly JsonValue[] | undefined {
  const present = checks?.kept.get(field.name)?.filter((value) => value !== null);
  // Checks know of objects and lists only whether they are null.
  const isWhole = specOf(field.type).comparison === undefined;
  return isWhole && present !== undefined && present.length > 0 ? undefined : present;
}

/**
 * The samples of the simplest collection, which represents all others in tests of conventions: its items are created
 * directly rather than by a job if possible, and have the fewest members. Undefined if no collection can have three
 * items side by side.
 */
export function simplestSamples(all: ReadonlyMap<string, Samples>): Samples | undefined {
  const able = [...all.values()].filter(
    ({ obstacle, capacity }) => obstacle === undefined && capacity >= 3,
  );
  const parents = ({ members }: Samples): number =>
    members.filter(({ kind }) => kind === 'parent').length;
  return able.toSorted(
    (one, other) =>
      Number(isBackground(one.collection)) - Number(isBackground(other.collection)) ||
      parents(one) - parents(other) ||
      one.members.length - other.members.length,
  )[0];
}

/** How many items a target can have side by side; of users, who are no collection, any number. */
export const capacityOf = (target: Samples | undefined): number => target?.capacity ?? MOST;

/** Whether a POST needs the member. */
export const isRequiredInPost = (field: Field): boolean =>
  field.required && field.default === undefined && field.hasDatabaseDefault !== true;

const series = (field: Field, type: ScalarType): JsonValue[] =>
  keySamples(field) ??
  differentValues(specOf, type, MOST, {
    name: field.name,
    given: field.example === undefined ? [] : [field.example],
  });

/** Ids that clients choose. Lists are in their order, so each is greater than the one before. */
function keySamples({ name, type }: Field): string[] | undefined {
  if (name !== 'id') return undefined;
  const key = KEY_TYPES.find((one) => keySpec(one).field.type === type.type);
  return key && keySpec(key).samples(MOST);
}

/**
 * All lists of fields that are unique together, those of one field first. Values of samples differ also in
 * fields that are unique only among some items.
 */
export const uniqueFieldGroups = ({ definition }: Collection): (readonly string[])[] => [
  ...definition.fields.filter(({ unique }) => unique).map(({ name }) => [name]),
  ...definition.unique.filter((rule) => mayClash(definition, rule)).map(({ fields }) => fields),
];

/** Whether two items of tests may clash: they begin with one value of each field that has transitions. */
function mayClash({ fields }: Collection['definition'], { where }: UniqueDefinition): boolean {
  if (where === undefined) return true;
  const { expression } = where;
  const names = new Set(membersOf(expression).map(({ name }) => name));
  const members = fields.filter(({ name }) => names.has(name));
  const starts = new Map(members.map((field) => [field.name, startValue(field)]));
  // Without such a field, the rule itself is known to be true for some values.
  if ([...starts.values()].every((start) => start === undefined)) return true;
  const candidates = candidateValues(members, [expression]).map((one) => {
    const start = starts.get(one.name);
    return start === undefined ? one : { ...one, values: [start] };
  });
  return !findValues(candidates, [whereCondition(expression, true)]).isImpossible;
}

/** Those that are unique together among all items. */
export const unconditionalUniqueGroups = ({ definition }: Collection): (readonly string[])[] => [
  ...definition.fields.filter(({ unique }) => unique).map(({ name }) => [name]),
  ...definition.unique.filter(({ where }) => where === undefined).map((rule) => rule.fields),
];

/** Whether no two items may have one value of a field, or no two of some. */
export const isUniqueByItself = (collection: Collection, { name }: Field): boolean =>
  uniqueFieldGroups(collection).some((group) => group.length === 1 && group[0] === name);

/** Those that no absent member keeps from clashing. Members that the service sets do not clash. */
const clashingGroups = (collection: Collection): (readonly string[])[] =>
  uniqueFieldGroups(collection).filter((group) =>
    group.every((name) => {
      const field = collection.definition.fields.find((candidate) => candidate.name === name);
      if (field === undefined || field.setBy === 'service') return false;
      return field.required || field.default !== undefined || field.hasDatabaseDefault === true;
    }),
  );

/**
 * Spreads short series, so that the members of a group do not repeat together: the second turns
 * once for each turn of the first. Where another member of the group differs each time, a short
 * series is one value.
 */
function arrange(members: readonly Member[], groups: readonly (readonly string[])[]): Member[] {
  const alone = new Set(groups.filter(({ length }) => length === 1).flat());
  const isShort = (member: Member): member is Series =>
    member.kind === 'series' && member.values.length < MOST && !alone.has(member.field.name);
  let result = [...members];
  for (const group of groups) {
    const parts = result.filter(({ field }) => group.includes(field.name));
    if (parts.some((part) => part.kind === 'series' && part.values.length >= MOST)) continue;
    let period = 1;
    for (const part of parts) {
      if (!isShort(part)) continue;
      const { length } = part.values;
      const every = period;
      const values = Array.from(
        { length: MOST },
        (_none, n) => part.values[Math.floor(n / every) % length] as JsonValue,
      );
      result = result.map((member) => (member === part ? { ...part, values } : member));
      period *= length;
    }
  }
  return result.map((member) =>
    isShort(member)
      ? { kind: 'value', field: member.field, value: member.values[0] as JsonValue }
      : member,
  );
}

/** How many bodies there are before one has the same unique values as another. */
function firstClash(members: readonly Member[], groups: readonly (readonly string[])[]): number {
  let capacity = MOST;
  for (const group of groups) {
    const parts = members.filter(({ field }) => group.includes(field.name));
    // A new parent for each makes the group a new one.
    if (parts.some((part) => part.kind === 'parent' && !part.shared)) continue;
    const seen = new Set<string>();
    let n = 0;
    for (; n < capacity; n++) {
      const key = JSON.stringify(
        parts.map((part) => (part.kind === 'series' ? (part.values[n] ?? null) : part.field.name)),
      );
      if (seen.has(key)) break;
      seen.add(key);
    }
    const shortest = Math.min(
      ...parts.map((part) => (part.kind === 'series' ? part.values.length : MOST)),
    );
    capacity = Math.min(n, shortest);
  }
  return capacity;
}
