/** The permissions of authors. */
import { expect, test } from 'vitest';

import { authorBody } from '../support/items/authors.ts';
import { makeCaller, statusesOf } from '../support/callers.ts';
import type { Target } from '../support/callers.ts';
import { NO_ID } from '../support/expected.ts';
import { sharedService } from '../support/service.ts';
import { rowsOf } from '../support/table.ts';

/** The status of the response to each caller. */
const TABLE = `
                            no credential  no role  editor  admin
GET     /authors            200            200      200     200
HEAD    /authors            200            200      200     200
POST    /authors            401            403      201     201
GET     /authors/{id}       200            200      200     200
HEAD    /authors/{id}       200            200      200     200
PUT     /authors/{id}       401            403      200     200
PATCH   /authors/{id}       401            403      200     200
DELETE  /authors/{id}       401            403      403     204
GET     /authors/{removed}  410            410      410     410
PUT     /authors/{removed}  401            403      410     410
PATCH   /authors/{removed}  401            403      410     410
DELETE  /authors/{removed}  401            403      403     410
GET     /authors/{missing}  404            404      404     404
PUT     /authors/{missing}  401            403      404     404
PATCH   /authors/{missing}  401            403      404     404
DELETE  /authors/{missing}  401            403      403     404
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
    case '/authors':
      return { path: row, body: await authorBody(service) };
    case '/authors/{id}': {
      const body = await authorBody(service);
      const { id } = await service.create('/authors', body);
      return { path: `/authors/${id}`, body };
    }
    case '/authors/{removed}': {
      const body = await authorBody(service);
      const { id } = await service.create('/authors', body);
      await service.delete(`/authors/${id}`);
      return { path: `/authors/${id}`, body };
    }
    case '/authors/{missing}':
      return { path: `/authors/${NO_ID}`, body: {} };
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
