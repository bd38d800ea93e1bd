/** `existingTable`: the table of another program, through its view. What own tables have triggers for is in statements. */
import { conflict } from '../http/errors.ts';
import { isSameJson } from '../http/json.ts';
import { REVISION, revisionOf } from '../http/preconditions.ts';
import { UNIQUE_VIOLATION } from './constraints.ts';
import type { Violation } from './constraints.ts';
import type { Database, Statement } from './database.ts';
import { insertion, ownedCondition } from './item-table.ts';
import type { Identified, ItemTable, MakeTable, TableOptions } from './item-table.ts';
import { selectList } from './pages.ts';
import { GENERATED_ID } from './row-id.ts';

/** What `_is_new_id` in the migrations calls a violation if the client chose the id of a removed item. */
const REMOVED_ID = '_tombstones';

/** 409 for an item with the id of a removed one. */
export const removedIdTaken: Violation = ({ code, constraint }, { anItem }) =>
  code === UNIQUE_VIOLATION && constraint === REMOVED_ID
    ? conflict(`The id of ${anItem} that was removed is not used again.`)
    : undefined;

interface ExistingOptions {
  /** Whether updates set `updated_at`. */
  readonly setsUpdatedAt?: boolean;
  /** Columns with a default in the database: where their value is undefined, an INSERT or UPDATE leaves them out. */
  readonly databaseDefaults?: readonly string[];
}

