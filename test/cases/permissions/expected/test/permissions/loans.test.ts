/** The permissions of loans. */
import { beforeEach, describe, expect, test } from 'vitest';

import type { Loan } from '../../src/collections/loans/schema.ts';
import { loanBody } from '../support/items/loans.ts';
import { createMember } from '../support/items/members.ts';
import { makeCaller, send, statusesOf } from '../support/callers.ts';
import type { Caller, Target } from '../support/callers.ts';
import { NO_ID } from '../support/expected.ts';
import { readForthAndBack } from '../support/lists.ts';
import { sharedService } from '../support/service.ts';
import { rowsOf } from '../support/table.ts';

/** The status of the response to each caller. `owner` owns the item at `{id}`. */
const TABLE = `
                                  no credential  no role  clerk  auditor  owner  admin
GET     /loans                    401            200      200    200      200    200
HEAD    /loans                    401            200      200    200      200    200
POST    /loans                    401            403      201    403      403    201
GET     /loans/{id}               401            403      200    403      200    200
HEAD    /loans/{id}               401            403      200    403      200    200
PUT     /loans/{id}               401            403      200    403      200    200
PATCH   /loans/{id}               401            403      200    403      200    200
DELETE  /loans/{id}               401            403      204    403      403    204
GET     /loans/{removed}          401            410      410    410      410    410
PUT     /loans/{removed}          401            410      410    410      410    410
PATCH   /loans/{removed}          401            410      410    410      410    410
DELETE  /loans/{removed}          401            403      410    403      403    410
GET     /loans/{missing}          401            404      404    404      404    404
PUT     /loans/{missing}          401            404      404    404      404    404
PATCH   /loans/{missing}          401            404      404    404      404    404
DELETE  /loans/{missing}          401            403      404    403      403    404
GET     /members/{id}/loans       401            403      200    403      403    200
HEAD    /members/{id}/loans       401            403      200    403      403    200
POST    /members/{id}/loans       401            403      201    403      403    201
GET     /members/{removed}/loans  401            410      410    410      410    410
POST    /members/{removed}/loans  401            410      410    410      410    410
GET     /members/{missing}/loans  401            404      404    404      404    404
POST    /members/{missing}/loans  401            404      404    404      404    404
`;

const service = await sharedService();
const nobody = await makeCaller(service, 'no role');
const owner = await makeCaller(service, 'owner');

const callers = {
  'no credential': service.as(undefined),
  'no role': nobody.service,
  clerk: (await makeCaller(service, 'role clerk', ['clerk'])).service,
  auditor: (await makeCaller(service, 'role auditor', ['auditor'])).service,
  owner: owner.service,
  admin: service,
};

/** The reference by which an item belongs to a caller. */
const belongingTo = async ({ id }: Caller) => ({
  member_id: (await createMember(service, { user_id: id })).id,
});

