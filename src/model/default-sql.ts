/** Values of fields as SQL of their columns: defaults, and values for existing rows. */
import type { Field } from '../definition/types.ts';
import { isScalarColumn, specOf } from '../types/registry.ts';
import type { FieldType } from '../types/registry.ts';
import type { JsonValue } from '../shared/json.ts';
import { literal } from '../shared/sql.ts';
import { arrayEntryType, arrayValueSql } from './array-column.ts';

/** The default of a field, as SQL of the type of its column; undefined if it has none. */
export function defaultSql(field: Field): string | undefined {
  const { type, default: value } = field;
  if (value === undefined) return undefined;
  const entryType = arrayEntryType(field);
  return entryType === undefined ? columnValueSql(type, value) : arrayValueSql(entryType, value);
}

/** A value as SQL of the type of its column. */
export const columnValueSql = (type: FieldType, value: JsonValue): string =>
  isScalarColumn(type) ? specOf(type).literal(type, value) : jsonValueSql(type, value);

/** A value as SQL of JSON. Objects have all of their members, as the service stores them. */
export const jsonValueSql = (type: FieldType, value: JsonValue): string =>
  jsonSqlOf(type, value).sql;

/** A value of JSON; `fixed` if it does not depend on the current time. */
interface JsonSql {
  readonly sql: string;
  readonly fixed?: JsonValue;
}

const fixed = (value: JsonValue): JsonSql => ({
  sql: `${literal(JSON.stringify(value))}::jsonb`,
  fixed: value,
});

function jsonSqlOf(type: FieldType, value: JsonValue): JsonSql {
  const spec = specOf(type);
  if (value === spec.currentDefault) {
    return { sql: `to_jsonb(${spec.toText(type, spec.literal(type, value))})` };
  }
  if (type.type !== 'object' || value === null) return fixed(value);
  const given = value as { readonly [member: string]: JsonValue };
  const members = type.properties.map((property): [string, JsonSql] => {
    const { name } = property;
    const part = Object.hasOwn(given, name) ? given[name] : property.default;
    return [name, part === undefined ? fixed(null) : jsonSqlOf(property.type, part)];
  });
  if (members.every(([, part]) => part.fixed !== undefined)) {
    return fixed(Object.fromEntries(members.map(([name, part]) => [name, part.fixed ?? null])));
  }
  return { sql: buildObject(members.map(([name, { sql }]) => [name, sql])) };
}

/** Arguments of a call that PostgreSQL takes, at most 100. */
const MOST_PAIRS = 50;

/** An object of members that are SQL of JSON. */
export function buildObject(members: readonly (readonly [name: string, sql: string])[]): string {
  const parts: string[] = [];
  for (let at = 0; at < members.length; at += MOST_PAIRS) {
    const pairs = members.slice(at, at + MOST_PAIRS);
    parts.push(
      `jsonb_build_object(${pairs.map(([name, sql]) => `${literal(name)}, ${sql}`).join(', ')})`,
    );
  }
  return parts.join(' || ');
}
