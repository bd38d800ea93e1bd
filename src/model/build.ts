/** Definitions → model: names, tables, indexes and relations. */
import type { CollectionDefinition, Field, ServiceDefinition } from '../definition/types.ts';
import { membersOf } from '../expressions/expression.ts';
import { ruleText } from '../expressions/rule-text.ts';
import { ruleSql } from '../expressions/rule-sql.ts';
import type { ReferenceType } from '../types/reference.ts';
import type { FieldType } from '../types/registry.ts';
import { nameIn } from '../definition/versions/span.ts';
import { hasVersionDifferences, storedOf } from '../definition/versions/view.ts';
import { beginningOf, columnOf, LONGEST_INDEXED, orderOf, wholeValues } from './columns.ts';
import type { Column } from './columns.ts';
import { namesOf, toKebab } from './names.ts';
import type { Names } from './names.ts';
import { hasOwners } from './permissions.ts';
import { columnName, objectName, quoted, tableName } from '../shared/sql.ts';
import type {
  Collection,
  ForeignKey,
  Index,
  Model,
  Relation,
  Table,
  WordsColumn,
} from './types.ts';
import { versionsOf } from './versions.ts';

/** Fields that every item has; lists may be sorted and filtered by the two times. */
const TIME: FieldType = { type: 'timestamp' };
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
        return own === undefined ? [] : [[nameIn(own, version), names] as const];
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
  const collections = service.collections.map((one) => buildCollection(one, names, codeOf));
  return {
    service,
    collections,
    refersToUsers: collections.some(({ relations }) =>
      relations.some(({ target }) => target.collection === 'users'),
    ),
  };
}

/** The type of a member that lists may be sorted or filtered by, and whether it may be null. */
export function listedMember(
  definition: CollectionDefinition,
  name: string,
): { type: FieldType; nullable: boolean } {
  const field = definition.fields.find((candidate) => candidate.name === name);
  return field === undefined
    ? { type: TIME, nullable: false }
    : { type: field.type, nullable: !field.required };
}

