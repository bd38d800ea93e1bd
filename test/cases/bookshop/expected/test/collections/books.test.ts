/** The endpoints of books. */
import type { Book } from '../../src/collections/books/schema.ts';
import { BookComputed } from '../../src/collections/books/schema.ts';
import { another } from '../fixtures/books.ts';
import { collectionTests } from '../support/collection-tests.ts';
import { AN_ID, NO_ID } from '../support/expected.ts';
import { testAuthors } from '../support/items/authors.ts';
import { testBooks } from '../support/items/books.ts';
import { listTests } from '../support/list-tests.ts';
import { memberTests } from '../support/member-tests.ts';
import { nestedTests } from '../support/nested-tests.ts';
import { referenceTests } from '../support/reference-tests.ts';
import { searchIn, writtenTests } from '../support/search-tests.ts';
import { sharedService } from '../support/service.ts';
import { made } from '../support/test-items.ts';
import { uniqueTests } from '../support/unique-tests.ts';
import { longer, shorter, withOffset } from '../support/values.ts';

const service = await sharedService();
const full = another();

collectionTests(service, testBooks, {
  computed: BookComputed,
  ids: 'uuid',
  anId: AN_ID,
  noId: NO_ID,
  times: ['created_at', 'updated_at'],
  unset: { price: null, status: 'draft', published_at: null },
  parents: ['author_id'],
  clearable: ['price', 'status', 'published_at'],
  inside: ['reviews'],
});

memberTests(service, testBooks, {
  unknownIds: [NO_ID, 'no-id'],
  inside: ['reviews'],
  refused: [
    ['title', 'a number', { title: 5 }],
    ['title', 'with a NUL character', { title: 'Title 1\u0000' }],
    ['title', 'with half of a surrogate pair', { title: 'Title 1\ud800' }],
    ['title', 'too long', { title: 'Title 1' + 'x'.repeat(294) }],
    ['title', 'too short', { title: '' }],
    ['title', 'null', { title: null }],
    ['isbn', 'a number', { isbn: 5 }],
    ['isbn', 'with a NUL character', { isbn: '9780000000001\u0000' }],
    ['isbn', 'with half of a surrogate pair', { isbn: '9780000000001\ud800' }],
    ['isbn', 'too long', { isbn: '9780000000001x' }],
    ['isbn', 'not of its pattern', { isbn: '' }],
    ['isbn', 'null', { isbn: null }],
    ['price', 'a number', { price: 5 }],
    ['price', 'no number', { price: 'five' }],
    ['price', 'empty', { price: '' }],
    ['price', 'with a leading zero', { price: '05' }],
    ['price', 'with a plus sign', { price: '+5' }],
    ['price', 'negative zero', { price: '-0' }],
    ['price', 'with a bare point', { price: '5.' }],
    ['price', 'without a digit before the point', { price: '.5' }],
    ['price', 'with an exponent', { price: '5e0' }],
    ['price', 'with too many digits after the point', { price: '0.001' }],
    ['price', 'too small', { price: '-0.01' }],
    ['price', 'too large', { price: '100000000.00' }],
    ['status', 'not one of its values', { status: 'unknown' }],
    ['status', 'a number', { status: 5 }],
    ['author_id', 'no UUID', { author_id: 'nobody' }],
    ['author_id', 'a number', { author_id: 5 }],
    ['author_id', 'null', { author_id: null }],
    ['published_at', 'no day of the calendar', { published_at: '2026-02-30T12:00:00Z' }],
    ['published_at', 'a day', { published_at: '2026-01-31' }],
    ['published_at', 'without an offset', { published_at: '2026-01-31T12:00:00' }],
    ['published_at', 'no hour of the day', { published_at: '2026-01-31T24:00:00Z' }],
    ['published_at', 'a leap second', { published_at: '2026-06-30T23:59:60Z' }],
    ['published_at', 'finer than microseconds', { published_at: '2026-01-31T12:00:00.0000001Z' }],
    ['published_at', 'a number', { published_at: 1769860800 }],
  ],
  readOnly: [
    ['id', NO_ID],
    ['created_at', '2026-01-31T12:00:00Z'],
    ['updated_at', '2026-01-31T12:00:00Z'],
    ['unheard_of', 1],
  ],
  needed: ['title', 'isbn', 'author_id'],
  replaced: ['title', 'isbn', 'author_id'],
  accepted: [
    ['title', 'the shortest', '😀'],
    ['title', 'the longest', '😀'.repeat(300)],
    ['title', 'with blanks around', ' a '],
    ['title', 'with quotes and backslashes', '\'"\\%_'],
    ['price', 'the smallest', '0.00'],
    ['price', 'the largest', '99999999.99'],
    ['status', 'the last of its values', 'published'],
    ['published_at', 'the smallest', '0001-01-01T00:00:00.000Z'],
    ['published_at', 'the largest', '9999-12-31T23:59:59.999999Z'],
  ],
  spelled: [
    ['price', longer(full.price), full.price],
    ['published_at', full.published_at?.toLowerCase(), full.published_at],
    ['published_at', withOffset(full.published_at), full.published_at],
    ['published_at', full.published_at && shorter(full.published_at), full.published_at],
  ],
});