/** Makes the functions of an existing table. Its view has the revision of each row. */
export const existingTable =
  ({ setsUpdatedAt = false, databaseDefaults = [] }: ExistingOptions = {}): MakeTable =>
  <Item extends Identified, Values, Unreadable>({
    resource: { collection, id: rowId = GENERATED_ID, revision = '"_revision"', softDelete },
    lists: { name: table, members },
    unreadable,
    written,
    hasOwner = false,
    owner,
    readsRemoved,
  }: TableOptions<Values>): ItemTable<Item, Values, Unreadable> => {
    const { condition, generate, isReused = false, sequence, tombstones, tombstoneType } = rowId;
    const item = selectList({ ...members, _revision: revision });
    const names = Object.keys(written);

    /** Refuses a new row with the id of a removed item (`_is_new_id` in the migrations). */
    const refusingReusedIds = (inserted: string): string => {
      if (isReused || generate !== undefined) return inserted;
      const key = sequence?.key.replaceAll("'", "''") ?? REMOVED_ID;
      return `with "inserted" as (${inserted})
        select * from "inserted" where "_is_new_id"('${collection}', "id"::${tombstoneType}, '${key}')`;
    };
    const insertInto = (columns: readonly string[], prepared: boolean): Statement => ({
      prepared,
      pipelined: prepared && 'overflow',
      text: refusingReusedIds(insertion(table, columns, item)),
    });
    /**
     * The INSERT without some columns. Those without all or none stay prepared; of the others, there could be one for
     * each combination.
     */
    const insert = (absent: readonly string[], id: string | undefined): Statement => {
      const isPrepared = absent.length === 0 || absent.length === databaseDefaults.length;
      const sent = names.filter((name) => !absent.includes(name));
      const given = [...(hasOwner ? ['_owner_id'] : []), ...sent];
      return insertInto([...(id === undefined ? [] : ['id']), ...given], isPrepared);
    };
    /** The columns that are left to the database. */
    const absentColumns = (values: Values): string[] =>
      databaseDefaults.filter((name) => written[name]?.(values) === undefined);

    const find = (selected: string, owned = ''): Statement => ({
      prepared: true,
      pipelined: true,
      text: `select ${selected} from ${table} where ${condition}${owned}`,
    });
    const findItem = find(item);
    const findStored = find(
      selectList({ ...members, ...unreadable, _revision: revision }),
      ownedCondition(owner, 2),
    );

    const touch = setsUpdatedAt ? ['"updated_at" = clock_timestamp()'] : [];
    // Without changed columns, only the revision changes.
    const unchangedColumn = names.find((name) => name !== 'id') ?? 'id';
    const unchangedAssignment = `"${unchangedColumn}" = "${unchangedColumn}"`;
    // If the row was changed concurrently, it has another revision, and nothing is updated.
    const update = (changed: readonly string[]): Statement => {
      const assigned = changed.map((name, at) => `"${name}" = $${at + 3}`);
      return {
        text: `update ${table} set ${[...assigned, ...touch].join(', ') || unchangedAssignment}
          where ${condition} and ${revision} = $2${ownedCondition(owner, changed.length + 3)} returning ${item}`,
      };
    };
    /**
     * The columns that an update assigns: those whose values differ, because other programs may have stored in the
     * others what JSON cannot represent.
     */
    const changedColumns = (stored: Item & Unreadable, values: Values): string[] => {
      const before = stored as unknown as Values;
      const absent = absentColumns(values);
      return Object.entries(written)
        .filter(([name]) => !absent.includes(name))
        .filter(([, valueOf]) => !isSameJson(valueOf(before), valueOf(values)))
        .map(([name]) => name);
    };

    const unchanged = `${condition} and ($2::text is null or ${revision} = $2)${ownedCondition(owner, 3)}`;
    const lock: Statement = { text: `select ${item} from ${table} where ${unchanged} for update` };
    const withTombstones = (deletion: string): string =>
      `with "removed" as (${deletion}), "tombstones" as (
          insert into "${tombstones}" ("id", "collection")
          select "id"::${tombstoneType}, '${collection}' from "removed" on conflict do nothing)
        select * from "removed"`;
    const deletion =
      softDelete === undefined
        ? `delete from ${table}`
        : `update ${table} set ${[`"_removed" = ${softDelete.value}`, ...touch].join(', ')}`;
    const remove: Statement = {
      prepared: true,
      text: withTombstones(
        `${deletion} where ${unchanged} returning ${readsRemoved ? item : '"id"'}`,
      ),
    };

    const ownerOf = (ownedBy: string | undefined): unknown[] =>
      owner === undefined ? [] : [ownedBy];
    return {
      find: (database, id) => first(database, findItem, [id]),
      findStored: (database, id, ownedBy) =>
        first<Item & Unreadable & object>(database, findStored, [id, ...ownerOf(ownedBy)]),
      insert: (database, values, creator, id = generate?.()) => {
        const absent = absentColumns(values);
        const parameters = Object.entries(written)
          .filter(([name]) => !absent.includes(name))
          .map(([, valueOf]) => valueOf(values));
        return first(database, insert(absent, id), [
          ...(id === undefined ? [] : [id]),
          ...(hasOwner ? [creator] : []),
          ...parameters,
        ]);
      },
      update: (database, stored, values, ownedBy) => {
        const changed = changedColumns(stored, values);
        const parameters = changed.map((name) => written[name]?.(values));
        return first(database, update(changed), [
          stored.id,
          revisionOf(stored),
          ...parameters,
          ...ownerOf(ownedBy),
        ]);
      },
      lock: (database, id, expected, ownedBy) =>
        first(database, lock, [id, expected, ...ownerOf(ownedBy)]),
      remove: (database, id, expected, ownedBy) =>
        first(database, remove, [id, expected, ...ownerOf(ownedBy)]),
      keepsRemoved: softDelete !== undefined,
    };
  };

/** The item of the first row of a statement. */
async function first<Row extends object>(
  database: Database,
  statement: Statement,
  parameters: readonly unknown[],
): Promise<Row | undefined> {
  const [row] = await database.query<Row>(statement, parameters);
  return row && itemOf(row);
}

/** The item of a row. Its revision is no member of its JSON. */
function itemOf<Item extends object>(row: Item): Item {
  const { _revision: revision, ...item } = row as Item & { readonly _revision?: string };
  return revision === undefined ? row : ({ ...item, [REVISION]: revision } as unknown as Item);
}
