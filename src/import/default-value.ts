/** The default of a column → the default of a field. */
import type { DatabaseColumn } from '../database/database-schema.ts';
import type { FieldTypeDefinition } from './column-type.ts';

/** A default as it is written, undefined for null; without the object the expression is not a constant. */
export type DefaultValue = { readonly value: unknown } | undefined;

const NOW = new Set([
  'now()',
  'CURRENT_TIMESTAMP',
  'transaction_timestamp()',
  'statement_timestamp()',
  'clock_timestamp()',
]);
const TODAY = new Set([
  ...['CURRENT_DATE', '(now())::date', '(CURRENT_TIMESTAMP)::date'],
  `((now() AT TIME ZONE 'UTC'::text))::date`,
]);
/** An array without entries, or of words that need no quotes (PostgreSQL manual, section 8.15.6). */
const ARRAY =
  /^(?:'\{(?<entries>(?:[\w.-]+(?:,[\w.-]+)*)?)\}'|ARRAY\[\])(?:::[\w" .]+(?:\(\d+\))?\[\])+$/;
/** Types of entries whose text is their value. */
const WORDS: ReadonlySet<unknown> = new Set(['string', 'text', 'enum']);
/** A literal as PostgreSQL writes it back, with one cast behind it. */
const LITERAL =
  /^\(?(?:'(?<text>(?:[^']|'')*)'|(?<number>-?\d+(?:\.\d+)?)|(?<word>true|false))\)?(?:::(?<cast>[a-z_"][\w" .]*))?$/i;

/** Casts of a literal that change no value of a field type; an enum is cast to its own type. */
const NEUTRAL_CASTS: Readonly<Record<string, readonly string[]>> = {
  string: ['text', 'character varying', 'name', 'citext'],
  text: ['text', 'character varying'],
  integer: ['smallint', 'integer', 'bigint', 'numeric'],
  bigint: ['smallint', 'integer', 'bigint', 'numeric'],
  decimal: ['smallint', 'integer', 'bigint', 'numeric'],
  number: ['double precision', 'real', 'numeric', 'integer', 'bigint'],
  boolean: ['boolean'],
  date: ['date'],
  uuid: ['uuid'],
  json: ['json', 'jsonb'],
};

const WHOLE_NUMBERS: ReadonlySet<string> = new Set(['smallint', 'integer', 'bigint']);

/** Reads the default of a column, as `pg_get_expr` writes it. */
export function defaultValue(
  { default: sql, notNull, type: columnType }: DatabaseColumn,
  written: FieldTypeDefinition,
): DefaultValue {
  const { type } = written;
  if (sql === null) return { value: undefined };
  if (/^NULL(?:::[\w" .]+(?:\(\d+\))?)?$/.test(sql)) return { value: undefined };
  if (type === 'timestamp' && NOW.has(sql)) return { value: 'now' };
  if (type === 'date' && TODAY.has(sql)) return { value: 'today' };
  if (type === 'list') return listDefault(sql, written['of'] as FieldTypeDefinition);
  const { text, number, word, cast } = LITERAL.exec(sql)?.groups ?? {};
  const literal = text?.replaceAll("''", "'") ?? number ?? word;
  if (literal === undefined) return undefined;
  // 1.5 cast to an integer is another number.
  if (cast !== undefined && WHOLE_NUMBERS.has(cast) && literal.includes('.')) return undefined;
  const isOwnEnum = type === 'enum' && cast !== undefined && isNameOf(columnType, cast);
  const isOwnChar = columnType.name === 'bpchar' && cast === 'bpchar';
  const isNeutral =
    cast === undefined || isOwnEnum || isOwnChar || NEUTRAL_CASTS[type]?.includes(cast) === true;
  return isNeutral ? WRITTEN[type]?.(literal, notNull) : undefined;
}

function listDefault(sql: string, { type }: FieldTypeDefinition): DefaultValue {
  const found = ARRAY.exec(sql);
  if (found === null) return undefined;
  const entries = found.groups?.['entries'] ?? '';
  if (entries === '') return { value: [] };
  const words = entries.split(',');
  const isNull = words.some((word) => word.toLowerCase() === 'null');
  return WORDS.has(type) && !isNull ? { value: words } : undefined;
}

/** The name of a type, with or without its schema and quotes. */
const isNameOf = ({ name, schema }: DatabaseColumn['type'], cast: string): boolean =>
  [name, `${schema}.${name}`].includes(cast.replaceAll('"', ''));

/** How a type writes a literal; of types that are not here none is read. */
const WRITTEN: Readonly<Record<string, (literal: string, notNull: boolean) => DefaultValue>> = {
  boolean: (literal) => (BOOLEANS.has(literal) ? { value: BOOLEANS.get(literal) } : undefined),
  integer: numberDefault,
  number: numberDefault,
  json: jsonDefault,
  ...Object.fromEntries(
    ['string', 'text', 'enum', 'uuid', 'date', 'bigint', 'decimal'].map((type) => [
      type,
      (literal: string) => ({ value: literal }),
    ]),
  ),
};

function numberDefault(literal: string): DefaultValue {
  return /^-?\d+(?:\.\d+)?$/.test(literal) ? { value: Number(literal) } : undefined;
}

/** A number of many digits or with an exponent could become another one. */
function jsonDefault(literal: string, notNull: boolean): DefaultValue {
  if (/\d{16}|\d[eE]/.test(literal)) return undefined;
  try {
    const value: unknown = JSON.parse(literal);
    if (value === null) return notNull ? undefined : { value: undefined };
    return { value };
  } catch {
    return undefined;
  }
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['t', true],
  ['false', false],
  ['f', false],
]);
