/** Compares the versions of a service with the stored form. */
import { ruleText } from '../expressions/rule-text.ts';
import { olderFormOf } from '../definition/versions/older-form.ts';
import { isInVersion, nameInVersion, findUpTo } from '../definition/versions/span.ts';
import { valuesIn, viewOf } from '../definition/versions/view.ts';
import type {
  CollectionDefinition,
  Field,
  MemberRule,
  ServiceDefinition,
} from '../definition/types.ts';
import { toCamel } from './names.ts';
import type { Collection, Model, View, ViewMember, CollectionVersions, Versions } from './types.ts';

/** The differences between versions; undefined if there are none. */
export function versionsOf(
  service: ServiceDefinition,
  stored: readonly Collection[],
  build: (view: ServiceDefinition, version: number) => Model,
): Versions | undefined {
  const { versions } = service;
  const written = new Map(service.collections.map((collection) => [collection.name, collection]));
  const views = new Map(versions.map((version) => [version, viewOf(service, version)]));
  const isSame = (one: Collection, version: number): boolean => {
    const definition = definitionIn(written, one, views.get(version), version);
    return definition !== undefined && textOf(definition) === textOf(one.definition);
  };
  if (stored.every((one) => versions.every((version) => isSame(one, version)))) return undefined;
  const models = new Map(
    versions.map((version) => [version, build(views.get(version) ?? service, version)]),
  );
  return {
    models,
    collections: new Map(
      stored.map((one): [string, CollectionVersions] => {
        const same = versions.filter((version) => isSame(one, version));
        const groups = new Map<string, number[]>();
        for (const version of versions) {
          const seen = definitionIn(written, one, views.get(version), version);
          if (seen === undefined || same.includes(version)) continue;
          groups.set(textOf(seen), [...(groups.get(textOf(seen)) ?? []), version]);
        }
        const all = [...groups.values()].map((group) => viewFor(written, one, group, models));
        return [one.definition.name, { kebab: one.names.kebab, same, views: all }];
      }),
    ),
    areCalledAlike: stored.every((one) =>
      versions.every(
        (version) =>
          definitionIn(written, one, views.get(version), version)?.name === one.definition.name,
      ),
    ),
  };
}

/** The model of the current version. */
export const currentOf = (model: Model): Model =>
  model.versions?.models.get(model.service.versions.at(-1) ?? 1) ?? model;

/** The view of a collection in a version; undefined where that has it as it is stored, or not at all. */
export const viewIn = ({ versions }: Model, name: string, version: number): View | undefined =>
  versions?.collections.get(name)?.views.find((view) => view.versions.includes(version));

/** Whether some version has a collection otherwise than it is stored, or not at all. */
export function isVersioned({ service, versions }: Model, name: string): boolean {
  if (versions === undefined) return false;
  return versions.collections.get(name)?.same.length !== service.versions.length;
}

/** What a collection is called in a version; undefined where that does not have it. */
export function pathIn(
  model: Model,
  { definition, names }: Collection,
  version: number,
): string | undefined {
  const found = model.versions?.collections.get(definition.name);
  if (found === undefined || found.same.includes(version)) return names.kebab;
  return viewIn(model, definition.name, version)?.collection.names.kebab;
}

/** Members whose older forms only functions of the team know: each once. */
export function teamMembers({ versions }: Model, name: string): readonly ViewMember[] {
  const seen = new Map<string, ViewMember>();
  for (const { members } of versions?.collections.get(name)?.views ?? []) {
    for (const member of members) {
      if (member.conversion.kind === 'team') seen.set(teamName(member), member);
    }
  }
  return [...seen.values()];
}

/** Whether values are shown in another form than the stored one. */
export const isConverted = ({ conversion, upTo: last, substitutes }: ViewMember): boolean =>
  conversion.kind === 'values' || last !== undefined || Object.keys(substitutes).length > 0;

/** What the two functions of the team are called: `priceInV1`. */
export const teamName = ({ stored, upTo: last }: ViewMember): string =>
  `${toCamel(stored.name)}InV${last}`;

function definitionIn(
  written: ReadonlyMap<string, CollectionDefinition>,
  { definition }: Collection,
  view: ServiceDefinition | undefined,
  version: number,
): CollectionDefinition | undefined {
  const own = written.get(definition.name);
  if (own === undefined || !isInVersion(own, version)) return undefined;
  const name = nameInVersion(own, version);
  return view?.collections.find((collection) => collection.name === name);
}

function viewFor(
  written: ReadonlyMap<string, CollectionDefinition>,
  stored: Collection,
  versions: readonly number[],
  models: ReadonlyMap<number, Model>,
): View {
  const version = versions.at(-1) ?? 1;
  const own = written.get(stored.definition.name);
  const model = models.get(version);
  if (own === undefined || model === undefined) throw new Error(`no version ${version}`);
  const collection = model.collections.find(
    ({ definition }) => definition.name === nameInVersion(own, version),
  );
  if (collection === undefined) throw new Error(`version ${version} has no ${own.name}`);
  const has = own.fields.filter((field) => isInVersion(field, version));
  const storedOf = ({ name }: Field): Field | undefined =>
    stored.definition.fields.find((field) => field.name === name);
  return {
    versions,
    key: `v${version}`,
    collection,
    model,
    members: has.flatMap((field): ViewMember[] => {
      const name = nameInVersion(field, version);
      const shown = collection.definition.fields.find((one) => one.name === name);
      const storedField = storedOf(field);
      if (shown === undefined || storedField === undefined) return [];
      const conversion = olderFormOf(field, version)?.conversion ?? { kind: 'same' };
      const { shown: substitutes } = valuesIn(field.type, version);
      const older = findUpTo(field.olderTypes, version);
      const last = older && { upTo: older.upTo };
      return [{ stored: storedField, shown, conversion, ...last, substitutes }];
    }),
    absent: stored.definition.fields.filter(
      (field) => !has.some(({ name }) => name === field.name),
    ),
  };
}

/** The parts of a collection that clients see, as text to compare. */
function textOf({ owner: _owner, checks, unique, ...definition }: CollectionDefinition): string {
  // The types of the members of a rule are those of the fields.
  const asText = <Rule extends MemberRule>({ expression, ...rest }: Rule) => ({
    ...rest,
    rule: ruleText(expression),
  });
  const rules = {
    checks: checks.map(asText),
    unique: unique.map(({ where, ...rest }) => ({ ...rest, where: where && asText(where) })),
  };
  return JSON.stringify({ ...definition, ...rules }, (key, value: unknown) =>
    INVISIBLE.has(key) ? undefined : withoutOrder(value),
  );
}

const INVISIBLE = new Set([
  ...['at', 'backfill', 'renamedFrom', 'formerName', 'indexes', 'olderSearches'],
]);

/** The members of an object by name: in what order they came says nothing. */
const withoutOrder = (value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(
        Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)),
      );
