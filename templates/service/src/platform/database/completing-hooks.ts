/** Hooks of a collection with members that only `beforeCreate` can set. */
import type { HookContext, Hooks } from './hooks.ts';

/**
 * The hooks of the collection; `beforeCreate` is required.
 * @typeParam New the values of a new item without these members.
 */
export interface CompletingHooks<Item, Values, New> extends Omit<
  Hooks<Item, Values>,
  'beforeCreate'
> {
  /** Returns the values to store: those of the request, and those that only this hook sets. */
  readonly beforeCreate: (values: New, context: HookContext) => Values | Promise<Values>;
}
