/** The permissions of books. */
import { expect, test } from 'vitest';

import { createAuthor } from '../support/items/authors.ts';
import { bookBody } from '../support/items/books.ts';
import { makeCaller, statusesOf } from '../support/callers.ts';
import type { Target } from '../support/callers.ts';
import { NO_ID } from '../support/expected.ts';
import { sharedService } from '../support/service.ts';
import { rowsOf } from '../support/table.ts';

/** The status of the response to each caller. */
const TABLE = `
                                  no credential  no role  editor  admin
GET     /books                    200            200      200     200
HEAD    /books                    200            200      200     200
POST    /books                    401            403      201     201
GET     /books/{id}               200            200      200     200
HEAD    /books/{id}               200            200      200     200
PUT     /books/{id}               401            403      200     200
PATCH   /books/{id}               401            403      200     200
DELETE  /books/{id}               401            403      403     204
GET     /books/{removed}          410            410      410     410
PUT     /books/{removed}          401            403      410     410
PATCH   /books/{removed}          401            403      410     410
DELETE  /books/{removed}          401            403      403     410
GET     /books/{missing}          404            404      404     404
PUT     /books/{missing}          401            403      404     404
PATCH   /books/{missing}          401            403      404     404
DELETE  /books/{missing}          401            403      403     404
GET     /authors/{id}/books       200            200      200     200
HEAD    /authors/{id}/books       200            200      200     200
POST    /authors/{id}/books       401            403      201     201
GET     /authors/{removed}/books  410            410      410     410
POST    /authors/{removed}/books  401            403      410     410
GET     /authors/{missing}/books  404            404      404     404
POST    /authors/{missing}/books  401            403      404     404
`;

const service = await sharedService();
const nobody = await makeCaller(service, 'no role');

const callers = {
  'no credential': service.as(undefined),
  'no role': nobody.service,
  editor: (await makeCaller(service, 'role editor', ['editor'])).service,
  admin: service,
};

/** Creates the items that a path of the table needs. */
async function arrange(row: string): Promise<Target> {
  await service.clear();
  switch (row) {
    case '/books':
      return { path: row, body: await bookBody(service) };
    case '/books/{id}': {
      const body = await bookBody(service);
      const { id } = await service.create('/books', body);
      return { path: `/books/${id}`, body };
    }
    case '/books/{removed}': {
      const body = await bookBody(service);
      const { id } = await service.create('/books', body);
      await service.delete(`/books/${id}`);
      return { path: `/books/${id}`, body };
    }
    case '/books/{missing}':
      return { path: `/books/${NO_ID}`, body: {} };
    case '/authors/{id}/books': {
      const { id } = await createAuthor(service);
      const body = await bookBody(service, { author_id: id });
      return { path: `/authors/${id}/books`, body };
    }
    case '/authors/{removed}/books': {
      const { id } = await createAuthor(service);
      await service.delete(`/authors/${id}`);
      return { path: `/authors/${id}/books`, body: {} };
    }
    case '/authors/{missing}/books':
      return { path: `/authors/${NO_ID}/books`, body: {} };
    default:
      throw new Error(`unknown path ${row}`);
  }
}

test.each(rowsOf(TABLE))(
  '%s %s answers each caller by permission',
  async (method, row, statuses) => {
    expect(await statusesOf(callers, method, () => arrange(row))).toEqual(statuses);
  },
);
