/** The keys of a collection whose items are in a table that other programs made. */
import { key, LONGEST_NAME, snakeName } from '../reading/common-keys.ts';
import type { Issues } from '../reading/issues.ts';
import { enumerate, quote } from '../reading/quote.ts';
import type { Position } from '../reading/position.ts';
import { map } from '../reading/records.ts';
import type { Keys, Reading } from '../reading/records.ts';
import { flag, list, text, word } from '../reading/shapes.ts';
import type { Located, Shape } from '../reading/shapes.ts';
import { BUILT_IN_TIMES } from '../shared/built-in-members.ts';
import type { BuiltInTime } from '../shared/built-in-members.ts';
import { KEY_SOURCES, KEY_TYPES, keySpec } from '../types/key.ts';
import type { KeySource, KeyType } from '../types/key.ts';
import type { WrittenField } from './field.ts';
import { readKeyFields } from './key-fields.ts';
import type { COLLECTION_KEYS } from './keys.ts';
import { primaryKeyName } from '../shared/sql.ts';
import type { SoftDelete } from '../shared/soft-delete.ts';
import type { ExistingTable, StoredType } from './types.ts';

/**
 * A text that names something in PostgreSQL.
 * @param partsOf the names that the text consists of.
 * @param hint what to write in place of another text.
 */
const nameShape = (
  pattern: RegExp,
  partsOf: (name: string) => readonly string[],
  hint: string,
): Shape<string> => {
  const shape = text({ pattern: pattern.source });
  return {
    ...shape,
    read(tree, what, issues) {
      const value = shape.read(tree, what, issues);
      const isName =
        value !== undefined &&
        pattern.test(value) &&
        partsOf(value).every((part) => Buffer.byteLength(part) <= LONGEST_NAME);
      if (isName || value === undefined) return value;
      issues.add(tree.at, 'bad-name', `${what} ${quote(value)} is not a name. Write ${hint}.`);
      return undefined;
    },
  };
};

const LENGTH = `of at most ${LONGEST_NAME} bytes`;

/** The name of a column or an index that other programs made: any text that PostgreSQL takes. */
export const COLUMN_NAME = nameShape(/^.+$/u, (name) => [name], `another ${LENGTH}`);

/** The name of a table or a type, after that of its schema and a dot unless it is `public`. */
export const TABLE_NAME = nameShape(
  /^[^.\n\r]+([.][^.\n\r]+)?$/u,
  (name) => name.split('.'),
  'one such as sales.orders',
);

const KEY_TYPE = word(KEY_TYPES, {
  int: 'integer',
  serial: 'integer',
  int2: 'smallint',
  smallserial: 'smallint',
  bigserial: 'bigint',
  int64: 'bigint',
  text: 'string',
  varchar: 'string',
});

const KEY_SOURCE = word(KEY_SOURCES, { server: 'service', sequence: 'database', user: 'client' });

const KEY_KEYS = {
  type: key(KEY_TYPE, 'The type of ids.', { examples: ['integer'] }),
  fields: key(
    list(snakeName, 1),
    'With table: the fields whose values ids consist of, with ~ between them, in place of type; or a single reference, whose value is the id.',
    { examples: [['film_id', 'actor_id']] },
  ),
  column: key(COLUMN_NAME, 'With table: the column of the ids. Absent: id.', {
    examples: ['film_id'],
  }),
  generated: key(
    KEY_SOURCE,
    'With table: what generates ids. client: requests send the id of a new item, which no other item has or had. Absent: client for string, database for integer and bigint, service for uuid.',
    { examples: ['client'] },
  ),
  name: key(
    COLUMN_NAME,
    'With table: the name of the primary key or the unique index of the ids. Absent: the name of the table and _pkey.',
    { examples: ['films_key'] },
  ),
} satisfies Keys;

const KEY_MAP = map(KEY_KEYS);

