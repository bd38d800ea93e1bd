/**
 * The repository of a collection: its statements, with the rules and hooks of its changes, and with violated rules
 * of the database as 409 and 422.
 */
import type { Principal } from '../auth/principal.ts';
import type { ListRequest } from '../http/list.ts';
import type { Page } from '../http/page.ts';
import { REVISION, revisionOf } from '../http/preconditions.ts';
import type { ChangeRule } from './change-rule.ts';
import { constraintError, deletionError, rejectedError } from './constraints.ts';
import type { Reference, Resource } from './constraints.ts';
import type { Database } from './database.ts';
import { changeWithHooks } from './hooks.ts';
import type { Hooks } from './hooks.ts';
import { ownTable } from './item-table.ts';
import type { Identified, MakeTable, TableOptions } from './item-table.ts';
import { notFoundError, otherOwnerError, revisionError, undeletedError } from './not-found.ts';
import { readPage } from './pages.ts';
import type { FixedFilter } from './pages.ts';

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
interface RepositoryOptions<Item, Values, Unreadable, New> extends Omit<
  TableOptions<Values>,
  'readsRemoved' | 'unreadable'
> {
  readonly unreadable?: SelectedColumns<Unreadable>;
  /** What kind of table the rows are in; absent: a table of the service. */
  readonly table?: MakeTable;
  /** The table that each reference refers to, quoted. */
  readonly references?: Readonly<Record<string, string>>;
  /** Rules that all changes keep. */
  readonly rules?: readonly ChangeRule<Item>[];
  /** A function, because `hooks.ts` may import the repository, and be evaluated after it. */
  readonly hooks?: () => Hooks<Item, Values, New>;
}

/** The options of every change. */
interface ChangeOptions {
  /** Who makes the change, for hooks. */
  readonly principal?: Principal | undefined;
  /** The user who must own the item when it is written (403 otherwise); undefined for any. */
  readonly ownedBy?: string | undefined;
  /** The names in error messages, if they are not those of the stored collection. */
  readonly resource?: Resource | undefined;
}

interface WriteOptions extends ChangeOptions {
  /** Runs in the same transaction, after the hooks. */
  readonly finish?: ((transaction: Database) => Promise<void>) | undefined;
}

interface CreateOptions extends WriteOptions {
  /** The user who owns the item, by default the principal. Ignored if the collection has an owner path. */
  readonly owner?: string | null;
  /** Absent: a new one. */
  readonly id?: string | undefined;
}

/** An insert without hooks, which a dry run rolls back. */
export interface Insertion<Values> {
  /** @param id absent: a new one. @throws the errors of the database. */
  readonly insert: (database: Database, values: Values, id?: string) => Promise<object>;
  /** The error for an error of `insert`; undefined if a hook may resolve it. */
  readonly errorOf: (
    database: Database,
    error: unknown,
    values: Values,
    resource?: Resource,
  ) => Promise<unknown>;
}

/**
 * Makes the functions of a collection. `Unreadable` are stored members that clients cannot read, and
 * `New` the values of a new item before `beforeCreate`.
 */
export function crudRepository<
  Item extends Identified,
  Values extends object,
  Unreadable = unknown,
  New extends object = Values,
