/** What a database schema consists of, and how two of them differ, in words. */

/** The things in a schema, by their names in words. */
export type Catalog = ReadonlyMap<string, CatalogEntry>;

interface CatalogEntry {
  readonly definition: string;
  /** Stays when it, or its table, is renamed. */
  readonly id: string;
}

/** A row of `CATALOG_SQL`. */
export interface CatalogRow {
  /** `column`, `index`, and so on. */
  readonly kind: string;
  /** Empty for what belongs to no table. */
  readonly table: string;
  readonly name: string;
  readonly definition: string;
  readonly id: string;
}

/**
 * Tables, columns, constraints, indexes, triggers, views and functions of the current schema. The
 * order of columns does not count, and an index that a constraint stands on is told as that.
 */
export const CATALOG_SQL = `
with "own" as (
  select c.oid, c.relname, c.relkind from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relname <> '_migrations'
)
select 'table' as "kind", '' as "table", r.relname as "name", '' as "definition",
  r.oid::text as "id"
from "own" r where r.relkind in ('r', 'p')
union all
select 'view', '', r.relname, pg_get_viewdef(r.oid), r.oid::text
from "own" r where r.relkind in ('v', 'm')
union all
select 'column', r.relname, a.attname, format_type(a.atttypid, a.atttypmod)
  || coalesce(' collate "' || nullif(l.collname, 'default') || '"', '')
  || case when a.attnotnull then ' not null' else '' end
  || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), ''),
  r.oid || '.' || a.attnum
from "own" r join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
left join pg_collation l on l.oid = a.attcollation
left join pg_attrdef d on d.adrelid = r.oid and d.adnum = a.attnum
where r.relkind in ('r', 'p')
union all
select 'constraint', r.relname, c.conname, pg_get_constraintdef(c.oid)
  || case when c.convalidated then '' else ' not valid' end, c.oid::text
from "own" r join pg_constraint c on c.conrelid = r.oid where c.contype <> 'n'
union all
select 'index', t.relname, r.relname, pg_get_indexdef(r.oid)
  || case when i.indisvalid then '' else ' invalid' end, r.oid::text
from "own" r join pg_index i on i.indexrelid = r.oid join pg_class t on t.oid = i.indrelid
where not exists (select from pg_constraint c where c.conindid = r.oid and c.contype in ('p', 'u', 'x'))
union all
select 'trigger', r.relname, t.tgname, pg_get_triggerdef(t.oid)
  || case when t.tgenabled = 'O' then '' else ' disabled' end, t.oid::text
from "own" r join pg_trigger t on t.tgrelid = r.oid where not t.tgisinternal
union all
select 'function', '', p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')', p.prosrc,
  p.oid::text
from pg_proc p where p.pronamespace = current_schema()::regnamespace
order by 1, 2, 3`;

/** @param schema the current schema, which definitions name before some things. */
export const catalogOf = (rows: readonly CatalogRow[], schema: string): Catalog =>
  new Map(
    rows.map(({ kind, table, name, definition, id }) => [
      `${kind} ${name}${table === '' ? '' : ` of ${table}`}`,
      { definition: definition.replaceAll(`${schema}.`, ''), id: `${kind} ${id}` },
    ]),
  );

/** What one state of a schema has that another has not, or otherwise. */
export const changedIn = (before: Catalog, after: Catalog): ReadonlySet<string> =>
  new Set(
    [...before.keys(), ...after.keys()].filter(
      (name) => before.get(name)?.definition !== after.get(name)?.definition,
    ),
  );

/**
 * How the schema that migrations lead to differs from that of the definitions; a sentence each.
 * @param isOfTeam tells what the team's own migrations have made, changed or removed. What they have
 * removed is a difference all the same, as the service needs it, but for an index that only saves time.
 */
export function schemaDifferences(
  migrated: Catalog,
  defined: Catalog,
  isOfTeam: (name: string, id: string | undefined) => boolean,
): readonly string[] {
  const changed = changedIn(migrated, defined);
  return [...changed]
    .filter((name) => {
      // Of a table that only one of them has, its columns and indexes say nothing new.
      const [, table] = / of (\S+)$/.exec(name) ?? [];
      return table === undefined || !changed.has(`table ${table}`);
    })
    .filter((name) => {
      const isNeeded = !migrated.has(name) && !isPlainIndex(name, defined.get(name));
      return isNeeded || !isOfTeam(name, migrated.get(name)?.id);
    })
    .map((name) => {
      const [is, should] = [migrated.get(name)?.definition, defined.get(name)?.definition];
      if (is === undefined) return `the migrations make no ${name}, and the definitions ask for it`;
      if (should === undefined) {
        return `the migrations make the ${name}, and the definitions do not ask for it`;
      }
      return name.startsWith('function ')
        ? `the ${name} has another body by the migrations than by the definitions`
        : `the ${name} is "${is}" by the migrations, and "${should}" by the definitions`;
    });
}

/** Whether something is an index without which nothing is wrong, only slower. */
const isPlainIndex = (name: string, entry: CatalogEntry | undefined): boolean =>
  name.startsWith('index ') && entry?.definition.startsWith('CREATE INDEX ') === true;
