/** The default of a column → the default of a field. */
import type { DatabaseColumn } from '../database/database-schema.ts';
import type { FieldTypeDefinition } from './column-type.ts';
import { ownMember } from '../shared/json.ts';

/** What the default of a column becomes. */
export type DefaultValue =
  | { readonly kind: 'constant'; readonly value: unknown }
  /** There is no default, or it is null. */
  | { readonly kind: 'none' }
  /** It is an expression that definitions cannot have. */
  | { readonly kind: 'expression' };

const NONE: DefaultValue = { kind: 'none' };
const EXPRESSION: DefaultValue = { kind: 'expression' };

const constant = (value: unknown): DefaultValue => ({ kind: 'constant', value });

const NOW = new Set([
  'now()',
  'CURRENT_TIMESTAMP',
  'transaction_timestamp()',
  'statement_timestamp()',
  'clock_timestamp()',
]);
const TODAY = new Set([
  'CURRENT_DATE',
  '(now())::date',
  '(CURRENT_TIMESTAMP)::date',
  `((now() AT TIME ZONE 'UTC'::text))::date`,
]);
/** An array without entries, or of words that need no quotes (PostgreSQL manual, section 8.15.6). */
const ARRAY =
  /^(?:'\{(?<entries>(?:[\w.-]+(?:,[\w.-]+)*)?)\}'|ARRAY\[\])(?:::[\w" .]+(?:\(\d+\))?\[\])+$/;
/** Types of entries that an array of words has without quotes. */
const UNQUOTED_ENTRY_TYPES: ReadonlySet<unknown> = new Set(['string', 'text', 'enum']);
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
  if (sql === null) return NONE;
  if (/^NULL(?:::[\w" .]+(?:\(\d+\))?)?$/.test(sql)) return NONE;
  if (type === 'timestamp' && NOW.has(sql)) return constant('now');
  if (type === 'date' && TODAY.has(sql)) return constant('today');
  if (type === 'list') return listDefault(sql, written['of'] as FieldTypeDefinition);
  const { text, number, word, cast } = LITERAL.exec(sql)?.groups ?? {};
  const literal = text?.replaceAll("''", "'") ?? number ?? word;
  if (literal === undefined) return EXPRESSION;
  // 1.5 cast to an integer is another number.
  if (cast !== undefined && WHOLE_NUMBERS.has(cast) && literal.includes('.')) return EXPRESSION;
  const isOwnEnum = type === 'enum' && cast !== undefined && isNameOf(columnType, cast);
  const isOwnChar = columnType.name === 'bpchar' && cast === 'bpchar';
  const isNeutral =
    cast === undefined ||
    isOwnEnum ||
    isOwnChar ||
    ownMember(NEUTRAL_CASTS, type)?.includes(cast) === true;
  return (isNeutral ? LITERAL_READERS[type]?.(literal, notNull) : undefined) ?? EXPRESSION;
}

function listDefault(sql: string, { type }: FieldTypeDefinition): DefaultValue {
  const found = ARRAY.exec(sql);
  if (found === null) return EXPRESSION;
  const entries = found.groups?.['entries'] ?? '';
  if (entries === '') return constant([]);
  const words = entries.split(',');
  const isNull = words.some((word) => word.toLowerCase() === 'null');
  return UNQUOTED_ENTRY_TYPES.has(type) && !isNull ? constant(words) : EXPRESSION;
}

/** The name of a type, with or without its schema and quotes. */
const isNameOf = ({ name, schema }: DatabaseColumn['type'], cast: string): boolean =>
  [name, `${schema}.${name}`].includes(cast.replaceAll('"', ''));

/** Reads the literals of a type. Defaults of types without a reader are left out. */
const LITERAL_READERS: Readonly<
  Record<string, (literal: string, notNull: boolean) => DefaultValue>
> = {
  boolean: (literal) => (BOOLEANS.has(literal) ? constant(BOOLEANS.get(literal)) : EXPRESSION),
  integer: numberDefault,
  number: numberDefault,
  json: jsonDefault,
  ...Object.fromEntries(
    ['string', 'text', 'enum', 'uuid', 'date', 'bigint', 'decimal'].map((type) => [type, constant]),
  ),
};

function numberDefault(literal: string): DefaultValue {
  return /^-?\d+(?:\.\d+)?$/.test(literal) ? constant(Number(literal)) : EXPRESSION;
}

/** A number of many digits or with an exponent could become another one. */
function jsonDefault(literal: string, notNull: boolean): DefaultValue {
  if (/\d{16}|\d[eE]/.test(literal)) return EXPRESSION;
  try {
    const value: unknown = JSON.parse(literal);
    if (value === null) return notNull ? EXPRESSION : NONE;
    return constant(value);
  } catch {
    return EXPRESSION;
  }
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['t', true],
  ['false', false],
  ['f', false],
]);
