/** The endpoints of opinions. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type {
  ReviewV2 as Opinion,
  ReviewV2Values as OpinionValues,
} from '../../../src/collections/reviews/v2.ts';
import { ReviewV2Computed as OpinionComputed } from '../../../src/collections/reviews/v2.ts';
import { allowed, another, changed } from '../../fixtures/v2/opinions.ts';
import { A_TIME, AN_ID, computedOf, NO_ID } from '../../support/expected.ts';
import { createBook } from '../../support/items/v2/books.ts';
import { createOpinion, opinionBody } from '../../support/items/v2/opinions.ts';
import { listed, readAll, readForthAndBack, sortBy } from '../../support/lists.ts';
import { startService } from '../../support/service.ts';
import type { Job } from '../../support/service.ts';
import { limits } from '../../support/values.ts';

const service = (await startService()).in(2);
const API = service.api;

/** A body with all members. */
const fullOpinion = async () => ({
  ...another(),
  title_id: (await createBook(service)).id,
});

describe('opinions of version 2', () => {
  beforeEach(() => service.clear());

  test('POST accepts a job, which creates the item (202)', async () => {
    const body = await fullOpinion();
    const answer = await service.post<Job>('/opinions', body);
    expect(answer).toHaveStatus(202);
    expect(answer.body).toEqual({
      id: AN_ID,
      status: 'queued',
      resource: null,
      error: null,
      created_at: A_TIME,
      updated_at: A_TIME,
    });
    expect(answer.headers.get('location')).toBe(`${API}/jobs/${answer.body.id}`);

    const job = await service.finished(answer.body.id);
    const item = await service.made<Opinion>(job);
    expect(job).toMatchObject({ status: 'succeeded', error: null });
    expect(job.resource).toBe(`${API}/opinions/${item.id}`);
    expect(item).toEqual({
      ...body,
      id: AN_ID,
      created_at: A_TIME,
      updated_at: A_TIME,
      ...computedOf(item, OpinionComputed),
    });
    expect((await service.get('/opinions')).body).toEqual([item]);
  });

  test('POST with an Idempotency-Key accepts one job when it is repeated', async () => {
    const request = { headers: { 'idempotency-key': 'once' }, body: await fullOpinion() };
    const first = await service.request<Job>('POST', `${API}/opinions`, request);
    expect(first).toHaveStatus(202);
    await service.finished(first.body.id);
    const again = await service.request<Job>('POST', `${API}/opinions`, request);
    expect(again).toHaveStatus(202);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
  });

  test('GET returns an item, and HEAD its headers', async () => {
    const item = await createOpinion(service);
    const answer = await service.get(`/opinions/${item.id}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual(item);
    const upperCase = await service.get(`/opinions/${item.id.toUpperCase()}`);
    expect(upperCase.body).toEqual(item);
    const head = await service.head(`/opinions/${item.id}`);
    expect(head).toHaveStatus(200);
    expect(head.body).toBeUndefined();
    expect(head.headers.get('content-length')).toBe(answer.headers.get('content-length'));
  });

  test('PUT replaces an item, and resets absent members to their default or null', async () => {
    const body = await fullOpinion();
    const item = await service.create<Opinion>('/opinions', body);
    const other = await opinionBody(service, { title_id: body.title_id });
    const answer = await service.put<Opinion>(`/opinions/${item.id}`, other);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      ...other,
      updated_at: A_TIME,
      ...computedOf(answer.body, OpinionComputed),
    });
    expect(answer.body.updated_at).not.toBe(item.updated_at);
    expect((await service.get(`/opinions/${item.id}`)).body).toEqual(answer.body);
  });

  test.each(Object.entries(changed()))('PATCH changes %s only', async (member, value) => {
    const item = await service.create<Opinion>('/opinions', await fullOpinion());
    const answer = await service.patch<Opinion>(`/opinions/${item.id}`, { [member]: value });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      [member]: value,
      updated_at: A_TIME,
      ...computedOf(answer.body, OpinionComputed),
    });
    expect((await service.get(`/opinions/${item.id}`)).body).toEqual(answer.body);
  });

  test('answers If-None-Match with 304, and an outdated If-Match with 412', async () => {
    const body = await opinionBody(service);
    const item = await service.create<Opinion>('/opinions', body);
    const made = await service.get(`/opinions/${item.id}`);
    const path = `${API}/opinions/${item.id}`;
    const first = made.headers.get('etag') ?? '';
    expect(first).toMatch(/^"[^"]+"$/);
    expect((await service.request('GET', path)).headers.get('etag')).toBe(first);
    const has = { headers: { 'if-none-match': first } };
    expect(await service.request('GET', path, has)).toHaveStatus(304);

    const patched = await service.request('PATCH', path, {
      headers: { 'if-match': first },
      body: {},
    });
    expect(patched).toHaveStatus(200);
    const second = patched.headers.get('etag') ?? '';
    expect(second).not.toBe(first);
    const read = await service.request('GET', path, has);
    expect(read.body).toEqual(patched.body);
    expect(read.headers.get('etag')).toBe(second);
    const outdated = { headers: { 'if-match': first }, body };
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expect(await service.request(method, path, outdated)).toBeError(412);
    }
    expect((await service.request('GET', path)).body).toEqual(patched.body);

    const current = { headers: { 'if-match': second }, body };
    const replaced = await service.request('PUT', path, current);
    expect(replaced).toHaveStatus(200);
    const third = replaced.headers.get('etag') ?? '';
    expect((await service.request('GET', path)).headers.get('etag')).toBe(third);
    expect(await service.request('DELETE', path, { headers: { 'if-match': third } })).toHaveStatus(
      204,
    );
    expect(await service.request('DELETE', path, { headers: { 'if-match': third } })).toBeError(
      410,
    );
  });

  test('DELETE removes an item (410 afterwards)', async () => {
    const item = await createOpinion(service);
    const path = `/opinions/${item.id}`;
    const answer = await service.delete(path);
    expect(answer).toHaveStatus(204);
    expect(answer.body).toBeUndefined();
    expect(await service.get(path)).toBeError(410);
    expect(await service.head(path)).toHaveStatus(410);
    expect(await service.put(path, await opinionBody(service))).toBeError(410);
    expect(await service.patch(path, {})).toBeError(410);
    expect(await service.delete(path)).toBeError(410);
    expect((await service.get('/opinions')).body).not.toContainEqual(item);
  });

  test.each([NO_ID, 'no-id'])('answers 404 for the id %s', async (id) => {
    const path = `/opinions/${id}`;
    expect(await service.get(path)).toBeError(404);
    expect(await service.head(path)).toHaveStatus(404);
    expect(await service.put(path, {})).toBeError(404);
    expect(await service.patch(path, {})).toBeError(404);
    expect(await service.delete(path)).toBeError(404);
  });

  test.each(['text', 'title_id'])('POST requires %s (422)', async (member) => {
    const { [member]: _left, ...body }: Record<string, unknown> = await fullOpinion();
    expect(await service.post('/opinions', body)).toBeError(422, member);
  });

  test('PUT requires the same members (422)', async () => {
    const item = await createOpinion(service);
    expect(await service.put(`/opinions/${item.id}`, {})).toBeError(422, 'text', 'title_id');
  });

  test.each(
    limits(
      [
        ['text', 'the shortest', ''],
        ['text', 'with blanks around', ' a '],
        ['text', 'with quotes and backslashes', '\'"\\%_'],
      ],
      allowed,
    ),
  )('accepts %s: %s', async (member, _why, sent) => {
    const body = { ...(await opinionBody(service)), [member]: sent };
    const item = await service.create<Opinion>('/opinions', body);
    expect(item).toHaveProperty(member, sent);
    expect((await service.get(`/opinions/${item.id}`)).body).toEqual(item);
  });

  test.each<[member: string, why: string, changes: object]>([
    ['text', 'a number', { text: 5 }],
    ['text', 'with a NUL character', { text: 'Text 1\u0000' }],
    ['text', 'with half of a surrogate pair', { text: 'Text 1\ud800' }],
    ['text', 'null', { text: null }],
    ['title_id', 'no UUID', { title_id: 'nobody' }],
    ['title_id', 'a number', { title_id: 5 }],
    ['title_id', 'null', { title_id: null }],
  ])('refuses %s: %s (422)', async (member, _why, changes) => {
    const body = { ...(await opinionBody(service)), ...changes };
    expect(await service.post('/opinions', body)).toBeError(422, member);
    const item = await createOpinion(service);
    expect(await service.patch(`/opinions/${item.id}`, changes)).toBeError(422, member);
    expect((await service.get(`/opinions/${item.id}`)).body).toEqual(item);
  });

  test.each<[member: string, value: unknown]>([
    ['id', NO_ID],
    ['created_at', '2026-01-31T12:00:00Z'],
    ['updated_at', '2026-01-31T12:00:00Z'],
    ['unheard_of', 1],
  ])('refuses the read-only or unknown member %s (422)', async (member, value) => {
    const body = { ...(await opinionBody(service)), [member]: value };
    expect(await service.post('/opinions', body)).toBeError(422, member);
    const item = await createOpinion(service);
    const path = `/opinions/${item.id}`;
    expect(await service.put(path, { [member]: value })).toBeError(422, member);
    expect(await service.patch(path, { [member]: value })).toBeError(422, member);
    expect((await service.get(path)).body).toEqual(item);
  });

  test('refuses title_id of a book that does not exist (422)', async () => {
    const removed = await createBook(service);
    await service.delete(`/books/${removed.id}`);
    for (const id of [NO_ID, removed.id]) {
      const body = { ...(await opinionBody(service)), title_id: id };
      expect(await service.post('/opinions', body)).toBeError(422, 'title_id');
      const keyed = { headers: { 'idempotency-key': 'once' }, body };
      const refused = await service.request('POST', `${API}/opinions`, keyed);
      expect(refused).toBeError(422, 'title_id');
      const item = await createOpinion(service);
      const answer = await service.patch(`/opinions/${item.id}`, { title_id: id });
      expect(answer).toBeError(422, 'title_id');
    }
  });

  test('the removal of a book cascades by title_id', async () => {
    const title = await createBook(service);
    const item = await createOpinion(service, { title_id: title.id });
    const other = await createOpinion(service);
    expect(await service.delete(`/books/${title.id}`)).toHaveStatus(204);
    expect(await service.get(`/opinions/${item.id}`)).toBeError(410);
    expect(await service.get(`/opinions/${other.id}`)).toHaveStatus(200);
  });

  test('lists and creates items at /books/{id}/opinions', async () => {
    const title = await createBook(service);
    const path = `/books/${title.id}/opinions`;
    const { title_id: _parent, ...body } = await opinionBody(service, { title_id: title.id });
    const answer = await service.post<Job>(path, body);
    expect(answer).toHaveStatus(202);
    expect(answer.headers.get('location')).toBe(`${API}/jobs/${answer.body.id}`);
    const item = await service.made<Opinion>(await service.finished(answer.body.id));
    expect(item.title_id).toBe(title.id);
    const own = await opinionBody(service, { title_id: title.id });
    const second = await service.create<Opinion>(path, own);
    await createOpinion(service);
    const first = await service.get(`/opinions/${item.id}`);
    const other = await service.get(`/opinions/${second.id}`);
    expect((await service.get(path)).body).toEqual([first.body, other.body]);
    expect((await service.get(`${path}?limit=1`)).headers.get('link')).toContain(
      `<${API}${path}?limit=1&cursor=`,
    );
    expect(await service.head(path)).toHaveStatus(200);

    const named = await opinionBody(service, { title_id: NO_ID });
    expect(await service.post(path, named)).toBeError(422, 'title_id');
    expect(await service.put(path, {})).toBeError(405);
  });

  test('separates each Idempotency-Key by parent at /books/{id}/opinions', async () => {
    for (const { id } of [await createBook(service), await createBook(service)]) {
      const { title_id: _parent, ...body } = await opinionBody(service, { title_id: id });
      const keyed = { headers: { 'idempotency-key': 'once' }, body };
      const answer = await service.request('POST', `${API}/books/${id}/opinions`, keyed);
      expect(answer).toHaveStatus(202);
    }
  });
});

describe('lists of opinions', () => {
  const items: Opinion[] = [];
  /** What items are compared by. */
  const keys = {
    created_at: (item: Opinion) => item.created_at.slice(0, -1),
  };

  beforeAll(async () => {
    await service.clear();
    items.length = 0;
    const given = listed<OpinionValues>(8, {}, allowed);
    for (const members of given) items.push(await createOpinion(service, members));
    // Computed members may depend on items that were created later.
    for (const [at, { id }] of items.entries()) {
      items[at] = (await service.get<Opinion>(`/opinions/${id}`)).body;
    }
  });

  test('return each item once, in order of creation', async () => {
    const ids = items.map(({ id }) => id);
    expect(await readForthAndBack(service, '/opinions?limit=3')).toEqual({ forth: ids, back: ids });
    const answer = await service.get('/opinions?count=true&limit=1');
    expect(answer.body).toEqual(items.slice(0, 1));
    expect(answer.headers.get('total-count')).toBe(String(items.length));
    for (const query of ['', '&count=false']) {
      const { headers } = await service.get(`/opinions?limit=1${query}`);
      expect(headers.get('total-count')).toBeNull();
    }
  });

  test.each(['created_at'] as const)('sort by %s, ascending and descending', async (sort) => {
    const rising = sortBy(items, keys[sort]).map(({ id }) => id);
    const falling = rising.toReversed();
    const path = '/opinions?limit=3&sort=';
    expect(await readForthAndBack(service, `${path}${sort}`)).toEqual({
      forth: rising,
      back: rising,
    });
    expect(await readForthAndBack(service, `${path}-${sort}`)).toEqual({
      forth: falling,
      back: falling,
    });
  });

  test('return only the members in fields', async () => {
    const some = items.map((item) => ({ id: item.id, text: item.text, title_id: item.title_id }));
    expect(await readAll(service, '/opinions?fields=text,title_id')).toEqual(some);
    expect(await service.get('/opinions?fields=unheard_of')).toBeError(400, 'fields');
  });

  test.each(['unheard_of=1', 'limit=1&limit=2', 'sort=unheard_of', 'limit=0', 'q=word'])(
    'refuse %s (400)',
    async (query) => {
      const [name = ''] = query.split('=');
      expect(await service.get(`/opinions?${query}`)).toBeError(400, name);
    },
  );
});
