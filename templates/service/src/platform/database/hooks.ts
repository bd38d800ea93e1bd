/**
 * Runs the team's hooks in one transaction with the change that they belong to. Within a transaction,
 * a change that fails is rolled back together with its hooks, and the transaction can go on.
 */
import type { Database } from './database.ts';

/**
 * What a collection's `hooks.ts` may hold. A hook that throws stops the change, and an
 * `HttpError` (see `src/platform/http/errors.ts`) is what the client is answered. Items that go with
 * another by `on_delete: cascade` do not pass through hooks.
 */
export interface Hooks<Item, Values> {
  /** Gives back what is to be stored of a new item. */
  readonly beforeCreate?: (values: Values, database: Database) => Values | Promise<Values>;
  readonly afterCreate?: (item: Item, database: Database) => void | Promise<void>;
  /** Gives back what is to be stored of an item that changes. */
  readonly beforeUpdate?: (
    values: Values,
    item: Item,
    database: Database,
  ) => Values | Promise<Values>;
  readonly afterUpdate?: (item: Item, database: Database) => void | Promise<void>;
  readonly beforeDelete?: (id: string, database: Database) => void | Promise<void>;
  readonly afterDelete?: (id: string, database: Database) => void | Promise<void>;
}

/** Creates an item with its hooks; without any it is the one statement alone. */
export async function createWith<Item, Values>(
  { beforeCreate, afterCreate }: Hooks<Item, Values>,
  database: Database,
  values: Values,
  insert: (database: Database, values: Values) => Promise<Item>,
): Promise<Item> {
  return database.savepoint((inside) => {
    if (beforeCreate === undefined && afterCreate === undefined) return insert(inside, values);
    return inside.transaction(async (transaction) => {
      const item = await insert(transaction, (await beforeCreate?.(values, transaction)) ?? values);
      await afterCreate?.(item, transaction);
      return item;
    });
  });
}

/** Changes an item with its hooks. `update` gives undefined where somebody else was faster. */
export async function updateWith<Item, Stored extends Item, Values>(
  { beforeUpdate, afterUpdate }: Hooks<Item, Values>,
  database: Database,
  stored: Stored,
  values: Values,
  update: (database: Database, stored: Stored, values: Values) => Promise<Item | undefined>,
): Promise<Item | undefined> {
  if (beforeUpdate === undefined && afterUpdate === undefined) {
    return database.savepoint((inside) => update(inside, stored, values));
  }
  return unlessOutrun(database, async (transaction) => {
    const wanted = (await beforeUpdate?.(values, stored, transaction)) ?? values;
    const item = await update(transaction, stored, wanted);
    if (item === undefined) throw new Outrun();
    await afterUpdate?.(item, transaction);
    return item;
  });
}

/** Removes an item with its hooks; `remove` tells whether it was there as it was expected. */
export async function deleteWith<Item, Values>(
  { beforeDelete, afterDelete }: Hooks<Item, Values>,
  database: Database,
  id: string,
  remove: (database: Database) => Promise<boolean>,
): Promise<boolean> {
  if (beforeDelete === undefined && afterDelete === undefined) return database.savepoint(remove);
  const removed = await unlessOutrun(database, async (transaction) => {
    await beforeDelete?.(id, transaction);
    if (!(await remove(transaction))) throw new Outrun();
    await afterDelete?.(id, transaction);
    return true;
  });
  return removed === true;
}

/** Somebody else was faster. */
class Outrun extends Error {}

/** Runs work and its hooks as one; where somebody else was faster, all that they have done is undone. */
async function unlessOutrun<Result>(
  database: Database,
  work: (transaction: Database) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await database.savepoint((inside) => inside.transaction(work));
  } catch (error) {
    if (error instanceof Outrun) return undefined;
    throw error;
  }
}
