/** Conditions in SQL, for statements that a migration runs only where the tables are there. */
import type { ExistingTable } from '../definition/types.ts';
import { existingName } from '../model/existing.ts';
import { literal, quoted } from '../shared/sql.ts';
import { dollarQuoted } from './guards.ts';

/** A condition in SQL: whether an existing table exists, and a foreign key can refer to its key. */
export const existsWithKey = (table: ExistingTable): string => `exists (
    select from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0]
    where indrelid = to_regclass(${literal(existingName(table))}) and attname = ${literal(table.keyColumns[0])}
      and indisunique and indimmediate and indnkeyatts = 1 and indpred is null
  )`;

/** A condition in SQL: foreign keys to existing tables may be missing, because these may be. @param table unquoted. */
export const hasConstraint = (table: string, name: string): string =>
  `exists (select from pg_constraint where conrelid = ${literal(quoted(table))}::regclass and conname = ${literal(name)})`;

/** A statement that does nothing where a condition is false. */
export const onlyIf = (condition: string, statement: string): string =>
  `do ${dollarQuoted(`begin\n  if ${condition} then\n    ${statement}\n  end if;\nend`)};`;
