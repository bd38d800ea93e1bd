/** The endpoints of authors. */
import type { Author } from '../../src/collections/authors/schema.ts';
import { AuthorComputed } from '../../src/collections/authors/schema.ts';
import { collectionTests } from '../support/collection-tests.ts';
import { AN_ID, NO_ID } from '../support/expected.ts';
import { testAuthors } from '../support/items/authors.ts';
import { listTests } from '../support/list-tests.ts';
import { memberTests } from '../support/member-tests.ts';
import { searchIn, writtenTests } from '../support/search-tests.ts';
import { sharedService } from '../support/service.ts';

const service = await sharedService();

collectionTests(service, testAuthors, {
  computed: AuthorComputed,
  ids: 'uuid',
  anId: AN_ID,
  noId: NO_ID,
  times: ['created_at', 'updated_at'],
  unset: { born_on: null, website: null, biography: null },
  clearable: ['born_on', 'website', 'biography'],
  inside: ['books'],
});

memberTests(service, testAuthors, {
  unknownIds: [NO_ID, 'no-id'],
  inside: ['books'],
  refused: [
    ['name', 'a number', { name: 5 }],
    ['name', 'with a NUL character', { name: 'Ursula K. Le Guin\u0000' }],
    ['name', 'with half of a surrogate pair', { name: 'Ursula K. Le Guin\ud800' }],
    ['name', 'too long', { name: 'Ursula K. Le Guin' + 'x'.repeat(184) }],
    ['name', 'too short', { name: '' }],
    ['name', 'null', { name: null }],
    ['born_on', 'no day of the calendar', { born_on: '2026-02-30' }],
    ['born_on', 'in short', { born_on: '2026-1-31' }],
    ['born_on', 'a time', { born_on: '2026-01-31T00:00:00Z' }],
    ['born_on', 'a number', { born_on: 20260131 }],
    ['website', 'a number', { website: 5 }],
    ['website', 'with a NUL character', { website: 'https://example.org/1\u0000' }],
    ['website', 'with half of a surrogate pair', { website: 'https://example.org/1\ud800' }],
    ['website', 'too long', { website: 'https://example.org/1' + 'x'.repeat(1980) }],
    ['website', 'no uri', { website: 'nothing of the kind' }],
    ['biography', 'a number', { biography: 5 }],
    ['biography', 'with a NUL character', { biography: 'Biography 1\u0000' }],
    ['biography', 'with half of a surrogate pair', { biography: 'Biography 1\ud800' }],
    ['biography', 'too long', { biography: 'Biography 1' + 'x'.repeat(19990) }],
  ],
  readOnly: [
    ['id', NO_ID],
    ['created_at', '2026-01-31T12:00:00Z'],
    ['updated_at', '2026-01-31T12:00:00Z'],
    ['unheard_of', 1],
  ],
  needed: ['name'],
  replaced: ['name'],
  accepted: [
    ['name', 'the shortest', '😀'],
    ['name', 'the longest', '😀'.repeat(200)],
    ['name', 'with blanks around', ' a '],
    ['name', 'with quotes and backslashes', '\'"\\%_'],
    ['born_on', 'the smallest', '0001-01-01'],
    ['born_on', 'the largest', '9999-12-31'],
    ['biography', 'the shortest', ''],
    ['biography', 'the longest', '😀'.repeat(20000)],
    ['biography', 'with blanks around', ' a '],
    ['biography', 'with quotes and backslashes', '\'"\\%_'],
  ],
});

writtenTests(service, testAuthors, {
  update: 'update "authors" set "name" = $2 where "id" = $1',
  text: 'quetzalcoatl',
});

listTests(service, testAuthors, {
  count: 8,
  columns: {
    name: [
      'quiet',
      'Quiet River',
      'say "yes", twice',
      'Élan Straße 7',
      'ｚ wide',
      '😀 beyond',
      'quiet',
      'quiet',
    ],
    born_on: [
      '2026-01-31',
      null,
      '2026-02-02',
      '2026-02-03',
      '2026-02-04',
      '2026-02-01',
      '2026-02-01',
      null,
    ],
    biography: [
      null,
      'say "yes", twice',
      'Élan Straße 7',
      'ｚ wide',
      '😀 beyond',
      'quiet',
      'quiet',
      'Quiet River',
    ],
  },
  sorts: ['name', 'born_on', 'created_at'],
  keys: { created_at: (item: Author) => item.created_at.slice(0, -1) },
  filters: { name: { isOrdered: true, canBeEmpty: true } },
  refused: [
    ['name[null]', 'perhaps'],
    ['name[like]', 'a'],
  ],
  sparse: ['name', 'born_on'],
  limit: 3,
  search: searchIn('name', 'biography'),
});
