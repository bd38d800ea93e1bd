/**
 * The team's own rules for records: what is checked, and what is done, around a change.
 * This file is yours; `Hooks` says which hooks there are.
 */
import type { Hooks } from '../../database/hooks.ts';
import type { RecordItem, RecordItemValues } from './schema.ts';

export const recordHooks: Hooks<RecordItem, RecordItemValues> = {};
