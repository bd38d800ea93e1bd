/** The endpoints of reviews. */
import type { Review } from '../../src/collections/reviews/schema.ts';
import { ReviewComputed } from '../../src/collections/reviews/schema.ts';
import { collectionTests } from '../support/collection-tests.ts';
import { AN_ID, NO_ID } from '../support/expected.ts';
import { testBooks } from '../support/items/books.ts';
import { testReviews } from '../support/items/reviews.ts';
import { listTests } from '../support/list-tests.ts';
import { memberTests } from '../support/member-tests.ts';
import { nestedTests } from '../support/nested-tests.ts';
import { referenceTests } from '../support/reference-tests.ts';
import { searchIn, writtenTests } from '../support/search-tests.ts';
import { sharedService } from '../support/service.ts';
import { made } from '../support/test-items.ts';

const service = await sharedService();

collectionTests(service, testReviews, {
  computed: ReviewComputed,
  ids: 'uuid',
  anId: AN_ID,
  noId: NO_ID,
  times: ['created_at', 'updated_at'],
  unset: { body: null },
  parents: ['book_id'],
  fixed: ['book_id'],
  shownFixed: ['book_id'],
  immutable: [['book_id', NO_ID]],
  clearable: ['body'],
});

memberTests(service, testReviews, {
  unknownIds: [NO_ID, 'no-id'],
  refused: [
    ['book_id', 'no UUID', { book_id: 'nobody' }],
    ['book_id', 'a number', { book_id: 5 }],
    ['book_id', 'null', { book_id: null }],
    ['reader', 'a number', { reader: 5 }],
    ['reader', 'with a NUL character', { reader: 'Reader 1\u0000' }],
    ['reader', 'with half of a surrogate pair', { reader: 'Reader 1\ud800' }],
    ['reader', 'too long', { reader: 'Reader 1' + 'x'.repeat(93) }],
    ['reader', 'too short', { reader: '' }],
    ['reader', 'null', { reader: null }],
    ['rating', 'a text', { rating: '1' }],
    ['rating', 'a fraction', { rating: 1.5 }],
    ['rating', 'true', { rating: true }],
    ['rating', 'too small', { rating: 0 }],
    ['rating', 'too large', { rating: 6 }],
    ['rating', 'null', { rating: null }],
    ['body', 'a number', { body: 5 }],
    ['body', 'with a NUL character', { body: 'Body 1\u0000' }],
    ['body', 'with half of a surrogate pair', { body: 'Body 1\ud800' }],
    ['body', 'too long', { body: 'Body 1' + 'x'.repeat(9995) }],
  ],
  readOnly: [
    ['id', NO_ID],
    ['created_at', '2026-01-31T12:00:00Z'],
    ['updated_at', '2026-01-31T12:00:00Z'],
    ['unheard_of', 1],
  ],
  needed: ['book_id', 'reader', 'rating'],
  replaced: ['reader', 'rating'],
  accepted: [
    ['reader', 'the shortest', '😀'],
    ['reader', 'the longest', '😀'.repeat(100)],
    ['reader', 'with blanks around', ' a '],
    ['reader', 'with quotes and backslashes', '\'"\\%_'],
    ['rating', 'the smallest', 1],
    ['rating', 'the largest', 5],
    ['body', 'the shortest', ''],
    ['body', 'the longest', '😀'.repeat(10000)],
    ['body', 'with blanks around', ' a '],
    ['body', 'with quotes and backslashes', '\'"\\%_'],
  ],
});

referenceTests(
  service,
  testReviews,
  [{ member: 'book_id', to: testBooks, anItem: 'a book', noId: NO_ID, onRemoval: 'cascades' }],
  { computed: ReviewComputed, hasUpdatedAt: true },
);

nestedTests(service, testReviews, [
  {
    member: 'book_id',
    to: testBooks,
    path: 'reviews',
    noId: NO_ID,
    hasOthers: true,
    hasSeveral: true,
    isSeparate: true,
  },
]);

writtenTests(service, testReviews, {
  update: 'update "reviews" set "body" = $2 where "id" = $1',
  text: 'quetzalcoatl',
});

listTests(service, testReviews, {
  count: 8,
  parents: { book_id: 2 },
  columns: {
    book_id: [
      made('book_id', 1),
      made('book_id', 0),
      made('book_id', 1),
      made('book_id', 1),
      made('book_id', 0),
      made('book_id', 1),
      made('book_id', 1),
      made('book_id', 0),
    ],
    reader: [
      'Quiet River',
      'say "yes", twice',
      'Élan Straße 7',
      'ｚ wide',
      '😀 beyond',
      'quiet',
      'quiet',
      'say "yes", twice',
    ],
    rating: [3, 4, 5, 2, 2, 1, 5, 2],
    body: [
      'say "yes", twice',
      'Élan Straße 7',
      'ｚ wide',
      '😀 beyond',
      'quiet',
      'quiet',
      'Quiet River',
      null,
    ],
  },
  sorts: ['rating', 'created_at'],
  keys: { created_at: (item: Review) => item.created_at.slice(0, -1) },
  filters: { rating: { isOrdered: true }, reader: { isOrdered: true, canBeEmpty: true } },
  references: { book_id: { noId: NO_ID } },
  refused: [
    ['rating', '1.5'],
    ['rating[null]', 'perhaps'],
    ['rating[like]', 'a'],
    ['book_id', 'nobody'],
    ['book_id[null]', 'perhaps'],
    ['book_id[like]', 'a'],
    ['book_id[gt]', '01890a5d-ac96-774b-bcce-b302099a8057'],
    ['reader[null]', 'perhaps'],
    ['reader[like]', 'a'],
  ],
  sparse: ['book_id', 'reader'],
  limit: 3,
  search: searchIn('body'),
});