/** Creates the items that a path of the table needs. */
async function arrange(row: string): Promise<Target> {
  await service.clear();
  switch (row) {
    case '/loans':
      return { path: row, body: await loanBody(service) };
    case '/loans/{id}': {
      const body = await loanBody(service, await belongingTo(owner));
      const { id } = await service.create('/loans', body);
      return { path: `/loans/${id}`, body };
    }
    case '/loans/{removed}': {
      const body = await loanBody(service);
      const { id } = await service.create('/loans', body);
      await service.delete(`/loans/${id}`);
      return { path: `/loans/${id}`, body };
    }
    case '/loans/{missing}':
      return { path: `/loans/${NO_ID}`, body: {} };
    case '/members/{id}/loans': {
      const { id } = await createMember(service);
      const body = await loanBody(service, { member_id: id });
      return { path: `/members/${id}/loans`, body };
    }
    case '/members/{removed}/loans': {
      const { id } = await createMember(service);
      await service.delete(`/members/${id}`);
      return { path: `/members/${id}/loans`, body: {} };
    }
    case '/members/{missing}/loans':
      return { path: `/members/${NO_ID}/loans`, body: {} };
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
    const own = await service.create<Loan>(
      '/loans',
      await loanBody(service, await belongingTo(owner)),
    );
    const other = await service.create<Loan>('/loans', await loanBody(service));
    for (const query of [
      '',
      '&limit=1',
      '&sort=due_on',
      '&sort=-due_on',
      '&sort=tool',
      '&sort=-tool',
    ]) {
      const answer = await owner.service.get(`/loans?count=true${query}`);
      expect(answer.body).toEqual([own]);
      expect(answer.headers.get('total-count')).toBe('1');
      expect(answer.headers.get('link')).not.toContain('rel="next"');
    }
    const filters = [
      ['tool', other.tool],
      ['tool[null]', false],
      ['member_id', other.member_id],
      ['member_id[null]', false],
      ['q', other.tool],
    ] as const;
    for (const [name, value] of filters) {
      const path = `/loans?${name}=${encodeURIComponent(value)}&count=true`;
      expect((await service.get(path)).body).toContainEqual(other);
      const answer = await owner.service.get<unknown[]>(path);
      expect(answer.body).not.toContainEqual(other);
      expect(answer.headers.get('total-count')).toBe(String(answer.body.length));
    }
    expect((await nobody.service.get('/loans?count=true')).headers.get('total-count')).toBe('0');
  });

  test.each(['', '&sort=due_on', '&sort=-due_on', '&sort=tool', '&sort=-tool'])(
    'pages of an owner hold each item once, in order%s',
    async (query) => {
      const own = new Set<string>();
      const given0 = await belongingTo(owner);
      for (let n = 0; n < 2; n++) {
        await service.create('/loans', await loanBody(service));
        own.add((await service.create('/loans', await loanBody(service, given0))).id);
      }
      const all = await readForthAndBack(service, `/loans?limit=1${query}`);
      const listed = all.forth.filter((id) => own.has(id));
      const pages = await readForthAndBack(owner.service, `/loans?limit=1${query}`);
      expect(pages).toEqual({ forth: listed, back: listed });
      expect(listed).toHaveLength(own.size);
    },
  );

  test('users without roles create items of their own', async () => {
    const body = await loanBody(service, await belongingTo(nobody));
    expect(await nobody.service.post('/loans', body)).toHaveStatus(201);
  });

  test('a change of member_id hands the item over', async () => {
    const body = await loanBody(service, await belongingTo(owner));
    const { id } = await service.create('/loans', body);
    const path = `/loans/${id}`;
    const change = await belongingTo(nobody);
    expect(await service.patch(path, change)).toHaveStatus(200);
    const target = { path, body: { ...body, ...change } };
    for (const method of ['GET', 'PUT', 'PATCH']) {
      expect(await send(owner.service, method, target)).toBeError(403);
      expect((await send(nobody.service, method, target)).status).toBeLessThan(300);
    }
  });

  test('a change by another user keeps the owner', async () => {
    const body = await loanBody(service, await belongingTo(owner));
    const { id } = await service.create('/loans', body);
    const path = `/loans/${id}`;
    expect(await service.put(path, body)).toHaveStatus(200);
    for (const method of ['GET', 'PUT', 'PATCH']) {
      expect((await send(nobody.service, method, { path, body })).status).toBe(403);
      expect((await send(owner.service, method, { path, body })).status).toBeLessThan(300);
    }
  });

  test.each(['PUT', 'PATCH'])(
    '%s by a former owner is 403, if the item is handed over before the body arrives',
    async (method) => {
      const body = await loanBody(service, await belongingTo(owner));
      const { id } = await service.create('/loans', body);
      const path = `/loans/${id}`;
      const handOver = { text: 'update "members" set "user_id" = $2 where "user_id" = $1' };
      const answer = await send(owner.service, method, { path, body }, () =>
        service.database.query(handOver, [owner.id, nobody.id]),
      );
      expect(answer).toBeError(403);
      expect(await service.get(path)).toHaveStatus(200);
    },
  );
});
