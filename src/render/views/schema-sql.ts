/** What the first migration says: the tables of a new service. */
import type { Column } from '../../model/columns.ts';
import { hasJobs } from '../../model/jobs.ts';
import { literal, objectName, quoted } from '../../model/sql.ts';
import type { Collection, ForeignKey, Index, Model, Table } from '../../model/types.ts';
import { hasOwner } from '../../model/permissions.ts';

interface TableView {
  /** Quoted. */
  readonly name: string;
  /** An SQL literal. */
  readonly collection: string;
  readonly lines: readonly string[];
  readonly indexes: readonly string[];
}

/** The data of templates/service/migrations/0001_initial.sql.hbs. */
export interface SchemaView {
  /** Whether there are jobs. */
  readonly jobs: boolean;
  readonly tables: readonly TableView[];
  readonly foreignKeys: readonly string[];
}

export function schemaView(model: Model): SchemaView {
  const { collections } = model;
  return {
    jobs: hasJobs(model),
    tables: collections.map(tableView),
    foreignKeys: collections.flatMap(({ table }) =>
      table.foreignKeys.map((key) => foreignKeySql(table, key)),
    ),
  };
}

function tableView(collection: Collection): TableView {
  const { definition, table } = collection;
  return {
    name: quoted(table.name),
    collection: literal(definition.name),
    lines: [
      '"id" uuid primary key',
      ...table.columns.map((column) => columnSql(table, column)),
      ...(table.hasWords ? ['"_words" text[] not null'] : []),
      ...(hasOwner(collection)
        ? ['"_owner_id" uuid references "users" ("id") on delete set null']
        : []),
      '"created_at" timestamptz not null default now()',
      '"updated_at" timestamptz not null default now()',
    ],
    indexes: [
      ...table.indexes.map((index) => indexSql(table, index)),
      ...(hasOwner(collection) ? [ownerIndexSql(table)] : []),
    ],
  };
}

function columnSql(table: Table, { name, definition, nullable, check }: Column): string {
  const parts = [quoted(name), definition];
  if (!nullable) parts.push('not null');
  if (check !== undefined) {
    const constraint = quoted(objectName(table.name, name, 'check'));
    parts.push(`\n    constraint ${constraint} check (${check})`);
  }
  return parts.join(' ').replaceAll(' \n', '\n');
}

function indexSql(table: Table, { name, on, unique, method }: Index): string {
  const using = method === 'btree' ? '' : ` using ${method}`;
  const kind = unique ? 'unique index' : 'index';
  return `create ${kind} ${quoted(name)}\n  on ${quoted(table.name)}${using} (${on.map(indexed).join(', ')});`;
}

/** For lists of one's own items, and for the removal of a user. */
const ownerIndexSql = ({ name }: Table): string =>
  `create index ${quoted(objectName(name, 'owner', 'idx'))}\n  on ${quoted(name)} ("_owner_id", "id");`;

/** Anything but a column or a call stands in parentheses of its own. */
const indexed = (expression: string): string =>
  /^"[^"]+"$|^[a-z0-9_]+\(.*\)$|^\(.*\)$/s.test(expression) ? expression : `(${expression})`;

const foreignKeySql = (
  table: Table,
  { name, column, table: target, onDelete }: ForeignKey,
): string =>
  `alter table ${quoted(table.name)} add constraint ${quoted(name)}\n  ` +
  `foreign key (${quoted(column)}) references ${quoted(target)} ("id")\n  ` +
  `on delete ${onDelete} deferrable initially deferred;`;
