/** Values for rows that have none, in SQL: what `backfill` says, or else the default. */
import type { Field, FieldType, JsonValue, Property } from '../definition/types.ts';
import { literal } from '../model/sql.ts';
import { isPlain, textOf } from './conversions.ts';
import type { PlainType } from './conversions.ts';

/** The value that rows get which have none, as SQL of the column's type; undefined for none. */
export function fillOf(field: Field): string | undefined {
  const value = field.backfill ?? field.default;
  if (value === undefined) return undefined;
  return isPlain(field.type) ? plainFill(field.type, value) : jsonFill(field.type, value).sql;
}

/** The same for a member of an object: SQL of JSON. */
export function memberFillOf(property: Property): string | undefined {
  const value = property.backfill ?? property.default;
  return value === undefined ? undefined : jsonFill(property.type, value).sql;
}

function plainFill(type: PlainType, value: JsonValue): string {
  switch (type.type) {
    case 'timestamp':
      return value === 'now' ? 'now()' : `${literal(String(value))}::timestamptz`;
    case 'date':
      return value === 'today'
        ? `(now() at time zone 'UTC')::date`
        : `${literal(String(value))}::date`;
    case 'integer':
    case 'bigint':
      return `${literal(String(value))}::bigint`;
    case 'number':
      return `${literal(String(value))}::double precision`;
    case 'decimal':
      return `${literal(String(value))}::numeric(${type.precision}, ${type.scale})`;
    case 'boolean':
      return String(value);
    case 'uuid':
    case 'reference':
      return `${literal(String(value))}::uuid`;
    default:
      return literal(String(value));
  }
}

/** A value of JSON: as it is, where it does not hang on the time of the migration. */
interface JsonFill {
  readonly sql: string;
  readonly fixed?: JsonValue;
}

const fixed = (value: JsonValue): JsonFill => ({
  sql: `${literal(JSON.stringify(value))}::jsonb`,
  fixed: value,
});

/** A default as the service stores it: objects have all of their members. */
function jsonFill(type: FieldType, value: JsonValue): JsonFill {
  if (
    (type.type === 'timestamp' && value === 'now') ||
    (type.type === 'date' && value === 'today')
  ) {
    return { sql: `to_jsonb(${textOf(type, plainFill(type, value))})` };
  }
  if (type.type !== 'object' || value === null) return fixed(value);
  const given = value as { readonly [member: string]: JsonValue };
  const members = type.properties.map((property): [string, JsonFill] => {
    const { name } = property;
    const part = Object.hasOwn(given, name) ? given[name] : property.default;
    return [name, part === undefined ? fixed(null) : jsonFill(property.type, part)];
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
