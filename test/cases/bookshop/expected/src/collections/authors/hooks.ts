/**
 * The team's own rules for authors: what is checked, and what is done, around a change.
 * This file is yours; `Hooks` says which hooks there are.
 */
import type { Hooks } from '../../database/hooks.ts';
import type { Author, AuthorValues } from './schema.ts';

export const authorHooks: Hooks<Author, AuthorValues> = {};
