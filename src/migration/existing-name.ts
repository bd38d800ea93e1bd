/** The names of existing tables in SQL, and the condition that one exists. */
import type { ExistingTable } from '../definition/types.ts';
import { literal, quoted } from '../shared/sql.ts';

/** A condition in SQL: whether an existing table exists, and a foreign key can refer to its key. */
export const existsWithKey = (table: ExistingTable): string => `exists (
    select from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0]
    where indrelid = to_regclass(${literal(existingName(table))}) and attname = ${literal(table.keyColumns[0])}
      and indisunique and indimmediate and indnkeyatts = 1 and indpred is null
  )`;

/** The name of an existing table in SQL. */
export const existingName = ({ schema, table }: ExistingTable): string =>
  `${quoted(schema)}.${quoted(table)}`;
