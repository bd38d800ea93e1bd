/** The default of a column → the default of a field. */
import type { DatabaseColumn } from '../database/database-schema.ts';
import type { FieldTypeKeys } from './column-type.ts';

/** A default as it is written; `undefined`: the expression is not a constant. */
export type DefaultValue = { readonly value: unknown } | undefined;

const CURRENT =
  /^(?:now\(\)|CURRENT_TIMESTAMP(?:\(\d\))?|transaction_timestamp\(\)|statement_timestamp\(\)|clock_timestamp\(\))$/;
const TODAY = /^(?:CURRENT_DATE|\('?now'?(?:::text)?\)::date|\(now\(\)\)::date|now\(\)::date)$/;
/** A literal as PostgreSQL writes it back, with the casts that follow it. */
const LITERAL =
  /^\(?(?:'((?:[^']|'')*)'|(-?\d+(?:\.\d+)?)|(true|false))\)?((?:::[a-z_"][\w" .]*(?:\(\d+(?:,\d+)?\))?(?:\[\])?)*)$/i;

const EMPTY_ARRAY = /^(?:'\{\}'|ARRAY\[\])(?:::[\w" .]+(?:\(\d+\))?\[\])+$/;

/** Types whose values are written as numbers. */
const NUMBERS: ReadonlySet<string> = new Set(['integer', 'number']);
/** Types whose values are written as the text that PostgreSQL has of them. */
const TEXTS: ReadonlySet<string> = new Set([
  'string',
  'text',
  'enum',
  'uuid',
  'date',
  'bigint',
  'decimal',
]);

/** Reads the default of a column, as `pg_get_expr` writes it. */
export function defaultValue(
  { default: sql }: DatabaseColumn,
  { type }: FieldTypeKeys,
): DefaultValue {
  if (sql === null || /^NULL(?:::|$)/.test(sql)) return { value: undefined };
  if (type === 'timestamp' && CURRENT.test(sql)) return { value: 'now' };
  if (type === 'date' && TODAY.test(sql)) return { value: 'today' };
  if (type === 'list') return EMPTY_ARRAY.test(sql) ? { value: [] } : undefined;
  const [, quoted, number, word] = LITERAL.exec(sql) ?? [];
  const text = quoted?.replaceAll("''", "'") ?? number;
  if (type === 'boolean' && (word ?? text) !== undefined) {
    const said = (word ?? text ?? '').toLowerCase();
    return BOOLEANS.has(said) ? { value: BOOLEANS.get(said) } : undefined;
  }
  if (text === undefined) return undefined;
  if (type === 'json') return parsedJson(text);
  if (NUMBERS.has(type)) return Number.isFinite(Number(text)) ? { value: Number(text) } : undefined;
  if (TEXTS.has(type)) return { value: text };
  return undefined;
}

/** PostgreSQL has checked the text of a `json` constant. */
const parsedJson = (text: string): DefaultValue => {
  const value: unknown = JSON.parse(text);
  return value === null ? { value: undefined } : { value };
};

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['t', true],
  ['false', false],
  ['f', false],
]);
