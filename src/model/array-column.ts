/** SQL for lists of existing tables that are stored in PostgreSQL arrays: the type of the column, literals, and JSON. */
import type { Field } from '../definition/types.ts';
import { specOf } from '../types/registry.ts';
import type { ScalarType } from '../types/registry.ts';
import type { JsonValue } from '../shared/json.ts';

/** The type of the entries of such a list; undefined for all other fields. */
export const arrayEntryType = ({
  type,
  isArray,
}: Pick<Field, 'type' | 'isArray'>): ScalarType | undefined =>
  isArray === true && type.type === 'list' ? type.of : undefined;

/** The type of the column. The team's tables have the collation of their database. */
export function arrayColumn(entryType: ScalarType): { definition: string; cast: string } {
  const { definition, cast } = specOf(entryType).column(entryType);
  return { definition: `${definition.split(' collate ', 1).join('')}[]`, cast: `${cast}[]` };
}

/** A value as SQL of the type of the column. */
export function arrayValueSql(entryType: ScalarType, value: JsonValue): string {
  const entries = value as readonly JsonValue[];
  const literals = entries.map((entry) => specOf(entryType).literal(entryType, entry));
  return `array[${literals.join(', ')}]::${arrayColumn(entryType).cast}`;
}

/** SQL that converts the column to the JSON of answers. The types of entries are those of `ARRAY_ENTRY_TYPES`. */
export const arrayJsonSql = (entryType: ScalarType, column: string): string =>
  specOf(entryType).isOwnJson === true ? `to_jsonb(${column})` : `to_jsonb(${column}::text[])`;
