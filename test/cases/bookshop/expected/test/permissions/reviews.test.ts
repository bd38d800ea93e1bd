/** The permissions of reviews. */
import { beforeEach, describe, expect, test } from 'vitest';

import { createBook } from '../support/items/books.ts';
import { reviewBody } from '../support/items/reviews.ts';
import { createAs, makeCaller, send, statusesOf } from '../support/callers.ts';
import type { Target } from '../support/callers.ts';
import { NO_ID } from '../support/expected.ts';
import { sharedService } from '../support/service.ts';
import { rowsOf } from '../support/table.ts';

/** The status of the response to each caller. `owner` owns the item at `{id}`. */
const TABLE = `
                                  no credential  no role  editor  owner  admin
GET     /reviews                  200            200      200     200    200
HEAD    /reviews                  200            200      200     200    200
POST    /reviews                  401            201      201     201    201
GET     /reviews/{id}             200            200      200     200    200
HEAD    /reviews/{id}             200            200      200     200    200
PUT     /reviews/{id}             401            403      403     200    200
PATCH   /reviews/{id}             401            403      403     200    200
DELETE  /reviews/{id}             401            403      204     204    204
GET     /reviews/{removed}        410            410      410     410    410
PUT     /reviews/{removed}        401            410      410     410    410
PATCH   /reviews/{removed}        401            410      410     410    410
DELETE  /reviews/{removed}        401            410      410     410    410
GET     /reviews/{missing}        404            404      404     404    404
PUT     /reviews/{missing}        401            404      404     404    404
PATCH   /reviews/{missing}        401            404      404     404    404
DELETE  /reviews/{missing}        401            404      404     404    404
GET     /books/{id}/reviews       200            200      200     200    200
HEAD    /books/{id}/reviews       200            200      200     200    200
POST    /books/{id}/reviews       401            201      201     201    201
GET     /books/{removed}/reviews  410            410      410     410    410
POST    /books/{removed}/reviews  401            410      410     410    410
GET     /books/{missing}/reviews  404            404      404     404    404
POST    /books/{missing}/reviews  401            404      404     404    404
`;

const service = await sharedService();
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
    case '/reviews':
      return { path: row, body: await reviewBody(service) };
    case '/reviews/{id}': {
      const body = await reviewBody(service);
      const { id } = await createAs(owner, '/reviews', body);
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
    const { id } = await createAs(leaver, '/reviews', await reviewBody(service));
    const path = `/reviews/${id}`;
    const before = await service.get(path);
    expect(await service.delete(`/users/${leaver.id}`)).toHaveStatus(204);
    const after = await service.get(path);
    expect(after.body).toEqual(before.body);
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
  });

  test.each(['_owner_id', 'owner_id', 'owner'])(
    'clients cannot set or filter by %s',
    async (member) => {
      const body = await reviewBody(service);
      const { id } = await createAs(owner, '/reviews', body);
      const path = `/reviews/${id}`;
      const stolen = { ...body, [member]: nobody.id };
      expect(await service.post('/reviews', stolen)).toBeError(422, member);
      expect(await service.put(path, stolen)).toBeError(422, member);
      expect(await service.patch(path, { [member]: nobody.id })).toBeError(422, member);
      expect(await service.get(`/reviews?${member}=${owner.id}`)).toBeError(400, member);
      expect((await service.get(path)).body).not.toHaveProperty(member);
    },
  );

  test('a change by another user keeps the owner', async () => {
    const body = await reviewBody(service);
    const { id } = await createAs(owner, '/reviews', body);
    const path = `/reviews/${id}`;
    expect(await service.put(path, body)).toHaveStatus(200);
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expect((await send(nobody.service, method, { path, body })).status).toBe(403);
      expect((await send(owner.service, method, { path, body })).status).toBeLessThan(300);
    }
  });

  test('the items of a removed user are 403 for everyone but administrators', async () => {
    const leaving = await makeCaller(service, 'leaving');
    const body = await reviewBody(service);
    const { id } = await createAs(leaving, '/reviews', body);
    const path = `/reviews/${id}`;
    expect(await service.delete(`/users/${leaving.id}`)).toHaveStatus(204);
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expect(await send(leaving.service, method, { path, body })).toBeError(401);
      expect(await send(nobody.service, method, { path, body })).toBeError(403);
    }
    expect(await service.get(path)).toHaveStatus(200);
  });

  test.each(['PUT', 'PATCH', 'DELETE'])(
    '%s by a former owner is 403, if the item is handed over before the body arrives',
    async (method) => {
      const body = await reviewBody(service);
      const { id } = await createAs(owner, '/reviews', body);
      const path = `/reviews/${id}`;
      const handOver = { text: 'update "reviews" set "_owner_id" = $2 where "_owner_id" = $1' };
      const answer = await send(owner.service, method, { path, body }, () =>
        service.database.query(handOver, [owner.id, nobody.id]),
      );
      expect(answer).toBeError(403);
      expect(await service.get(path)).toHaveStatus(200);
    },
  );
});
