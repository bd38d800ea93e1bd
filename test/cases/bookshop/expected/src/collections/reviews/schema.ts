/**
 * The shapes of reviews, and what their lists offer.
 *
 * What one reader says of one book.
 */
import type { Static } from 'typebox';

import type { Permissions } from '../../auth/permissions.ts';
import { bodyReader } from '../../http/body.ts';
import { byInteger, byString, byUuid } from '../../http/filters.ts';
import type { ListOptions } from '../../http/list.ts';
import { integer, object, optional, string, uuid } from '../../http/shapes.ts';
import type { Complete } from '../../http/shapes.ts';

/** What a client sends of a review. */
export const ReviewBody = object({
  book_id: uuid(),
  reader: string({ minLength: 1, maxLength: 100 }),
  rating: integer({ minimum: 1, maximum: 5 }),
  body: optional(string({ maxLength: 10000 })),
});

/** What is stored of a review, with defaults and nulls filled in. */
export type ReviewValues = Complete<Static<typeof ReviewBody>>;

/** A review as clients read it. */
export interface Review extends ReviewValues {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export const reviewBodies = bodyReader(ReviewBody, {
  immutable: ['book_id'],
});

/** Who may do what with reviews. */
export const reviewPermissions = {
  read: 'public',
  create: 'authenticated',
  update: ['owner'],
  delete: ['editor', 'owner'],
} as const satisfies Permissions;

export const reviewLists: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: ['id', 'book_id', 'reader', 'rating', 'body', 'created_at', 'updated_at'],
  sort: ['rating', 'created_at'],
  filter: {
    rating: byInteger(),
    book_id: byUuid(),
    reader: byString(),
  },
  search: true,
};
