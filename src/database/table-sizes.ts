/** The sizes of tables, and their indexes, as the server's catalog has them. */
import { quoted } from '../shared/sql.ts';
import type { DatabaseSession } from './session.ts';

/** An index in the database. */
export interface IndexSize {
  readonly name: string;
  readonly bytes: number;
  /** Whether it is complete: statements use no other. */
  readonly valid: boolean;
  /** How often statements have used it since the statistics of the server began; null where it does not count. */
  readonly scans: number | null;
}

/** A table in the database. */
export interface TableSizes {
  /** The rows, by the last `analyze`; undefined before the first one. */
  readonly rows: number | undefined;
  readonly bytes: number;
  readonly indexes: readonly IndexSize[];
  /** The names of its columns. */
  readonly columns: ReadonlySet<string>;
  /** Whether the server has counted the values of its columns, as `analyze` does. */
  readonly isAnalyzed: boolean;
  /** The rows of the table, or of each of its partitions, by its name. */
  readonly parts: ReadonlyMap<string, number>;
}

interface ColumnRow {
  readonly table: string;
  readonly columns: readonly string[];
  readonly isAnalyzed: boolean;
}

interface Part {
  readonly name: string;
  readonly part: string;
  readonly rows: number;
  readonly bytes: number;
}

/** A table is found by the `search_path`, as the service finds it. */
const TABLES = `select "name", p.relname as "part", p.reltuples::float8 as "rows",
    pg_table_size(p.oid)::float8 as "bytes"
  from unnest($1::text[]) as "name" cross join lateral (
    select to_regclass("name") as "oid"
    union select relid from pg_partition_tree(to_regclass("name")) where isleaf
  ) as "of" join pg_class p on p.oid = "of"."oid" and p.relkind in ('r', 'p')`;

const INDEXES = `select "of"."name" as "table", i.relname as "name", x.indisvalid as "valid",
    coalesce((select sum(pg_relation_size(relid)) from pg_partition_tree(i.oid)),
      pg_relation_size(i.oid))::float8 as "bytes", s.idx_scan::float8 as "scans"
  from unnest($1::text[]) as "of"("name") join pg_index x on x.indrelid = to_regclass("of"."name")
    join pg_class i on i.oid = x.indexrelid
    left join pg_stat_user_indexes s on s.indexrelid = i.oid
  order by i.relname`;

/** Who may not read a table does not see its statistics: the first statement that reads it says so. */
const COLUMNS = `select "of"."name" as "table", array_agg(a.attname::text) as "columns",
    bool_or(
      s.attname is not null or c.relkind = 'p' or not has_table_privilege(c.oid, 'select')
    ) as "isAnalyzed"
  from unnest($1::text[]) as "of"("name") join pg_class c on c.oid = to_regclass("of"."name")
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_stats s on s.schemaname = (select nspname from pg_namespace where oid = c.relnamespace)
      and s.tablename = c.relname and s.attname = a.attname
  group by 1`;

/**
 * Reads the sizes of tables.
 * @param names unquoted.
 * @returns the tables that exist, by name.
 */
export async function readTableSizes(
  { query }: DatabaseSession,
  names: readonly string[],
): Promise<Map<string, TableSizes>> {
  const given = [names.map(quoted)];
  const parts = await query<Part>(TABLES, given);
  const indexes = await query<IndexSize & { readonly table: string }>(INDEXES, given);
  const columns = await query<ColumnRow>(COLUMNS, given);
  return new Map(
    names.flatMap((name): [string, TableSizes][] => {
      const own = parts.filter((part) => part.name === quoted(name));
      if (own.length === 0) return [];
      // A partitioned table has the rows of its partitions.
      const leaves = own.length === 1 ? own : own.filter(({ part }) => part !== name);
      const known = leaves.filter(({ rows }) => rows >= 0);
      return [
        [
          name,
          {
            rows: known.length === 0 ? undefined : sumOf(known.map(({ rows }) => rows)),
            bytes: sumOf(leaves.map(({ bytes }) => bytes)),
            indexes: indexes
              .filter(({ table }) => table === quoted(name))
              .map(({ table: _table, ...index }) => index),
            columns: new Set(columns.find(({ table }) => table === quoted(name))?.columns),
            isAnalyzed: columns.some(
              ({ table, isAnalyzed }) => table === quoted(name) && isAnalyzed,
            ),
            parts: new Map(leaves.map(({ part, rows }) => [part, Math.max(rows, 0)])),
          },
        ],
      ];
    }),
  );
}

const sumOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0);
