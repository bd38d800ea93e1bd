/** `ChangeRule`: a rule that all changes of a collection keep, beside its hooks. */
import type { Resource } from './constraints.ts';

/** The functions throw an `HttpError` for values that they refuse. */
export interface ChangeRule {
  /** Called with the values of a new item, after `beforeCreate`. */
  readonly checkNew?: (resource: Resource, values: object) => void;
  /** Called with the change that is asked for, before `beforeUpdate`. */
  readonly checkRequest?: (resource: Resource, stored: object, values: object) => void;
  /** Called with the change that is to be stored, after `beforeUpdate`. */
  readonly checkChange?: (resource: Resource, stored: object, values: object) => void;
  /** Whether an error of a dry run, which runs no hooks, may not occur once they have run. */
  readonly mayBeResolved?: (resource: Resource, error: unknown) => boolean;
}
