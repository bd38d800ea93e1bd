/**
 * The SQL of each thing in the schema, as the first migration makes it and as later ones do: one
 * function for both, so that a database that was brought up to date has the schema of a new one.
 */
import type { Column } from '../model/columns.ts';
import { literal, objectName, quoted } from '../model/sql.ts';
import type { Collection, ForeignKey, Index, Table } from '../model/types.ts';

/** The names of the constraints that no definition asks for. */
export const primaryKeyOf = (table: string): string => objectName(table, 'pkey');
export const ownerKeyOf = (table: string): string => objectName(table, '_owner_id', 'fkey');
export const checkNameOf = (table: string, column: string): string =>
  objectName(table, column, 'check');

/** A table with its indexes and triggers; references come when all tables are there. */
export function createTable({ definition, table }: Collection): string {
  const lines = [
    `"id" uuid constraint ${quoted(primaryKeyOf(table.name))} primary key`,
    ...table.columns.map((column) => tableLine(table, column)),
    ...table.words.map(({ name }) => `${wordsColumn(name)} not null`),
    ...(table.hasOwner ? [ownerColumn(table.name)] : []),
    '"created_at" timestamptz not null default now()',
    '"updated_at" timestamptz not null default now()',
  ];
  return [
    `create table ${quoted(table.name)} (\n  ${lines.join(',\n  ')}\n);`,
    ...table.indexes.map((index) => createIndex(table.name, index)),
    touchTrigger(table.name),
    buryTrigger(table.name, definition.name),
  ].join('\n');
}

/** The words of searchable texts. */
export const wordsColumn = (name: string): string => `${quoted(name)} text[]`;

/** Who made an item: its items stay when a user goes. */
export const ownerColumn = (table: string): string =>
  `"_owner_id" uuid constraint ${quoted(ownerKeyOf(table))}\n    ` +
  'references "users" ("id") on delete set null';

function tableLine(table: Table, { name, definition, nullable, check }: Column): string {
  const start = `${quoted(name)} ${definition}${nullable ? '' : ' not null'}`;
  return check === undefined ? start : `${start}\n    ${checkConstraint(table.name, name, check)}`;
}

export const checkConstraint = (table: string, column: string, check: string): string =>
  `constraint ${quoted(checkNameOf(table, column))} check (${check})`;

export function createIndex(table: string, { name, on, unique, method }: Index): string {
  const using = method === 'btree' ? '' : ` using ${method}`;
  const kind = unique ? 'unique index' : 'index';
  return `create ${kind} ${quoted(name)}\n  on ${quoted(table)}${using} (${on.map(indexed).join(', ')});`;
}

/** Anything but a column or a call stands in parentheses of its own. */
const indexed = (expression: string): string =>
  /^"[^"]+"$|^[a-z0-9_]+\(.*\)$|^\(.*\)$/s.test(expression) ? expression : `(${expression})`;

const touchTrigger = (table: string): string =>
  `create trigger "_touch" before update on ${quoted(table)}\n  ` +
  'for each row execute function "_touch"();';

/** The trigger that leaves tombstones, under the name that the collection has. */
export const buryTrigger = (table: string, collection: string): string =>
  `create trigger "_bury" after delete on ${quoted(table)}\n  ` +
  `for each row execute function "_bury"(${literal(collection)});`;

export const addForeignKey = (
  table: string,
  { name, column, table: target, onDelete }: ForeignKey,
): string =>
  `alter table ${quoted(table)} add constraint ${quoted(name)}\n  ` +
  `foreign key (${quoted(column)}) references ${quoted(target)} ("id")\n  ` +
  `on delete ${onDelete} deferrable initially deferred;`;

/**
 * The table of jobs, of services that have any.
 * @param knowsVersion whether versions differ: then a job says which one it was asked for in.
 */
export const createJobs = (
  knowsVersion: boolean,
): string => `-- Work that was accepted with 202, and what became of it. A process that runs a job holds a lease.
create table "jobs" (
  "id" uuid primary key,
  "collection" text not null,
  "item_id" uuid not null,
  "creator_id" uuid,
  "status" text not null default 'queued'
    constraint "jobs__status__check" check ("status" in ('queued', 'running', 'succeeded', 'failed')),
  "error" text,
  "values" json,${knowsVersion ? '\n  "version" integer not null,' : ''}
  "attempt" integer not null default 0,
  "run_id" uuid unique,
  "lease_until" timestamptz,
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create index "jobs__lease_until__idx"
  on "jobs" ("lease_until") where "lease_until" is not null;
create index "jobs__status__idx"
  on "jobs" ("status", "created_at") where "status" <> 'succeeded';
create index "jobs__updated_at__idx"
  on "jobs" ("updated_at") where "status" in ('succeeded', 'failed');
create trigger "_bury" after delete on "jobs"
  for each row execute function "_bury"('jobs');`;