/** The key of a collection: its type, or a map of the type and the column. */
export const KEY: Shape<Reading<typeof KEY_KEYS>> = {
  schema: {
    anyOf: [
      KEY_TYPE.schema,
      {
        ...KEY_MAP.schema,
        anyOf: [
          { required: ['type'], not: { required: ['fields'] } },
          {
            required: ['fields'],
            not: { anyOf: [{ required: ['column'] }, { required: ['generated'] }] },
          },
        ],
      },
    ],
  },
  ...(KEY_TYPE.hint && { hint: KEY_TYPE.hint }),
  read(tree, what, issues) {
    if (tree.kind === 'map') {
      const read = KEY_MAP.read(tree, what, issues);
      const has = (name: string): boolean => tree.entries.some((one) => one.name === name);
      if (read !== undefined && !has('type') && !has('fields')) {
        const message = `${what} has no "type". Write "type:" and one of ${enumerate(KEY_TYPES, 'or')}, or "fields:" and the fields whose values ids consist of.`;
        issues.add(tree.at, 'missing-key', message);
      }
      return read;
    }
    const type = KEY_TYPE.read(tree, what, issues);
    return type && { type: { value: type, at: tree.at, keyAt: tree.at } };
  },
};

const TIME_KEYS = {
  column: key(COLUMN_NAME, 'The name of the column.', {
    missing: '"column:" and the name of a column',
    examples: ['created_at'],
  }),
  nullable: key(
    flag,
    'Whether the column takes nulls: then the member is null in rows that other programs inserted without the time.',
  ),
} satisfies Keys;

const TIME_MAP = map(TIME_KEYS);

/** The column of a time: its name, or a map of the name and whether it takes nulls. */
const TIME: Shape<Reading<typeof TIME_KEYS>> = {
  schema: { anyOf: [COLUMN_NAME.schema, TIME_MAP.schema] },
  read(tree, what, issues) {
    if (tree.kind === 'map') return TIME_MAP.read(tree, what, issues);
    const column = COLUMN_NAME.read(tree, what, issues);
    return column === undefined
      ? undefined
      : { column: { value: column, at: tree.at, keyAt: tree.at } };
  },
};

const HISTORY_KEYS = {
  created_at: key(TIME, 'The column with the time at which a row was inserted.', {
    examples: ['created_at'],
  }),
  updated_at: key(
    TIME,
    'The column with the time of the last change; the service sets it with each change.',
    { examples: ['last_update', { column: 'updated_at', nullable: true }] },
  ),
} satisfies Keys;

/** The columns of the times. */
export const HISTORY = map(HISTORY_KEYS);

const SOFT_DELETE_KEYS = {
  column: key(COLUMN_NAME, 'The column that a removal sets.', {
    missing: '"column:" and the name of a column',
    examples: ['deleted_at'],
  }),
  type: key(
    word(['timestamp', 'boolean'] satisfies SoftDelete['type'][], { bool: 'boolean' }),
    'What it holds: the time of the removal, or null; or true of a removed item. Absent: timestamp.',
  ),
} satisfies Keys;

/** The column that marks removed items. */
export const SOFT_DELETE = map(SOFT_DELETE_KEYS);

/** What a collection says of an existing table. */
interface WrittenTable {
  /** Undefined if the key is a single reference: ids are then those that it refers to. */
  readonly key: KeyType | undefined;
  readonly keySource: KeySource;
  readonly keyFields?: readonly string[];
  readonly times: readonly BuiltInTime[];
  readonly existing: ExistingTable | undefined;
}

/** Reads what a collection says of its table, and refuses what is only for tables of the service, or of others. */
export function readExistingTable(
  read: Reading<typeof COLLECTION_KEYS>,
  fields: readonly WrittenField[],
  issues: Issues,
): WrittenTable {
  const type = read.key?.value.type?.value ?? 'uuid';
  const { sources } = keySpec(type);
  if (read.table === undefined) {
    refuseWithoutTable(read, fields, issues);
    return { key: type, keySource: sources[0], times: BUILT_IN_TIMES, existing: undefined };
  }
  refuseWithTable(read, fields, issues);
  const { generated, name, fields: parts } = read.key?.value ?? {};
  refuseBesideFields(read, issues);
  const softDelete = read.soft_delete?.value;
  const softDeleteColumn = softDelete?.column;
  if (generated !== undefined && !sources.includes(generated.value)) {
    const message = `ids of the type ${type} are not generated by the ${generated.value}. Write ${enumerate(sources.map(quote), 'or')}.`;
    issues.add(generated.at, 'contradiction', message);
  }
  const history = read.history?.value;
  const columnOf = (time: BuiltInTime): string | undefined =>
    read.history === undefined ? time : history?.[time]?.value.column?.value;
  const times = BUILT_IN_TIMES.filter((time) => columnOf(time) !== undefined);
  const nullableTimes = times.filter((time) => history?.[time]?.value.nullable?.value === true);
  const [schema, table] = qualifiedName(read.table.value);
  const existing = {
    schema,
    table,
    keyColumns: columnsOfKey(read, fields),
    ...(name !== undefined && { keyName: name.value }),
    times: Object.fromEntries(times.map((time) => [time, columnOf(time) ?? time])),
    ...(nullableTimes.length > 0 && { nullableTimes }),
    ...(softDeleteColumn !== undefined && {
      softDelete: { column: softDeleteColumn.value, type: softDelete?.type?.value ?? 'timestamp' },
    }),
  };
  refuseSameColumn(existing, read, fields, issues);
  if (parts !== undefined) refuseSameAsKey(parts, read, issues);
  if (type === 'string' || generated?.value === 'client' || parts !== undefined)
    refuseSameIndex(existing, read, fields, issues);
  if (parts === undefined) {
    return { key: type, keySource: generated?.value ?? sources[0], times, existing };
  }
  const keyType = readKeyFields(parts, fields, issues);
  return {
    key: keyType,
    keySource: 'fields',
    keyFields: valuesOf(parts),
    times,
    existing,
  };
}

