/** Values for existing rows that lack one, in SQL: `backfill`, or else the default. */
import type { Field } from '../definition/types.ts';
import type { Property } from '../types/object.ts';
import { columnValueSql, jsonValueSql } from '../model/default-sql.ts';

/** The value for rows without one, as SQL of the column's type; undefined if there is none. */
export function backfillSql(field: Field): string | undefined {
  const value = field.backfill ?? field.default;
  return value === undefined ? undefined : columnValueSql(field.type, value);
}

/** The same for a member of an object: SQL of JSON. */
export function memberBackfillSql(property: Property): string | undefined {
  const value = property.backfill ?? property.default;
  return value === undefined ? undefined : jsonValueSql(property.type, value);
}
