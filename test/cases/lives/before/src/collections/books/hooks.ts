/**
 * Your own rules for books: checks and side effects of changes. See
 * `Hooks` for the available hooks. `generate` never changes this file.
 */
import type { Hooks } from '../../platform/database/hooks.ts';
import type { Book, BookValues } from './schema.ts';

/** None yet: the team meets about them in May. */
export const bookHooks: Hooks<Book, BookValues> = {};