const valuesOf = ({ value }: Located<readonly Located<string>[]>): readonly string[] =>
  value.map((one) => one.value);

/** The columns of the ids. */
function columnsOfKey(
  { key: written }: Reading<typeof COLLECTION_KEYS>,
  fields: readonly WrittenField[],
): ExistingTable['keyColumns'] {
  const { column, fields: parts } = written?.value ?? {};
  const [first, ...others] = (parts?.value ?? []).map(
    ({ value }) => fields.find(({ name }) => name === value)?.column?.value ?? value,
  );
  return first === undefined ? [column?.value ?? 'id'] : [first, ...others];
}

/** Refuses what says of a key that it has a column of its own, where it consists of fields. */
function refuseBesideFields(
  { key: written }: Reading<typeof COLLECTION_KEYS>,
  issues: Issues,
): void {
  const { type, column, generated, fields } = written?.value ?? {};
  if (fields === undefined) return;
  for (const [name, other] of Object.entries({ type, column, generated })) {
    if (other === undefined) continue;
    const message = `${quote(name)} of the key is beside "fields", which says what ids are. Remove one.`;
    issues.add(other.keyAt, 'contradiction', message);
  }
}

/** The schema and the name of a table or a type. */
function qualifiedName(written: string): readonly [schema: string, name: string] {
  const at = written.indexOf('.');
  return at < 0 ? ['public', written] : [written.slice(0, at), written.slice(at + 1)];
}

/** The enum type of a column. */
export function storedType(written: string): StoredType {
  const [schema, type] = qualifiedName(written);
  return { schema, type };
}

function refuseWithoutTable(
  { key: written, history, soft_delete: softDelete, unique }: Reading<typeof COLLECTION_KEYS>,
  fields: readonly WrittenField[],
  issues: Issues,
): void {
  const refuse = (what: string, at: Position | undefined): void => {
    if (at === undefined) return;
    const message = `${what} is for collections with "table", whose table was made by others. Write "table:" and its name, or remove it.`;
    issues.add(at, 'contradiction', message);
  };
  const type = written?.value.type?.value;
  if (type === 'string' || type === 'smallint') refuse(`key ${quote(type)}`, written?.keyAt);
  refuse('"column" of the key', written?.value.column?.keyAt);
  refuse('"generated" of the key', written?.value.generated?.keyAt);
  refuse('"name" of the key', written?.value.name?.keyAt);
  refuse('"fields" of the key', written?.value.fields?.keyAt);
  refuse('"history"', history?.keyAt);
  refuse('"soft_delete"', softDelete?.keyAt);
  for (const { name, column, stored, generatedAt, databaseDefaultAt } of fields) {
    refuse(`"column" of field ${quote(name)}`, column?.at);
    refuse(`"stored" of field ${quote(name)}`, stored?.at);
    refuse(`"generated" of field ${quote(name)}`, generatedAt);
    refuse(`"database_default" of field ${quote(name)}`, databaseDefaultAt);
  }
  for (const { value } of unique?.value ?? []) refuse('"name" of unique', value.name?.keyAt);
}

