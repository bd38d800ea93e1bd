/**
 * The team's own rules for books: what is checked, and what is done, around a change.
 * This file is yours; `Hooks` says which hooks there are.
 */
import type { Hooks } from '../../database/hooks.ts';
import type { Book, BookValues } from './schema.ts';

export const bookHooks: Hooks<Book, BookValues> = {};
