/** Matches two models, and builds the old one under the new names: what still differs is more than a name. */
import { renamedStep } from '../definition/owner-step.ts';
import type { CollectionDefinition, Field, OwnerStep } from '../definition/types.ts';
import type { FieldType } from '../types/registry.ts';
import { buildModel } from '../model/build.ts';
import { collectionNamed } from '../model/lookup.ts';
import type { Collection, Model } from '../model/types.ts';
import { conversionOf } from './conversion.ts';
import { renameFields } from './rename-fields.ts';
import { tableNames } from '../model/table-names.ts';
import { matchRenames } from '../types/match-renames.ts';

/** A kept field, before and now. */
export interface FieldPair {
  readonly before: Field;
  readonly now: Field;
}

/** A kept collection: before, before under the new names, and now. */
export interface CollectionPair {
  readonly before: Collection;
  /** As before, with the new names. Dropped fields have reserved names. */
  readonly renamed: Collection;
  readonly now: Collection;
  readonly fields: readonly FieldPair[];
  readonly added: readonly Field[];
  /** Removed fields, and those that are created anew because no value can be converted. */
  readonly dropped: readonly Field[];
  /**
   * Fields that get a new column while the old one stays, which are renamed or have another type. They count as
   * added and dropped.
   */
  readonly copies: readonly FieldPair[];
  readonly unknownOrigins: readonly Field[];
  /** Whether the owner path of before reads existing tables, which may be gone. */
  readonly ownersInExisting: boolean;
  /** Whether the table is renamed, and no other table gets its old name. */
  readonly oldNameIsFree: boolean;
}

export interface Comparison {
  /** Kept collections that differ in some way. */
  readonly kept: readonly CollectionPair[];
  /** The earlier collection of each kept one, by its new name. */
  readonly origins: ReadonlyMap<string, Collection>;
  readonly added: readonly Collection[];
  readonly dropped: readonly Collection[];
  readonly unknownOrigins: readonly Collection[];
}

/** Names that no definition can have. */
const droppedName = (name: string): string => `_gone_${name}`;

/** How the fields of a collection are matched, instead of by their names. */
export interface FieldMatches {
  /** The earlier name of each kept field, by its name now. */
  readonly origins: ReadonlyMap<string, string>;
  /** The names of the fields that get a new column while the old one stays. */
  readonly copied: readonly string[];
}

/** @param matches of the fields of some collections, by name. */
export function compareModels(
  before: Model,
  now: Model,
  matches: ReadonlyMap<string, FieldMatches> = new Map(),
): Comparison {
  const of = (model: Model, { name }: { name: string }): Collection => {
    const found = collectionNamed(model, name);
    if (found === undefined) throw new Error(`no collection called ${name}`);
    return found;
  };
  const pairs = matchRenames(before.service.collections, now.service.collections);
  const names = new Map([
    ...pairs.dropped.map(({ name }) => [name, droppedName(name)] as const),
    ...pairs.kept.map((pair) => [pair.before.name, pair.now.name] as const),
  ]);
  const same = new Set(
    pairs.kept.filter((pair) => pair.before === pair.now).map((pair) => pair.now.name),
  );
  const leadsToSame = ({ type }: Field): boolean =>
    type.type !== 'reference' || type.to === 'users' || same.has(type.to);
  const kept = pairs.kept
    .filter((pair) => !same.has(pair.now.name) || !pair.now.fields.every(leadsToSame))
    .map((pair) => ({
      ...pair,
      ...pairFields(pair.before, pair.now, matches.get(pair.now.name)),
    }));
  const renamedNow = new Set(kept.map((pair) => pair.now.name));
  const fieldNames = new Map(
    kept.map((pair) => [
      pair.before.name,
      new Map([
        ...renamedFields(pair),
        ...pair.copies.map((copy) => [copy.before.name, copy.now.name] as const),
      ]),
    ]),
  );
  const renameOwner = (step: OwnerStep): OwnerStep => {
    const { collection } = step;
    const nameOf = (field: string): string => fieldNames.get(collection)?.get(field) ?? field;
    return renamedStep(step, names.get(collection) ?? collection, nameOf) ?? step;
  };
  const definitions = [
    // Others may refer to what is as it was.
    ...pairs.kept.filter((pair) => !renamedNow.has(pair.now.name)).map((pair) => pair.before),
    ...kept.map((pair) => ({
      ...renameAll(pair.before, pair.now.name, names, pair),
      ...(pair.before.owner && { owner: pair.before.owner.map(renameOwner) }),
    })),
    ...pairs.dropped.map((one) =>
      renameAll(one, droppedName(one.name), names, {
        fields: [],
        added: [],
        dropped: [],
        copies: [],
        unknownOrigins: [],
      }),
    ),
  ];
  const renamed = buildModel({ ...before.service, collections: definitions });
  const tables = tableNames(now);
  return {
    kept: kept.map(({ before: one, now: other, ...fields }) => ({
      ...fields,
      before: of(before, one),
      renamed: of(renamed, other),
      now: of(now, other),
      ownersInExisting: (one.owner ?? []).some(
        ({ collection }) => collectionNamed(before, collection)?.definition.existing !== undefined,
      ),
      oldNameIsFree: !tables.has(of(before, one).table.name),
    })),
    origins: new Map(pairs.kept.map((pair) => [pair.now.name, of(before, pair.before)])),
    added: pairs.added.map((one) => of(now, one)),
    dropped: pairs.dropped.map((one) => of(before, one)),
    unknownOrigins: pairs.unknownOrigins.map((one) => of(now, one)),
  };
}

