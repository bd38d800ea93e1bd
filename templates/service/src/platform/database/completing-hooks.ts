/** Hooks of a collection with members that only `beforeCreate` can set. */
import type { Hooks } from './hooks.ts';

/**
 * The hooks of the collection; `beforeCreate` is required. It returns the values to store: those of the request, and
 * those that only this hook sets.
 * @typeParam New the values of a new item without these members.
 */
export interface CompletingHooks<Item, Values, New> extends Hooks<Item, Values, New> {
  readonly beforeCreate: NonNullable<Hooks<Item, Values, New>['beforeCreate']>;
}
