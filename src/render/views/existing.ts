/** What templates say of existing tables. */
import type { Collection, Model } from '../../model/types.ts';
import { stringsLiteral } from '../../shared/literals.ts';
import { quoted } from '../../shared/sql.ts';
import type { ExistingTable } from '../../definition/types.ts';
import { isKept } from '../../shared/soft-delete.ts';
import type { SoftDelete } from '../../shared/soft-delete.ts';
import { comparedPart, keyPartsOf, partsOfId } from '../../model/key-parts.ts';
import { sourceOf } from '../../model/columns.ts';
import { membersWithOtherValues } from '../../model/other-values.ts';
import { collectionNamed, referrersOf } from '../../model/lookup.ts';
import { existingTables, hasExistingNumbers, existingName } from '../../model/existing.ts';

/** What all templates say of the existing tables of a service. */
export interface ExistingTablesView {
  /** Whether some collection has an existing table, and one whose rows a sequence numbers. */
  readonly existing: boolean;
  readonly existingNumbers: boolean;
  /** Whether removals keep the rows of some. */
  readonly softDeletes: boolean;
  /** The schema that the tables of the service are in; empty for that of the connection. */
  readonly schema: string;
  /** Whether a test file needs a database of its own on PostgreSQL, and not only a schema. */
  readonly ownDatabase: boolean;
  /** The existing tables, quoted, with columns that have to be unique: those of ids, and those of links to owners. */
  readonly existingKeys: readonly { readonly table: string; readonly columns: readonly string[] }[];
  /** The schemas that they are in. */
  readonly existingSchemas: readonly string[];
}

export function existingTablesView(model: Model): ExistingTablesView {
  const tables = existingTables(model);
  // Several collections may have one table.
  const keys = new Map(
    [
      ...tables.map((table) => ({ table: existingName(table), columns: table.keyColumns })),
      ...linkColumns(model),
    ].map((key) => [JSON.stringify(key), key]),
  );
  const { schema = '' } = model.service;
  return {
    existing: tables.length > 0,
    existingNumbers: hasExistingNumbers(model),
    softDeletes: tables.some(({ softDelete }) => softDelete !== undefined),
    schema,
    ownDatabase: schema !== '',
    existingKeys: [...keys.values()],
    existingSchemas: [...new Set(tables.map((table) => table.schema))],
  };
}

/** The existing tables that owner paths go over, quoted, each with the column that has one row for each item. */
const linkColumns = (model: Model): { table: string; columns: readonly string[] }[] =>
  model.collections.flatMap(({ definition: { owner = [] } }) =>
    owner.flatMap(({ collection, link }) => {
      const linking = collectionNamed(model, collection);
      const existing = linking?.definition.existing;
      const column = linking?.table.columns.find(({ field }) => field === link);
      return existing === undefined || column === undefined
        ? []
        : [{ table: existingName(existing), columns: [sourceOf(column)] }];
    }),
  );

/** What templates of a collection say of its table. */
export interface TableView {
  /** Whether it is an existing one. */
  readonly existing: boolean;
  /** The times that items have, with their types in TypeScript, and the revision that items of an existing table have. */
  readonly timeMembers: readonly TimeMember[];
  /** How items are removed, if their rows stay. */
  readonly softDelete: SoftDeleteView | undefined;
}

interface TimeMember {
  readonly name: string;
  /** In TypeScript. */
  readonly type: string;
}

interface SoftDeleteView {
  /** SQL: the value of the column, and the end of a query for a row of a removed item, whose id is `$1`. */
  readonly value: string;
  readonly removed: string;
  /** The tables and columns of references that forbid a removal, quoted. */
  readonly referrers: readonly { readonly table: string; readonly column: string }[];
}

