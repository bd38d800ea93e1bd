/** The permissions of books. */
import { beforeEach, describe, expect, test } from 'vitest';

import { bookBody } from '../support/items/books.ts';
import { createPerson } from '../support/items/people.ts';
import { createAs, makeCaller, send, statusesOf } from '../support/callers.ts';
import type { Target } from '../support/callers.ts';
import { NO_ID } from '../support/expected.ts';
import { startService } from '../support/service.ts';
import { rowsOf } from '../support/table.ts';

/** The status of the response to each caller. `owner` owns the item at `{id}`. */
const TABLE = `
                                 no credential  no role  editor  owner  admin
GET     /books                   200            200      200     200    200
HEAD    /books                   200            200      200     200    200
POST    /books                   401            201      201     201    201
GET     /books/{id}              200            200      200     200    200
HEAD    /books/{id}              200            200      200     200    200
PUT     /books/{id}              401            403      200     200    200
PATCH   /books/{id}              401            403      200     200    200
DELETE  /books/{id}              401            403      403     204    204
GET     /books/{removed}         410            410      410     410    410
PUT     /books/{removed}         401            410      410     410    410
PATCH   /books/{removed}         401            410      410     410    410
DELETE  /books/{removed}         401            410      410     410    410
GET     /books/{missing}         404            404      404     404    404
PUT     /books/{missing}         401            404      404     404    404
PATCH   /books/{missing}         401            404      404     404    404
DELETE  /books/{missing}         401            404      404     404    404
GET     /people/{id}/books       200            200      200     200    200
HEAD    /people/{id}/books       200            200      200     200    200
POST    /people/{id}/books       401            201      201     201    201
GET     /people/{removed}/books  410            410      410     410    410
POST    /people/{removed}/books  401            410      410     410    410
GET     /people/{missing}/books  404            404      404     404    404
POST    /people/{missing}/books  401            404      404     404    404
`;

const service = await startService();
const nobody = await makeCaller(service, 'no role');
const owner = await makeCaller(service, 'owner');

const callers = {
  'no credential': service.as(undefined),
  'no role': nobody.service,
  editor: (await makeCaller(service, 'role editor', ['editor'])).service,
  owner: owner.service,
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
      const { id } = await createAs(owner, '/books', body);
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
    case '/people/{id}/books': {
      const { id } = await createPerson(service);
      const body = await bookBody(service, { person_id: id });
      return { path: `/people/${id}/books`, body };
    }
    case '/people/{removed}/books': {
      const { id } = await createPerson(service);
      await service.delete(`/people/${id}`);
      return { path: `/people/${id}/books`, body: {} };
    }
    case '/people/{missing}/books':
      return { path: `/people/${NO_ID}/books`, body: {} };
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
    const { id } = await createAs(leaver, '/books', await bookBody(service));
    const path = `/books/${id}`;
    const before = await service.get(path);
    expect(await service.delete(`/users/${leaver.id}`)).toHaveStatus(204);
    const after = await service.get(path);
    expect(after.body).toEqual(before.body);
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
  });

  test.each(['_owner_id', 'owner_id', 'owner'])(
    'clients cannot set or filter by %s',
    async (member) => {
      const body = await bookBody(service);
      const { id } = await createAs(owner, '/books', body);
      const path = `/books/${id}`;
      const stolen = { ...body, [member]: nobody.id };
      expect(await service.post('/books', stolen)).toBeError(422, member);
      expect(await service.put(path, stolen)).toBeError(422, member);
      expect(await service.patch(path, { [member]: nobody.id })).toBeError(422, member);
      expect(await service.get(`/books?${member}=${owner.id}`)).toBeError(400, member);
      expect((await service.get(path)).body).not.toHaveProperty(member);
    },
  );

  test('a change by another user keeps the owner', async () => {
    const body = await bookBody(service);
    const { id } = await createAs(owner, '/books', body);
    const path = `/books/${id}`;
    expect(await service.put(path, body)).toHaveStatus(200);
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expect((await send(nobody.service, method, { path, body })).status).toBe(403);
      expect((await send(owner.service, method, { path, body })).status).toBeLessThan(300);
    }
  });

  test('the items of a removed user are 403 for everyone but administrators', async () => {
    const leaving = await makeCaller(service, 'leaving');
    const body = await bookBody(service);
    const { id } = await createAs(leaving, '/books', body);
    const path = `/books/${id}`;
    expect(await service.delete(`/users/${leaving.id}`)).toHaveStatus(204);
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expect(await send(leaving.service, method, { path, body })).toBeError(401);
      expect(await send(nobody.service, method, { path, body })).toBeError(403);
    }
    expect(await service.get(path)).toHaveStatus(200);
  });
});
