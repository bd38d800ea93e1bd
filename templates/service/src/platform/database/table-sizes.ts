/** The sizes of tables that a migration reads or writes whole: on a large one it takes long. */
import type { Session } from './database.ts';
import type { Migration } from './migrations.ts';

export interface TableSize {
  /** Quoted, as in the file. */
  readonly name: string;
  /** 0 for a table that does not exist yet. */
  readonly bytes: number;
  /** An estimate of the server; null if it has none. */
  readonly rows: number | null;
}

/** The size in bytes from which on a table is large. */
export const LARGE_TABLE = 16 * 1024 * 1024;

/** Measures tables. @param names quoted. */
export const measureTables = (session: Session, names: readonly string[]): Promise<TableSize[]> =>
  session.query<TableSize>(
    {
      text: `select "name", coalesce(pg_table_size("oid"), 0) as "bytes",
          nullif(greatest("reltuples", 0), 0)::float8 as "rows"
        from unnest($1::text[]) as "name" left join "pg_class" on "oid" = to_regclass("name")`,
    },
    [names],
  );

/** Whether a migration is applied in moments: it changes the catalog, or rows of small tables only. */
export const isQuick = (
  { kind, isContract }: Migration,
  tables: readonly TableSize[],
  largeTable = LARGE_TABLE,
): boolean =>
  (kind !== 'statements' || isContract || tables.length > 0) &&
  tables.every(({ bytes }) => bytes < largeTable);

/** Tables in words: `"<table>" (about 200,000 rows)`. */
export const describeTables = (tables: readonly TableSize[]): string =>
  tables
    .map(({ name, rows }) => `${name}${rows === null ? '' : ` (about ${formatCount(rows)} rows)`}`)
    .join(', ');

export const formatCount = (count: number): string => count.toLocaleString('en');
