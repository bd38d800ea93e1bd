/** The permissions of customers. */
import { beforeEach, describe, expect, test } from 'vitest';

import type { Customer } from '../../src/collections/customers/schema.ts';
import { customerBody } from '../support/items/customers.ts';
import { createMembership } from '../support/items/memberships.ts';
import { makeCaller, send, statusesOf } from '../support/callers.ts';
import type { Caller, Target } from '../support/callers.ts';
import { NO_NUMERIC_ID } from '../support/expected.ts';
import { sharedService } from '../support/service.ts';
import type { Item } from '../support/service.ts';
import { rowsOf } from '../support/table.ts';

/** The status of the response to each caller. `owner` owns the item at `{id}`. */
const TABLE = `
                              no credential  no role  clerk  owner  admin
GET     /customers            401            200      200    200    200
HEAD    /customers            401            200      200    200    200
POST    /customers            401            403      201    403    201
GET     /customers/{id}       401            403      200    200    200
HEAD    /customers/{id}       401            403      200    200    200
PUT     /customers/{id}       401            403      200    200    200
PATCH   /customers/{id}       401            403      200    200    200
DELETE  /customers/{id}       401            403      409    409    409
GET     /customers/{removed}  401            410      410    410    410
PUT     /customers/{removed}  401            410      410    410    410
PATCH   /customers/{removed}  401            410      410    410    410
DELETE  /customers/{removed}  401            410      410    410    410
GET     /customers/{missing}  401            404      404    404    404
PUT     /customers/{missing}  401            404      404    404    404
PATCH   /customers/{missing}  401            404      404    404    404
DELETE  /customers/{missing}  401            404      404    404    404
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

/** Creates an item, and the one that makes a caller its owner. */
async function createFor<Created extends Item>(
  { id }: Caller,
  path: string,
  body: object,
): Promise<Created> {
  const item = await service.create<Created>(path, body);
  await createMembership(service, { customer_id: item.id, user_id: id });
  return item;
}

/** Creates the items that a path of the table needs. */
async function arrange(row: string): Promise<Target> {
  await service.clear();
  switch (row) {
    case '/customers':
      return { path: row, body: await customerBody(service) };
    case '/customers/{id}': {
      const body = await customerBody(service);
      const { id } = await createFor(owner, '/customers', body);
      return { path: `/customers/${id}`, body };
    }
    case '/customers/{removed}': {
      const body = await customerBody(service);
      const { id } = await service.create('/customers', body);
      await service.delete(`/customers/${id}`);
      return { path: `/customers/${id}`, body };
    }
    case '/customers/{missing}':
      return { path: `/customers/${NO_NUMERIC_ID}`, body: {} };
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
    const own = await createFor<Customer>(owner, '/customers', await customerBody(service));
    await service.create('/customers', await customerBody(service));
    for (const query of ['', '&limit=1', '&sort=name', '&sort=-name']) {
      const answer = await owner.service.get(`/customers?count=true${query}`);
      expect(answer.body).toEqual([own]);
      expect(answer.headers.get('total-count')).toBe('1');
      expect(answer.headers.get('link')).not.toContain('rel="next"');
    }
    expect((await nobody.service.get('/customers?count=true')).headers.get('total-count')).toBe(
      '0',
    );
  });

  test('an item belongs to nobody without one of memberships', async () => {
    const body = await customerBody(service);
    const item = await service.create('/customers', body);
    const { id } = owner;
    const link = await createMembership(service, { customer_id: item.id, user_id: id });
    expect(await service.delete(`/memberships/${link.id}`)).toHaveStatus(204);
    const target = { path: `/customers/${item.id}`, body };
    for (const method of ['GET', 'PUT', 'PATCH']) {
      expect(await send(owner.service, method, target)).toBeError(403);
    }
  });

  test('a change by another user keeps the owner', async () => {
    const body = await customerBody(service);
    const { id } = await createFor(owner, '/customers', body);
    const path = `/customers/${id}`;
    expect(await service.put(path, body)).toHaveStatus(200);
    for (const method of ['GET', 'PUT', 'PATCH']) {
      expect((await send(nobody.service, method, { path, body })).status).toBe(403);
      expect((await send(owner.service, method, { path, body })).status).toBeLessThan(300);
    }
  });
});
