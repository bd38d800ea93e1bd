/** Definitions → model: names, tables, indexes and relations. */
import type {
  CollectionDefinition,
  ExistingTable,
  Field,
  ServiceDefinition,
} from '../definition/types.ts';
import { ruleSql } from '../expressions/rule-sql.ts';
import type { ReferenceType } from '../types/reference.ts';
import { nameInVersion } from '../definition/versions/span.ts';
import { hasVersionDifferences, storedOf } from '../definition/versions/view.ts';
import { columnOf } from './columns.ts';
import { existingIndexes } from './existing-indexes.ts';
import { indexesOf } from './indexes.ts';
import { namesOf, toKebab } from './names.ts';
import type { Names } from './names.ts';
import { hasOwners } from './permissions.ts';
import { columnName, objectName, tableName } from '../shared/sql.ts';
import type { Collection, ForeignKey, Model, Relation, Table, WordsColumn } from './types.ts';
import { versionsOf } from './versions.ts';

/** Users are a collection that no definition describes. */
export const USERS = namesOf('users', 'user');

export function buildModel(definition: ServiceDefinition): Model {
  if (!hasVersionDifferences(definition)) return modelOf(definition, new Map());
  const service = storedOf(definition);
  const stored = modelOf(service, new Map());
  const versions = versionsOf(definition, stored.collections, (view, version) => {
    const code = new Map(
      stored.collections.flatMap(({ definition: { name }, names }) => {
        const own = definition.collections.find((collection) => collection.name === name);
        return own === undefined ? [] : [[nameInVersion(own, version), names] as const];
      }),
    );
    const { lifecycles, retired } = service;
    return modelOf({ ...view, versions: service.versions, lifecycles, retired }, code);
  });
  return versions === undefined ? stored : { ...stored, versions };
}

/** @param code what collections are called in the code that are called otherwise in a version. */
function modelOf(service: ServiceDefinition, code: ReadonlyMap<string, Names>): Model {
  const names = new Map<string, Names>([['users', USERS]]);
  for (const definition of service.collections) names.set(definition.name, namesFor(definition));
  const codeOf = (name: string): Names => code.get(name) ?? nameOf(names, name);
  const existing = new Map(
    service.collections.flatMap((one) =>
      one.existing === undefined ? [] : [[one.name, one.existing] as const],
    ),
  );
  const known = { names, codeOf, existing };
  const collections = service.collections.map((one) => buildCollection(one, known));
  return {
    service,
    collections,
    refersToUsers: collections.some(({ relations }) =>
      relations.some(({ target }) => target.collection === 'users'),
    ),
  };
}

/** What a collection has to know of the others. */
interface Known {
  readonly names: ReadonlyMap<string, Names>;
  readonly codeOf: (collection: string) => Names;
  /** The existing tables, by collection. */
  readonly existing: ReadonlyMap<string, ExistingTable>;
}

/** What a collection is built to, with what it was built from. */
interface Built {
  readonly from: readonly unknown[];
  readonly collection: Collection;
}

/** The models of then and of now have most of their collections in common. */
const built = new WeakMap<CollectionDefinition, Built>();
const knownNames = new WeakMap<CollectionDefinition, Names>();

function namesFor(definition: CollectionDefinition): Names {
  const names = knownNames.get(definition) ?? namesOf(definition.name, definition.singular);
  knownNames.set(definition, names);
  return names;
}

function buildCollection(definition: CollectionDefinition, known: Known): Collection {
  const targets = definition.fields.flatMap(({ type }) =>
    type.type === 'reference' ? [type.to] : [],
  );
  const { names, codeOf, existing } = known;
  const from = [definition.name, ...targets].flatMap((name) => [
    nameOf(names, name),
    codeOf(name),
    existing.get(name),
  ]);
  const before = built.get(definition);
  if (before?.from.every((one, at) => one === from[at]) === true) return before.collection;
  const collection = builtOf(definition, known);
  built.set(definition, { from, collection });
  return collection;
}

function builtOf(definition: CollectionDefinition, known: Known): Collection {
  const { names, codeOf } = known;
  const relations = definition.fields.flatMap((field) =>
    field.type.type === 'reference' ? [relationOf(field, field.type, known)] : [],
  );
  return {
    definition,
    names: nameOf(names, definition.name),
    code: codeOf(definition.name),
    table: tableOf(definition, relations),
    relations,
  };
}

function relationOf(
  field: Field,
  type: ReferenceType,
  { names, codeOf, existing }: Known,
): Relation {
  const behind = existing.get(type.to);
  return {
    field,
    column: columnName(field.name),
    onDelete: type.onDelete,
    target: {
      collection: type.to,
      table: tableName(type.to),
      names: nameOf(names, type.to),
      code: codeOf(type.to),
      ...(behind !== undefined && { existing: behind }),
    },
    nestedPath: type.nestedAs === undefined ? undefined : toKebab(type.nestedAs),
  };
}

function nameOf(names: ReadonlyMap<string, Names>, collection: string): Names {
  const found = names.get(collection);
  if (found === undefined) throw new Error(`no collection called ${collection}`);
  return found;
}

function tableOf(definition: CollectionDefinition, relations: readonly Relation[]): Table {
  const parts = {
    name: tableName(definition.name),
    columns: definition.fields.map(columnOf),
    words: wordsOf(definition),
    hasOwner: hasOwner(definition),
  };
  const { name } = parts;
  const { existing } = definition;
  return {
    ...parts,
    ...(existing !== undefined && { existing }),
    indexes:
      existing === undefined
        ? indexesOf({ ...parts, definition, relations })
        : existingIndexes(definition, existing),
    // Those of an existing table are there already.
    foreignKeys:
      existing === undefined ? relations.map((relation) => foreignKeyOf(name, relation)) : [],
    checks: definition.checks.map((check) => ({
      name: objectName(name, check.name, 'rule'),
      definition: check,
      condition: ruleSql(check.expression),
    })),
  };
}

/** The columns for searches: one, and one for each choice of fields that is that of older versions alone. */
const wordsOf = ({ search, olderSearches = [] }: CollectionDefinition): WordsColumn[] => [
  ...(search.length > 0 ? [{ name: '_words', fields: search }] : []),
  ...olderSearches.map(({ version, fields }) => ({ name: `_words_v${version}`, fields })),
];

/** Whether items belong to who made them. */
const hasOwner = (definition: CollectionDefinition): boolean =>
  definition.owner === undefined && hasOwners(definition);

/** What PostgreSQL does with rows that refer to one that is deleted. */
export const ON_DELETE = { refuse: 'no action', cascade: 'cascade', clear: 'set null' } as const;

const foreignKeyOf = (table: string, { column, onDelete, target }: Relation): ForeignKey => ({
  name: objectName(table, column, 'fkey'),
  column,
  table: target.table,
  ...(target.existing !== undefined && { existing: target.existing }),
  onDelete: ON_DELETE[onDelete],
});
