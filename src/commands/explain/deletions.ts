/** What the deletion of an item does to the items that refer to it: `on_delete`. */
import { referrersOf } from '../../model/lookup.ts';
import type { Model } from '../../model/types.ts';

/** Items that are deleted or changed with the item that they refer to. They do not pass through hooks. */
export interface Deletion {
  /** The collection of the deleted item, or `users`. */
  readonly deleted: string;
  /** The collection that refers to it, and its reference. */
  readonly collection: string;
  readonly field: string;
  readonly effect: 'cascade' | 'clear';
}

/** The references that `on_delete: cascade` or `on_delete: clear` follows, by the deleted collection. */
export const deletionsOf = (model: Model): Deletion[] =>
  [...model.collections.map(({ definition }) => definition.name), 'users'].flatMap((deleted) =>
    referrersOf(model, deleted).flatMap(({ collection, relation: { field, onDelete } }) =>
      onDelete === 'refuse'
        ? []
        : [
            {
              deleted,
              collection: collection.definition.name,
              field: field.name,
              effect: onDelete,
            },
          ],
    ),
  );

/** Lines for people; none without deletions. */
export const deletionLines = (deletions: readonly Deletion[]): string[] =>
  deletions.length === 0
    ? []
    : [
        '',
        'Deletions change other items, whose hooks do not run:',
        ...deletions.map(({ deleted, collection, field, effect }) =>
          effect === 'cascade'
            ? `  ${deleted}: deletes the ${collection} that refer to the item (${field})`
            : `  ${deleted}: clears ${field} of the ${collection} that refer to the item`,
        ),
      ];
