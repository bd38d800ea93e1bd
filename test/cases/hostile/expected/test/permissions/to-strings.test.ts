/** The permissions of to strings. */
import { beforeEach, describe, expect, test } from 'vitest';

import { createConstructor } from '../support/items/constructors.ts';
import { toStringBody } from '../support/items/to-strings.ts';
import { createAs, makeCaller, send, statusesOf } from '../support/callers.ts';
import type { Target } from '../support/callers.ts';
import { NO_ID } from '../support/expected.ts';
import { startService } from '../support/service.ts';
import { rowsOf } from '../support/table.ts';

/** The status of the response to each caller. `owner` owns the item at `{id}`. */
const TABLE = `
                                           no credential  no role  owner  admin
GET     /to-strings                        401            200      200    200
HEAD    /to-strings                        401            200      200    200
POST    /to-strings                        401            201      201    201
GET     /to-strings/{id}                   401            200      200    200
HEAD    /to-strings/{id}                   401            200      200    200
PUT     /to-strings/{id}                   401            403      200    200
PATCH   /to-strings/{id}                   401            403      200    200
DELETE  /to-strings/{id}                   401            204      204    204
GET     /to-strings/{removed}              401            410      410    410
PUT     /to-strings/{removed}              401            410      410    410
PATCH   /to-strings/{removed}              401            410      410    410
DELETE  /to-strings/{removed}              401            410      410    410
GET     /to-strings/{missing}              401            404      404    404
PUT     /to-strings/{missing}              401            404      404    404
PATCH   /to-strings/{missing}              401            404      404    404
DELETE  /to-strings/{missing}              401            404      404    404
GET     /constructors/{id}/value-ofs       401            200      200    200
HEAD    /constructors/{id}/value-ofs       401            200      200    200
POST    /constructors/{id}/value-ofs       401            201      201    201
GET     /constructors/{removed}/value-ofs  401            410      410    410
POST    /constructors/{removed}/value-ofs  401            410      410    410
GET     /constructors/{missing}/value-ofs  401            404      404    404
POST    /constructors/{missing}/value-ofs  401            404      404    404
GET     /constructors/{id}/items           401            200      200    200
HEAD    /constructors/{id}/items           401            200      200    200
POST    /constructors/{id}/items           401            201      201    201
GET     /constructors/{removed}/items      401            410      410    410
POST    /constructors/{removed}/items      401            410      410    410
GET     /constructors/{missing}/items      401            404      404    404
POST    /constructors/{missing}/items      401            404      404    404
`;

const service = await startService();
const nobody = await makeCaller(service, 'no role');
const owner = await makeCaller(service, 'owner');

const callers = {
  'no credential': service.as(undefined),
  'no role': nobody.service,
  owner: owner.service,
  admin: service,
};

/** Creates the items that a path of the table needs. */
async function arrange(row: string): Promise<Target> {
  await service.clear();
  switch (row) {
    case '/to-strings':
      return { path: row, body: await toStringBody(service) };
    case '/to-strings/{id}': {
      const body = await toStringBody(service);
      const { id } = await createAs(owner, '/to-strings', body);
      return { path: `/to-strings/${id}`, body };
    }
    case '/to-strings/{removed}': {
      const body = await toStringBody(service);
      const { id } = await service.create('/to-strings', body);
      await service.delete(`/to-strings/${id}`);
      return { path: `/to-strings/${id}`, body };
    }
    case '/to-strings/{missing}':
      return { path: `/to-strings/${NO_ID}`, body: {} };
    case '/constructors/{id}/value-ofs': {
      const { id } = await createConstructor(service);
      const body = await toStringBody(service, { constructor_id: id });
      return { path: `/constructors/${id}/value-ofs`, body };
    }
    case '/constructors/{removed}/value-ofs': {
      const { id } = await createConstructor(service);
      await service.delete(`/constructors/${id}`);
      return { path: `/constructors/${id}/value-ofs`, body: {} };
    }
    case '/constructors/{missing}/value-ofs':
      return { path: `/constructors/${NO_ID}/value-ofs`, body: {} };
    case '/constructors/{id}/items': {
      const { id } = await createConstructor(service);
      const body = await toStringBody(service, { item_id: id });
      return { path: `/constructors/${id}/items`, body };
    }
    case '/constructors/{removed}/items': {
      const { id } = await createConstructor(service);
      await service.delete(`/constructors/${id}`);
      return { path: `/constructors/${id}/items`, body: {} };
    }
    case '/constructors/{missing}/items':
      return { path: `/constructors/${NO_ID}/items`, body: {} };
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

describe('ownership', () => {
  beforeEach(() => service.clear());

  test('the removal of the owner does not change the item', async () => {
    const leaver = await makeCaller(service, 'leaver');
    const { id } = await createAs(leaver, '/to-strings', await toStringBody(service));
    const path = `/to-strings/${id}`;
    const before = await service.get(path);
    expect(await service.delete(`/users/${leaver.id}`)).toHaveStatus(204);
    const after = await service.get(path);
    expect(after.body).toEqual(before.body);
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
  });

  test.each(['_owner_id', 'owner_id', 'owner'])(
    'clients cannot set or filter by %s',
    async (member) => {
      const body = await toStringBody(service);
      const { id } = await createAs(owner, '/to-strings', body);
      const path = `/to-strings/${id}`;
      const stolen = { ...body, [member]: nobody.id };
      expect(await service.post('/to-strings', stolen)).toBeError(422, member);
      expect(await service.put(path, stolen)).toBeError(422, member);
      expect(await service.patch(path, { [member]: nobody.id })).toBeError(422, member);
      expect(await service.get(`/to-strings?${member}=${owner.id}`)).toBeError(400, member);
      expect((await service.get(path)).body).not.toHaveProperty(member);
    },
  );

  test('a change by another user keeps the owner', async () => {
    const body = await toStringBody(service);
    const { id } = await createAs(owner, '/to-strings', body);
    const path = `/to-strings/${id}`;
    expect(await service.put(path, body)).toHaveStatus(200);
    for (const method of ['PUT', 'PATCH']) {
      expect((await send(nobody.service, method, { path, body })).status).toBe(403);
      expect((await send(owner.service, method, { path, body })).status).toBeLessThan(300);
    }
  });

  test('the items of a removed user are 403 for everyone but administrators', async () => {
    const leaving = await makeCaller(service, 'leaving');
    const body = await toStringBody(service);
    const { id } = await createAs(leaving, '/to-strings', body);
    const path = `/to-strings/${id}`;
    expect(await service.delete(`/users/${leaving.id}`)).toHaveStatus(204);
    for (const method of ['PUT', 'PATCH']) {
      expect(await send(leaving.service, method, { path, body })).toBeError(401);
      expect(await send(nobody.service, method, { path, body })).toBeError(403);
    }
    expect(await service.get(path)).toHaveStatus(200);
  });
});
