/** Reads the catalog of a database: its tables and views, with their columns, constraints and triggers. */
import { baseType } from './base-type.ts';
import type {
  ConstraintState,
  DatabaseColumn,
  DatabaseForeignKey,
  DatabaseIndex,
  DatabaseSchema,
  DatabaseTable,
  DatabaseType,
  DatabaseTypeKind,
  UniqueKey,
  NamedSql,
} from './database-schema.ts';
import type { DatabaseSession } from './session.ts';
import { ownMember } from '../shared/json.ts';

/** The tables and views of these schemas, without partitions and without those that an extension made. */
const SELECTED_TABLES = `with recursive "own" as (
  select c.*, n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1::text[]) and c.relkind in ('r', 'p', 'f', 'v', 'm') and not c.relispartition
    and not exists (
      select from pg_depend d
      where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
    )
)`;

const TABLES = `${SELECTED_TABLES}
select c.oid::text as "oid", c.nspname as "schema", c.relname as "name", c.relkind::text as "kind",
  obj_description(c.oid, 'pg_class') as "comment", c.relrowsecurity as "hasRowSecurity",
  case when c.relkind <> 'p' then case when c.reltuples >= 0 then c.reltuples::float8 end else (
    select sum(p.reltuples)::float8 from pg_partition_tree(c.oid) t join pg_class p on p.oid = t.relid
    where t.isleaf and p.reltuples >= 0
  ) end as "rows",
  (select count(*) from pg_partition_tree(case when c.relkind = 'p' then c.oid end) where isleaf)::int as "partitions",
  array(
    select p.relname::text from pg_inherits i join pg_class p on p.oid = i.inhparent
    where i.inhrelid = c.oid order by i.inhseqno
  ) as "parents",
  c.relkind = 'r' and exists (select from pg_inherits i where i.inhparent = c.oid) as "isInherited"
from "own" c order by array_position($1::text[], c.nspname::text), c.relname`;

const SCHEMAS = `select distinct n.nspname::text as "name"
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
order by 1`;

const COLUMNS = `${SELECTED_TABLES}
select c.oid::text as "table", a.attname as "name", a.attnum::int as "number", a.atttypid::text as "type", a.atttypmod as "modifier",
  format_type(a.atttypid, a.atttypmod) as "definition", a.attnotnull as "notNull",
  coalesce(l.collisdeterministic, true) as "comparesExactly",
  pg_get_expr(d.adbin, d.adrelid) as "default", a.attidentity <> '' as "isIdentity",
  a.attidentity = 'a' as "isAlwaysIdentity",
  a.attgenerated <> '' as "isGenerated", col_description(c.oid, a.attnum) as "comment"
from "own" c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
left join pg_collation l on l.oid = a.attcollation
order by c.oid, a.attnum`;

/** The types of the columns, with the types that they are made of. All types of a database would be hundreds. */
const TYPES = `${SELECTED_TABLES}, "used" ("oid") as (
  select a.atttypid from "own" c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  union
  select part.oid from "used" u join pg_type t on t.oid = u.oid
  cross join lateral (values (t.typbasetype), (t.typelem)) part (oid) where part.oid <> 0
)
select t.oid::text as "oid", t.typname as "name", n.nspname as "schema", t.typtype::text as "kind",
  nullif(t.typbasetype, 0)::text as "base", t.typtypmod as "modifier",
  t.typnotnull as "notNull", t.typdefault as "default",
  case when t.typcategory = 'A' then nullif(t.typelem, 0)::text end as "element",
  array(select e.enumlabel::text from pg_enum e where e.enumtypid = t.oid order by e.enumsortorder) as "values",
  array(
    select pg_get_constraintdef(c.oid) from pg_constraint c
    where c.contypid = t.oid and c.contype = 'c' order by c.conname
  ) as "checks",
  (
    select x.extname::text from pg_depend d join pg_extension x on x.oid = d.refobjid
    where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e'
      and d.refclassid = 'pg_extension'::regclass
  ) as "extension"
from "used" u join pg_type t on t.oid = u.oid join pg_namespace n on n.oid = t.typnamespace`;

