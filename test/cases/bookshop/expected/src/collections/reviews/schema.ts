/**
 * The shapes of reviews, and what their lists offer.
 *
 * What one reader says of one book.
 */
import type { Static } from 'typebox';

import type { Permissions } from '../../platform/auth/permissions.ts';
import { bodyReader } from '../../platform/http/body.ts';
import { byInteger, byString, byUuid } from '../../platform/http/filters.ts';
import type { ListOptions } from '../../platform/http/list.ts';
import { bySearch } from '../../platform/http/search.ts';
import {
  immutable,
  integer,
  itemShape,
  object,
  optional,
  setExample,
  string,
  uuid,
} from '../../platform/http/shapes.ts';
import type { Complete } from '../../platform/http/shapes.ts';

/** What a client sends of a review. */
export const ReviewBody = object({
  book_id: immutable(uuid()),
  reader: string({ minLength: 1, maxLength: 100 }),
  rating: integer({ minimum: 1, maximum: 5 }),
  body: optional(string({ maxLength: 10000 })),
});

setExample(ReviewBody, {
  book_id: '01890a5d-ac96-774b-bcce-b302099a8057',
  reader: 'Reader 1',
  rating: 1,
  body: 'Body 1',
});

/** What is stored of a review, with defaults and nulls filled in. */
export type ReviewValues = Complete<Static<typeof ReviewBody>>;

/**
 * Members that are computed when an item is read: `COLUMNS` in repository.ts has their SQL. A subquery
 * over reviews must leave out the item itself: POST, PUT and PATCH see its row as it was before.
 */
export const ReviewComputed = object({});

/** A review as clients read it. */
export const ReviewShape = itemShape('Review', 'What one reader says of one book.', ReviewBody, {
  computed: ReviewComputed,
});

export interface Review extends ReviewValues, Complete<Static<typeof ReviewComputed>> {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export const reviewBodies = bodyReader(ReviewBody, ReviewShape);

/** Who may do what with reviews. */
export const reviewPermissions = {
  read: 'public',
  create: 'authenticated',
  update: ['owner'],
  delete: ['editor', 'owner'],
} as const satisfies Permissions;

export const reviewLists: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: Object.keys(ReviewShape.properties),
  sort: ['rating', 'created_at'],
  filter: {
    rating: byInteger(),
    book_id: byUuid(),
    reader: byString(),
  },
  parameters: {
    q: bySearch,
  },
};
