/** What templates say of existing tables. */
import type { Collection, Model } from '../../model/types.ts';
import type { BuiltInTime } from '../../shared/built-in-members.ts';
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
  /** The times that items have. */
  readonly times: readonly BuiltInTime[];
  /** The same with their types in TypeScript. */
  readonly timeMembers: readonly TimeMember[];
  /** Code for the options of the shape of an item. */
  readonly timeOptions: string;
  /** Those that are null in rows of other programs. */
  readonly nullableTimes: readonly BuiltInTime[];
  /** An update that makes these null in the row of an item, whose id is `$1`; undefined if there are none. */
  readonly clearTimes: string | undefined;
  readonly hasCreatedAt: boolean;
  readonly hasUpdatedAt: boolean;
  /** How items are removed, if their rows stay. */
  readonly softDelete: SoftDeleteView | undefined;
}

interface TimeMember {
  readonly name: BuiltInTime;
  /** In TypeScript. */
  readonly type: string;
}

interface SoftDeleteView {
  /** SQL: the value of the column, and the end of a query for a row of a removed item, whose id is `$1`. */
  readonly value: string;
  readonly removed: string;
  /** An update that marks a row, whose id is `$1`. */
  readonly mark: string;
  /** The tables and columns of references that forbid a removal, quoted. */
  readonly referrers: readonly { readonly table: string; readonly column: string }[];
}

export const tableView = (collection: Collection, model: Model): TableView => {
  const { times, existing } = collection.definition;
  const nullableTimes = existing?.nullableTimes ?? [];
  const others = membersWithOtherValues(collection);
  return {
    existing: existing !== undefined,
    times,
    timeMembers: times.map((name) => ({
      name,
      type: nullableTimes.includes(name) ? 'string | null' : 'string',
    })),
    timeOptions: [
      `times: ${stringsLiteral(times)}`,
      ...(nullableTimes.length > 0 ? [`nullableTimes: ${stringsLiteral(nullableTimes)}`] : []),
      ...(others.length > 0
        ? [
            `asAnswered: withOtherValues({ ${others.map(([name, type]) => `${name}: '${type}'`).join(', ')} })`,
          ]
        : []),
    ].join(', '),
    nullableTimes,
    clearTimes:
      nullableTimes.length === 0
        ? undefined
        : `update ${quoted(collection.table.name)} set ${nullableTimes.map((name) => `${quoted(name)} = null`).join(', ')} where "id" = $1`,
    hasCreatedAt: times.includes('created_at'),
    hasUpdatedAt: times.includes('updated_at'),
    softDelete:
      existing?.softDelete && softDeleteView(collection, existing, existing.softDelete, model),
  };
};

function softDeleteView(
  collection: Collection,
  existing: ExistingTable,
  softDelete: SoftDelete,
  model: Model,
): SoftDeleteView {
  const condition = isKept(quoted(softDelete.column), softDelete);
  const value = softDelete.type === 'boolean' ? 'true' : 'clock_timestamp()';
  const key = rowCondition(collection, existing);
  const rows = existingName(existing);
  return {
    value,
    removed: `from ${rows} where not (${condition}) and ${key}`,
    mark: `update ${rows} set ${quoted(softDelete.column)} = ${value} where ${key}`,
    referrers: referrersOf(model, collection.definition.name).map(
      ({ collection: from, relation }) => ({
        table: quoted(from.table.name),
        column: quoted(relation.column),
      }),
    ),
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
