/** `ChangeRule`: a rule that all changes of a collection keep, beside its hooks. */
import type { Resource } from './constraints.ts';
import type { Database } from './database.ts';

/** A rule for items; the functions throw an `HttpError` for what they refuse. */
export interface ChangeRule<Item = unknown> {
  /** Called with the values of a new item, after `beforeCreate`. */
  readonly checkNew?: (resource: Resource, values: object) => void;
  /** Called with the change that is asked for, before `beforeUpdate`. */
  readonly checkRequest?: (resource: Resource, stored: object, values: object) => void;
  /** Called with the change that is to be stored, after `beforeUpdate`. */
  readonly checkChange?: (resource: Resource, stored: object, values: object) => void;
  /** Whether an error of a dry run, which runs no hooks, may not occur once they have run. */
  readonly mayBeResolved?: (resource: Resource, error: unknown) => boolean;
  /**
   * Called in the transaction of a change, before the row is written.
   * @param stored the item before the change; undefined for a new one.
   */
  readonly beforeWrite?: (
    transaction: Database,
    resource: Resource,
    values: object,
    stored?: object,
  ) => Promise<void>;
  /** Called in the transaction of a change, before the hooks that follow it. */
  readonly afterWrite?: (
    transaction: Database,
    change: 'created' | 'updated',
    item: Item,
  ) => Promise<void>;
  /** Called in the transaction of a removal, before `afterDelete`, with the item as it was. */
  readonly afterRemoval?: (transaction: Database, resource: Resource, item: Item) => Promise<void>;
}
