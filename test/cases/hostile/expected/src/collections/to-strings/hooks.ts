/**
 * Your own rules for to strings: checks and side effects of changes. See
 * `Hooks` for the available hooks. `generate` never changes this file.
 */
import type { Hooks } from '../../platform/database/hooks.ts';
import type { ToString, ToStringValues } from './schema.ts';

export const toStringHooks: Hooks<ToString, ToStringValues> = {};
