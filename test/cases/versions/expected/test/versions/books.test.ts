/** Books in several versions. */
import { beforeEach, describe, expect, test } from 'vitest';

import { BookComputed } from '../../src/collections/books/schema.ts';
import { another } from '../fixtures/books.ts';
import { another as anotherInV1 } from '../fixtures/v1/books.ts';
import { another as anotherInV2 } from '../fixtures/v2/books.ts';
import { createBook } from '../support/items/books.ts';
import {
  bookBody as bookBodyInV1,
  createBook as createBookInV1,
} from '../support/items/v1/books.ts';
import {
  bookBody as bookBodyInV2,
  createBook as createBookInV2,
} from '../support/items/v2/books.ts';
import { createAs, makeCaller, statusesOf } from '../support/callers.ts';
import type { Target } from '../support/callers.ts';
import { A_TIME, computedOf } from '../support/expected.ts';
import { sharedService } from '../support/service.ts';
import type { Item } from '../support/service.ts';
import { rowsOf } from '../support/table.ts';

const service = await sharedService();
const owner = await makeCaller(service, 'owner');
const callers = {
  'no credential': service.as(undefined),
  'no role': (await makeCaller(service, 'no role')).service,
  editor: (await makeCaller(service, 'role editor', ['editor'])).service,
  owner: owner.service,
  admin: service,
};

