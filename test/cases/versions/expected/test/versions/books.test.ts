/** Books in several versions. */
import { BookComputed } from '../../src/collections/books/schema.ts';
import { testBooks } from '../support/items/books.ts';
import { testBooks as testBooksInV1 } from '../support/items/v1/books.ts';
import { testBooks as testBooksInV2 } from '../support/items/v2/books.ts';
import { sharedService } from '../support/service.ts';
import { makeVersionCallers, versionPermissionTests } from '../support/version-permission-tests.ts';
import { versionTests } from '../support/version-tests.ts';

const service = await sharedService();
const callers = await makeVersionCallers(service, ['editor'], true);

versionTests(service, {
  version: 1,
  current: testBooks,
  older: testBooksInV1,
  computed: BookComputed,
  setByCode: ['number'],
  hasUpdatedAt: true,
  toOlder: {
    fixture: [
      ['tags', 'tags', ['Tags 1']],
      ['secret', undefined, 'Secret 1'],
      ['series', undefined, 'Series 1'],
    ],
    sent: { price: '1.50', stock: 1, state: 'published', genre: 'Genre 1' },
    shown: { cost: 1.5, stock: '1', state: 'public', genre: ['Genre 1'] },
  },
  toCurrent: {
    fixture: [['tags', 'tags', ['Tags 1']]],
    sent: { cost: 1.5, stock: '1', state: 'public', genre: ['Genre 1'] },
    shown: { price: '1.50', stock: 1, state: 'published', genre: 'Genre 1', series: null },
  },
  writable: ['title', 'ean', 'cost', 'stock', 'state', 'tags', 'genre', 'writer_id'],
  replaced: [
    ['state', 'archived', 'state', 'public'],
    ['state', 'withdrawn', 'state', 'public'],
  ],
  searchedInCurrent: ['series'],
  several: true,
});

versionPermissionTests(service, callers, {
  version: 1,
  older: testBooksInV1,
  table: `
                             no credential  no role  editor  owner  admin
GET     /books               200            200      200     200    200
POST    /books               401            201      201     201    201
GET     /books/{id}          200            200      200     200    200
PUT     /books/{id}          401            403      200     200    200
PATCH   /books/{id}          401            403      200     200    200
DELETE  /books/{id}          401            403      403     204    204
GET     /writers/{id}/books  200            200      200     200    200
POST    /writers/{id}/books  401            201      201     201    201
`,
  nested: { '/writers/{id}/books': 'writer_id' },
});

versionTests(service, {
  version: 2,
  current: testBooks,
  older: testBooksInV2,
  computed: BookComputed,
  setByCode: ['number'],
  hasUpdatedAt: true,
  toOlder: {
    fixture: [
      ['stock', 'stock', 1],
      ['tags', 'tags', ['Tags 1']],
      ['genre', 'genre', 'Genre 1'],
      ['secret', undefined, 'Secret 1'],
      ['series', 'series', 'Series 1'],
    ],
    sent: { price: '1.50', state: 'published' },
    shown: { price: 1.5, state: 'published' },
  },
  toCurrent: {
    fixture: [
      ['stock', 'stock', 1],
      ['tags', 'tags', ['Tags 1']],
      ['genre', 'genre', 'Genre 1'],
      ['secret', undefined, 'Secret 1'],
      ['series', 'series', 'Series 1'],
    ],
    sent: { price: 1.5, state: 'published' },
    shown: { price: '1.50', state: 'published' },
  },
  writable: ['title', 'isbn', 'price', 'stock', 'state', 'tags', 'genre', 'series', 'person_id'],
  replaced: [['state', 'withdrawn', 'state', 'published']],
  several: true,
});

versionPermissionTests(service, callers, {
  version: 2,
  older: testBooksInV2,
  table: `
                            no credential  no role  editor  owner  admin
GET     /books              200            200      200     200    200
POST    /books              401            201      201     201    201
GET     /books/{id}         200            200      200     200    200
PUT     /books/{id}         401            403      200     200    200
PATCH   /books/{id}         401            403      200     200    200
DELETE  /books/{id}         401            403      403     204    204
GET     /people/{id}/books  200            200      200     200    200
POST    /people/{id}/books  401            201      201     201    201
`,
  nested: { '/people/{id}/books': 'person_id' },
});
