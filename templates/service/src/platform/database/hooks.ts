/** The hooks of a collection, which run in one transaction with the change that they belong to. */
import type { Principal } from '../auth/principal.ts';
import type { Database } from './database.ts';

/** The second argument of hooks. */
export interface HookContext {
  /** The caller; undefined without a credential. In a job, the user who sent the POST, unless they were removed. */
  readonly principal: Principal | undefined;
  /** The transaction of the change. */
  readonly database: Database;
  /** Runs work once after the commit (see `Database`): use it for what cannot be rolled back. */
  readonly afterCommit: Database['afterCommit'];
}

/** The context of `beforeUpdate` and `afterUpdate`; `before` is the item before the change. */
export type UpdateContext<Item> = HookContext & { readonly before: Item };

/**
 * The hooks that a collection's `hooks.ts` may define. A hook that throws stops the change; the client
 * gets the error if it is an `HttpError` (`src/platform/http/errors.ts`). After a deadlock or a concurrent
 * update the transaction is rolled back and tried again, with its hooks. Items that `on_delete` deletes
 * or changes do not pass through hooks.
 * @typeParam New the values of a new item before `beforeCreate`.
 */
export interface Hooks<Item, Values, New = Values> {
  /** Returns the values to store. */
  readonly beforeCreate?: (values: New, context: HookContext) => Values | Promise<Values>;
  readonly afterCreate?: (item: Item, context: HookContext) => void | Promise<void>;
  /** Returns the values to store. */
  readonly beforeUpdate?: (
    values: Values,
    context: UpdateContext<Item>,
  ) => Values | Promise<Values>;
  readonly afterUpdate?: (item: Item, context: UpdateContext<Item>) => void | Promise<void>;
  readonly beforeDelete?: (item: Item, context: HookContext) => void | Promise<void>;
  readonly afterDelete?: (item: Item, context: HookContext) => void | Promise<void>;
}

/**
 * Runs a change and its hooks. With hooks it is a transaction, so that all of it is stored or nothing;
 * one statement alone needs none. Within a transaction, a change that fails is rolled back to a
 * savepoint, and the transaction can go on.
 * @param hooks the hooks that the change calls, if they are defined.
 */
export function changeWithHooks<Result>(
  database: Database,
  principal: Principal | undefined,
  hooks: readonly (object | undefined)[],
  change: (context: HookContext) => Promise<Result>,
): Promise<Result> {
  const run = (inside: Database): Promise<Result> =>
    change({ principal, database: inside, afterCommit: (work) => inside.afterCommit(work) });
  return database.savepoint((inside) =>
    hooks.every((hook) => hook === undefined) ? run(inside) : inside.transaction(run),
  );
}
