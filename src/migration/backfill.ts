/** Values for existing rows that lack one, in SQL: `backfill`, or else the default. */
import type { Field } from '../definition/types.ts';
import type { Property } from '../types/object.ts';
import { isScalarColumn, specOf } from '../types/registry.ts';
import type { FieldType } from '../types/registry.ts';
import type { JsonValue } from '../shared/json.ts';
import { literal } from '../shared/sql.ts';

/** The value for rows without one, as SQL of the column's type; undefined if there is none. */
export function backfillSql(field: Field): string | undefined {
  const value = field.backfill ?? field.default;
  if (value === undefined) return undefined;
  return isScalarColumn(field.type)
    ? specOf(field.type).literal(field.type, value)
    : jsonBackfill(field.type, value).sql;
}

/** The same for a member of an object: SQL of JSON. */
export function memberBackfillSql(property: Property): string | undefined {
  const value = property.backfill ?? property.default;
  return value === undefined ? undefined : jsonBackfill(property.type, value).sql;
}

/** A value of JSON; `fixed` if it does not depend on the time of the migration. */
interface JsonBackfill {
  readonly sql: string;
  readonly fixed?: JsonValue;
}

const fixed = (value: JsonValue): JsonBackfill => ({
  sql: `${literal(JSON.stringify(value))}::jsonb`,
  fixed: value,
});

/** A default as the service stores it: objects have all of their members. */
function jsonBackfill(type: FieldType, value: JsonValue): JsonBackfill {
  const spec = specOf(type);
  if (value === spec.currentDefault) {
    return { sql: `to_jsonb(${spec.toText(type, spec.literal(type, value))})` };
  }
  if (type.type !== 'object' || value === null) return fixed(value);
  const given = value as { readonly [member: string]: JsonValue };
  const members = type.properties.map((property): [string, JsonBackfill] => {
    const { name } = property;
    const part = Object.hasOwn(given, name) ? given[name] : property.default;
    return [name, part === undefined ? fixed(null) : jsonBackfill(property.type, part)];
  });
  if (members.every(([, fill]) => fill.fixed !== undefined)) {
    return fixed(Object.fromEntries(members.map(([name, fill]) => [name, fill.fixed ?? null])));
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
