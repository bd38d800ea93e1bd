/** People in several versions: what is written through one is read through another. */
import { beforeEach, describe, expect, test } from 'vitest';

import { createPerson } from '../fixtures/people.ts';
import {
  createWriter as createWriterInV1,
  writerBody as writerBodyInV1,
} from '../fixtures/v1/writers.ts';
import {
  createPerson as createPersonInV2,
  personBody as personBodyInV2,
} from '../fixtures/v2/people.ts';
import { makeCaller, statusesOf } from '../support/callers.ts';
import type { Target } from '../support/callers.ts';
import { A_TIME } from '../support/expected.ts';
import { startService } from '../support/service.ts';
import type { Item } from '../support/service.ts';
import { rowsOf } from '../support/table.ts';

const service = await startService();
const callers = {
  'no credential': service.as(undefined),
  'no role': (await makeCaller(service, 'no role')).service,
  editor: (await makeCaller(service, 'role editor', ['editor'])).service,
  admin: service,
};

beforeEach(() => service.clear());

/** The members of an item that these names name. */
const pick = (item: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));

describe('version 1 beside the current one', () => {
  const older = service.in(1);

  test('shows what was written through the current one', async () => {
    const { id } = await createPerson(service, {
      name: 'Name 1',
      born: '2026-01-31',
      score: 1,
      country: '1',
    });
    const answer = await older.get(`/writers/${id}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toMatchObject({
      id,
      full_name: 'Name 1',
      born: '2026-01-31T00:00:00.000Z',
      score: '1.00',
    });
    expect((await older.get<Item[]>('/writers')).body).toContainEqual(answer.body);
  });

  test('writes what the current one shows', async () => {
    const { id } = await createWriterInV1(older, {
      full_name: 'Full name 1',
      born: '2026-01-31T00:00:00.000Z',
      score: '1.00',
      nickname: 'Nickname 1',
    });
    const answer = await service.get(`/people/${id}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toMatchObject({
      id,
      name: 'Full name 1',
      born: '2026-01-31',
      score: 1,
      country: 'NL',
    });
    expect((await service.get<Item[]>('/people')).body).toContainEqual(answer.body);
  });

  test.each(['PUT', 'PATCH'])(
    '%s of what it reads changes nothing that it does not see',
    async (method) => {
      const { id } = await createPerson(service, {
        name: 'Name 1',
        born: '2026-01-31',
        score: 1,
        country: '1',
      });
      const before = await service.get<Item>(`/people/${id}`);
      const { body: shown } = await older.get<Item>(`/writers/${id}`);
      const answer = await older.request(method, `${older.api}/writers/${id}`, {
        body: {
          ...pick(shown, ['full_name', 'born', 'score', 'nickname']),
        },
      });
      expect(answer).toHaveStatus(200);
      expect(answer.body).toEqual({ ...shown, updated_at: A_TIME });
      const after = await service.get<Item>(`/people/${id}`);
      expect(after.body).toEqual({ ...before.body, updated_at: A_TIME });
    },
  );

  test('finds by nickname, in which the current one does not search', async () => {
    const { id } = await createWriterInV1(older, { nickname: 'Quetzalcoatl' });
    expect((await older.get('/writers?q=quetzalcoatl')).body).toMatchObject([{ id }]);
    expect((await service.get('/people?q=quetzalcoatl')).body).toEqual([]);
  });

  test('has cursors of its own', async () => {
    await createPerson(service);
    await createPerson(service);
    const page = await older.get('/writers?limit=1');
    const cursor = /[?&]cursor=([^&>]+)/.exec(page.headers.get('link') ?? '')?.[1];
    expect(await older.get(`/writers?limit=1&cursor=${cursor}`)).toHaveStatus(200);
    expect(await service.get(`/people?limit=1&cursor=${cursor}`)).toBeError(400, 'cursor');
  });

  test('has a path of its own, and not that of the other', async () => {
    expect(await older.get('/writers')).toHaveStatus(200);
    expect(await older.get('/people')).toBeError(404);
    expect(await service.get('/people')).toHaveStatus(200);
    expect(await service.get('/writers')).toBeError(404);
  });

  /** What each caller is answered. All but the item of `owner` is an administrator's. */
  const TABLE = `
                       no credential  no role  editor  admin
GET     /writers       200            200      200     200
POST    /writers       401            201      201     201
GET     /writers/{id}  200            200      200     200
PUT     /writers/{id}  401            200      200     200
PATCH   /writers/{id}  401            200      200     200
DELETE  /writers/{id}  401            204      204     204
`;
  const askers = Object.fromEntries(
    Object.entries(callers).map(([name, caller]) => [name, caller.in(1)]),
  );

  /** Makes what a path of the table needs. */
  async function arrange(row: string): Promise<Target> {
    await service.clear();
    const body = await writerBodyInV1(older);
    switch (row) {
      case '/writers':
        return { path: row, body };
      case '/writers/{id}': {
        const { id } = await older.create('/writers', body);
        return { path: `/writers/${id}`, body };
      }
      default:
        throw new Error(`there is no ${row}`);
    }
  }

  test.each(rowsOf(TABLE))('%s %s: who may', async (method, row, statuses) => {
    expect(await statusesOf(askers, method, () => arrange(row))).toEqual(statuses);
  });
});

describe('version 2 beside the current one', () => {
  const older = service.in(2);

  test('shows what was written through the current one', async () => {
    const { id } = await createPerson(service, {
      name: 'Name 1',
      born: '2026-01-31',
      score: 1,
      country: '1',
    });
    const answer = await older.get(`/people/${id}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toMatchObject({
      id,
      full_name: 'Name 1',
      born: '2026-01-31',
      score: '1.00',
      country: '1',
    });
    expect((await older.get<Item[]>('/people')).body).toContainEqual(answer.body);
  });

  test('writes what the current one shows', async () => {
    const { id } = await createPersonInV2(older, {
      full_name: 'Full name 1',
      born: '2026-01-31',
      score: '1.00',
      country: '1',
      nickname: 'Nickname 1',
    });
    const answer = await service.get(`/people/${id}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toMatchObject({
      id,
      name: 'Full name 1',
      born: '2026-01-31',
      score: 1,
      country: '1',
    });
    expect((await service.get<Item[]>('/people')).body).toContainEqual(answer.body);
  });

  test.each(['PUT', 'PATCH'])(
    '%s of what it reads changes nothing that it does not see',
    async (method) => {
      const { id } = await createPerson(service, {
        name: 'Name 1',
        born: '2026-01-31',
        score: 1,
        country: '1',
      });
      const before = await service.get<Item>(`/people/${id}`);
      const { body: shown } = await older.get<Item>(`/people/${id}`);
      const answer = await older.request(method, `${older.api}/people/${id}`, {
        body: {
          ...pick(shown, ['full_name', 'born', 'score', 'country', 'nickname']),
        },
      });
      expect(answer).toHaveStatus(200);
      expect(answer.body).toEqual({ ...shown, updated_at: A_TIME });
      const after = await service.get<Item>(`/people/${id}`);
      expect(after.body).toEqual({ ...before.body, updated_at: A_TIME });
    },
  );

  test('finds by nickname, in which the current one does not search', async () => {
    const { id } = await createPersonInV2(older, { nickname: 'Quetzalcoatl' });
    expect((await older.get('/people?q=quetzalcoatl')).body).toMatchObject([{ id }]);
    expect((await service.get('/people?q=quetzalcoatl')).body).toEqual([]);
  });

  test('has cursors of its own', async () => {
    await createPerson(service);
    await createPerson(service);
    const page = await older.get('/people?limit=1');
    const cursor = /[?&]cursor=([^&>]+)/.exec(page.headers.get('link') ?? '')?.[1];
    expect(await older.get(`/people?limit=1&cursor=${cursor}`)).toHaveStatus(200);
    expect(await service.get(`/people?limit=1&cursor=${cursor}`)).toBeError(400, 'cursor');
  });

  /** What each caller is answered. All but the item of `owner` is an administrator's. */
  const TABLE = `
                      no credential  no role  editor  admin
GET     /people       200            200      200     200
POST    /people       401            201      201     201
GET     /people/{id}  200            200      200     200
PUT     /people/{id}  401            200      200     200
PATCH   /people/{id}  401            200      200     200
DELETE  /people/{id}  401            204      204     204
`;
  const askers = Object.fromEntries(
    Object.entries(callers).map(([name, caller]) => [name, caller.in(2)]),
  );

  /** Makes what a path of the table needs. */
  async function arrange(row: string): Promise<Target> {
    await service.clear();
    const body = await personBodyInV2(older);
    switch (row) {
      case '/people':
        return { path: row, body };
      case '/people/{id}': {
        const { id } = await older.create('/people', body);
        return { path: `/people/${id}`, body };
      }
      default:
        throw new Error(`there is no ${row}`);
    }
  }

  test.each(rowsOf(TABLE))('%s %s: who may', async (method, row, statuses) => {
    expect(await statusesOf(askers, method, () => arrange(row))).toEqual(statuses);
  });
});
