/** What the template of a fixture says: how tests make items of one collection. */
import { USERS } from '../../model/build.ts';
import { referrersOf } from '../../model/lookup.ts';
import type { Names } from '../../model/names.ts';
import { samplesOf } from '../../model/samples.ts';
import type { Member, Samples } from '../../model/samples.ts';
import type { Seen } from '../../model/seen.ts';
import type { Collection } from '../../model/types.ts';
import { ruleCode, valueCode } from './test-values.ts';

/** How many values of a series are written down. */
const MOST_WRITTEN = 24;

/** The data of templates/collection/fixture.ts.hbs. */
export interface FixtureView extends TestPlace {
  readonly names: Names;
  /** Code of each member of a body, in which `n` counts the bodies. */
  readonly members: readonly { readonly name: string; readonly code: string }[];
  /** Series that follow no rule. */
  readonly series: readonly { readonly name: string; readonly values: string }[];
  /** Functions of other fixtures that are needed. */
  readonly parents: readonly { readonly kebab: string; readonly make: string }[];
  /** What a body is, in a sentence. */
  readonly bodyDoc: string;
  readonly usesService: boolean;
  /** Whether each body is another one. */
  readonly counts: boolean;
  /** Whether others may take any item instead of a new one. */
  readonly isShared: boolean;
}

/** The names of the fixtures that the model has; a collection may have none. */
export function fixtureView(seen: Seen): FixtureView {
  const { collection, model } = seen;
  const all = samplesOf(model);
  const samples = samplesFor(collection, all);
  const series: { name: string; values: string }[] = [];
  const members = samples.members.map((member) => ({
    name: member.field.name,
    code: memberCode(member, all, series),
  }));
  const makers = new Map<string, Set<string>>();
  for (const member of samples.members) {
    if (member.kind !== 'parent') continue;
    const { kebab, type } = namesOf(member.type.to, all);
    const functions = makers.get(kebab) ?? new Set();
    makers.set(kebab, functions.add(member.shared ? `any${type}` : `create${type}`));
  }
  const counts = samples.members.some(({ kind }) => kind === 'series');
  return {
    ...placeOf(seen),
    names: collection.names,
    members,
    series,
    parents: [...makers]
      .map(([kebab, functions]) => ({
        kebab: besideOf(seen, kebab),
        make: [...functions].toSorted().join(', '),
      }))
      .toSorted((one, other) => (one.kebab < other.kebab ? -1 : 1)),
    bodyDoc:
      `A body that creates ${collection.names.anItem}, with what is needed and no more` +
      `${counts ? '; no two share a value that must be unique' : ''}.`,
    usesService: counts || makers.size > 0,
    counts,
    isShared: referrersOf(model, collection.definition.name).some(
      ({ collection: other, relation }) =>
        samplesFor(other, all).members.some(
          (member) =>
            member.kind === 'parent' && member.shared && member.field.name === relation.field.name,
        ),
    ),
  };
}

/** Where a test or a fixture stands, and what it calls what it is about. */
export interface TestPlace {
  /** The way to the folder of all tests. */
  readonly root: string;
  /** What is imported as types: `Book`, or `BookV1 as Book`. */
  readonly itemType: string;
  readonly valuesType: string;
  /** The type of some members of a body: `Partial<BookValues>`. */
  readonly givenType: string;
  /** The module of these, below `src/collections/`. */
  readonly module: string;
  /** The version, where it is not the current one. */
  readonly older: number | undefined;
}

export function placeOf({ collection, folder, module, type, isCurrent, version }: Seen): TestPlace {
  const as = (name: string, known: string): string =>
    name === known ? name : `${name} as ${known}`;
  const own = collection.names.type;
  return {
    root: folder === '' ? '..' : '../..',
    itemType: as(type, own),
    valuesType: as(`${type}Values`, `${own}Values`),
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

/** Where the fixture of another collection is, from beside that of this one. */
function besideOf({ fixtures, folder }: Seen, kebab: string): string {
  const path = fixtures.get(kebab) ?? kebab;
  if (folder === '') return `./${path}`;
  return path.startsWith(folder) ? `./${path.slice(folder.length)}` : `../${path}`;
}

export const samplesFor = (
  { definition }: Collection,
  all: ReadonlyMap<string, Samples>,
): Samples => {
  const found = all.get(definition.name);
  if (found === undefined) throw new Error(`no samples of ${definition.name}`);
  return found;
};

export function namesOf(collection: string, all: ReadonlyMap<string, Samples>): Names {
  if (collection === 'users') return USERS;
  const found = all.get(collection);
  if (found === undefined) throw new Error(`no samples of ${collection}`);
  return found.collection.names;
}

function memberCode(
  member: Member,
  all: ReadonlyMap<string, Samples>,
  series: { name: string; values: string }[],
): string {
  const { name } = member.field;
  switch (member.kind) {
    case 'value':
      return valueCode(member.value);
    case 'parent': {
      const { type } = namesOf(member.type.to, all);
      const make = member.shared ? `any${type}` : `create${type}`;
      return `given.${name} ?? (await ${make}(service)).id`;
    }
    case 'series': {
      const rule = ruleCode(member.values);
      if (rule !== undefined) return rule;
      const constant = `${name.toUpperCase()}_VALUES`;
      const values = member.values.slice(0, MOST_WRITTEN).map(valueCode);
      series.push({ name: constant, values: `[${values.join(', ')}] as const` });
      return `nth(${constant}, n)`;
    }
  }
}
