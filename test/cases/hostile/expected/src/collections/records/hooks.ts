/**
 * Your own rules for records: checks and side effects of changes. See
 * `Hooks` for the available hooks. `generate` never changes this file.
 */
import type { Hooks } from '../../platform/database/hooks.ts';
import type { RecordItem, RecordItemValues } from './schema.ts';

export const recordHooks: Hooks<RecordItem, RecordItemValues> = {};
