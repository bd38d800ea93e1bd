/**
 * The repository of a collection: its statements, with the hooks of `hooks.ts`, and with violated rules
 * of the database as 409 and 422.
 */
import type { Principal } from '../auth/principal.ts';
import type { ListRequest } from '../http/list.ts';
import type { Page } from '../http/page.ts';
import { revisionOf } from '../http/preconditions.ts';
import type { Revised } from '../http/preconditions.ts';
import { newId } from '../http/uuid.ts';
import type { ChangeRule } from './change-rule.ts';
import { constraintError, rejectedError, deletionError } from './constraints.ts';
import type { Reference, Resource } from './constraints.ts';
import type { Database, Statement } from './database.ts';
import { changeWithHooks } from './hooks.ts';
import type { Hooks } from './hooks.ts';
import { notFoundError, otherOwnerError, revisionError, undeletedError } from './not-found.ts';
import { readPage, selectList } from './pages.ts';
import type { FixedFilter, ListTable } from './pages.ts';

/** A resource in a version of the API, with the names of its references there, by their stored names. */
type Named = Resource & { readonly references?: Readonly<Record<string, string>> };

/** The SQL expression that each member of an item is selected by. */
export type SelectedColumns<Item> = Readonly<Record<keyof Item & string, string>>;

/**
 * The value of each column that is written: one for each member of `Values`, and any others.
 * `Renamed` are members whose column has another name.
 */
export type WrittenColumns<Values, Renamed extends keyof Values = never> = Readonly<
  Record<Exclude<keyof Values, Renamed>, (values: Values) => unknown> &
    Record<string, (values: Values) => unknown>
>;

/** What a repository is made of. */
interface RepositoryOptions<Item, Values, Unreadable> {
  readonly resource: Named;
  /** The members of an item as SQL, and how they are listed. */
  readonly lists: ListTable;
  /** The SQL expressions of members that clients cannot read; updates need them. */
  readonly unreadable?: SelectedColumns<Unreadable>;
  /** The value of each written column. */
  readonly written: Readonly<Record<string, (values: Values) => unknown>>;
  /** Whether `_owner_id` is written. */
  readonly hasOwner?: boolean;
  /** The SQL expression of the owner of a row, if some callers may change only items of their own. */
  readonly owner?: string;
  /** The table that each reference refers to, quoted. */
  readonly references?: Readonly<Record<string, string>>;
  /** Rules that all changes keep. */
  readonly rules?: readonly ChangeRule[];
  /** A function, because `hooks.ts` may import the repository, and be evaluated after it. */
  readonly hooks?: () => Hooks<Item, Values>;
}

/** The options of every change. */
interface ChangeOptions {
  /** Who makes the change, for hooks. */
  readonly principal?: Principal | undefined;
  /** The user who must own the item when it is written (403 otherwise); undefined for any. */
  readonly ownedBy?: string | undefined;
  /** The names in error messages, if they are not those of the stored collection. */
  readonly resource?: Named | undefined;
}

interface CreateOptions extends ChangeOptions {
  /** The user who owns the item, by default the principal. Ignored if the collection has an owner path. */
  readonly owner?: string | null;
  /** Absent: a new one. */
  readonly id?: string;
}

/** Makes the functions of a collection. `Unreadable` are stored members that clients cannot read. */
export function crudRepository<
  Item extends Revised & { readonly id: string },
  Values extends object,
  Unreadable = unknown,
