/** People in several versions. */
import { beforeEach, describe, expect, test } from 'vitest';

import { PersonComputed } from '../../src/collections/people/schema.ts';
import { another } from '../fixtures/people.ts';
import { another as anotherInV1 } from '../fixtures/v1/writers.ts';
import { another as anotherInV2 } from '../fixtures/v2/people.ts';
import { createPerson } from '../support/items/people.ts';
import {
  createWriter as createWriterInV1,
  writerBody as writerBodyInV1,
} from '../support/items/v1/writers.ts';
import {
  createPerson as createPersonInV2,
  personBody as personBodyInV2,
} from '../support/items/v2/people.ts';
import { makeCaller, statusesOf } from '../support/callers.ts';
import type { Target } from '../support/callers.ts';
import { A_TIME, computedOf } from '../support/expected.ts';
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

/** The named members of an item. */
const pick = (item: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));

describe('version 1', () => {
  const older = service.in(1);
  const now = another();
  const here = anotherInV1();

  test('shows items of the current version', async () => {
    const { id } = await createPerson(service, {
      name: now.name,
      born: '2026-01-31',
      score: 1,
      country: now.country ?? '1',
      home: { city: 'City 1', floor: 0 },
      notes: { color: 'blue', sizes: [1, 2.5], more: { deep: [null] } },
    });
    const answer = await older.get(`/writers/${id}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toMatchObject({
      id,
      full_name: now.name,
      born: '2026-01-31T00:00:00.000Z',
      score: '1.00',
      home: { city: 'City 1', floor: 0 },
      notes: { color: 'blue', sizes: [1, 2.5], more: { deep: [null] } },
    });
    expect((await older.get<Item[]>('/writers')).body).toContainEqual(answer.body);
  });

  test('creates items that the current version shows', async () => {
    const { id } = await createWriterInV1(older, {
      full_name: here.full_name,
      born: '2026-01-31T00:00:00.000Z',
      score: '1.00',
      nickname: here.nickname ?? 'Nickname 1',
      home: { city: 'City 1', floor: 0 },
      notes: { color: 'blue', sizes: [1, 2.5], more: { deep: [null] } },
    });
    const answer = await service.get(`/people/${id}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toMatchObject({
      id,
      name: here.full_name,
      born: '2026-01-31',
      score: 1,
      home: { city: 'City 1', floor: 0 },
      notes: { color: 'blue', sizes: [1, 2.5], more: { deep: [null] } },
      country: 'NL',
    });
    expect((await service.get<Item[]>('/people')).body).toContainEqual(answer.body);
  });

  test.each(['PUT', 'PATCH'])(
    '%s of the item as it was read changes no stored member',
    async (method) => {
      const { id } = await createPerson(service, {
        name: now.name,
        born: '2026-01-31',
        score: 1,
        country: now.country ?? '1',
        home: { city: 'City 1', floor: 0 },
        notes: { color: 'blue', sizes: [1, 2.5], more: { deep: [null] } },
      });
      const before = await service.get<Item>(`/people/${id}`);
      const { body: shown } = await older.get<Item>(`/writers/${id}`);
      const answer = await older.request<Item>(method, `${older.api}/writers/${id}`, {
        body: {
          ...pick(shown, ['full_name', 'born', 'score', 'nickname', 'home', 'notes']),
        },
      });
      expect(answer).toHaveStatus(200);
      expect(answer.body).toEqual({
        ...shown,
        updated_at: A_TIME,
        ...computedOf(answer.body, PersonComputed),
      });
      const after = await service.get<Item>(`/people/${id}`);
      expect(after.body).toEqual({
        ...before.body,
        updated_at: A_TIME,
        ...computedOf(after.body, PersonComputed),
      });
    },
  );

  test('searches in nickname, unlike the current version', async () => {
    const { id } = await createWriterInV1(older, { nickname: 'Quetzalcoatl' });
    expect((await older.get('/writers?q=quetzalcoatl')).body).toMatchObject([{ id }]);
    expect((await service.get('/people?q=quetzalcoatl')).body).toEqual([]);
  });

  test('has its own cursors', async () => {
    await createPerson(service);
    await createPerson(service);
    const page = await older.get('/writers?limit=1');
    const cursor = /[?&]cursor=([^&>]+)/.exec(page.headers.get('link') ?? '')?.[1];
    expect(await older.get(`/writers?limit=1&cursor=${cursor}`)).toHaveStatus(200);
    expect(await service.get(`/people?limit=1&cursor=${cursor}`)).toBeError(400, 'cursor');
  });

  test('has its own path', async () => {
    expect(await older.get('/writers')).toHaveStatus(200);
    expect(await older.get('/people')).toBeError(404);
    expect(await service.get('/people')).toHaveStatus(200);
    expect(await service.get('/writers')).toBeError(404);
  });

  /** The status of the response to each caller. */
  const TABLE = `
                       no credential  no role  editor  admin
GET     /writers       200            200      200     200
POST    /writers       401            201      201     201
GET     /writers/{id}  200            200      200     200
PUT     /writers/{id}  401            200      200     200
PATCH   /writers/{id}  401            200      200     200
DELETE  /writers/{id}  401            204      204     204
`;
  const callersHere = Object.fromEntries(
    Object.entries(callers).map(([name, caller]) => [name, caller.in(1)]),
  );

  /** Creates the items that a path of the table needs. */
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
        throw new Error(`unknown path ${row}`);
    }
  }

  test.each(rowsOf(TABLE))(
    '%s %s answers each caller by permission',
    async (method, row, statuses) => {
      expect(await statusesOf(callersHere, method, () => arrange(row))).toEqual(statuses);
    },
  );
});

