/** The permissions of teams. */
import { beforeEach, describe, expect, test } from 'vitest';

import type { Team } from '../../src/collections/teams/schema.ts';
import { createLeadership } from '../support/items/leaderships.ts';
import { createPerson } from '../support/items/people.ts';
import { teamBody } from '../support/items/teams.ts';
import { makeCaller, send, statusesOf } from '../support/callers.ts';
import type { Caller, Target } from '../support/callers.ts';
import { NO_ID } from '../support/expected.ts';
import { readForthAndBack } from '../support/lists.ts';
import { sharedService } from '../support/service.ts';
import type { Item } from '../support/service.ts';
import { rowsOf } from '../support/table.ts';

/** The status of the response to each caller. `owner` owns the item at `{id}`. */
const TABLE = `
                          no credential  no role  clerk  owner  admin
GET     /teams            401            200      200    200    200
HEAD    /teams            401            200      200    200    200
POST    /teams            201            403      201    403    201
GET     /teams/{id}       401            403      200    200    200
HEAD    /teams/{id}       401            403      200    200    200
PUT     /teams/{id}       401            403      403    200    200
PATCH   /teams/{id}       401            403      403    200    200
DELETE  /teams/{id}       401            403      403    204    204
GET     /teams/{removed}  401            410      410    410    410
PUT     /teams/{removed}  401            410      410    410    410
PATCH   /teams/{removed}  401            410      410    410    410
DELETE  /teams/{removed}  401            410      410    410    410
GET     /teams/{missing}  401            404      404    404    404
PUT     /teams/{missing}  401            404      404    404    404
PATCH   /teams/{missing}  401            404      404    404    404
DELETE  /teams/{missing}  401            404      404    404    404
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
  await createLeadership(service, {
    team_id: item.id,
    person_id: (await createPerson(service, { user_id: id })).id,
  });
  return item;
}

/** Creates the items that a path of the table needs. */
async function arrange(row: string): Promise<Target> {
  await service.clear();
  switch (row) {
    case '/teams':
      return { path: row, body: await teamBody(service) };
    case '/teams/{id}': {
      const body = await teamBody(service);
      const { id } = await createFor(owner, '/teams', body);
      return { path: `/teams/${id}`, body };
    }
    case '/teams/{removed}': {
      const body = await teamBody(service);
      const { id } = await service.create('/teams', body);
      await service.delete(`/teams/${id}`);
      return { path: `/teams/${id}`, body };
    }
    case '/teams/{missing}':
      return { path: `/teams/${NO_ID}`, body: {} };
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
    const own = await createFor<Team>(owner, '/teams', await teamBody(service));
    await service.create('/teams', await teamBody(service));
    for (const query of ['', '&limit=1', '&sort=name', '&sort=-name']) {
      const answer = await owner.service.get(`/teams?count=true${query}`);
      expect(answer.body).toEqual([own]);
      expect(answer.headers.get('total-count')).toBe('1');
      expect(answer.headers.get('link')).not.toContain('rel="next"');
    }
    expect((await nobody.service.get('/teams?count=true')).headers.get('total-count')).toBe('0');
  });

  test.each(['', '&sort=name', '&sort=-name'])(
    'pages of an owner hold each item once, in order%s',
    async (query) => {
      const own = new Set<string>();
      for (let n = 0; n < 2; n++) {
        await service.create('/teams', await teamBody(service));
        own.add((await createFor(owner, '/teams', await teamBody(service))).id);
      }
      const all = await readForthAndBack(service, `/teams?limit=1${query}`);
      const listed = all.forth.filter((id) => own.has(id));
      const pages = await readForthAndBack(owner.service, `/teams?limit=1${query}`);
      expect(pages).toEqual({ forth: listed, back: listed });
      expect(listed).toHaveLength(own.size);
    },
  );

  test('an item belongs to nobody without one of leaderships', async () => {
    const body = await teamBody(service);
    const item = await service.create('/teams', body);
    const { id } = owner;
    const link = await createLeadership(service, {
      team_id: item.id,
      person_id: (await createPerson(service, { user_id: id })).id,
    });
    expect(await service.delete(`/leaderships/${link.id}`)).toHaveStatus(204);
    const target = { path: `/teams/${item.id}`, body };
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      expect(await send(owner.service, method, target)).toBeError(403);
    }
  });

  test('a change by another user keeps the owner', async () => {
    const body = await teamBody(service);
    const { id } = await createFor(owner, '/teams', body);
    const path = `/teams/${id}`;
    expect(await service.put(path, body)).toHaveStatus(200);
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      expect((await send(nobody.service, method, { path, body })).status).toBe(403);
      expect((await send(owner.service, method, { path, body })).status).toBeLessThan(300);
    }
  });
});
