/** The columns of a table that hold the members each item has: `id`, `created_at` and `updated_at`. */
import type { DatabaseColumn, DatabaseTable } from '../database/database-schema.ts';
import { enumerate } from '../reading/quote.ts';
import type { KeyType } from '../types/key.ts';
import { tableDifference } from './difference.ts';
import type { Difference } from './difference.ts';
import { ownMember } from '../shared/json.ts';

/** Absent: the service adds it. */
export interface BuiltInColumns {
  readonly id: DatabaseColumn | undefined;
  readonly created_at: DatabaseColumn | undefined;
  readonly updated_at: DatabaseColumn | undefined;
}

const TIMESTAMPS: ReadonlySet<string> = new Set(['timestamp', 'timestamptz']);
const TIMESTAMPTZ = 'timestamp with time zone';

export function builtInColumns(table: DatabaseTable): BuiltInColumns {
  const { columns } = table;
  const timestamp = (member: string): DatabaseColumn | undefined =>
    columns.find(({ name, type }) => name === member && TIMESTAMPS.has(type.name));
  return {
    id: columns.find((column) => isSurrogateKey(column, table)),
    created_at: timestamp('created_at'),
    updated_at: timestamp('updated_at'),
  };
}

/** The types of keys, by those of columns. */
const KEY_OF_COLUMN_TYPE: Readonly<Record<string, KeyType>> = {
  uuid: 'uuid',
  int2: 'integer',
  int4: 'integer',
  int8: 'bigint',
};

/** The type of ids that a column has; undefined: none. */
export const keyTypeOf = ({ type }: DatabaseColumn): KeyType | undefined =>
  type.schema === 'pg_catalog' ? ownMember(KEY_OF_COLUMN_TYPE, type.name) : undefined;

/** The key of the collection that a table becomes. */
export function proposedKey(table: DatabaseTable): KeyType {
  const { id } = builtInColumns(table);
  return (id && keyTypeOf(id)) ?? 'uuid';
}

/** Whether ids are generated. UUIDs mean nothing, whoever generates them. */
export const isGeneratedKey = ({ default: value, isIdentity, type }: DatabaseColumn): boolean =>
  isIdentity || value?.startsWith('nextval(') === true || type.name === 'uuid';

/** Whether a column is the primary key and nothing else: it is generated, or called id. */
export function isSurrogateKey(
  column: DatabaseColumn,
  { primaryKey, foreignKeys }: DatabaseTable,
): boolean {
  const { name } = column;
  if (primaryKey?.columns.length !== 1 || primaryKey.columns[0] !== name) return false;
  const isReference = foreignKeys.some(({ columns }) => columns.includes(name));
  return name === 'id' || (isGeneratedKey(column) && !isReference);
}

/** How the key and the timestamps of a table differ from those that a service has. */
export function builtInDifferences(table: DatabaseTable): readonly Difference[] {
  return [...keyDifferences(table), ...timestampDifferences(builtInColumns(table))];
}

function keyDifferences(table: DatabaseTable): Difference[] {
  const { columns, primaryKey } = table;
  if (primaryKey === undefined) {
    return [tableDifference('key-missing', 'has no primary key; the service adds the id')];
  }
  const names = primaryKey.columns.flatMap((name) => name ?? []);
  if (names.length > 1) {
    const text = `has the primary key (${names.join(', ')}); the service adds the id`;
    return [tableDifference('key-composite', text)];
  }
  const key = columns.find(({ name }) => name === names[0]);
  if (key === undefined) return [];
  if (!isSurrogateKey(key, table)) {
    const text = 'is a natural primary key; the service adds the id';
    return [{ code: 'key-natural', columns: names, text }];
  }
  const { definition, name } = key;
  const type = keyTypeOf(key);
  const isSame = type === definition;
  const typeText = `is the primary key of the type ${definition}, and ${type ?? 'uuid'} in the service`;
  const nameText = 'is the primary key, and is called id in the service';
  const generatedText =
    'is the primary key and has no default; in the service a sequence assigns it';
  const isGenerated = isGeneratedKey(key) || type === undefined;
  return [
    ...(isSame ? [] : [{ code: 'key-type', columns: names, text: typeText } as const]),
    ...(isGenerated
      ? []
      : [{ code: 'key-without-default', columns: names, text: generatedText } as const]),
    ...(name === 'id' ? [] : [{ code: 'key-name', columns: names, text: nameText } as const]),
  ];
}

function timestampDifferences({
  created_at: created,
  updated_at: updated,
}: BuiltInColumns): Difference[] {
  const missing = [
    ...(created === undefined ? ['created_at'] : []),
    ...(updated === undefined ? ['updated_at'] : []),
  ];
  const differences: Difference[] =
    missing.length === 0
      ? []
      : [
          tableDifference(
            'timestamps',
            `has no ${enumerate(missing, 'or')}; the service adds them`,
          ),
        ];
  for (const column of [created, updated]) {
    if (column === undefined) continue;
    const { name, definition, notNull, type, isGenerated } = column;
    if (isGenerated) {
      const text = 'is computed by the database, and set by the service';
      differences.push({ code: 'timestamps', columns: [name], text });
    }
    if (definition === TIMESTAMPTZ && notNull) continue;
    const text = `is ${definition}${notNull ? ' not null' : ''}, and ${TIMESTAMPTZ} not null in the service`;
    const code = type.name === 'timestamp' ? 'timestamp-without-zone' : 'timestamps';
    differences.push({ code, columns: [name], text });
  }
  return differences;
}