export const tableView = (collection: Collection, model: Model): TableView => {
  const { times, existing } = collection.definition;
  const nullableTimes = existing?.nullableTimes ?? [];
  return {
    existing: existing !== undefined,
    timeMembers: [
      ...times.map((name) => ({
        name,
        type: nullableTimes.includes(name) ? 'string | null' : 'string',
      })),
      ...(existing === undefined ? [] : [{ name: '[REVISION]?', type: 'string | undefined' }]),
    ],
    softDelete:
      existing?.softDelete && softDeleteView(collection, existing, existing.softDelete, model),
  };
};

/** Code for the options of the shape of an item that only existing tables need. */
export function existingShapeOptions(collection: Collection): string[] {
  const { times, existing } = collection.definition;
  if (existing === undefined) return [];
  const { nullableTimes = [] } = existing;
  const others = membersWithOtherValues(collection);
  return [
    `times: ${stringsLiteral(times)}`,
    ...(nullableTimes.length > 0 ? [`nullableTimes: ${stringsLiteral(nullableTimes)}`] : []),
    ...(others.length > 0
      ? [
          `asAnswered: withOtherValues({ ${others.map(([name, type]) => `${name}: '${type}'`).join(', ')} })`,
        ]
      : []),
  ];
}

/** An update that makes nullable times null in the row of an item, whose id is `$1`; undefined if there are none. */
export function clearedTimes({ definition, table }: Collection): string | undefined {
  const columns = (definition.existing?.nullableTimes ?? []).map(
    (name) => `${quoted(name)} = null`,
  );
  if (columns.length === 0) return undefined;
  return `update ${quoted(table.name)} set ${columns.join(', ')} where "id" = $1`;
}

function softDeleteView(
  collection: Collection,
  existing: ExistingTable,
  softDelete: SoftDelete,
  model: Model,
): SoftDeleteView {
  return {
    ...softDeletionSql(collection, existing, softDelete),
    referrers: referrersOf(model, collection.definition.name).map(
      ({ collection: from, relation }) => ({
        table: quoted(from.table.name),
        column: quoted(relation.column),
      }),
    ),
  };
}

/** SQL: the value of the column, and the end of a query for a row of a removed item, whose id is `$1`. */
function softDeletionSql(
  collection: Collection,
  existing: ExistingTable,
  softDelete: SoftDelete,
): Pick<SoftDeleteView, 'value' | 'removed'> {
  const condition = isKept(quoted(softDelete.column), softDelete);
  return {
    value: softDelete.type === 'boolean' ? 'true' : 'clock_timestamp()',
    removed: `from ${existingName(existing)} where not (${condition}) and ${rowCondition(collection, existing)}`,
  };
}

/** The statements of tests of soft deletion, each with the id of an item as `$1`. */
export interface SoftDeletionStatements {
  /** Selects the row if the item is removed. */
  readonly removed: string;
  /** Marks the row as removed. */
  readonly mark: string;
}

export function softDeletionStatements(collection: Collection): SoftDeletionStatements | undefined {
  const { existing } = collection.definition;
  if (existing?.softDelete === undefined) return undefined;
  const { value, removed } = softDeletionSql(collection, existing, existing.softDelete);
  const column = quoted(existing.softDelete.column);
  return {
    removed: `select 1 ${removed}`,
    mark: `update ${existingName(existing)} set ${column} = ${value} where ${rowCondition(collection, existing)}`,
  };
}

/** The condition for the row of an existing table with the id `$1`. */
function rowCondition(collection: Collection, { keyColumns }: ExistingTable): string {
  const parts = keyPartsOf(collection);
  if (parts.length === 0) return `${quoted(keyColumns[0])} = $1`;
  const compared = parts.map((part) => comparedPart(part, quoted(sourceOf(part.column))));
  return `(${compared.join(', ')}) = (${partsOfId(parts, '$1').join(', ')})`;
}

/** The table that rows are in, quoted: tests add rules to it. */
export const rowsTable = ({ table }: Collection): string =>
  table.existing === undefined ? quoted(table.name) : existingName(table.existing);
