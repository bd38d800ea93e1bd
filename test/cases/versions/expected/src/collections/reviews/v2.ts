/** Reviews as version 2 has them: as opinions. And the way to what is stored and back. */
import type { Static } from 'typebox';

import { bodyReader } from '../../platform/http/body.ts';
import type { ListOptions } from '../../platform/http/list.ts';
import { itemShape, object, setExample, string, uuid } from '../../platform/http/shapes.ts';
import type { Complete } from '../../platform/http/shapes.ts';
import { bodiesOf, computedMembers, computedSources } from '../../platform/http/view.ts';
import { BOOK_RESOURCE } from '../books/repository.ts';
import { REVIEW_RESOURCE, reviewTable } from './repository.ts';
import { ReviewComputed } from './schema.ts';
import type { Review, ReviewValues } from './schema.ts';
import type { ReviewView } from './views.ts';

/** What a client of version 2 sends of an opinion. */
export const ReviewV2Body = object({
  text: string(),
  title_id: uuid(),
});

setExample(ReviewV2Body, {
  text: 'Text 1',
  title_id: '01890a5d-ac96-774b-bcce-b302099a8057',
});

/** The same with defaults and nulls filled in. */
export type ReviewV2Values = Complete<Static<typeof ReviewV2Body>>;

/** The computed members of version 2. To leave one out: `Type.Omit(ReviewComputed, ['name'])` of typebox. */
export const ReviewV2Computed = ReviewComputed;

/** An opinion as clients of version 2 read it. */
export const ReviewV2Shape = itemShape('Opinion', 'Opinions.', ReviewV2Body, {
  computed: ReviewV2Computed,
});

export interface ReviewV2 extends ReviewV2Values, Complete<Static<typeof ReviewV2Computed>> {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export const reviewV2Lists: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: Object.keys(ReviewV2Shape.properties),
  sort: ['created_at'],
  filter: {},
  search: false,
};

/** What version 2 shows of a review. */
export const reviewToV2 = (review: Review): ReviewV2 => ({
  id: review.id,
  text: review.text,
  title_id: review.book_id,
  created_at: review.created_at,
  updated_at: review.updated_at,
  ...computedMembers(ReviewV2Computed, review),
});

/** The stored values of a review that version 2 writes. */
export function reviewFromV2(sent: ReviewV2Values): ReviewValues {
  return {
    text: sent.text,
    book_id: sent.title_id,
  };
}

const references = { book_id: 'title_id' };

export const reviewV2: ReviewView = {
  path: 'opinions',
  resource: {
    ...REVIEW_RESOURCE,
    item: 'opinion',
    anItem: 'an opinion',
    unique: {},
    references,
  },
  bodies: bodiesOf(bodyReader(ReviewV2Body, ReviewV2Shape), {
    show: reviewToV2,
    store: reviewFromV2,
    references,
  }),
  lists: reviewV2Lists,
  table: {
    ...reviewTable,
    largest: undefined,
    sources: {
      id: 'id',
      text: 'text',
      title_id: 'book_id',
      created_at: 'created_at',
      updated_at: 'updated_at',
      ...computedSources(ReviewV2Computed),
    },
    columns: {
      created_at: { name: '"reviews"."created_at"', type: 'timestamptz' },
    },
    show: (row) => reviewToV2(row as unknown as Review),
  },
  nested: {
    book_id: { parent: 'books', path: 'opinions', resource: BOOK_RESOURCE, name: 'OpinionsOfBook' },
  },
  show: reviewToV2,
  doc: {
    tag: 'Opinions',
    words: 'opinions',
    type: 'Opinion',
    types: 'Opinions',
    item: ReviewV2Shape,
    body: ReviewV2Body,
    unique: [],
  },
};
