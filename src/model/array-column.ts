/** SQL for lists of existing tables that are stored in PostgreSQL arrays: the type of the column, literals, and JSON. */
import type { Field } from '../definition/types.ts';
import type { ListType } from '../types/list.ts';
import { specOf } from '../types/registry.ts';
import type { JsonValue } from '../shared/json.ts';

/** The type of such a list; undefined for all other fields. */
export const arrayType = ({ type, isArray }: Pick<Field, 'type' | 'isArray'>) =>
  isArray === true && type.type === 'list' ? type : undefined;

/** The type of the column. The team's tables have the collation of their database. */
export function arrayColumn({ of }: ListType): { definition: string; cast: string } {
  const { definition, cast } = specOf(of).column(of);
  return { definition: `${definition.split(' collate ', 1).join('')}[]`, cast: `${cast}[]` };
}

/** A value as SQL of the type of the column. */
export function arrayValueSql(type: ListType, value: JsonValue): string {
  const entries = value as readonly JsonValue[];
  const literals = entries.map((entry) => specOf(type.of).literal(type.of, entry));
  return `array[${literals.join(', ')}]::${arrayColumn(type).cast}`;
}

/** SQL that converts the column to the JSON of answers. The types of entries are those of `ARRAY_ENTRIES`. */
export const arrayJsonSql = ({ of }: ListType, column: string): string =>
  specOf(of).isOwnJson === true ? `to_jsonb(${column})` : `to_jsonb(${column}::text[])`;