>({
  resource: own,
  table: makeTable = ownTable,
  references = {},
  rules = [],
  hooks = () => ({}),
  ...options
}: RepositoryOptions<Item, Values, Unreadable, New>) {
  const readsRemoved = rules.some(({ afterRemoval }) => afterRemoval !== undefined);
  const table = makeTable<Item, Values, Unreadable>({ ...options, resource: own, readsRemoved });
  /** What makes a transaction of a change, as hooks do. */
  const ofWrites = rules.map(({ beforeWrite, afterWrite }) => beforeWrite ?? afterWrite);
  const ofRemovals = rules.map(({ afterRemoval }) => afterRemoval);

  /** The references of the request. Those that a hook changed are left out: items that it created are rolled back. */
  const referencesOf = (
    values: Values,
    hooked: Values,
    { references: names = {} }: Resource,
  ): Reference[] =>
    Object.entries(references)
      .map(([name, of]) => ({ name: name as keyof Values & string, table: of }))
      .filter(({ name }) => values[name] === hooked[name])
      .map(({ name, table: of }) => ({
        member: names[name] ?? name,
        table: of,
        id: values[name] as string | null,
      }));

  /** Whether an item that a statement did not find is there, and belongs to another user. */
  const isOfOthers = async (
    database: Database,
    id: string,
    ownedBy: string | undefined,
  ): Promise<boolean> =>
    ownedBy !== undefined &&
    (await table.find(database, id)) !== undefined &&
    (await table.findStored(database, id, ownedBy)) === undefined;

  const insertion: Insertion<Values> = {
    insert: async (database, values, id) => {
      const created = await table.insert(database, values, null, id);
      if (created === undefined) throw rejectedError(own);
      return created;
    },
    errorOf: async (database, error, values, resource = own) =>
      rules.some(({ mayBeResolved }) => mayBeResolved?.(resource, error))
        ? undefined
        : constraintError(database, error, resource, referencesOf(values, values, resource)),
  };

  return {
    insertion,

    /** Reads a page. Fixed filters limit the list to a parent or an owner. */
    list: (
      database: Database,
      list: ListRequest,
      fixedFilters: readonly FixedFilter[] = [],
      lists = options.lists,
    ): Promise<Page<Item>> => readPage<Item>(database, lists, list, fixedFilters),

    /** Finds an item. @throws 404 if it never existed, 410 if it was removed. */
    find: async (database: Database, id: string, resource: Resource = own): Promise<Item> => {
      const item = await table.find(database, id);
      if (item === undefined) throw await notFoundError(database, resource, id);
      return item;
    },

    /** Inserts an item. @throws 409 for a taken unique value, 422 for a broken reference or check. */
    create: async (
      database: Database,
      given: New,
      {
        principal,
        owner = principal?.userId ?? null,
        resource = own,
        id,
        finish,
      }: CreateOptions = {},
    ): Promise<Item> => {
      const { beforeCreate, afterCreate } = hooks();
      // If `New` lacks members, `beforeCreate` sets them: `CompletingHooks` requires it.
      const values = given as unknown as Values;
      let hooked = values;
      try {
        return await changeWithHooks(
          database,
          principal,
          [beforeCreate, afterCreate, finish, ...ofWrites],
          async (context) => {
            hooked = (await beforeCreate?.(structuredClone(given), context)) ?? values;
            for (const { checkNew } of rules) checkNew?.(resource, hooked);
            for (const { beforeWrite } of rules) {
              await beforeWrite?.(context.database, resource, hooked);
            }
            const created = await table.insert(context.database, hooked, owner, id);
            if (created === undefined) throw rejectedError(own);
            for (const { afterWrite } of rules) {
              await afterWrite?.(context.database, 'created', created);
            }
            await afterCreate?.(created, context);
            await finish?.(context.database);
            return created;
          },
        );
      } catch (error) {
        const sent = referencesOf(values, hooked, resource);
        throw await constraintError(database, error, resource, sent);
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
      { principal, ownedBy, resource = own, finish }: WriteOptions = {},
    ): Promise<Item> => {
      const { beforeUpdate, afterUpdate } = hooks();
      /** The revision that the last attempt started from; its update found another one. */
      let attempted: string | undefined;
      for (;;) {
        const stored = await table.findStored(database, id, ownedBy);
        if (stored === undefined) {
          throw (await isOfOthers(database, id, ownedBy))
            ? otherOwnerError(resource)
            : await notFoundError(database, resource, id);
        }
        const storedRevision = revisionOf(stored);
        if (storedRevision !== (revision ?? storedRevision)) throw revisionError(resource);
        if (storedRevision === attempted) throw new Error(CHANGED_BY_HOOK);
        const values = await change(stored);
        let hooked = values;
        try {
          return await changeWithHooks(
            database,
            principal,
            [beforeUpdate, afterUpdate, finish, ...ofWrites],
            async (changing) => {
              const isShown = (beforeUpdate ?? afterUpdate) !== undefined;
              const before = isShown ? cloneOf(stored) : stored;
              const context = { ...changing, before };
              const { database: inside } = context;
              // If the row has changed since `stored` was read, the update below finds another revision.
              for (const { checkRequest } of rules) checkRequest?.(resource, stored, values);
              hooked = (await beforeUpdate?.(structuredClone(values), context)) ?? values;
              for (const { checkChange } of rules) checkChange?.(resource, stored, hooked);
              for (const { beforeWrite } of rules) {
                await beforeWrite?.(inside, resource, hooked, stored);
              }
              const updated = await table.update(inside, stored, hooked, ownedBy);
              if (updated === undefined) {
                const now = await table.findStored(inside, id, ownedBy);
                // A trigger that returns null stores no row, and says nothing.
                const isUnchanged = now !== undefined && revisionOf(now) === storedRevision;
                throw isUnchanged ? rejectedError(resource) : new ConcurrentChange();
              }
              for (const { afterWrite } of rules) await afterWrite?.(inside, 'updated', updated);
              await afterUpdate?.(updated, context);
              await finish?.(inside);
              return updated;
            },
          );
        } catch (error) {
          if (error instanceof ConcurrentChange) {
            attempted = storedRevision;
            continue;
          }
          const sent = referencesOf(values, hooked, resource);
          throw await constraintError(database, error, resource, sent);
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
        await changeWithHooks(
          database,
          principal,
          [beforeDelete, afterDelete, ...ofRemovals],
          async (context) => {
            const { database: inside } = context;
            // A row that stays is locked like one that is deleted: a reference to it waits.
            const isLocked = table.keepsRemoved || (beforeDelete ?? afterDelete) !== undefined;
            const item = isLocked ? await table.lock(inside, id, revision, ownedBy) : undefined;
            if (item !== undefined) await beforeDelete?.(item, context);
            // Once it is locked, only the hook can have changed it.
            const expected = item === undefined ? revision : undefined;
            const removed = await table.remove(inside, id, expected, ownedBy);
            if (removed === undefined) throw await undeleted(inside);
            const last = (table.keepsRemoved ? item : undefined) ?? removed;
            for (const { afterRemoval } of rules) await afterRemoval?.(inside, resource, last);
            if (item !== undefined) await afterDelete?.(item, context);
          },
        );
      } catch (error) {
        throw deletionError(error, resource);
      }
    },
  };
}

/** What the log says where nobody else has changed the item. */
const CHANGED_BY_HOOK = '`beforeUpdate` changed the row of the item: return the new values instead';

/** An update found another revision of the item than the one that it started from. */
class ConcurrentChange extends Error {}

/** A copy of an item, which a hook may change, with its revision: `structuredClone` leaves symbols out. */
function cloneOf<Item extends Identified>(item: Item): Item {
  const copy = structuredClone(item);
  return item[REVISION] === undefined ? copy : { ...copy, [REVISION]: item[REVISION] };
}
