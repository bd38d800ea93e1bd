/** The permissions of people. */
import { expect, test } from 'vitest';

import { personBody } from '../support/items/people.ts';
import { makeCaller, statusesOf } from '../support/callers.ts';
import type { Target } from '../support/callers.ts';
import { NO_ID } from '../support/expected.ts';
import { startService } from '../support/service.ts';
import { rowsOf } from '../support/table.ts';

/** The status of the response to each caller. */
const TABLE = `
                           no credential  no role  editor  admin
GET     /people            200            200      200     200
HEAD    /people            200            200      200     200
POST    /people            401            201      201     201
GET     /people/{id}       200            200      200     200
HEAD    /people/{id}       200            200      200     200
PUT     /people/{id}       401            200      200     200
PATCH   /people/{id}       401            200      200     200
DELETE  /people/{id}       401            204      204     204
GET     /people/{removed}  410            410      410     410
PUT     /people/{removed}  401            410      410     410
PATCH   /people/{removed}  401            410      410     410
DELETE  /people/{removed}  401            410      410     410
GET     /people/{missing}  404            404      404     404
PUT     /people/{missing}  401            404      404     404
PATCH   /people/{missing}  401            404      404     404
DELETE  /people/{missing}  401            404      404     404
`;

const service = await startService();
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
    case '/people':
      return { path: row, body: await personBody(service) };
    case '/people/{id}': {
      const body = await personBody(service);
      const { id } = await service.create('/people', body);
      return { path: `/people/${id}`, body };
    }
    case '/people/{removed}': {
      const body = await personBody(service);
      const { id } = await service.create('/people', body);
      await service.delete(`/people/${id}`);
      return { path: `/people/${id}`, body };
    }
    case '/people/{missing}':
      return { path: `/people/${NO_ID}`, body: {} };
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
