/**
 * The statements of a collection, made from one object for each table: a member that is missing there
 * does not compile, and no placeholder has to be counted.
 */
import type { Statement } from './database.ts';

/** The SQL expression that each member of an item is selected by. */
export type SelectedColumns<Item> = Readonly<Record<keyof Item & string, string>>;

type ColumnValue<Values> = (values: Values) => unknown;

/**
 * The value of each column that is written: one for each member of `Values`, and any others.
 * `Renamed` are members whose column has another name.
 */
export type WrittenColumns<Values, Renamed extends keyof Values = never> = Readonly<
  Record<Exclude<keyof Values, Renamed>, ColumnValue<Values>>
> &
  Readonly<Record<string, ColumnValue<Values>>>;

/** `"books"."title" as "title", …`: the list of a `select` or `returning`, by default of all members. */
export const selectList = (
  columns: Readonly<Record<string, string>>,
  members: readonly string[] = Object.keys(columns),
): string => members.map((member) => `${columns[member]} as "${member}"`).join(', ');

/** The statements of a table with an `id`, whose revision is in `updated_at`. */
interface CrudStatements {
  readonly find: Statement;
  readonly insert: Statement;
  readonly update: Statement;
  readonly delete: Statement;
}

/**
 * The statements of a table. Parameters: `find`, the id; `insert`, the id, with `hasOwner` the id of the
 * owner, and the values of `written`; `update`, the id, the revision, and these values; `delete`, the id
 * and the revision, or null. All but `delete` return the selected members.
 * @param table the name, quoted.
 */
export function crudStatements(
  table: string,
  selected: Readonly<Record<string, string>>,
  written: Readonly<Record<string, unknown>>,
  { hasOwner = false } = {},
): CrudStatements {
  const members = selectList(selected);
  const names = Object.keys(written);
  const inserted = ['id', ...(hasOwner ? ['_owner_id'] : []), ...names];
  const columns = inserted.map((name) => `"${name}"`).join(', ');
  const values = inserted.map((_name, at) => `$${at + 1}`).join(', ');
  const assignments = names.map((name, at) => `"${name}" = $${at + 3}`).join(', ');
  return {
    find: {
      prepared: true,
      pipelined: true,
      text: `select ${members} from ${table} where "id" = $1`,
    },
    insert: {
      prepared: true,
      pipelined: 'overflow',
      text: `insert into ${table} (${columns}) values (${values}) returning ${members}`,
    },
    // If the row was changed concurrently, it has another revision, and nothing is updated.
    update: {
      prepared: true,
      text: `update ${table} set ${assignments}
        where "id" = $1 and "updated_at" = $2 returning ${members}`,
    },
    delete: {
      prepared: true,
      text: `delete from ${table}
        where "id" = $1 and ($2::timestamptz is null or "updated_at" = $2) returning "id"`,
    },
  };
}

/** The values of the columns, in their order. */
export const parametersOf = <Values>(
  columns: Readonly<Record<string, ColumnValue<Values>>>,
  values: Values,
): unknown[] => Object.values(columns).map((valueOf) => valueOf(values));
