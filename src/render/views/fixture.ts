/**
 * What the templates of a fixture and of the functions that create items with it say: the values are
 * the team's, the functions follow the definitions.
 */
import type { Field } from '../../definition/types.ts';
import type { JsonValue } from '../../shared/json.ts';
import { USERS } from '../../model/build.ts';
import type { Names } from '../../model/names.ts';
import { withFraction } from '../../types/timestamp.ts';
import { exampleValues } from '../../types/example-values.ts';
import { specOf } from '../../types/registry.ts';
import { answeredValue } from '../../types/member-code.ts';
import { placeholderIdOf } from '../../expressions/candidate-values.ts';
import { isKeptValue } from '../../model/check-values.ts';
import type { CheckValues } from '../../model/check-values.ts';
import { keptValues, samplesOf } from '../../model/samples.ts';
import type { Member, Samples } from '../../model/samples.ts';
import type { TestTarget } from '../../model/test-targets.ts';
import type { Collection, Relation } from '../../model/types.ts';
import { stringLiteral, valueCode } from '../../shared/literals.ts';
import { testableSteps } from '../../model/testable-steps.ts';
import { ruleCode } from './test-values.ts';

/** How many values of a series are written down. */
const MOST_WRITTEN = 24;

interface MemberCode {
  readonly name: string;
  readonly code: string;
}

/** The data of templates/collection/fixture.ts.hbs. */
export interface FixtureView extends TestPlace {
  readonly names: Names;
  /** Code of each member of `valid(n)`. */
  readonly valid: readonly MemberCode[];
  readonly another: readonly MemberCode[];
  readonly changed: readonly MemberCode[];
  /** Series that follow no rule. */
  readonly series: readonly { readonly name: string; readonly values: string }[];
  /** Whether each body is another one. */
  readonly counts: boolean;
  /** The functions that make what references lead to, by the member, and their modules. */
  readonly makers: readonly MemberCode[];
  readonly parents: readonly { readonly kebab: string; readonly make: string }[];
}

/** The data of templates/collection/items.ts.hbs. */
export interface ItemsView extends TestPlace {
  readonly names: Names;
  /** Code for the type of what a fixture returns; undefined if it has no members. */
  readonly inputType: string | undefined;
  /** References that a body needs, with code for their values. */
  readonly references: readonly MemberCode[];
  /** Whether some of them take any item instead of a new one. */
  readonly isSharing: boolean;
}

export function fixtureView(target: TestTarget): FixtureView {
  const { collection, model } = target;
  const samples = samplesFor(collection, samplesOf(model));
  const series: { name: string; values: string }[] = [];
  const values = fixtureValues(samples);
  const inCode = (members: ReadonlyMap<string, JsonValue>): MemberCode[] =>
    [...members].map(([name, value]) => ({ name, code: valueCode(value) }));
  return {
    ...placeOf(target),
    names: collection.names,
    valid: samples.members.flatMap((member) =>
      member.kind === 'parent'
        ? []
        : [{ name: member.field.name, code: memberCode(member, series) }],
    ),
    another: inCode(values.another),
    changed: inCode(values.changed),
    series,
    counts: samples.members.some(({ kind }) => kind === 'series'),
    ...makersOf(target, samples),
  };
}

export function itemsView(target: TestTarget): ItemsView {
  const { collection, model } = target;
  const all = samplesOf(model);
  const samples = samplesFor(collection, all);
  const parents = samples.members.filter((member) => member.kind === 'parent');
  return {
    ...placeOf(target),
    names: collection.names,
    inputType: inputTypeOf(collection, `${target.type}Body`),
    references: parents.map(({ field: { name }, type, shared }): MemberCode => {
      const path = stringLiteral(`/${targetNames(type.to, all).kebab}`);
      const item = shared ? `anyItem(service, ${path}, make.${name})` : `make.${name}(service)`;
      return { name, code: `given.${name} ?? (await ${item}).id` };
    }),
    isSharing: parents.some(({ shared }) => shared),
  };
}

/** The functions that make what references of a collection lead to. */
function makersOf(target: TestTarget, samples: Samples): Pick<FixtureView, 'makers' | 'parents'> {
  const all = samplesOf(target.model);
  const modules = new Map<string, Set<string>>();
  const makers = madeReferences(samples, all).map(({ field, target: { collection } }) => {
    const { kebab, type } = targetNames(collection, all);
    const make = `create${type}`;
    modules.set(kebab, (modules.get(kebab) ?? new Set()).add(make));
    return { name: field.name, code: make };
  });
  return {
    makers,
    parents: [...modules]
      .map(([kebab, functions]) => ({
        kebab: fixturePathFrom(target, kebab),
        make: [...functions].toSorted().join(', '),
      }))
      .toSorted((one, other) => (one.kebab < other.kebab ? -1 : 1)),
  };
}

/** The references that clients send to items that tests can create. */
export const madeReferences = (
  { collection, checks, members }: Samples,
  all: ReadonlyMap<string, Samples>,
): Relation[] =>
  collection.relations.filter(
    ({ field, target }) =>
      members.some((member) => member.field === field) ||
      (!field.readOnly &&
        all.get(target.collection)?.obstacle === undefined &&
        isKeptValue(checks, field, placeholderIdOf(field.name))),
  );

/** The values of a fixture beside `valid(n)`, by member. */
export interface FixtureValues {
  readonly another: ReadonlyMap<string, JsonValue>;
  readonly changed: ReadonlyMap<string, JsonValue>;
}

