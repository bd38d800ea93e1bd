/** The permissions of keys. */
import { expect, test } from 'vitest';

import { keyBody } from '../support/items/keys.ts';
import { makeCaller, statusesOf } from '../support/callers.ts';
import type { Target } from '../support/callers.ts';
import { NO_ID } from '../support/expected.ts';
import { startService } from '../support/service.ts';
import { rowsOf } from '../support/table.ts';

/** The status of the response to each caller. */
const TABLE = `
                         no credential  no role  admin
GET     /keys            401            200      200
HEAD    /keys            401            200      200
POST    /keys            401            201      201
GET     /keys/{id}       401            200      200
HEAD    /keys/{id}       401            200      200
PUT     /keys/{id}       401            200      200
PATCH   /keys/{id}       401            200      200
DELETE  /keys/{id}       401            204      204
GET     /keys/{removed}  401            410      410
PUT     /keys/{removed}  401            410      410
PATCH   /keys/{removed}  401            410      410
DELETE  /keys/{removed}  401            410      410
GET     /keys/{missing}  401            404      404
PUT     /keys/{missing}  401            404      404
PATCH   /keys/{missing}  401            404      404
DELETE  /keys/{missing}  401            404      404
`;

const service = await startService();
const nobody = await makeCaller(service, 'no role');

const callers = {
  'no credential': service.as(undefined),
  'no role': nobody.service,
  admin: service,
};

/** Creates the items that a path of the table needs. */
async function arrange(row: string): Promise<Target> {
  await service.clear();
  switch (row) {
    case '/keys':
      return { path: row, body: await keyBody(service) };
    case '/keys/{id}': {
      const body = await keyBody(service);
      const { id } = await service.create('/keys', body);
      return { path: `/keys/${id}`, body };
    }
    case '/keys/{removed}': {
      const body = await keyBody(service);
      const { id } = await service.create('/keys', body);
      await service.delete(`/keys/${id}`);
      return { path: `/keys/${id}`, body };
    }
    case '/keys/{missing}':
      return { path: `/keys/${NO_ID}`, body: {} };
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
