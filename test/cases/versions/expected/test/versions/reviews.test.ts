/** Reviews in several versions. */
import { beforeEach, describe, expect, test, vi } from 'vitest';

import { ReviewComputed } from '../../src/collections/reviews/schema.ts';
import { works } from '../../src/collections/works.ts';
import { another } from '../fixtures/reviews.ts';
import { another as anotherInV2 } from '../fixtures/v2/opinions.ts';
import { createReview } from '../support/items/reviews.ts';
import {
  createOpinion as createOpinionInV2,
  opinionBody as opinionBodyInV2,
} from '../support/items/v2/opinions.ts';
import { createAs, makeCaller, statusesOf } from '../support/callers.ts';
import type { Target } from '../support/callers.ts';
import { A_TIME, computedOf, NO_ID } from '../support/expected.ts';
import { startService } from '../support/service.ts';
import type { Item } from '../support/service.ts';
import { rowsOf } from '../support/table.ts';

const service = await startService();
const owner = await makeCaller(service, 'owner');
const callers = {
  'no credential': service.as(undefined),
  'no role': (await makeCaller(service, 'no role')).service,
  editor: (await makeCaller(service, 'role editor', ['editor'])).service,
  owner: owner.service,
  admin: service,
};

beforeEach(() => service.clear());

/** The named members of an item. */
const pick = (item: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));

describe('version 2', () => {
  const older = service.in(2);
  const now = another();
  const here = anotherInV2();

  test('shows items of the current version', async () => {
    const { id } = await createReview(service, {
      text: now.text,
    });
    const answer = await older.get(`/opinions/${id}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toMatchObject({
      id,
      text: now.text,
    });
    expect((await older.get<Item[]>('/opinions')).body).toContainEqual(answer.body);
  });

  test('creates items that the current version shows', async () => {
    const { id } = await createOpinionInV2(older, {
      text: here.text,
    });
    const answer = await service.get(`/reviews/${id}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toMatchObject({
      id,
      text: here.text,
    });
    expect((await service.get<Item[]>('/reviews')).body).toContainEqual(answer.body);
  });

  test.each(['PUT', 'PATCH'])(
    '%s of the item as it was read changes no stored member',
    async (method) => {
      const { id } = await createReview(service, {
        text: now.text,
      });
      const before = await service.get<Item>(`/reviews/${id}`);
      const { body: shown } = await older.get<Item>(`/opinions/${id}`);
      const answer = await older.request<Item>(method, `${older.api}/opinions/${id}`, {
        body: {
          ...pick(shown, ['text', 'title_id']),
        },
      });
      expect(answer).toHaveStatus(200);
      expect(answer.body).toEqual({
        ...shown,
        updated_at: A_TIME,
        ...computedOf(answer.body, ReviewComputed),
      });
      const after = await service.get<Item>(`/reviews/${id}`);
      expect(after.body).toEqual({
        ...before.body,
        updated_at: A_TIME,
        ...computedOf(after.body, ReviewComputed),
      });
    },
  );

  test('reports errors of jobs with its own names', async () => {
    const work = works['reviews'];
    if (work === undefined) throw new Error('the collection has no background work');
    const process = vi.spyOn(work, 'process');
    process.mockImplementationOnce((values) => ({ ...values, book_id: NO_ID }));
    await expect(createOpinionInV2(older)).rejects.toThrow(
      'the job failed: title_id refers to an item that does not exist.',
    );
    process.mockImplementationOnce((values) => ({ ...values, book_id: NO_ID }));
    await expect(createReview(service)).rejects.toThrow(
      'the job failed: book_id refers to an item that does not exist.',
    );
  });

  test('has its own cursors', async () => {
    await createReview(service);
    await createReview(service);
    const page = await older.get('/opinions?limit=1');
    const cursor = /[?&]cursor=([^&>]+)/.exec(page.headers.get('link') ?? '')?.[1];
    expect(await older.get(`/opinions?limit=1&cursor=${cursor}`)).toHaveStatus(200);
    expect(await service.get(`/reviews?limit=1&cursor=${cursor}`)).toBeError(400, 'cursor');
  });

  test('has its own path', async () => {
    expect(await older.get('/opinions')).toHaveStatus(200);
    expect(await older.get('/reviews')).toBeError(404);
    expect(await service.get('/reviews')).toHaveStatus(200);
    expect(await service.get('/opinions')).toBeError(404);
  });

  /** The status of the response to each caller. `owner` owns the item at `{id}`. */
  const TABLE = `
                              no credential  no role  editor  owner  admin
GET     /opinions             401            200      200     200    200
POST    /opinions             401            202      202     202    202
GET     /opinions/{id}        401            403      403     200    200
PUT     /opinions/{id}        401            403      403     200    200
PATCH   /opinions/{id}        401            403      403     200    200
DELETE  /opinions/{id}        401            204      204     204    204
GET     /books/{id}/opinions  401            200      200     200    200
POST    /books/{id}/opinions  401            202      202     202    202
`;
  const callersHere = Object.fromEntries(
    Object.entries(callers).map(([name, caller]) => [name, caller.in(2)]),
  );
  const ownerHere = { id: owner.id, service: owner.service.in(2) };

  /** Creates the items that a path of the table needs. */
  async function arrange(row: string): Promise<Target> {
    await service.clear();
    const body = await opinionBodyInV2(older);
    switch (row) {
      case '/opinions':
        return { path: row, body };
      case '/opinions/{id}': {
        const { id } = await createAs(ownerHere, '/opinions', body);
        return { path: `/opinions/${id}`, body };
      }
      case '/books/{id}/opinions':
        return { path: `/books/${body.title_id}/opinions`, body };
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

  test('lists only items of the caller', async () => {
    const own = await createAs(ownerHere, '/opinions', await opinionBodyInV2(older));
    await createOpinionInV2(older);
    const answer = await ownerHere.service.get('/opinions?count=true');
    expect(answer.body).toEqual([own]);
    expect(answer.headers.get('total-count')).toBe('1');
  });
});

describe('versions without the collection', () => {
  test.each([[1, '/reviews']])('version %i answers 404 at %s', async (version, path) => {
    const without = service.in(version);
    expect(await without.get(path)).toBeError(404);
    expect(await without.post(path, {})).toBeError(404);
    expect(await without.get(`${path}/${NO_ID}`)).toBeError(404);
    expect(await without.delete(`${path}/${NO_ID}`)).toBeError(404);
  });
});
