/** What sets a field in place of requests: a hook, or the database. */
import type { Field } from './types.ts';

/** Whether only the database sets the field: it numbers the items, or computes the value. */
export const isAssigned = ({ isSequence, isGenerated }: Field): boolean =>
  isSequence === true || isGenerated === true;

/** Whether only a hook can set the field: it is required, and neither requests, a default nor the database do. */
export const isSetByHook = (field: Field): boolean =>
  field.setBy === 'service' &&
  field.required &&
  field.default === undefined &&
  field.hasDatabaseDefault !== true &&
  !isAssigned(field);
