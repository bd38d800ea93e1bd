/** JSON values as parameters of statements. */

/** A value as JSON text; null stays the null of SQL. */
export const toJson = (value: unknown): string | null =>
  value === null ? null : JSON.stringify(value);
