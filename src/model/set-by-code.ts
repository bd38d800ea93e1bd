/** Fields whose values tests cannot predict: a hook, a sequence or a job may set them. */
import type { Field } from '../definition/types.ts';
import { isSetByHook } from '../definition/set-by-hook.ts';
import { isBackground } from './jobs.ts';
import type { Collection, Model } from './types.ts';

/** Whether a hook, a sequence, or `process` of a background creation may set the field. */
export const mayBeSetByCode = (collection: Collection, { readOnly, setBy }: Field): boolean =>
  setBy === 'service' || (isBackground(collection) && readOnly);

/** Whether some collection has members that only a hook can set. */
export const hasMembersSetByHook = ({ collections }: Model): boolean =>
  collections.some(({ definition }) => definition.fields.some(isSetByHook));
