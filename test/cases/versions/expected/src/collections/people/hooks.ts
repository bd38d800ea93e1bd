/**
 * Your own rules for people: checks and side effects of changes. See
 * `Hooks` for the available hooks. `generate` never changes this file.
 */
import type { Hooks } from '../../platform/database/hooks.ts';
import type { Person, PersonValues } from './schema.ts';

export const personHooks: Hooks<Person, PersonValues> = {};
