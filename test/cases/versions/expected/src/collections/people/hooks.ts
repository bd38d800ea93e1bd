/**
 * The team's own rules for people: what is checked, and what is done, around a change.
 * This file is yours; `Hooks` says which hooks there are.
 */
import type { Hooks } from '../../database/hooks.ts';
import type { Person, PersonValues } from './schema.ts';

export const personHooks: Hooks<Person, PersonValues> = {};