/** The service changes nothing about the table, and writes nothing into it that it has no column for. */
function refuseWithTable(
  { table, search, indexes, create }: Reading<typeof COLLECTION_KEYS>,
  fields: readonly WrittenField[],
  issues: Issues,
): void {
  const refuse = (what: string, at: Position | undefined, why: string): void => {
    if (at === undefined) return;
    const message = `${what} is not for collections with "table": ${why}`;
    issues.add(at, 'contradiction', message);
  };
  const schema = 'the service does not change tables that others made.';
  // A frozen contract says that there is none.
  if (search?.value.length !== 0) refuse('search', search?.keyAt, `${schema} Remove search.`);
  refuse('indexes', indexes?.keyAt, `${schema} Create the indexes by SQL, and remove indexes.`);
  for (const { name, backfillAt } of fields) {
    refuse(`backfill of field ${quote(name)}`, backfillAt, `${schema} Remove backfill.`);
  }
  if (create?.value === 'background') {
    const why = 'a job would have to try the creation in a table of others first. Remove create.';
    refuse('create "background"', create.at, why);
  }
  if (table !== undefined && /^(?:pg_[^.]*|information_schema)\./.test(table.value)) {
    const message = `table ${quote(table.value)} is one of PostgreSQL itself. Write one of yours.`;
    issues.add(table.at, 'contradiction', message);
  }
}

/** Refuses an entry of unique that says what the key says. */
function refuseSameAsKey(
  parts: Located<readonly Located<string>[]>,
  { unique }: Reading<typeof COLLECTION_KEYS>,
  issues: Issues,
): void {
  const same = valuesOf(parts).toSorted().join();
  for (const { value, at } of unique?.value ?? []) {
    const { fields, where } = value;
    if (where !== undefined || fields === undefined) continue;
    if (valuesOf(fields).toSorted().join() !== same) continue;
    issues.add(at, 'duplicate-entry', 'unique has the fields of the key. Remove this entry.');
  }
}

/** Refuses a unique index that has the name of the key: the name identifies violations. */
function refuseSameIndex(
  { table, keyName = primaryKeyName(table) }: ExistingTable,
  { key: own, unique }: Reading<typeof COLLECTION_KEYS>,
  fields: readonly WrittenField[],
  issues: Issues,
): void {
  const refuse = (at: Position): void => {
    const message = `${quote(keyName)} is the name of the key and of another unique index. Write the name of each.`;
    issues.add(at, 'duplicate-entry', message);
  };
  for (const { value } of unique?.value ?? []) {
    if (value.name?.value === keyName) refuse(value.name.at);
  }
  const isTaken = ({ name, column, field }: WrittenField): boolean =>
    field?.unique === true && keyName === `${table}_${column?.value ?? name}_key`;
  if (own !== undefined && fields.some(isTaken)) refuse(own.at);
}

/** Refuses two members with one column. */
function refuseSameColumn(
  { keyColumns: [id], times, softDelete }: ExistingTable,
  { key: own, table }: Reading<typeof COLLECTION_KEYS>,
  fields: readonly WrittenField[],
  issues: Issues,
): void {
  if (table === undefined) return;
  const { at } = table;
  const members = [
    ...(own?.value.fields === undefined ? [{ member: 'id', column: id, at }] : []),
    ...Object.entries(times).map(([member, column]) => ({ member, column, at })),
    ...(softDelete === undefined ? [] : [{ member: 'soft_delete', column: softDelete.column, at }]),
    ...fields.map((field) => ({
      member: field.name,
      column: field.column?.value ?? field.name,
      at: field.column?.at ?? field.at,
    })),
  ];
  const taken = new Map<string, string>();
  for (const { member, column, at: place } of members) {
    const other = taken.get(column);
    if (other !== undefined) {
      const message = `${quote(member)} and ${quote(other)} have the same column ${quote(column)}. Remove one, or write another column.`;
      issues.add(place, 'duplicate-entry', message);
    }
    taken.set(column, member);
  }
}

/** The name of a table or a type as definitions write it: after that of its schema, unless this is `public`. */
export const nameWithSchema = ({
  schema,
  table,
}: Pick<ExistingTable, 'schema' | 'table'>): string =>
  schema === 'public' ? table : `${schema}.${table}`;

/** What the lists of a collection are sorted by if it does not say it. */
export const defaultSort = (times: readonly BuiltInTime[]): readonly string[] =>
  times.filter((time) => time === 'created_at');