/** What the service sets by itself: computed members, and those that hooks.ts may set. */
const ASSIGNED = {
  properties: { ...BookComputed.properties, number: true },
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
    const { id } = await createBook(service, {
      price: '1.50',
      stock: 1,
      state: 'published',
      tags: now.tags === undefined ? ['Tags 1'] : now.tags,
      genre: 'Genre 1',
      secret: now.secret === undefined ? 'Secret 1' : now.secret,
      series: now.series === undefined ? 'Series 1' : now.series,
    });
    const answer = await older.get(`/books/${id}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toMatchObject({
      id,
      cost: 1.5,
      stock: '1',
      state: 'public',
      tags: now.tags === undefined ? ['Tags 1'] : now.tags,
      genre: ['Genre 1'],
    });
    expect((await older.get<Item[]>('/books')).body).toContainEqual(answer.body);
  });

  test('creates items that the current version shows', async () => {
    const { id } = await createBookInV1(older, {
      cost: 1.5,
      stock: '1',
      state: 'public',
      tags: here.tags === undefined ? ['Tags 1'] : here.tags,
      genre: ['Genre 1'],
    });
    const answer = await service.get(`/books/${id}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toMatchObject({
      id,
      price: '1.50',
      stock: 1,
      state: 'published',
      tags: here.tags === undefined ? ['Tags 1'] : here.tags,
      genre: 'Genre 1',
      series: null,
    });
    expect((await service.get<Item[]>('/books')).body).toContainEqual(answer.body);
  });

  test.each(['PUT', 'PATCH'])(
    '%s of the item as it was read changes no stored member',
    async (method) => {
      const { id } = await createBook(service, {
        price: '1.50',
        stock: 1,
        state: 'published',
        tags: now.tags === undefined ? ['Tags 1'] : now.tags,
        genre: 'Genre 1',
        secret: now.secret === undefined ? 'Secret 1' : now.secret,
        series: now.series === undefined ? 'Series 1' : now.series,
      });
      const before = await service.get<Item>(`/books/${id}`);
      const { body: shown } = await older.get<Item>(`/books/${id}`);
      const answer = await older.request<Item>(method, `${older.api}/books/${id}`, {
        body: {
          ...pick(shown, ['title', 'ean', 'cost', 'stock', 'state', 'tags', 'genre', 'writer_id']),
        },
      });
      expect(answer).toHaveStatus(200);
      expect(answer.body).toEqual({
        ...shown,
        updated_at: A_TIME,
        ...computedOf(answer.body, ASSIGNED),
      });
      const after = await service.get<Item>(`/books/${id}`);
      expect(after.body).toEqual({
        ...before.body,
        updated_at: A_TIME,
        ...computedOf(after.body, ASSIGNED),
      });
    },
  );

  test.each<[member: string, value: string, olderMember: string, shown: unknown]>([
    ['state', 'archived', 'state', 'public'],
    ['state', 'withdrawn', 'state', 'public'],
  ])('keeps %s: %s, which it cannot represent', async (member, value, olderMember, shown) => {
    const { id } = await createBook(service);
    await service.patch(`/books/${id}`, { [member]: value });
    expect((await older.get(`/books/${id}`)).body).toHaveProperty(olderMember, shown);
    expect(await older.patch(`/books/${id}`, { [olderMember]: shown })).toHaveStatus(200);
    expect((await service.get(`/books/${id}`)).body).toHaveProperty(member, value);
    expect(await older.patch(`/books/${id}`, { [olderMember]: value })).toBeError(422, olderMember);
  });

  test('does not search in series, unlike the current version', async () => {
    const { id } = await createBook(service, { series: 'Quetzalcoatl' });
    expect((await service.get('/books?q=quetzalcoatl')).body).toMatchObject([{ id }]);
    expect((await older.get('/books?q=quetzalcoatl')).body).toEqual([]);
  });

  test('has its own cursors', async () => {
    await createBook(service);
    await createBook(service);
    const page = await older.get('/books?limit=1');
    const cursor = /[?&]cursor=([^&>]+)/.exec(page.headers.get('link') ?? '')?.[1];
    expect(await older.get(`/books?limit=1&cursor=${cursor}`)).toHaveStatus(200);
    expect(await service.get(`/books?limit=1&cursor=${cursor}`)).toBeError(400, 'cursor');
  });

  /** The status of the response to each caller. `owner` owns the item at `{id}`. */
  const TABLE = `
                             no credential  no role  editor  owner  admin
GET     /books               200            200      200     200    200
POST    /books               401            201      201     201    201
GET     /books/{id}          200            200      200     200    200
PUT     /books/{id}          401            403      200     200    200
PATCH   /books/{id}          401            403      200     200    200
DELETE  /books/{id}          401            403      403     204    204
GET     /writers/{id}/books  200            200      200     200    200
POST    /writers/{id}/books  401            201      201     201    201
`;
  const callersHere = Object.fromEntries(
    Object.entries(callers).map(([name, caller]) => [name, caller.in(1)]),
  );
  const ownerHere = { id: owner.id, service: owner.service.in(1) };

  /** Creates the items that a path of the table needs. */
  async function arrange(row: string): Promise<Target> {
    await service.clear();
    const body = await bookBodyInV1(older);
    switch (row) {
      case '/books':
        return { path: row, body };
      case '/books/{id}': {
        const { id } = await createAs(ownerHere, '/books', body);
        return { path: `/books/${id}`, body };
      }
      case '/writers/{id}/books':
        return { path: `/writers/${body.writer_id}/books`, body };
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
    const { id } = await createBook(service, {
      price: '1.50',
      stock: now.stock === undefined ? 1 : now.stock,
      state: 'published',
      tags: now.tags === undefined ? ['Tags 1'] : now.tags,
      genre: now.genre === undefined ? 'Genre 1' : now.genre,
      secret: now.secret === undefined ? 'Secret 1' : now.secret,
      series: now.series === undefined ? 'Series 1' : now.series,
    });
    const answer = await older.get(`/books/${id}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toMatchObject({
      id,
      price: 1.5,
      stock: now.stock === undefined ? 1 : now.stock,
      state: 'published',
      tags: now.tags === undefined ? ['Tags 1'] : now.tags,
      genre: now.genre === undefined ? 'Genre 1' : now.genre,
      series: now.series === undefined ? 'Series 1' : now.series,
    });
    expect((await older.get<Item[]>('/books')).body).toContainEqual(answer.body);
  });

  test('creates items that the current version shows', async () => {
    const { id } = await createBookInV2(older, {
      price: 1.5,
      stock: here.stock === undefined ? 1 : here.stock,
      state: 'published',
      tags: here.tags === undefined ? ['Tags 1'] : here.tags,
      genre: here.genre === undefined ? 'Genre 1' : here.genre,
      secret: here.secret === undefined ? 'Secret 1' : here.secret,
      series: here.series === undefined ? 'Series 1' : here.series,
    });
    const answer = await service.get(`/books/${id}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toMatchObject({
      id,
      price: '1.50',
      stock: here.stock === undefined ? 1 : here.stock,
      state: 'published',
      tags: here.tags === undefined ? ['Tags 1'] : here.tags,
      genre: here.genre === undefined ? 'Genre 1' : here.genre,
      series: here.series === undefined ? 'Series 1' : here.series,
    });
    expect((await service.get<Item[]>('/books')).body).toContainEqual(answer.body);
  });

  test.each(['PUT', 'PATCH'])(
    '%s of the item as it was read changes no stored member',
    async (method) => {
      const { id } = await createBook(service, {
        price: '1.50',
        stock: now.stock === undefined ? 1 : now.stock,
        state: 'published',
        tags: now.tags === undefined ? ['Tags 1'] : now.tags,
        genre: now.genre === undefined ? 'Genre 1' : now.genre,
        secret: now.secret === undefined ? 'Secret 1' : now.secret,
        series: now.series === undefined ? 'Series 1' : now.series,
      });
      const before = await service.get<Item>(`/books/${id}`);
      const { body: shown } = await older.get<Item>(`/books/${id}`);
      const answer = await older.request<Item>(method, `${older.api}/books/${id}`, {
        body: {
          ...pick(shown, [
            'title',
            'isbn',
            'price',
            'stock',
            'state',
            'tags',
            'genre',
            'series',
            'person_id',
          ]),
        },
      });
      expect(answer).toHaveStatus(200);
      expect(answer.body).toEqual({
        ...shown,
        updated_at: A_TIME,
        ...computedOf(answer.body, ASSIGNED),
      });
      const after = await service.get<Item>(`/books/${id}`);
      expect(after.body).toEqual({
        ...before.body,
        updated_at: A_TIME,
        ...computedOf(after.body, ASSIGNED),
      });
    },
  );

  test.each<[member: string, value: string, olderMember: string, shown: unknown]>([
    ['state', 'withdrawn', 'state', 'published'],
  ])('keeps %s: %s, which it cannot represent', async (member, value, olderMember, shown) => {
    const { id } = await createBook(service);
    await service.patch(`/books/${id}`, { [member]: value });
    expect((await older.get(`/books/${id}`)).body).toHaveProperty(olderMember, shown);
    expect(await older.patch(`/books/${id}`, { [olderMember]: shown })).toHaveStatus(200);
    expect((await service.get(`/books/${id}`)).body).toHaveProperty(member, value);
    expect(await older.patch(`/books/${id}`, { [olderMember]: value })).toBeError(422, olderMember);
  });

  test('has its own cursors', async () => {
    await createBook(service);
    await createBook(service);
    const page = await older.get('/books?limit=1');
    const cursor = /[?&]cursor=([^&>]+)/.exec(page.headers.get('link') ?? '')?.[1];
    expect(await older.get(`/books?limit=1&cursor=${cursor}`)).toHaveStatus(200);
    expect(await service.get(`/books?limit=1&cursor=${cursor}`)).toBeError(400, 'cursor');
  });

  /** The status of the response to each caller. `owner` owns the item at `{id}`. */
  const TABLE = `
                            no credential  no role  editor  owner  admin
GET     /books              200            200      200     200    200
POST    /books              401            201      201     201    201
GET     /books/{id}         200            200      200     200    200
PUT     /books/{id}         401            403      200     200    200
PATCH   /books/{id}         401            403      200     200    200
DELETE  /books/{id}         401            403      403     204    204
GET     /people/{id}/books  200            200      200     200    200
POST    /people/{id}/books  401            201      201     201    201
`;
  const callersHere = Object.fromEntries(
    Object.entries(callers).map(([name, caller]) => [name, caller.in(2)]),
  );
  const ownerHere = { id: owner.id, service: owner.service.in(2) };

  /** Creates the items that a path of the table needs. */
  async function arrange(row: string): Promise<Target> {
    await service.clear();
    const body = await bookBodyInV2(older);
    switch (row) {
      case '/books':
        return { path: row, body };
      case '/books/{id}': {
        const { id } = await createAs(ownerHere, '/books', body);
        return { path: `/books/${id}`, body };
      }
      case '/people/{id}/books':
        return { path: `/people/${body.person_id}/books`, body };
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