uniqueTests(service, testBooks, [{ members: ['isbn'], mayChange: true, again: 201 }]);

referenceTests(
  service,
  testBooks,
  [
    {
      member: 'author_id',
      to: testAuthors,
      anItem: 'an author',
      noId: NO_ID,
      mayChange: true,
      onRemoval: 'refused',
    },
  ],
  { computed: BookComputed, hasUpdatedAt: true },
);

nestedTests(service, testBooks, [
  {
    member: 'author_id',
    to: testAuthors,
    path: 'books',
    noId: NO_ID,
    hasOthers: true,
    hasSeveral: true,
    isSeparate: true,
  },
]);

writtenTests(service, testBooks, {
  update: 'update "books" set "title" = $2 where "id" = $1',
  text: 'quetzalcoatl',
});

listTests(service, testBooks, {
  count: 8,
  parents: { author_id: 2 },
  columns: {
    title: [
      'quiet',
      'Quiet River',
      'say "yes", twice',
      'Élan Straße 7',
      'ｚ wide',
      '😀 beyond',
      'quiet',
      'quiet',
    ],
    price: ['1.50', null, '3.50', '4.50', '5.50', '2.50', '2.50', null],
    status: [null, 'published', 'published', 'draft', 'published', 'draft', null, 'published'],
    author_id: [
      made('author_id', 1),
      made('author_id', 0),
      made('author_id', 1),
      made('author_id', 1),
      made('author_id', 0),
      made('author_id', 1),
      made('author_id', 1),
      made('author_id', 0),
    ],
    published_at: [
      '2026-01-31T12:00:00.000001Z',
      '2026-01-31T13:00:00.000Z',
      '2026-01-31T13:00:00.000Z',
      '2026-01-31T12:00:00.000Z',
      null,
      '2026-01-31T14:00:00.000Z',
      null,
      '2026-01-31T14:00:00.000Z',
    ],
  },
  sorts: ['title', 'published_at', 'created_at'],
  keys: {
    published_at: (item: Book) =>
      item.published_at === null ? null : item.published_at.slice(0, -1),
    created_at: (item: Book) => item.created_at.slice(0, -1),
    price: (item: Book) => (item.price === null ? null : Number(item.price)),
  },
  filters: {
    status: {},
    price: { isOrdered: true, spell: shorter },
    published_at: { isOrdered: true, spell: withOffset },
  },
  references: { author_id: { noId: NO_ID } },
  refused: [
    ['status', 'no such value'],
    ['status[null]', 'perhaps'],
    ['status[like]', 'a'],
    ['status[gt]', 'draft'],
    ['author_id', 'nobody'],
    ['author_id[null]', 'perhaps'],
    ['author_id[like]', 'a'],
    ['author_id[gt]', '01890a5d-ac96-774b-bcce-b302099a8057'],
    ['price', '+1'],
    ['price[null]', 'perhaps'],
    ['price[like]', 'a'],
    ['published_at', '2026-01-31T12:00:00'],
    ['published_at[null]', 'perhaps'],
    ['published_at[like]', 'a'],
  ],
  sparse: ['title', 'isbn'],
  limit: 3,
  search: searchIn('title'),
});
