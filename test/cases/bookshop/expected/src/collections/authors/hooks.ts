/**
 * Your own rules for authors: checks and side effects of changes. See
 * `Hooks` for the available hooks. `generate` never changes this file.
 */
import type { Hooks } from '../../platform/database/hooks.ts';
import type { Author, AuthorValues } from './schema.ts';

export const authorHooks: Hooks<Author, AuthorValues> = {};
