/** The permissions of records. */
import { expect, test } from 'vitest';

import { recordBody } from '../support/items/records.ts';
import { makeCaller, statusesOf } from '../support/callers.ts';
import type { Target } from '../support/callers.ts';
import { NO_ID } from '../support/expected.ts';
import { startService } from '../support/service.ts';
import { rowsOf } from '../support/table.ts';

/** The status of the response to each caller. */
const TABLE = `
                            no credential  no role  admin
GET     /records            401            200      200
HEAD    /records            401            200      200
POST    /records            401            201      201
GET     /records/{id}       401            200      200
HEAD    /records/{id}       401            200      200
PUT     /records/{id}       401            200      200
PATCH   /records/{id}       401            200      200
DELETE  /records/{id}       401            204      204
GET     /records/{removed}  401            410      410
PUT     /records/{removed}  401            410      410
PATCH   /records/{removed}  401            410      410
DELETE  /records/{removed}  401            410      410
GET     /records/{missing}  401            404      404
PUT     /records/{missing}  401            404      404
PATCH   /records/{missing}  401            404      404
DELETE  /records/{missing}  401            404      404
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
    case '/records':
      return { path: row, body: await recordBody(service) };
    case '/records/{id}': {
      const body = await recordBody(service);
      const { id } = await service.create('/records', body);
      return { path: `/records/${id}`, body };
    }
    case '/records/{removed}': {
      const body = await recordBody(service);
      const { id } = await service.create('/records', body);
      await service.delete(`/records/${id}`);
      return { path: `/records/${id}`, body };
    }
    case '/records/{missing}':
      return { path: `/records/${NO_ID}`, body: {} };
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