/** The foreign keys of a partitioned table may be those of its partitions. */
const CONSTRAINTS = `${SELECTED_TABLES}
select c.oid::text as "table", nullif(k.conrelid, c.oid)::text as "partition",
  k.conname as "name", k.contype::text as "kind",
  pg_get_constraintdef(k.oid) as "sql", k.confdeltype::text as "onDelete",
  array(
    select a.attname::text from unnest(k.conkey) with ordinality u (attnum, at)
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.attnum order by u.at
  ) as "columns",
  r.nspname as "referredSchema", r.relname as "referredTable",
  array(
    select a.attname::text from unnest(k.confkey) with ordinality u (attnum, at)
    join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.attnum order by u.at
  ) as "referredColumns"
from "own" c join pg_constraint k on k.conrelid = c.oid or (k.contype = 'f' and k.conrelid in (
  select relid from pg_partition_tree(case when c.relkind = 'p' then c.oid end) where isleaf
))
left join (
  select p.oid, p.relname, n.nspname from pg_class p join pg_namespace n on n.oid = p.relnamespace
) r on r.oid = k.confrelid
where k.contype in ('f', 'c', 'x') and (k.contype <> 'f' or k.conparentid = 0)
order by c.oid, k.conname, k.conrelid`;

const INDEXES = `${SELECTED_TABLES}
select c.oid::text as "table", i.relname as "name", x.indisprimary as "isPrimary", x.indisunique as "isUnique",
  pg_get_expr(x.indpred, x.indrelid) as "where", to_jsonb(x) ->> 'indnullsnotdistinct' = 'true' as "nullsNotDistinct",
  array(
    select a.attname::text from unnest(x.indkey::int2[]) with ordinality u (attnum, at)
    left join pg_attribute a on a.attrelid = c.oid and a.attnum = u.attnum and u.attnum > 0
    where u.at <= x.indnkeyatts order by u.at
  ) as "columns",
  array(
    select (x.indoption::int2[])[u.at - 1] & 1 = 1 from generate_series(1, x.indnkeyatts) u (at) order by u.at
  ) as "descending", m.amname as "method",
  exists (
    select from pg_collation l where l.oid = any(x.indcollation::oid[]) and not l.collisdeterministic
  ) as "isNondeterministic"
from "own" c join pg_index x on x.indrelid = c.oid and x.indisvalid and not x.indisexclusion
join pg_class i on i.oid = x.indexrelid join pg_am m on m.oid = i.relam
order by c.oid, i.relname`;

const TRIGGERS = `${SELECTED_TABLES}
select c.oid::text as "table", t.tgname as "name", pg_get_triggerdef(t.oid) as "sql"
from "own" c join pg_trigger t on t.tgrelid = c.oid and not t.tgisinternal and t.tgenabled <> 'D'
union all
select c.oid::text, r.rulename, pg_get_ruledef(r.oid)
from "own" c join pg_rewrite r on r.ev_class = c.oid and r.rulename <> '_RETURN'
order by 1, 2`;

/** `conenforced` is there from PostgreSQL 18 on. */
const STATES = `${SELECTED_TABLES}
select c.oid::text as "table", k.conname as "name", case
    when to_jsonb(k) ->> 'conenforced' = 'false' then 'not enforced'
    when not k.convalidated then 'not valid'
    else 'deferrable'
  end as "state"
from "own" c join pg_constraint k on k.conrelid = c.oid
where k.contype in ('f', 'c', 'u', 'p', 'n')
  and (k.condeferrable or not k.convalidated or to_jsonb(k) ->> 'conenforced' = 'false')
order by c.oid, k.conname`;

const TABLE_KINDS: Readonly<Record<string, DatabaseTable['kind']>> = {
  r: 'table',
  p: 'partitioned table',
  f: 'foreign table',
  v: 'view',
  m: 'materialized view',
};

const TYPE_KINDS: Readonly<Record<string, DatabaseTypeKind>> = {
  b: 'base',
  d: 'domain',
  e: 'enum',
  c: 'composite',
  r: 'range',
  m: 'range',
};

const ACTIONS: Readonly<Record<string, DatabaseForeignKey['onDelete']>> = {
  r: 'restrict',
  c: 'cascade',
  n: 'set null',
  d: 'set default',
};