>({
  resource: own,
  lists,
  unreadable,
  written,
  hasOwner = false,
  owner: ownerColumn,
  references = {},
  rules = [],
  hooks = () => ({}),
}: RepositoryOptions<Item, Values, Unreadable>) {
  const statements = crudStatements(lists, written, hasOwner, ownerColumn, unreadable);

  const insert = async (
    database: Database,
    id: string,
    values: Values,
    owner: string | null,
  ): Promise<Item> => {
    const parameters = [id, ...(hasOwner ? [owner] : []), ...parametersOf(values)];
    const [created] = await database.query<Item>(statements.insert, parameters);
    if (created === undefined) throw rejectedError(own);
    return created;
  };
  const parametersOf = (values: Values): unknown[] =>
    Object.values(written).map((valueOf) => valueOf(values));
  /** The references of the request. Those that a hook changed are left out: items that it created are rolled back. */
  const referencesOf = (
    values: Values,
    hooked: Values,
    { references: names = {} }: Named,
  ): Reference[] =>
    Object.entries(references)
      .map(([name, table]) => ({ name: name as keyof Values & string, table }))
      .filter(({ name }) => values[name] === hooked[name])
      .map(({ name, table }) => ({
        member: names[name] ?? name,
        table,
        id: values[name] as string | null,
      }));

  /** The parameter that statements which change an item have beside others, if its owner may matter. */
  const ownerOf = (ownedBy: string | undefined): unknown[] =>
    ownerColumn === undefined ? [] : [ownedBy];
  /** Whether an item that a statement did not find is there, and belongs to another user. */
  const isOfOthers = async (
    database: Database,
    id: string,
    ownedBy: string | undefined,
  ): Promise<boolean> =>
    ownedBy !== undefined &&
    (await database.query(statements.find, [id])).length > 0 &&
    (await database.query(statements.findStored, [id, ...ownerOf(ownedBy)])).length === 0;

  return {
    /** Reads a page. Fixed filters limit the list to a parent or an owner. */
    list: (
      database: Database,
      list: ListRequest,
      fixedFilters: readonly FixedFilter[] = [],
      table = lists,
    ): Promise<Page<Item>> => readPage<Item>(database, table, list, fixedFilters),

    /** Finds an item. @throws 404 if it never existed, 410 if it was removed. */
    find: (database: Database, id: string, resource: Named = own): Promise<Item> =>
      findRow<Item>(database, statements.find, [id], () => notFoundError(database, resource, id)),

    /** Inserts an item. @throws 409 for a taken unique value, 422 for a broken reference or check. */
    create: async (
      database: Database,
      values: Values,
      {
        principal,
        owner = principal?.userId ?? null,
        resource = own,
        id = newId(),
      }: CreateOptions = {},
    ): Promise<Item> => {
      const { beforeCreate, afterCreate } = hooks();
      let hooked = values;
      try {
        return await changeWithHooks(
          database,
          principal,
          [beforeCreate, afterCreate],
          async (context) => {
            hooked = (await beforeCreate?.(structuredClone(values), context)) ?? values;
            for (const { checkNew } of rules) checkNew?.(resource, hooked);
            const created = await insert(context.database, id, hooked, owner);
            await afterCreate?.(created, context);
            return created;
          },
        );
      } catch (error) {
        throw await constraintError(
          database,
          error,
          resource,
          referencesOf(values, hooked, resource),
        );
      }
    },

    /**
     * Updates an item. After a concurrent change it is tried again, so that no update is lost.
     * @param revision the revision that the item must have (412 otherwise); undefined for any.
     * @param change computes the new values from the stored item.
     * @throws 403, 404, 409, 410, 412 and 422.
     */
    update: async (
      database: Database,
      id: string,
      revision: string | undefined,
      change: (stored: Item & Unreadable) => Values | Promise<Values>,
      { principal, ownedBy, resource = own }: ChangeOptions = {},
    ): Promise<Item> => {
      const { beforeUpdate, afterUpdate } = hooks();
      /** The revision that the last attempt started from; its update found another one. */
      let attempted: string | undefined;
      for (;;) {
        const stored = await findRow<Item & Unreadable>(
          database,
          statements.findStored,
          [id, ...ownerOf(ownedBy)],
          async () =>
            (await isOfOthers(database, id, ownedBy))
              ? otherOwnerError(resource)
              : notFoundError(database, resource, id),
        );
        const storedRevision = revisionOf(stored);
        if (storedRevision !== (revision ?? storedRevision)) throw revisionError(resource);
        if (storedRevision === attempted) throw new Error(CHANGED_BY_HOOK);
        const values = await change(stored);
        let hooked = values;
        try {
          return await changeWithHooks(
            database,
            principal,
            [beforeUpdate, afterUpdate],
            async (changing) => {
              const context = {
                ...changing,
                before: rules.length === 0 ? stored : structuredClone(stored),
              };
              // If the row has changed since `stored` was read, the update below finds another revision.
              for (const { checkRequest } of rules) checkRequest?.(resource, stored, values);
              hooked = (await beforeUpdate?.(structuredClone(values), context)) ?? values;
              for (const { checkChange } of rules) checkChange?.(resource, stored, hooked);
              const parameters = [id, storedRevision, ...parametersOf(hooked), ...ownerOf(ownedBy)];
              const [updated] = await context.database.query<Item>(statements.update, parameters);
              if (updated === undefined) {
                const [now] = await context.database.query<Item>(statements.findStored, [
                  id,
                  ...ownerOf(ownedBy),
                ]);
                // A trigger that returns null stores no row, and says nothing.
                const isUnchanged = now !== undefined && revisionOf(now) === storedRevision;
                throw isUnchanged ? rejectedError(resource) : new ConcurrentChange();
              }
              await afterUpdate?.(updated, context);
              return updated;
            },
          );
        } catch (error) {
          if (error instanceof ConcurrentChange) {
            attempted = storedRevision;
            continue;
          }
          throw await constraintError(
            database,
            error,
            resource,
            referencesOf(values, hooked, resource),
          );
        }
      }
    },

    /**
     * Deletes an item.
     * @param revision the revision that the item must have (412 otherwise); undefined for any.
     * @throws 403, 404, 410, 412, and 409 if other items refer to it.
     */
    delete: async (
      database: Database,
      id: string,
      revision?: string,
      { principal, ownedBy, resource = own }: ChangeOptions = {},
    ): Promise<void> => {
      const { beforeDelete, afterDelete } = hooks();
      const undeleted = async (inside: Database): Promise<Error> =>
        (await isOfOthers(inside, id, ownedBy))
          ? otherOwnerError(resource)
          : undeletedError(inside, resource, id, revision);
      try {
        await changeWithHooks(database, principal, [beforeDelete, afterDelete], async (context) => {
          const { database: inside } = context;
          const isLocked = (beforeDelete ?? afterDelete) !== undefined;
          const [item] = isLocked
            ? await inside.query<Item>(statements.lock, [id, revision, ...ownerOf(ownedBy)])
            : [];
          if (item !== undefined) await beforeDelete?.(item, context);
          // Once it is locked, only the hook can have changed it.
          const parameters = [id, item === undefined ? revision : null, ...ownerOf(ownedBy)];
          const deleted = await inside.query(statements.delete, parameters);
          if (deleted.length === 0) throw await undeleted(inside);
          if (item !== undefined) await afterDelete?.(item, context);
        });
      } catch (error) {
        throw deletionError(error, resource.item);
      }
    },
  };
}

