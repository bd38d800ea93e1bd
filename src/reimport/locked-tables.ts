/** What `import.lock` records about existing tables: `generate` prints no SQL for what the database already has. */
import { nameWithSchema } from '../definition/existing-table.ts';
import type { ExistingTable } from '../definition/types.ts';
import { BUILT_IN_TIMES } from '../shared/built-in-members.ts';
import type { JsonObject, JsonValue } from '../shared/json.ts';
import { isJsonObject, ownMember } from '../shared/json.ts';
import { parseLock } from './import-lock.ts';
import {
  columnsByName,
  withoutPublicSchema,
  writtenColumn,
  writtenFields,
  timeColumn,
} from './written-fields.ts';

/** A column in the last import: its field as import wrote it, whether it takes no nulls, is a generated one, or has a default that the database computes. */
interface LockedColumn {
  readonly field: JsonObject;
  readonly required: boolean;
  readonly isGenerated: boolean;
  readonly hasDatabaseDefault: boolean;
}

/** What the last import found. */
export interface LockedTables {
  /** Undefined if the table had no such column, or without a lock. */
  readonly column: (table: ExistingTable, column: string) => LockedColumn | undefined;
  /** Whether the last import found the table. */
  readonly hasTable: (table: ExistingTable) => boolean;
  /** Whether a table had a unique index of a name, or over some columns. */
  readonly hasUnique: (table: ExistingTable, name: string, columns: readonly string[]) => boolean;
  /** The values of an enum type; undefined if no column had it. */
  readonly enumValues: (schema: string, type: string) => readonly string[] | undefined;
}

/** What a lock says of the tables. @param text that of the lock, if there is one. */
export function lockedTables(text: string | undefined): LockedTables {
  const imported = (text === undefined ? undefined : parseLock(text)?.imported) ?? [];
  const tables = new Map(
    imported.map(({ table, definition }) => [
      table,
      { columns: columnsIn(definition), uniques: uniquesIn(definition) },
    ]),
  );
  const enums = new Map(imported.flatMap(({ definition }) => enumsIn(definition)));
  return {
    column: (table, column) => tables.get(nameWithSchema(table))?.columns.get(column),
    hasTable: (table) => tables.has(nameWithSchema(table)),
    hasUnique: (table, name, columns) => {
      const uniques = tables.get(nameWithSchema(table))?.uniques ?? [];
      const key = columns.toSorted().join('\0');
      return uniques.some(
        (one) => one.name === name || (one.name === undefined && one.key === key),
      );
    },
    enumValues: (schema, type) => enums.get(nameWithSchema({ schema, table: type })),
  };
}

function columnsIn(definition: JsonObject): ReadonlyMap<string, LockedColumn> {
  const columns = new Map(
    writtenFields(definition).map(([name, field]) => [
      writtenColumn(name, field),
      {
        field,
        required: field['required'] === true,
        isGenerated: field['generated'] === true,
        hasDatabaseDefault: field['database_default'] === true,
      },
    ]),
  );
  const [history, softDelete] = ['history', 'soft_delete'].map((key) => ownMember(definition, key));
  // Without history, items have both times.
  const times = isJsonObject(history)
    ? Object.values(history).map(timeColumn)
    : BUILT_IN_TIMES.map(timeColumn);
  const plain = { isGenerated: false, hasDatabaseDefault: false };
  for (const { column, isNullable } of times) {
    columns.set(column, { field: { type: 'timestamp' }, required: !isNullable, ...plain });
  }
  if (isJsonObject(softDelete)) {
    const { column, type = 'timestamp' } = softDelete;
    columns.set(String(column), { field: { type }, required: type === 'boolean', ...plain });
  }
  return columns;
}

/** A unique index of a definition: its name if that is written, and its columns. */
interface LockedUnique {
  readonly name?: string;
  readonly key: string;
}

function uniquesIn(definition: JsonObject): readonly LockedUnique[] {
  const fields = writtenFields(definition);
  const columns = columnsByName(definition);
  const keyOf = (members: JsonValue | undefined): string =>
    (Array.isArray(members) ? members : [])
      .map((member: JsonValue) => columns.get(String(member)) ?? String(member))
      .toSorted()
      .join('\0');
  const rules = ownMember(definition, 'unique');
  return [
    ...fields
      .filter(([, field]) => field['unique'] === true)
      .map(([name]) => ({ key: keyOf([name]) })),
    ...(Array.isArray(rules) ? rules : []).map((rule: JsonValue) => {
      if (!isJsonObject(rule)) return { key: keyOf(rule) };
      const { name, fields: members } = rule;
      return { ...(typeof name === 'string' && { name }), key: keyOf(members) };
    }),
  ];
}

const enumsIn = (definition: JsonObject): readonly (readonly [string, readonly string[]])[] =>
  writtenFields(definition).flatMap(([, { stored, values }]) =>
    typeof stored === 'string' && Array.isArray(values)
      ? [[withoutPublicSchema(stored), values.map(String)] as const]
      : [],
  );