export function fixtureValues(samples: Samples): FixtureValues {
  const { collection, members, checks } = samples;
  const another = new Map<string, JsonValue>();
  const changed = new Map<string, JsonValue>();
  for (const field of collection.definition.fields) {
    if (field.readOnly || field.type.type === 'reference') continue;
    const base = members.find((member) => member.field === field);
    const [first, second = first] = (
      base?.kind === 'series' ? base.values.toReversed() : fullValues(field, checks)
    ).map((value) => answeredValue(field.type, value));
    if (first === undefined || second === undefined) continue;
    // `valid(n)` has the first value of a field that is needed.
    const isTurned = base?.kind === 'value';
    const value = isTurned ? second : first;
    const isFree = base?.kind !== 'series' && checks?.kept.has(field.name) !== true;
    const isMoment = field.type.type === 'timestamp' && isFree;
    another.set(field.name, isMoment ? withFraction(field.type, String(value)) : value);
    if (field.transitions !== undefined) {
      const next = testableSteps(field, samples).find(({ from }) => from === value)?.to[0];
      if (next !== undefined) changed.set(field.name, next);
      continue;
    }
    if (!field.immutable && !field.writeOnly) changed.set(field.name, isTurned ? first : second);
  }
  return { another, changed };
}

/**
 * Two values of a field, the first of which is not its default.
 * @param checks the values that members of checks may have.
 */
export function fullValues(field: Field, checks?: CheckValues): readonly JsonValue[] {
  const kept = keptValues(field, checks);
  if (kept !== undefined) return kept;
  if (field.type.type === 'json')
    return [{ color: 'blue', sizes: [1, 2.5], more: { deep: [null] } }, ['one', 2]];
  const values = exampleValues(specOf, field).filter(
    (value) => value !== 'now' && value !== 'today',
  );
  const isDefault = (value: JsonValue): boolean =>
    JSON.stringify(value) === JSON.stringify(field.default);
  return [...values.filter((value) => !isDefault(value)), ...values.filter(isDefault)];
}

/** Where a test or a fixture stands, and what it calls what it is about. */
export interface TestPlace {
  /** The way to the folder of all tests. */
  readonly root: string;
  /** Where a fixture is, below the folder of all: `books`, or `v1/books`. */
  readonly fixture: string;
  /** What is imported as types: `Book`, or `BookV1 as Book`. */
  readonly itemType: string;
  readonly valuesType: string;
  /** The shape of a body: `BookBody`, or `BookV1Body`. */
  readonly bodyShape: string;
  /** The shape of computed members: `BookComputed`, or `BookV1Computed as BookComputed`. */
  readonly computed: string;
  /** The type of some members of a body: `Partial<BookValues>`. */
  readonly givenType: string;
  /** The module of these, below `src/collections/`. */
  readonly module: string;
  /** The version, where it is not the current one. */
  readonly older: number | undefined;
}

export function placeOf({
  collection,
  folder,
  module,
  type,
  isCurrent,
  version,
}: TestTarget): TestPlace {
  const as = (name: string, known: string): string =>
    name === known ? name : `${name} as ${known}`;
  const own = collection.names.type;
  return {
    root: folder === '' ? '..' : '../..',
    fixture: `${folder}${collection.names.kebab}`,
    itemType: as(type, own),
    valuesType: as(`${type}Values`, `${own}Values`),
    computed: as(`${type}Computed`, `${own}Computed`),
    bodyShape: `${type}Body`,
    givenType: givenTypeOf(collection),
    module,
    older: isCurrent ? undefined : version,
  };
}

/**
 * Every object inherits a `constructor`, and TypeScript compares that with an optional member of this
 * name: then the values of members are left unknown.
 */
function givenTypeOf({ definition, names }: Collection): string {
  const hasConstructor = definition.fields.some(({ name }) => name === 'constructor');
  return hasConstructor
    ? `Partial<Record<keyof ${names.type}Values, unknown>>`
    : `Partial<${names.type}Values>`;
}

/** Code for the type of the members that clients send, without references: tests make their items. */
function inputTypeOf({ definition }: Collection, shape: string): string | undefined {
  const sent = definition.fields.filter(({ readOnly }) => !readOnly);
  const hasConstructor = sent.some(({ name }) => name === 'constructor');
  const left = sent
    .filter(({ name, type }) => type.type === 'reference' || name === 'constructor')
    .map(({ name }) => stringLiteral(name));
  if (sent.length === left.length && !hasConstructor) return undefined;
  const body = `Static<typeof ${shape}>`;
  const input = left.length === 0 ? body : `Omit<${body}, ${left.join(' | ')}>`;
  return hasConstructor ? `${input} & { constructor?: unknown }` : input;
}

/** Where the module that creates items of another collection is, from a fixture. */
const fixturePathFrom = ({ fixtures, folder }: TestTarget, kebab: string): string =>
  `${folder === '' ? '..' : '../..'}/support/items/${fixtures.get(kebab) ?? kebab}`;

export const samplesFor = (
  { definition }: Collection,
  all: ReadonlyMap<string, Samples>,
): Samples => {
  const found = all.get(definition.name);
  if (found === undefined) throw new Error(`no samples of ${definition.name}`);
  return found;
};

export function targetNames(collection: string, all: ReadonlyMap<string, Samples>): Names {
  if (collection === 'users') return USERS;
  const found = all.get(collection);
  if (found === undefined) throw new Error(`no samples of ${collection}`);
  return found.collection.names;
}

function memberCode(
  member: Exclude<Member, { readonly kind: 'parent' }>,
  series: { name: string; values: string }[],
): string {
  const { type, name } = member.field;
  if (member.kind === 'value') return valueCode(answeredValue(type, member.value));
  const rule = ruleCode(member.values);
  if (rule !== undefined) return rule;
  const constant = `${name.toUpperCase()}_VALUES`;
  const values = member.values.slice(0, MOST_WRITTEN).map(valueCode);
  series.push({ name: constant, values: `[${values.join(', ')}] as const` });
  return `nth(${constant}, n)`;
}
