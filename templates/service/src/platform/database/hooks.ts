/** The hooks of a collection, which run in one transaction with the change that they belong to. */
import type { Database } from './database.ts';

/**
 * The hooks that a collection's `hooks.ts` may define. A hook that throws stops the change; the client
 * gets the error if it is an `HttpError` (`src/platform/http/errors.ts`). Items that are deleted by
 * `on_delete: cascade` do not pass through hooks.
 */
export interface Hooks<Item, Values> {
  /** Returns the values to store. */
  readonly beforeCreate?: (values: Values, database: Database) => Values | Promise<Values>;
  readonly afterCreate?: (item: Item, database: Database) => void | Promise<void>;
  /** Returns the values to store. @param item the item before the change. */
  readonly beforeUpdate?: (
    values: Values,
    item: Item,
    database: Database,
  ) => Values | Promise<Values>;
  readonly afterUpdate?: (item: Item, database: Database) => void | Promise<void>;
  readonly beforeDelete?: (id: string, database: Database) => void | Promise<void>;
  readonly afterDelete?: (id: string, database: Database) => void | Promise<void>;
}

/**
 * Runs a change and its hooks. With hooks it is a transaction, so that all of it is stored or nothing;
 * one statement alone needs none. Within a transaction, a change that fails is rolled back to a
 * savepoint, and the transaction can go on.
 * @param hooks the hooks that the change calls, if they are defined.
 */
export const changeWithHooks = <Result>(
  database: Database,
  hooks: readonly (object | undefined)[],
  change: (database: Database) => Promise<Result>,
): Promise<Result> =>
  database.savepoint((inside) =>
    hooks.every((hook) => hook === undefined) ? change(inside) : inside.transaction(change),
  );
