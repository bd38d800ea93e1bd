/** Names and expressions of SQL, quoted so that any name and any text is safe in them. */
import { createHash } from 'node:crypto';

/** PostgreSQL's limit for an identifier, in bytes; ours are ASCII. */
export const LONGEST_IDENTIFIER = 63;

/** The name of a primary key that was made without one. */
export function primaryKeyName(table: string): string {
  let name = table;
  while (Buffer.byteLength(name) + '_pkey'.length > LONGEST_IDENTIFIER)
    name = Array.from(name).slice(0, -1).join('');
  return `${name}_pkey`;
}

/** Columns that every table of PostgreSQL has and that none may add. */
const SYSTEM_COLUMNS = new Set(['ctid', 'cmax', 'cmin', 'oid', 'tableoid', 'xmax', 'xmin']);

/** Characters that no editor shows, or that change how the text around them is shown. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * A text as an SQL literal, on one line and with invisible characters escaped: it means what a reader
 * sees, and no checkout changes it.
 */
export function literal(text: string): string {
  const plain = text.replaceAll("'", "''");
  if (text.search(INVISIBLE) < 0) return `'${plain}'`;
  const escaped = plain.replaceAll('\\', '\\\\').replace(INVISIBLE, escapeSequence);
  return `E'${escaped}'`;
}

function escapeSequence(character: string): string {
  if (character === '\r') return '\\r';
  if (character === '\n') return '\\n';
  return `\\U${character.codePointAt(0)!.toString(16).padStart(8, '0')}`;
}

/** A name as an SQL identifier, in quotes: reserved words are names like all others. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The column of a field: its name, but for the few that PostgreSQL keeps to itself. */
export const columnName = (field: string): string =>
  SYSTEM_COLUMNS.has(field) ? `_${field}` : field;

/** The table of a collection: its name, but for those that would hide behind system tables. */
export const tableName = (collection: string): string =>
  collection.startsWith('pg_') ? `_${collection}` : collection;

/**
 * A name for an index or a constraint: its parts with two underscores between, which no name of a
 * definition has; where that is too long, cut, with a hash so that it stays the only one.
 */
export function objectName(...parts: readonly string[]): string {
  const name = parts.join('__');
  if (name.length <= LONGEST_IDENTIFIER) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.slice(0, LONGEST_IDENTIFIER - hash.length - 2)}__${hash}`;
}

/** A value that is to become another one. */
export type ValueRename = readonly [before: string, now: string];

/**
 * The new value of an expression whose values are renamed.
 * @param other the expression for values that keep their name; absent where there are none.
 */
export function renamedValue(
  expression: string,
  renames: readonly ValueRename[],
  other = '',
): string {
  const cases = renames.map(([before, now]) => `when ${literal(before)} then ${literal(now)}`);
  return `case ${expression} ${cases.join(' ')}${other === '' ? '' : ` else ${other}`} end`;
}

/** The former values, as a list of literals. */
export const formerValues = (renames: readonly ValueRename[]): string =>
  renames.map(([before]) => literal(before)).join(', ');