interface TableRow {
  readonly oid: string;
  readonly schema: string;
  readonly name: string;
  readonly kind: string;
  readonly comment: string | null;
  readonly rows: number | null;
  readonly partitions: number;
  readonly parents: readonly string[];
  readonly isInherited: boolean;
  readonly hasRowSecurity: boolean;
}

interface ColumnRow extends Omit<DatabaseColumn, 'type'> {
  readonly table: string;
  readonly type: string;
}

interface TypeRow {
  readonly oid: string;
  readonly name: string;
  readonly schema: string;
  readonly kind: string;
  readonly base: string | null;
  readonly modifier: number;
  readonly notNull: boolean;
  readonly default: string | null;
  readonly element: string | null;
  readonly values: readonly string[];
  readonly checks: readonly string[];
  readonly extension: string | null;
}

interface ConstraintRow extends NamedSql {
  readonly table: string;
  /** Null for a constraint of the table itself. */
  readonly partition: string | null;
  readonly kind: 'f' | 'c' | 'x';
  readonly onDelete: string;
  readonly columns: readonly string[];
  readonly referredSchema: string;
  readonly referredTable: string;
  readonly referredColumns: readonly string[];
}

interface IndexRow extends UniqueKey, DatabaseIndex {
  readonly table: string;
  readonly isPrimary: boolean;
  readonly isUnique: boolean;
}

/**
 * Reads the tables and views of some schemas. The catalog is read, and no row of a table.
 * @param schemas their names, unquoted. The tables are in the order of these, and then in that of their names.
 */
export async function readSchema(
  { query }: DatabaseSession,
  schemas: readonly string[],
): Promise<DatabaseSchema> {
  const [server] = await query<{ database: string; version: string }>(
    `select current_database()::text as "database", current_setting('server_version') as "version"`,
  );
  const all = await query<{ readonly name: string }>(SCHEMAS);
  const tables = await query<TableRow>(TABLES, [schemas]);
  const types = typesByOid(await query<TypeRow>(TYPES, [schemas]));
  const columns = byTable(await query<ColumnRow>(COLUMNS, [schemas]));
  const constraints = byTable(await query<ConstraintRow>(CONSTRAINTS, [schemas]));
  const indexes = byTable(await query<IndexRow>(INDEXES, [schemas]));
  const triggers = byTable(await query<NamedSql & { readonly table: string }>(TRIGGERS, [schemas]));
  const states = byTable(
    await query<ConstraintState & { readonly table: string }>(STATES, [schemas]),
  );
  return {
    database: server?.database ?? '',
    serverVersion: server?.version ?? '',
    schemas: all.map(({ name }) => name),
    tables: tables.map(({ oid, kind, partitions, ...table }) => {
      const own = constraints.get(oid) ?? [];
      const ownIndexes = indexes.get(oid) ?? [];
      const namedSql = (of: ConstraintRow['kind']): readonly NamedSql[] =>
        own.filter((one) => one.kind === of).map(({ name, sql }) => ({ name, sql }));
      return {
        ...table,
        kind: ownMember(TABLE_KINDS, kind) ?? 'table',
        columns: (columns.get(oid) ?? []).map((column) => columnOf(column, types)),
        primaryKey: ownIndexes.filter(({ isPrimary }) => isPrimary).map(uniqueOf)[0],
        uniques: ownIndexes.filter((one) => one.isUnique && !one.isPrimary).map(uniqueOf),
        foreignKeys: foreignKeysOf(own, partitions),
        checks: namedSql('c'),
        exclusions: namedSql('x'),
        triggers: (triggers.get(oid) ?? []).map(({ name, sql }) => ({ name, sql })),
        constraintStates: (states.get(oid) ?? []).map(({ name, state }) => ({ name, state })),
        indexes: ownIndexes.filter(({ isUnique }) => !isUnique).map(indexOf),
      };
    }),
  };
}

/** Rows by the table that they belong to. */
function byTable<Row extends { readonly table: string }>(
  rows: readonly Row[],
): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.table);
    if (group === undefined) groups.set(row.table, [row]);
    else group.push(row);
  }
  return groups;
}

