/** `isSetByHook`: whether only a hook can set a field. */
import type { Field } from './types.ts';

/** Whether only a hook can set the field: it is required, and neither requests nor a default do. */
export const isSetByHook = ({
  setBy,
  required,
  default: defaultValue,
  isSequence,
}: Field): boolean =>
  setBy === 'service' && required && defaultValue === undefined && isSequence !== true;
