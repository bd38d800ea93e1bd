/** The permissions of orders. */
import { beforeEach, describe, expect, test } from 'vitest';

import type { Order } from '../../src/collections/orders/schema.ts';
import { createMembership } from '../support/items/memberships.ts';
import { orderBody } from '../support/items/orders.ts';
import { makeCaller, send, statusesOf } from '../support/callers.ts';
import type { Caller, Target } from '../support/callers.ts';
import { NO_ID } from '../support/expected.ts';
import { readForthAndBack } from '../support/lists.ts';
import { sharedService } from '../support/service.ts';
import { rowsOf } from '../support/table.ts';

/** The status of the response to each caller. `owner` owns the item at `{id}`. */
const TABLE = `
                           no credential  no role  clerk  owner  admin
GET     /orders            401            200      200    200    200
HEAD    /orders            401            200      200    200    200
POST    /orders            401            403      201    403    201
GET     /orders/{id}       401            403      200    200    200
HEAD    /orders/{id}       401            403      200    200    200
PUT     /orders/{id}       401            403      200    403    200
PATCH   /orders/{id}       401            403      200    403    200
DELETE  /orders/{id}       401            403      204    403    204
GET     /orders/{removed}  401            410      410    410    410
PUT     /orders/{removed}  401            403      410    403    410
PATCH   /orders/{removed}  401            403      410    403    410
DELETE  /orders/{removed}  401            403      410    403    410
GET     /orders/{missing}  401            404      404    404    404
PUT     /orders/{missing}  401            403      404    403    404
PATCH   /orders/{missing}  401            403      404    403    404
DELETE  /orders/{missing}  401            403      404    403    404
`;

const service = await sharedService();
const nobody = await makeCaller(service, 'no role');
const owner = await makeCaller(service, 'owner');

const callers = {
  'no credential': service.as(undefined),
  'no role': nobody.service,
  clerk: (await makeCaller(service, 'role clerk', ['clerk'])).service,
  owner: owner.service,
  admin: service,
};

/** The reference by which an item belongs to a caller. */
const belongingTo = async ({ id }: Caller) => ({
  customer_id: (await createMembership(service, { user_id: id })).customer_id,
});

/** Creates the items that a path of the table needs. */
async function arrange(row: string): Promise<Target> {
  await service.clear();
  switch (row) {
    case '/orders':
      return { path: row, body: await orderBody(service) };
    case '/orders/{id}': {
      const body = await orderBody(service, await belongingTo(owner));
      const { id } = await service.create('/orders', body);
      return { path: `/orders/${id}`, body };
    }
    case '/orders/{removed}': {
      const body = await orderBody(service);
      const { id } = await service.create('/orders', body);
      await service.delete(`/orders/${id}`);
      return { path: `/orders/${id}`, body };
    }
    case '/orders/{missing}':
      return { path: `/orders/${NO_ID}`, body: {} };
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

  test('lists, filters and sorts only items of the caller', async () => {
    const own = await service.create<Order>(
      '/orders',
      await orderBody(service, await belongingTo(owner)),
    );
    await service.create('/orders', await orderBody(service));
    for (const query of ['', '&limit=1']) {
      const answer = await owner.service.get(`/orders?count=true${query}`);
      expect(answer.body).toEqual([own]);
      expect(answer.headers.get('total-count')).toBe('1');
      expect(answer.headers.get('link')).not.toContain('rel="next"');
    }
    expect((await nobody.service.get('/orders?count=true')).headers.get('total-count')).toBe('0');
  });

  test.each([''])('pages of an owner hold each item once, in order%s', async (query) => {
    const own = new Set<string>();
    const given0 = await belongingTo(owner);
    for (let n = 0; n < 2; n++) {
      await service.create('/orders', await orderBody(service));
      own.add((await service.create('/orders', await orderBody(service, given0))).id);
    }
    const all = await readForthAndBack(service, `/orders?limit=1${query}`);
    const listed = all.forth.filter((id) => own.has(id));
    const pages = await readForthAndBack(owner.service, `/orders?limit=1${query}`);
    expect(pages).toEqual({ forth: listed, back: listed });
    expect(listed).toHaveLength(own.size);
  });

  test('users without roles create items of their own', async () => {
    const body = await orderBody(service, await belongingTo(nobody));
    expect(await nobody.service.post('/orders', body)).toHaveStatus(201);
  });

  test('a change of customer_id hands the item over', async () => {
    const body = await orderBody(service, await belongingTo(owner));
    const { id } = await service.create('/orders', body);
    const path = `/orders/${id}`;
    const change = await belongingTo(nobody);
    expect(await service.patch(path, change)).toHaveStatus(200);
    const target = { path, body: { ...body, ...change } };
    for (const method of ['GET']) {
      expect(await send(owner.service, method, target)).toBeError(403);
      expect((await send(nobody.service, method, target)).status).toBeLessThan(300);
    }
  });

  test('a change by another user keeps the owner', async () => {
    const body = await orderBody(service, await belongingTo(owner));
    const { id } = await service.create('/orders', body);
    const path = `/orders/${id}`;
    expect(await service.put(path, body)).toHaveStatus(200);
    for (const method of ['GET']) {
      expect((await send(nobody.service, method, { path, body })).status).toBe(403);
      expect((await send(owner.service, method, { path, body })).status).toBeLessThan(300);
    }
  });
});
