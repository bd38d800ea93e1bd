/**
 * The shapes of authors, and what their lists offer.
 *
 * Somebody who wrote a book that the shop sells.
 */
import type { Static } from 'typebox';

import type { Permissions } from '../../platform/auth/permissions.ts';
import { bodyReader } from '../../platform/http/body.ts';
import { byString } from '../../platform/http/filters.ts';
import type { ListOptions } from '../../platform/http/list.ts';
import { bySearch } from '../../platform/http/search.ts';
import {
  date,
  itemShape,
  object,
  optional,
  setExample,
  string,
} from '../../platform/http/shapes.ts';
import type { Complete } from '../../platform/http/shapes.ts';

/** What a client sends of an author. */
export const AuthorBody = object({
  name: string({ minLength: 1, maxLength: 200 }),
  born_on: optional(date()),
  website: optional(string({ maxLength: 2000, format: 'uri' })),
  biography: optional(string({ maxLength: 20000 })),
});

setExample(AuthorBody, {
  name: 'Ursula K. Le Guin',
  born_on: '2026-01-31',
  website: 'https://example.org/1',
  biography: 'Biography 1',
});

/** What is stored of an author, with defaults and nulls filled in. */
export type AuthorValues = Complete<Static<typeof AuthorBody>>;

/**
 * Members that are computed when an item is read: `COLUMNS` in repository.ts has their SQL. A subquery
 * over authors must leave out the item itself: POST, PUT and PATCH see its row as it was before.
 */
export const AuthorComputed = object({});

/** An author as clients read it. */
export const AuthorShape = itemShape(
  'Author',
  'Somebody who wrote a book that the shop sells.',
  AuthorBody,
  { computed: AuthorComputed },
);

export interface Author extends AuthorValues, Complete<Static<typeof AuthorComputed>> {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export const authorBodies = bodyReader(AuthorBody, AuthorShape);

/** Who may do what with authors. */
export const authorPermissions = {
  read: 'public',
  create: ['editor'],
  update: ['editor'],
  delete: ['admin'],
} as const satisfies Permissions;

export const authorLists: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: Object.keys(AuthorShape.properties),
  sort: ['name', 'born_on', 'created_at'],
  filter: {
    name: byString(),
  },
  parameters: {
    q: bySearch,
  },
};
