/** The permissions of notes. */
import { expect, test } from 'vitest';

import { noteBody } from '../support/items/notes.ts';
import { makeCaller, statusesOf } from '../support/callers.ts';
import type { Target } from '../support/callers.ts';
import { NO_ID } from '../support/expected.ts';
import { startService } from '../support/service.ts';
import { rowsOf } from '../support/table.ts';

/** The status of the response to each caller. */
const TABLE = `
                          no credential  no role  admin
GET     /notes            401            200      200
HEAD    /notes            401            200      200
POST    /notes            401            201      201
GET     /notes/{id}       401            200      200
HEAD    /notes/{id}       401            200      200
PUT     /notes/{id}       401            200      200
PATCH   /notes/{id}       401            200      200
DELETE  /notes/{id}       401            204      204
GET     /notes/{removed}  401            410      410
PUT     /notes/{removed}  401            410      410
PATCH   /notes/{removed}  401            410      410
DELETE  /notes/{removed}  401            410      410
GET     /notes/{missing}  401            404      404
PUT     /notes/{missing}  401            404      404
PATCH   /notes/{missing}  401            404      404
DELETE  /notes/{missing}  401            404      404
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
    case '/notes':
      return { path: row, body: await noteBody(service) };
    case '/notes/{id}': {
      const body = await noteBody(service);
      const { id } = await service.create('/notes', body);
      return { path: `/notes/${id}`, body };
    }
    case '/notes/{removed}': {
      const body = await noteBody(service);
      const { id } = await service.create('/notes', body);
      await service.delete(`/notes/${id}`);
      return { path: `/notes/${id}`, body };
    }
    case '/notes/{missing}':
      return { path: `/notes/${NO_ID}`, body: {} };
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