describe('version 2', () => {
  const older = service.in(2);
  const now = another();
  const here = anotherInV2();

  test('shows items of the current version', async () => {
    const { id } = await createPerson(service, {
      name: now.name,
      born: now.born ?? '2026-01-31',
      score: 1,
      country: now.country ?? '1',
      home: { city: 'City 1', floor: 0 },
      notes: { color: 'blue', sizes: [1, 2.5], more: { deep: [null] } },
    });
    const answer = await older.get(`/people/${id}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toMatchObject({
      id,
      full_name: now.name,
      born: now.born ?? '2026-01-31',
      score: '1.00',
      country: now.country ?? '1',
      home: { city: 'City 1', floor: 0 },
      notes: { color: 'blue', sizes: [1, 2.5], more: { deep: [null] } },
    });
    expect((await older.get<Item[]>('/people')).body).toContainEqual(answer.body);
  });

  test('creates items that the current version shows', async () => {
    const { id } = await createPersonInV2(older, {
      full_name: here.full_name,
      born: here.born ?? '2026-01-31',
      score: '1.00',
      country: here.country ?? '1',
      nickname: here.nickname ?? 'Nickname 1',
      home: { city: 'City 1', floor: 0 },
      notes: { color: 'blue', sizes: [1, 2.5], more: { deep: [null] } },
    });
    const answer = await service.get(`/people/${id}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toMatchObject({
      id,
      name: here.full_name,
      born: here.born ?? '2026-01-31',
      score: 1,
      country: here.country ?? '1',
      home: { city: 'City 1', floor: 0 },
      notes: { color: 'blue', sizes: [1, 2.5], more: { deep: [null] } },
    });
    expect((await service.get<Item[]>('/people')).body).toContainEqual(answer.body);
  });

  test.each(['PUT', 'PATCH'])(
    '%s of the item as it was read changes no stored member',
    async (method) => {
      const { id } = await createPerson(service, {
        name: now.name,
        born: now.born ?? '2026-01-31',
        score: 1,
        country: now.country ?? '1',
        home: { city: 'City 1', floor: 0 },
        notes: { color: 'blue', sizes: [1, 2.5], more: { deep: [null] } },
      });
      const before = await service.get<Item>(`/people/${id}`);
      const { body: shown } = await older.get<Item>(`/people/${id}`);
      const answer = await older.request<Item>(method, `${older.api}/people/${id}`, {
        body: {
          ...pick(shown, ['full_name', 'born', 'score', 'country', 'nickname', 'home', 'notes']),
        },
      });
      expect(answer).toHaveStatus(200);
      expect(answer.body).toEqual({
        ...shown,
        updated_at: A_TIME,
        ...computedOf(answer.body, PersonComputed),
      });
      const after = await service.get<Item>(`/people/${id}`);
      expect(after.body).toEqual({
        ...before.body,
        updated_at: A_TIME,
        ...computedOf(after.body, PersonComputed),
      });
    },
  );

  test('searches in nickname, unlike the current version', async () => {
    const { id } = await createPersonInV2(older, { nickname: 'Quetzalcoatl' });
    expect((await older.get('/people?q=quetzalcoatl')).body).toMatchObject([{ id }]);
    expect((await service.get('/people?q=quetzalcoatl')).body).toEqual([]);
  });

  test('has its own cursors', async () => {
    await createPerson(service);
    await createPerson(service);
    const page = await older.get('/people?limit=1');
    const cursor = /[?&]cursor=([^&>]+)/.exec(page.headers.get('link') ?? '')?.[1];
    expect(await older.get(`/people?limit=1&cursor=${cursor}`)).toHaveStatus(200);
    expect(await service.get(`/people?limit=1&cursor=${cursor}`)).toBeError(400, 'cursor');
  });

  /** The status of the response to each caller. */
  const TABLE = `
                      no credential  no role  editor  admin
GET     /people       200            200      200     200
POST    /people       401            201      201     201
GET     /people/{id}  200            200      200     200
PUT     /people/{id}  401            200      200     200
PATCH   /people/{id}  401            200      200     200
DELETE  /people/{id}  401            204      204     204
`;
  const callersHere = Object.fromEntries(
    Object.entries(callers).map(([name, caller]) => [name, caller.in(2)]),
  );

  /** Creates the items that a path of the table needs. */
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
        throw new Error(`unknown path ${row}`);
    }
  }

  test.each(rowsOf(TABLE))(
    '%s %s answers each caller by permission',
    async (method, row, statuses) => {
      expect(await statusesOf(callersHere, method, () => arrange(row))).toEqual(statuses);
    },
  );
});
