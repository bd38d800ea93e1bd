/**
 * Your own rules for keys: checks and side effects of changes. See
 * `Hooks` for the available hooks. `generate` never changes this file.
 */
import type { Hooks } from '../../platform/database/hooks.ts';
import type { KeyItem, KeyItemValues } from './schema.ts';

export const keyHooks: Hooks<KeyItem, KeyItemValues> = {};