/** Types by their ids, with those that they are made of. */
function typesByOid(rows: readonly TypeRow[]): ReadonlyMap<string, TypeEntry> {
  const byOid = new Map(rows.map((row) => [row.oid, row]));
  const made = new Map<string, TypeEntry>();
  const make = (oid: string): TypeEntry | undefined => {
    const known = made.get(oid);
    const row = byOid.get(oid);
    if (known !== undefined || row === undefined) return known;
    const base = row.base === null ? undefined : make(row.base);
    const element = row.element === null ? undefined : make(row.element);
    // A domain over `varchar(10)` has the modifier, and its columns have none.
    const modifier = row.modifier === -1 ? (base?.type.modifier ?? -1) : row.modifier;
    const entry: TypeEntry = {
      notNull: row.notNull || base?.notNull === true,
      default: row.default ?? base?.default ?? null,
      type: {
        name: row.name,
        schema: row.schema,
        kind: ownMember(TYPE_KINDS, row.kind) ?? 'pseudo',
        values: row.values,
        checks: [...(base?.type.checks ?? []), ...row.checks],
        modifier,
        extension: row.extension,
        ...(base !== undefined && { base: base.type }),
        ...(element !== undefined && { element: element.type }),
      },
    };
    made.set(oid, entry);
    return entry;
  };
  for (const { oid } of rows) make(oid);
  return made;
}

/** A type, and what a domain says of its columns. */
interface TypeEntry {
  readonly type: DatabaseType;
  readonly notNull: boolean;
  readonly default: string | null;
}

const UNKNOWN: TypeEntry = {
  type: {
    name: '?',
    schema: '',
    kind: 'pseudo',
    values: [],
    checks: [],
    modifier: -1,
    extension: null,
  },
  notNull: false,
  default: null,
};

/** Types whose equal texts may differ: in blanks at the end, or in case. */
const LOOSE_TEXTS: ReadonlySet<string> = new Set(['bpchar', 'citext']);

function columnOf(row: ColumnRow, types: ReadonlyMap<string, TypeEntry>): DatabaseColumn {
  const { table: _table, type: oid, modifier, ...column } = row;
  const { type, ...domain } = types.get(oid) ?? UNKNOWN;
  return {
    ...column,
    type,
    modifier: modifier === -1 ? type.modifier : modifier,
    notNull: column.notNull || domain.notNull,
    default: column.default ?? domain.default,
    domainDefault: domain.default,
    comparesExactly: column.comparesExactly && !LOOSE_TEXTS.has(baseType(type).name),
  };
}

const uniqueOf = (row: IndexRow): UniqueKey => {
  const { name, isPrimary, columns, where, nullsNotDistinct, isNondeterministic } = row;
  return { name, isPrimary, columns, where, nullsNotDistinct, isNondeterministic };
};

const indexOf = ({ name, method, columns, descending, where }: IndexRow): DatabaseIndex => ({
  name,
  method,
  columns,
  descending,
  where,
});

/** Those of the table, and those of its partitions. */
function foreignKeysOf(
  constraints: readonly ConstraintRow[],
  partitions: number,
): readonly DatabaseForeignKey[] {
  const keys = constraints.filter(({ kind }) => kind === 'f');
  const own = keys.filter(({ partition }) => partition === null);
  const ofPartitions = new Map<string, ConstraintRow[]>();
  for (const key of keys.filter(({ partition }) => partition !== null)) {
    const { columns, referredSchema, referredTable, referredColumns, onDelete } = key;
    const same = JSON.stringify([
      columns,
      referredSchema,
      referredTable,
      referredColumns,
      onDelete,
    ]);
    ofPartitions.set(same, [...(ofPartitions.get(same) ?? []), key]);
  }
  const shared = Array.from(ofPartitions.values(), (group) => {
    const isPartial = new Set(group.map(({ partition }) => partition)).size < partitions;
    return group.slice(0, 1).map((key) => foreignKeyOf(key, isPartial));
  });
  return [...own.map((key) => foreignKeyOf(key, false)), ...shared.flat()];
}

const foreignKeyOf = (row: ConstraintRow, isPartial: boolean): DatabaseForeignKey => ({
  isPartial,
  name: row.name,
  columns: row.columns,
  schema: row.referredSchema,
  table: row.referredTable,
  referredColumns: row.referredColumns,
  onDelete: ownMember(ACTIONS, row.onDelete) ?? 'no action',
});
