/**
 * How values of PostgreSQL come out: as this service answers them in JSON. What JSON numbers or RFC 3339
 * cannot write (`NaN`, `infinity`, years before 1 or after 9999) only SQL can have stored: it is answered
 * as the text that PostgreSQL has for it, so that no client takes it for another value, and a change of
 * something else writes back the same.
 */
import pg from 'pg';
import type { CustomTypesConfig } from 'pg';

const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  // Integers of the definitions stay within what a double holds, and counts do anyway.
  [pg.types.builtins.INT8]: Number,
  [pg.types.builtins.DATE]: (text) => text,
  [pg.types.builtins.FLOAT8]: (text) => {
    const value = Number(text);
    return Number.isFinite(value) ? value : text;
  },
  [pg.types.builtins.TIMESTAMPTZ]: isoTimestamp,
};

export const types: CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format),
};

/**
 * `2026-01-31 12:00:00.5+00`, as PostgreSQL writes it for the time zone UTC, in ISO 8601 with
 * three digits of a second, or six where the last three are not zero. A list has many of them.
 */
function isoTimestamp(text: string): string {
  if (text[4] !== '-' || !text.endsWith('+00')) return text;
  const day = text.slice(0, 10);
  // All six digits, which is what the clock of the database mostly gives.
  if (text.length === 29) return `${day}T${text.slice(11, 26)}Z`;
  const fraction = text.slice(20, -3);
  const digits = fraction.padEnd(fraction.length > 3 ? 6 : 3, '0');
  return `${day}T${text.slice(11, 19)}.${digits}Z`;
}
