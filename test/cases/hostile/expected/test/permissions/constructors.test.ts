/** The permissions of constructors. */
import { expect, test } from 'vitest';

import { constructorBody } from '../support/items/constructors.ts';
import { makeCaller, statusesOf } from '../support/callers.ts';
import type { Target } from '../support/callers.ts';
import { NO_ID } from '../support/expected.ts';
import { startService } from '../support/service.ts';
import { rowsOf } from '../support/table.ts';

/** The status of the response to each caller. */
const TABLE = `
                                 no credential  no role  admin
GET     /constructors            401            200      200
HEAD    /constructors            401            200      200
POST    /constructors            401            201      201
GET     /constructors/{id}       401            200      200
HEAD    /constructors/{id}       401            200      200
PUT     /constructors/{id}       401            200      200
PATCH   /constructors/{id}       401            200      200
DELETE  /constructors/{id}       401            204      204
GET     /constructors/{removed}  401            410      410
PUT     /constructors/{removed}  401            410      410
PATCH   /constructors/{removed}  401            410      410
DELETE  /constructors/{removed}  401            410      410
GET     /constructors/{missing}  401            404      404
PUT     /constructors/{missing}  401            404      404
PATCH   /constructors/{missing}  401            404      404
DELETE  /constructors/{missing}  401            404      404
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
    case '/constructors':
      return { path: row, body: await constructorBody(service) };
    case '/constructors/{id}': {
      const body = await constructorBody(service);
      const { id } = await service.create('/constructors', body);
      return { path: `/constructors/${id}`, body };
    }
    case '/constructors/{removed}': {
      const body = await constructorBody(service);
      const { id } = await service.create('/constructors', body);
      await service.delete(`/constructors/${id}`);
      return { path: `/constructors/${id}`, body };
    }
    case '/constructors/{missing}':
      return { path: `/constructors/${NO_ID}`, body: {} };
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
