/** `ItemTable`: what a repository asks of the rows of its items. `ownTable` asks it of a table of the service. */
import { revisionOf } from '../http/preconditions.ts';
import type { Revised } from '../http/preconditions.ts';
import type { Resource } from './constraints.ts';
import type { Database, Statement } from './database.ts';
import { selectList } from './pages.ts';
import type { ListTable } from './pages.ts';
import { GENERATED_ID } from './row-id.ts';

/** An item as the repository knows it. */
export type Identified = Revised & { readonly id: string };

/**
 * The rows of a collection; each function is one statement, which returns undefined if there is no such row, or if it
 * wrote none.
 *
 * Those of rows that exist take the user who must own the item, or undefined for any; `revision` is the one that the
 * row must have, or undefined.
 */
export interface ItemTable<Item, Values, Unreadable = unknown> {
  find(database: Database, id: string): Promise<Item | undefined>;
  /** The item with the members that clients cannot read. */
  findStored(
    database: Database,
    id: string,
    ownedBy: string | undefined,
  ): Promise<(Item & Unreadable) | undefined>;
  /** @param id the id, if it is not new. */
  insert(
    database: Database,
    values: Values,
    owner: string | null,
    id?: string,
  ): Promise<Item | undefined>;
  /** Updates the row if it still has the revision of the stored item. */
  update(
    database: Database,
    stored: Item & Unreadable,
    values: Values,
    ownedBy: string | undefined,
  ): Promise<Item | undefined>;
  lock(
    database: Database,
    id: string,
    revision: string | undefined,
    ownedBy: string | undefined,
  ): Promise<Item | undefined>;
  /** @returns the item, or its id alone: see `TableOptions.readsRemoved`. */
  remove(
    database: Database,
    id: string,
    revision: string | undefined,
    ownedBy: string | undefined,
  ): Promise<Item | undefined>;
  /** Whether removed items keep their rows; then `remove` returns what the row is after it. */
  readonly keepsRemoved: boolean;
}

/** What the functions of a table are made of. */
export interface TableOptions<Values> {
  readonly resource: Resource;
  /** The members of an item as SQL, and how they are listed. */
  readonly lists: ListTable;
  /** The SQL expressions of members that clients cannot read; updates need them. */
  readonly unreadable?: Readonly<Record<string, string>> | undefined;
  /** The value of each written column. */
  readonly written: Readonly<Record<string, (values: Values) => unknown>>;
  /** Whether `_owner_id` is written. */
  readonly hasOwner?: boolean | undefined;
  /** The SQL expression of the owner of a row, if some callers may change only items of their own. */
  readonly owner?: string | undefined;
  /** Whether the whole item is needed that `remove` removes; else it returns its id alone. */
  readonly readsRemoved: boolean;
}

/** Makes the functions of a table. */
export type MakeTable = <Item extends Identified, Values, Unreadable>(
  options: TableOptions<Values>,
) => ItemTable<Item, Values, Unreadable>;

/** The end of a condition that the row belongs to a user. @param at the position of the parameter. */
export const ownedCondition = (owner: string | undefined, at: number): string =>
  owner === undefined ? '' : ` and ($${at}::uuid is null or ${owner} = $${at})`;

/** An INSERT of these columns, with a parameter for each. */
export function insertion(table: string, names: readonly string[], returned: string): string {
  const columns = names.map((name) => `"${name}"`).join(', ');
  const values = names.map((_name, at) => `$${at + 1}`).join(', ');
  // A collection may have no fields that are written.
  const source = names.length === 0 ? 'default values' : `(${columns}) values (${values})`;
  return `insert into ${table} ${source} returning ${returned}`;
}

/** The first row of a statement. */
const first = async <Row>(
  database: Database,
  statement: Statement,
  parameters: readonly unknown[],
): Promise<Row | undefined> => (await database.query<Row>(statement, parameters))[0];

/** A table of the service. A trigger sets `updated_at`, which is the revision, and another remembers removed ids. */
export const ownTable: MakeTable = <Item extends Identified, Values, Unreadable>({
  resource: { id: rowId = GENERATED_ID },
  lists: { name: table, members },
  unreadable,
  written,
  hasOwner = false,
  owner,
  readsRemoved,
}: TableOptions<Values>): ItemTable<Item, Values, Unreadable> => {
  const item = selectList(members);
  const names = Object.keys(written);
  const given = [...(hasOwner ? ['_owner_id'] : []), ...names];
  const insert = (columns: readonly string[]): Statement => ({
    prepared: true,
    pipelined: 'overflow',
    text: insertion(table, columns, item),
  });
  const [insertWithId, insertWithoutId] = [insert(['id', ...given]), insert(given)];
  const find = (selected: string, condition = ''): Statement => ({
    prepared: true,
    pipelined: true,
    text: `select ${selected} from ${table} where ${rowId.condition}${condition}`,
  });
  const findItem = find(item);
  const findStored = find(selectList({ ...members, ...unreadable }), ownedCondition(owner, 2));
  // Without written columns, only the revision changes.
  const assignments = names.map((name, at) => `"${name}" = $${at + 3}`).join(', ') || '"id" = "id"';
  // If the row was changed concurrently, it has another revision, and nothing is updated.
  const update: Statement = {
    prepared: true,
    text: `update ${table} set ${assignments}
      where ${rowId.condition} and "updated_at" = $2${ownedCondition(owner, names.length + 3)} returning ${item}`,
  };
  const unchanged = `${rowId.condition} and ($2::timestamptz is null or "updated_at" = $2)${ownedCondition(owner, 3)}`;
  const lock: Statement = { text: `select ${item} from ${table} where ${unchanged} for update` };
  const remove: Statement = {
    prepared: true,
    text: `delete from ${table} where ${unchanged} returning ${readsRemoved ? item : '"id"'}`,
  };

  const valuesOf = (values: Values): unknown[] =>
    Object.values(written).map((valueOf) => valueOf(values));
  const ownerOf = (ownedBy: string | undefined): unknown[] =>
    owner === undefined ? [] : [ownedBy];
  return {
    find: (database, id) => first(database, findItem, [id]),
    findStored: (database, id, ownedBy) => first(database, findStored, [id, ...ownerOf(ownedBy)]),
    insert: (database, values, creator, id = rowId.generate?.()) => {
      const parameters = [...(hasOwner ? [creator] : []), ...valuesOf(values)];
      return id === undefined
        ? first(database, insertWithoutId, parameters)
        : first(database, insertWithId, [id, ...parameters]);
    },
    update: (database, stored, values, ownedBy) =>
      first(database, update, [
        stored.id,
        revisionOf(stored),
        ...valuesOf(values),
        ...ownerOf(ownedBy),
      ]),
    lock: (database, id, revision, ownedBy) =>
      first(database, lock, [id, revision, ...ownerOf(ownedBy)]),
    remove: (database, id, revision, ownedBy) =>
      first(database, remove, [id, revision, ...ownerOf(ownedBy)]),
    keepsRemoved: false,
  };
};
