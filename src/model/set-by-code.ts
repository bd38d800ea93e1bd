/** Fields that a hook, the database or a job may set: tests cannot predict their values. */
import type { Field } from '../definition/types.ts';
import { isAssigned } from '../definition/set-by-hook.ts';
import { isBackground } from './jobs.ts';
import type { Collection, Model, Relation } from './types.ts';

/** Whether a hook, the database, or `process` of a background creation may set the field. */
export const mayBeSetByCode = (collection: Collection, { readOnly, setBy }: Field): boolean =>
  setBy === 'service' || (isBackground(collection) && readOnly);

/** The references that statements write. */
export const writtenRelations = ({ relations }: Collection): readonly Relation[] =>
  relations.filter(({ field }) => !isAssigned(field));

/** Whether some collection has members that the database sets in new items that are sent without them. */
export const hasDatabaseDefaults = ({ collections }: Model): boolean =>
  collections.some(({ definition }) =>
    definition.fields.some(({ hasDatabaseDefault }) => hasDatabaseDefault === true),
  );
