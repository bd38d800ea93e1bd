/** Hooks of a collection with members that only `beforeCreate` can set. */
import type { HookContext, Hooks } from './hooks.ts';

/**
 * The hooks that `hooks.ts` of the collection must and may define.
 * @typeParam New the values of a new item without these members.
 */
export interface CompletingHooks<Item, Values, New> extends Omit<
  Hooks<Item, Values>,
  'beforeCreate'
> {
  /** Returns the values to store: those of the request, and those that only this hook sets. */
  readonly beforeCreate: (values: New, context: HookContext) => Values | Promise<Values>;
}