/** What the log says where nobody else has changed the item. */
const CHANGED_BY_HOOK = '`beforeUpdate` changed the row of the item: return the new values instead';

/** An update found another revision of the item than the one that it started from. */
class ConcurrentChange extends Error {}

async function findRow<Row>(
  database: Database,
  statement: Statement,
  parameters: readonly unknown[],
  errorOf: () => Promise<Error>,
): Promise<Row> {
  const [row] = await database.query<Row>(statement, parameters);
  if (row === undefined) throw await errorOf();
  return row;
}

/**
 * The statements of a table. Parameters: `find` and `findStored`, the id; `insert`, the id, with `hasOwner`
 * the id of the owner, and the values of `written`; `update`, the id, the revision, and these values;
 * `lock` and `delete`, the id and the revision, or null. If the owner matters, `findStored`, `update`, `lock` and `delete` have the id of the
 * user who must own the item as their last parameter, or null.
 */
function crudStatements(
  { name: table, members }: ListTable,
  written: Readonly<Record<string, unknown>>,
  hasOwner: boolean,
  owner: string | undefined,
  unreadable: Readonly<Record<string, string>> | undefined,
) {
  const item = selectList(members);
  const names = Object.keys(written);
  const inserted = ['id', ...(hasOwner ? ['_owner_id'] : []), ...names];
  const columns = inserted.map((name) => `"${name}"`).join(', ');
  const values = inserted.map((_name, at) => `$${at + 1}`).join(', ');
  // Without written columns, only the revision changes.
  const assignments = names.map((name, at) => `"${name}" = $${at + 3}`).join(', ') || '"id" = "id"';
  /** The condition on the owner. @param at the position of its parameter. */
  const isOwned = (at: number): string =>
    owner === undefined ? '' : ` and ($${at}::uuid is null or ${owner} = $${at})`;
  const find = (selected: string, condition = ''): Statement => ({
    prepared: true,
    pipelined: true,
    text: `select ${selected} from ${table} where "id" = $1${condition}`,
  });
  const insert: Statement = {
    prepared: true,
    pipelined: 'overflow',
    text: `insert into ${table} (${columns}) values (${values}) returning ${item}`,
  };
  // If the row was changed concurrently, it has another revision, and nothing is updated.
  const update: Statement = {
    prepared: true,
    text: `update ${table} set ${assignments}
      where "id" = $1 and "updated_at" = $2${isOwned(names.length + 3)} returning ${item}`,
  };
  const unchanged = `"id" = $1 and ($2::timestamptz is null or "updated_at" = $2)${isOwned(3)}`;
  const lock: Statement = { text: `select ${item} from ${table} where ${unchanged} for update` };
  const remove: Statement = {
    prepared: true,
    text: `delete from ${table} where ${unchanged} returning "id"`,
  };
  const findStored = find(selectList({ ...members, ...unreadable }), isOwned(2));
  return { find: find(item), findStored, lock, insert, update, delete: remove };
}
