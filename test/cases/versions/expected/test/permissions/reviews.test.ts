/** Who may do what with reviews. */
import { expect, test } from 'vitest';

import { createBook } from '../fixtures/books.ts';
import { reviewBody } from '../fixtures/reviews.ts';
import { makeCaller, statusesOf } from '../support/callers.ts';
import type { Target } from '../support/callers.ts';
import { NO_ID } from '../support/expected.ts';
import { startService } from '../support/service.ts';
import { rowsOf } from '../support/table.ts';

/** What each caller is answered. All but the item of `owner` is an administrator's. */
const TABLE = `
                                  no credential  no role  editor  admin
GET     /reviews                  401            200      200     200
HEAD    /reviews                  401            200      200     200
POST    /reviews                  401            202      202     202
GET     /reviews/{id}             401            200      200     200
HEAD    /reviews/{id}             401            200      200     200
PUT     /reviews/{id}             401            200      200     200
PATCH   /reviews/{id}             401            200      200     200
DELETE  /reviews/{id}             401            204      204     204
GET     /reviews/{removed}        401            410      410     410
PUT     /reviews/{removed}        401            410      410     410
PATCH   /reviews/{removed}        401            410      410     410
DELETE  /reviews/{removed}        401            410      410     410
GET     /reviews/{missing}        401            404      404     404
PUT     /reviews/{missing}        401            404      404     404
PATCH   /reviews/{missing}        401            404      404     404
DELETE  /reviews/{missing}        401            404      404     404
GET     /books/{id}/reviews       401            200      200     200
HEAD    /books/{id}/reviews       401            200      200     200
POST    /books/{id}/reviews       401            202      202     202
GET     /books/{removed}/reviews  401            410      410     410
POST    /books/{removed}/reviews  401            410      410     410
GET     /books/{missing}/reviews  401            404      404     404
POST    /books/{missing}/reviews  401            404      404     404
`;

const service = await startService();
const nobody = await makeCaller(service, 'no role');

const callers = {
  'no credential': service.as(undefined),
  'no role': nobody.service,
  editor: (await makeCaller(service, 'role editor', ['editor'])).service,
  admin: service,
};

/** Makes what a path of the table needs. */
async function arrange(row: string): Promise<Target> {
  await service.clear();
  switch (row) {
    case '/reviews':
      return { path: row, body: await reviewBody(service) };
    case '/reviews/{id}': {
      const body = await reviewBody(service);
      const { id } = await service.create('/reviews', body);
      return { path: `/reviews/${id}`, body };
    }
    case '/reviews/{removed}': {
      const body = await reviewBody(service);
      const { id } = await service.create('/reviews', body);
      await service.delete(`/reviews/${id}`);
      return { path: `/reviews/${id}`, body };
    }
    case '/reviews/{missing}':
      return { path: `/reviews/${NO_ID}`, body: {} };
    case '/books/{id}/reviews': {
      const { id } = await createBook(service);
      const body = await reviewBody(service, { book_id: id });
      return { path: `/books/${id}/reviews`, body };
    }
    case '/books/{removed}/reviews': {
      const { id } = await createBook(service);
      await service.delete(`/books/${id}`);
      return { path: `/books/${id}/reviews`, body: {} };
    }
    case '/books/{missing}/reviews':
      return { path: `/books/${NO_ID}/reviews`, body: {} };
    default:
      throw new Error(`there is no ${row}`);
  }
}

test.each(rowsOf(TABLE))('%s %s: who may', async (method, row, statuses) => {
  expect(await statusesOf(callers, method, () => arrange(row))).toEqual(statuses);
});
