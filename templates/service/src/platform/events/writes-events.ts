/** `writesEvents`: each change of an item writes its event, in the same transaction. */
import type { ChangeRule } from '../database/change-rule.ts';
import { writeEvent } from './event-store.ts';
import type { ItemEvents } from './event-store.ts';

export const writesEvents = <Item extends { readonly id: string }>(
  events: ItemEvents<Item>,
): ChangeRule<Item> => ({
  afterWrite: (transaction, change, item) => writeEvent(transaction, events, change, item),
  afterRemoval: (transaction, _resource, item) => writeEvent(transaction, events, 'deleted', item),
});
