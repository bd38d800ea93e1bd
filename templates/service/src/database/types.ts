/** How values of PostgreSQL come out: as this service answers them in JSON. */
import pg from 'pg';
import type { CustomTypesConfig } from 'pg';

const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  // Integers of the definitions stay within what a double holds, and counts do anyway.
  [pg.types.builtins.INT8]: Number,
  [pg.types.builtins.DATE]: (text) => text,
  [pg.types.builtins.TIMESTAMPTZ]: isoTimestamp,
};

export const types: CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format),
};

/**
 * `2026-01-31 12:00:00.5+00`, as PostgreSQL writes it for the time zone UTC, in ISO 8601 with
 * three digits of a second, or six where the last three are not zero.
 */
function isoTimestamp(text: string): string {
  const fraction = text.slice(20, -3).padEnd(3, '0');
  const digits = fraction.length > 3 ? fraction.padEnd(6, '0') : fraction;
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${digits}Z`;
}