type FieldPairs = Pick<
  CollectionPair,
  'fields' | 'added' | 'dropped' | 'copies' | 'unknownOrigins'
>;

function pairFields(
  before: CollectionDefinition,
  now: CollectionDefinition,
  matches: FieldMatches | undefined,
): FieldPairs {
  const { kept, added, dropped, unknownOrigins } =
    matches === undefined
      ? matchRenames(before.fields, now.fields)
      : matchBy(matches, before.fields, now.fields);
  const copies = kept.filter((pair) => matches?.copied.includes(pair.now.name));
  const isKept = (pair: FieldPair): boolean =>
    conversionOf(pair.before.type, pair.now.type) !== undefined && !copies.includes(pair);
  const replaced = kept.filter((pair) => !isKept(pair));
  return {
    copies,
    fields: kept.filter(isKept),
    added: now.fields.filter(
      (field) => added.includes(field) || replaced.some((pair) => pair.now === field),
    ),
    dropped: before.fields.filter(
      (field) => dropped.includes(field) || replaced.some((pair) => pair.before === field),
    ),
    unknownOrigins,
  };
}

function matchBy(
  { origins }: FieldMatches,
  before: readonly Field[],
  now: readonly Field[],
): ReturnType<typeof matchRenames<Field>> {
  const originOf = (field: Field): Field | undefined =>
    before.find(({ name }) => name === origins.get(field.name));
  const kept = now.flatMap((field) => {
    const origin = originOf(field);
    return origin === undefined ? [] : [{ before: origin, now: field }];
  });
  const added = now.filter((field) => originOf(field) === undefined);
  return {
    kept,
    added,
    dropped: before.filter((field) => !kept.some((pair) => pair.before === field)),
    unknownOrigins: added.filter(
      ({ renamedFrom }) =>
        renamedFrom !== undefined && !before.some(({ name }) => name === renamedFrom),
    ),
  };
}

/** The new names of fields, by their old ones. */
const renamedFields = ({ fields, dropped }: FieldPairs): ReadonlyMap<string, string> =>
  new Map([
    ...dropped.map((field) => [field.name, droppedName(field.name)] as const),
    ...fields.map((pair) => [pair.before.name, pair.now.name] as const),
  ]);

function renameAll(
  definition: CollectionDefinition,
  name: string,
  collections: ReadonlyMap<string, string>,
  pair: FieldPairs,
): CollectionDefinition {
  const names = renamedFields(pair);
  const renamed = renameFields(definition, (field) => names.get(field) ?? field);
  const renameTarget = (type: FieldType): FieldType =>
    type.type === 'reference' ? { ...type, to: collections.get(type.to) ?? type.to } : type;
  return {
    ...renamed,
    name,
    fields: renamed.fields.map((field) => ({ ...field, type: renameTarget(field.type) })),
  };
}
