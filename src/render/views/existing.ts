/** What templates say of existing tables. */
import type { Collection, Model } from '../../model/types.ts';
import type { BuiltInTime } from '../../shared/built-in-members.ts';
import { quoted } from '../../shared/sql.ts';
import { existingName } from '../../migration/existing-tables.ts';
import { existingTables, hasExistingNumbers } from '../../model/existing.ts';

/** What all templates say of the existing tables of a service. */
export interface ExistingTablesView {
  /** Whether some collection has an existing table, and one with numbers as ids. */
  readonly existing: boolean;
  readonly existingNumbers: boolean;
  /** The schema that the tables of the service are in; empty for that of the connection. */
  readonly schema: string;
  /** Whether a test file needs a database of its own on PostgreSQL, and not only a schema. */
  readonly ownDatabase: boolean;
  /** The existing tables, quoted, with the columns of their ids. */
  readonly existingKeys: readonly { readonly table: string; readonly key: string }[];
  /** The schemas that they are in. */
  readonly existingSchemas: readonly string[];
}

export function existingTablesView(model: Model): ExistingTablesView {
  const tables = existingTables(model);
  const keys = new Map(tables.map((table) => [existingName(table), table.key]));
  const { schema = '' } = model.service;
  return {
    existing: tables.length > 0,
    existingNumbers: hasExistingNumbers(model),
    schema,
    ownDatabase: schema !== '',
    existingKeys: [...keys].map(([table, key]) => ({ table, key })),
    existingSchemas: [...new Set(tables.map((table) => table.schema))],
  };
}

/** What templates of a collection say of its table. */
export interface TableView {
  /** Whether it is an existing one. */
  readonly existing: boolean;
  /** The times that items have. */
  readonly times: readonly BuiltInTime[];
  readonly hasCreatedAt: boolean;
  readonly hasUpdatedAt: boolean;
}

export const tableView = ({ definition: { times, existing } }: Collection): TableView => ({
  existing: existing !== undefined,
  times,
  hasCreatedAt: times.includes('created_at'),
  hasUpdatedAt: times.includes('updated_at'),
});

/** The table that rows are in, quoted: tests add rules to it. */
export const rowsTable = ({ table }: Collection): string =>
  table.existing === undefined ? quoted(table.name) : existingName(table.existing);
