/** The endpoints of loans. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Loan, LoanValues } from '../../../src/collections/loans/schema.ts';
import { LoanComputed } from '../../../src/collections/loans/schema.ts';
import { allowed, another, changed } from '../../fixtures/v1/loans.ts';
import { A_TIME, AN_ID, computedOf, NO_ID } from '../../support/expected.ts';
import { createBook } from '../../support/items/v1/books.ts';
import { createLoan, loanBody } from '../../support/items/v1/loans.ts';
import { listed, readAll, readForthAndBack, sortBy } from '../../support/lists.ts';
import { startService } from '../../support/service.ts';
import { clearable, limits } from '../../support/values.ts';

const service = (await startService()).in(1);
const API = service.api;

/** What a loan has of members that nobody sent. */
const UNSET = {
  book_id: null,
};

/** A body with all members. */
const fullLoan = async () => ({
  ...another(),
  book_id: (await createBook(service)).id,
});

describe('loans of version 1', () => {
  beforeEach(() => service.clear());

  test('POST creates an item (201)', async () => {
    const body = await fullLoan();
    const answer = await service.post<Loan>('/loans', body);
    expect(answer).toHaveStatus(201);
    expect(answer.body).toEqual({
      ...UNSET,
      ...body,
      id: AN_ID,
      created_at: A_TIME,
      updated_at: A_TIME,
      ...computedOf(answer.body, LoanComputed),
    });
    expect(answer.headers.get('location')).toBe(`${API}/loans/${answer.body.id}`);
  });

  test('POST with an Idempotency-Key creates one item when it is repeated', async () => {
    const request = { headers: { 'idempotency-key': 'once' }, body: await fullLoan() };
    const first = await service.request<Loan>('POST', `${API}/loans`, request);
    expect(first).toHaveStatus(201);
    const { headers } = await service.get('/loans?count=true');
    const again = await service.request<Loan>('POST', `${API}/loans`, request);
    expect(again).toHaveStatus(201);
    expect(again.body).toEqual(first.body);
    const after = await service.get('/loans?count=true');
    expect(after.headers.get('total-count')).toBe(headers.get('total-count'));
  });

  test('POST fills in defaults', async () => {
    const body = await loanBody(service);
    const item = await service.create<Loan>('/loans', body);
    expect(item).toEqual({
      ...UNSET,
      ...body,
      id: AN_ID,
      created_at: A_TIME,
      updated_at: A_TIME,
      ...computedOf(item, LoanComputed),
    });
  });

  test('GET returns an item, and HEAD its headers', async () => {
    const item = await createLoan(service);
    const answer = await service.get(`/loans/${item.id}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual(item);
    const upperCase = await service.get(`/loans/${item.id.toUpperCase()}`);
    expect(upperCase.body).toEqual(item);
    const head = await service.head(`/loans/${item.id}`);
    expect(head).toHaveStatus(200);
    expect(head.body).toBeUndefined();
    expect(head.headers.get('content-length')).toBe(answer.headers.get('content-length'));
  });

  test('PUT replaces an item, and resets absent members to their default or null', async () => {
    const body = await fullLoan();
    const item = await service.create<Loan>('/loans', body);
    const other = await loanBody(service);
    const answer = await service.put<Loan>(`/loans/${item.id}`, other);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      ...UNSET,
      ...other,
      updated_at: A_TIME,
      ...computedOf(answer.body, LoanComputed),
    });
    expect(answer.body.updated_at).not.toBe(item.updated_at);
    expect((await service.get(`/loans/${item.id}`)).body).toEqual(answer.body);
  });

  test.each(Object.entries(changed()))('PATCH changes %s only', async (member, value) => {
    const item = await service.create<Loan>('/loans', await fullLoan());
    const answer = await service.patch<Loan>(`/loans/${item.id}`, { [member]: value });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      [member]: value,
      updated_at: A_TIME,
      ...computedOf(answer.body, LoanComputed),
    });
    expect((await service.get(`/loans/${item.id}`)).body).toEqual(answer.body);
  });

  test.each(clearable(['book_id'], allowed))('PATCH clears %s with null', async (member) => {
    const item = await service.create<Loan>('/loans', await fullLoan());
    const answer = await service.patch<Loan>(`/loans/${item.id}`, { [member]: null });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      [member]: null,
      updated_at: A_TIME,
      ...computedOf(answer.body, LoanComputed),
    });
  });

  test('answers If-None-Match with 304, and an outdated If-Match with 412', async () => {
    const body = await loanBody(service);
    const made = await service.post<Loan>('/loans', body);
    const item = made.body;
    const path = `${API}/loans/${item.id}`;
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
    const item = await createLoan(service);
    const path = `/loans/${item.id}`;
    const answer = await service.delete(path);
    expect(answer).toHaveStatus(204);
    expect(answer.body).toBeUndefined();
    expect(await service.get(path)).toBeError(410);
    expect(await service.head(path)).toHaveStatus(410);
    expect(await service.put(path, await loanBody(service))).toBeError(410);
    expect(await service.patch(path, {})).toBeError(410);
    expect(await service.delete(path)).toBeError(410);
    expect((await service.get('/loans')).body).not.toContainEqual(item);
  });

  test.each([NO_ID, 'no-id'])('answers 404 for the id %s', async (id) => {
    const path = `/loans/${id}`;
    expect(await service.get(path)).toBeError(404);
    expect(await service.head(path)).toHaveStatus(404);
    expect(await service.put(path, {})).toBeError(404);
    expect(await service.patch(path, {})).toBeError(404);
    expect(await service.delete(path)).toBeError(404);
  });

  test.each(['until'])('POST requires %s (422)', async (member) => {
    const { [member]: _left, ...body }: Record<string, unknown> = await fullLoan();
    expect(await service.post('/loans', body)).toBeError(422, member);
  });

  test('PUT requires the same members (422)', async () => {
    const item = await createLoan(service);
    expect(await service.put(`/loans/${item.id}`, {})).toBeError(422, 'until');
  });

  test.each(
    limits(
      [
        ['until', 'the smallest', '0001-01-01'],
        ['until', 'the largest', '9999-12-31'],
      ],
      allowed,
    ),
  )('accepts %s: %s', async (member, _why, sent) => {
    const body = { ...(await loanBody(service)), [member]: sent };
    const item = await service.create<Loan>('/loans', body);
    expect(item).toHaveProperty(member, sent);
    expect((await service.get(`/loans/${item.id}`)).body).toEqual(item);
  });

  test.each<[member: string, why: string, changes: object]>([
    ['until', 'no day of the calendar', { until: '2026-02-30' }],
    ['until', 'in short', { until: '2026-1-31' }],
    ['until', 'a time', { until: '2026-01-31T00:00:00Z' }],
    ['until', 'a number', { until: 20260131 }],
    ['until', 'null', { until: null }],
    ['book_id', 'no UUID', { book_id: 'nobody' }],
    ['book_id', 'a number', { book_id: 5 }],
  ])('refuses %s: %s (422)', async (member, _why, changes) => {
    const body = { ...(await loanBody(service)), ...changes };
    expect(await service.post('/loans', body)).toBeError(422, member);
    const item = await createLoan(service);
    expect(await service.patch(`/loans/${item.id}`, changes)).toBeError(422, member);
    expect((await service.get(`/loans/${item.id}`)).body).toEqual(item);
  });

  test.each<[member: string, value: unknown]>([
    ['id', NO_ID],
    ['created_at', '2026-01-31T12:00:00Z'],
    ['updated_at', '2026-01-31T12:00:00Z'],
    ['unheard_of', 1],
  ])('refuses the read-only or unknown member %s (422)', async (member, value) => {
    const body = { ...(await loanBody(service)), [member]: value };
    expect(await service.post('/loans', body)).toBeError(422, member);
    const item = await createLoan(service);
    const path = `/loans/${item.id}`;
    expect(await service.put(path, { [member]: value })).toBeError(422, member);
    expect(await service.patch(path, { [member]: value })).toBeError(422, member);
    expect((await service.get(path)).body).toEqual(item);
  });

  test('refuses book_id of a book that does not exist (422)', async () => {
    const removed = await createBook(service);
    await service.delete(`/books/${removed.id}`);
    for (const id of [NO_ID, removed.id]) {
      const body = { ...(await loanBody(service)), book_id: id };
      expect(await service.post('/loans', body)).toBeError(422, 'book_id');
      const keyed = { headers: { 'idempotency-key': 'once' }, body };
      const refused = await service.request('POST', `${API}/loans`, keyed);
      expect(refused).toBeError(422, 'book_id');
      const item = await createLoan(service);
      const answer = await service.patch(`/loans/${item.id}`, { book_id: id });
      expect(answer).toBeError(422, 'book_id');
    }
  });

  test('the removal of a book cascades by book_id', async () => {
    const book = await createBook(service);
    const item = await createLoan(service, { book_id: book.id });
    const other = await createLoan(service);
    expect(await service.delete(`/books/${book.id}`)).toHaveStatus(204);
    expect(await service.get(`/loans/${item.id}`)).toBeError(410);
    expect(await service.get(`/loans/${other.id}`)).toHaveStatus(200);
  });

  test('lists and creates items at /books/{id}/loans', async () => {
    const book = await createBook(service);
    const path = `/books/${book.id}/loans`;
    const { book_id: _parent, ...body } = await loanBody(service, { book_id: book.id });
    const answer = await service.post<Loan>(path, body);
    expect(answer).toHaveStatus(201);
    const item = answer.body;
    expect(answer.headers.get('location')).toBe(`${API}/loans/${item.id}`);
    expect(item.book_id).toBe(book.id);
    const own = await loanBody(service, { book_id: book.id });
    const second = await service.create<Loan>(path, own);
    await createLoan(service);
    const first = await service.get(`/loans/${item.id}`);
    const other = await service.get(`/loans/${second.id}`);
    expect((await service.get(path)).body).toEqual([first.body, other.body]);
    expect((await service.get(`${path}?limit=1`)).headers.get('link')).toContain(
      `<${API}${path}?limit=1&cursor=`,
    );
    expect(await service.head(path)).toHaveStatus(200);

    const named = await loanBody(service, { book_id: NO_ID });
    expect(await service.post(path, named)).toBeError(422, 'book_id');
    expect(await service.put(path, {})).toBeError(405);
  });

  test('separates each Idempotency-Key by parent at /books/{id}/loans', async () => {
    for (const { id } of [await createBook(service), await createBook(service)]) {
      const { book_id: _parent, ...body } = await loanBody(service, { book_id: id });
      const keyed = { headers: { 'idempotency-key': 'once' }, body };
      const answer = await service.request('POST', `${API}/books/${id}/loans`, keyed);
      expect(answer).toHaveStatus(201);
    }
  });
});

describe('lists of loans', () => {
  const items: Loan[] = [];
  /** What items are compared by. */
  const keys = {
    created_at: (item: Loan) => item.created_at.slice(0, -1),
  };

  beforeAll(async () => {
    await service.clear();
    items.length = 0;
    const given = listed<LoanValues>(8, {}, allowed);
    for (const members of given) items.push(await createLoan(service, members));
    // Computed members may depend on items that were created later.
    for (const [at, { id }] of items.entries()) {
      items[at] = (await service.get<Loan>(`/loans/${id}`)).body;
    }
  });

  test('return each item once, in order of creation', async () => {
    const ids = items.map(({ id }) => id);
    expect(await readForthAndBack(service, '/loans?limit=3')).toEqual({ forth: ids, back: ids });
    const answer = await service.get('/loans?count=true&limit=1');
    expect(answer.body).toEqual(items.slice(0, 1));
    expect(answer.headers.get('total-count')).toBe(String(items.length));
    for (const query of ['', '&count=false']) {
      const { headers } = await service.get(`/loans?limit=1${query}`);
      expect(headers.get('total-count')).toBeNull();
    }
  });

  test.each(['created_at'] as const)('sort by %s, ascending and descending', async (sort) => {
    const rising = sortBy(items, keys[sort]).map(({ id }) => id);
    const falling = rising.toReversed();
    const path = '/loans?limit=3&sort=';
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
    const some = items.map((item) => ({ id: item.id, until: item.until, book_id: item.book_id }));
    expect(await readAll(service, '/loans?fields=until,book_id')).toEqual(some);
    expect(await service.get('/loans?fields=unheard_of')).toBeError(400, 'fields');
  });

  test.each(['unheard_of=1', 'limit=1&limit=2', 'sort=unheard_of', 'limit=0', 'q=word'])(
    'refuse %s (400)',
    async (query) => {
      const [name = ''] = query.split('=');
      expect(await service.get(`/loans?${query}`)).toBeError(400, name);
    },
  );
});