/** What a collection is built to, with all the names that it was built from. */
interface Built {
  readonly names: readonly Names[];
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

function buildCollection(
  definition: CollectionDefinition,
  names: ReadonlyMap<string, Names>,
  codeOf: (collection: string) => Names,
): Collection {
  const targets = definition.fields.flatMap(({ type }) =>
    type.type === 'reference' ? [type.to] : [],
  );
  const from = [definition.name, ...targets].flatMap((name) => [nameOf(names, name), codeOf(name)]);
  const before = built.get(definition);
  if (before?.names.every((one, at) => one === from[at]) === true) return before.collection;
  const collection = builtOf(definition, names, codeOf);
  built.set(definition, { names: from, collection });
  return collection;
}

function builtOf(
  definition: CollectionDefinition,
  names: ReadonlyMap<string, Names>,
  codeOf: (collection: string) => Names,
): Collection {
  const relations = definition.fields.flatMap((field) =>
    field.type.type === 'reference' ? [relationOf(field, field.type, names, codeOf)] : [],
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
  names: ReadonlyMap<string, Names>,
  codeOf: (collection: string) => Names,
): Relation {
  return {
    field,
    column: columnName(field.name),
    onDelete: type.onDelete,
    target: {
      collection: type.to,
      table: tableName(type.to),
      names: nameOf(names, type.to),
      code: codeOf(type.to),
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
  const columns = definition.fields.map(columnOf);
  const name = tableName(definition.name);
  return {
    name,
    columns,
    words: wordsOf(definition),
    hasOwner: hasOwner(definition),
    indexes: indexesOf(definition, name, columns, relations),
    foreignKeys: relations.map((relation) => foreignKeyOf(name, relation)),
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

const ON_DELETE = { refuse: 'no action', cascade: 'cascade', clear: 'set null' } as const;

const foreignKeyOf = (table: string, { column, onDelete, target }: Relation): ForeignKey => ({
  name: objectName(table, column, 'fkey'),
  column,
  table: target.table,
  onDelete: ON_DELETE[onDelete],
});

/** What `created_at` and `updated_at` take in an index. */
const TIMESTAMP_SIZE = { maxCharacters: 0, indexBytes: 8 };

/**
 * The indexes of a table: for every unique value, reference, sort key and filter that the
 * definition declares, and those that it asks for. Of several over the same expressions only the
 * first is made.
 */
function indexesOf(
  definition: CollectionDefinition,
  table: string,
  columns: readonly Column[],
  relations: readonly Relation[],
): Index[] {
  const indexes: Index[] = [];
  const add = (
    purpose: string,
    parts: readonly string[],
    on: readonly string[],
    more?: Partial<Index>,
  ): void => {
    const key = on.join(', ');
    // A value that is unique needs no second index to be found by. A partial index does not hold all rows.
    const isThere = (index: Index): boolean => {
      if (index.where !== undefined || more?.where !== undefined) return false;
      const expressions = index.on.join(', ');
      return (
        expressions === key || (purpose === 'idx' && index.unique && `${expressions}, "id"` === key)
      );
    };
    if (indexes.some(isThere)) return;
    const name = objectName(table, ...parts, purpose);
    indexes.push({ name, on, unique: false, method: 'btree', fields: [], ...more });
  };
  const column = (field: string): Column | undefined =>
    columns.find((candidate) => candidate.field === field);
  /** How many characters each text of an index over several columns may have. */
  const shareOf = (fields: readonly string[]): number => {
    const texts = fields.filter((field) => (column(field)?.maxCharacters ?? 0) > 0).length;
    return Math.floor(LONGEST_INDEXED / Math.max(texts, 1));
  };
  const sqlOf = (field: string): string => quoted(column(field)?.name ?? field);

  const whole = (fields: readonly string[]): string[] =>
    wholeValues(fields.map((field) => column(field) ?? { name: field, ...TIMESTAMP_SIZE }));
  const alone = definition.fields.filter((field) => field.unique).map(({ name }) => [name]);
  const together = definition.unique.filter(({ where }) => where === undefined);
  for (const fields of [...alone, ...together.map((rule) => rule.fields)]) {
    add('key', fields, whole(fields), { unique: true, fields });
  }
  // In the order of their texts, so that another order in the definition changes no name.
  const conditional = definition.unique
    .flatMap(({ fields, where }) => (where === undefined ? [] : [{ fields, rule: where }]))
    .toSorted((one, other) =>
      ruleText(one.rule.expression) < ruleText(other.rule.expression) ? -1 : 1,
    );
  for (const { fields, rule } of conditional) {
    const named = [...fields, 'where', ...membersOf(rule.expression).map(({ name }) => name)];
    const isTaken = (parts: readonly string[]): boolean =>
      indexes.some(({ name }) => name === objectName(table, ...parts, 'key'));
    let parts = named;
    for (let n = 2; isTaken(parts); n++) parts = [...named, String(n)];
    const where = { rule, condition: ruleSql(rule.expression) };
    add('key', parts, whole(fields), { unique: true, fields, where });
  }
  for (const relation of relations) {
    add('idx', [relation.field.name], [quoted(relation.column), '"id"']);
  }
  for (const field of definition.sort) {
    const { type, nullable } = listedMember(definition, field);
    add('sort', [field], [...orderOf(type, nullable, sqlOf(field)), '"id"']);
  }
  for (const field of definition.filter) {
    // Filters compare what lists are sorted by, so one index serves both.
    if (definition.sort.includes(field)) continue;
    // Nor does a long text whose unique index has all of it.
    const isWhole = ({ unique, on, where }: Index): boolean =>
      unique && where === undefined && on.join(', ') === sqlOf(field);
    if (indexes.some(isWhole)) continue;
    const isLong = (column(field)?.maxCharacters ?? 0) > LONGEST_INDEXED;
    add('idx', [field], [isLong ? beginningOf(sqlOf(field)) : sqlOf(field), '"id"']);
  }
  for (const fields of definition.indexes) {
    add(
      'index',
      fields,
      fields.map((field) => beginning(column(field), sqlOf(field), shareOf(fields))),
    );
  }
  for (const words of wordsOf(definition)) {
    add('idx', [words.name], [quoted(words.name)], { method: 'gin' });
  }
  // For lists of one's own items, and for the removal of a user.
  if (hasOwner(definition)) add('idx', ['_owner_id'], ['"_owner_id"', '"id"']);
  return indexes;
}

/** A column in an index that only orders: its beginning where it could be too wide. */
const beginning = (column: Column | undefined, sql: string, share: number): string =>
  (column?.maxCharacters ?? 0) > share ? `left(${sql}, ${share})` : sql;
