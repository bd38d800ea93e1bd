/** The endpoints of notes. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Note, NoteValues } from '../../src/collections/notes/schema.ts';
import { NoteComputed } from '../../src/collections/notes/schema.ts';
import { allowed, another, changed } from '../fixtures/notes.ts';
import { A_TIME, AN_ID, computedOf, NO_ID } from '../support/expected.ts';
import { createNote, noteBody } from '../support/items/notes.ts';
import { listed, readAll, readForthAndBack, sortBy } from '../support/lists.ts';
import { API, startService } from '../support/service.ts';
import { clearable, limits } from '../support/values.ts';

const service = await startService();

/** What a note has of members that nobody sent. */
const UNSET = {
  body: null,
};

describe('notes', () => {
  beforeEach(() => service.clear());

  test('POST creates an item (201)', async () => {
    const body = another();
    const answer = await service.post<Note>('/notes', body);
    expect(answer).toHaveStatus(201);
    expect(answer.body).toEqual({
      ...UNSET,
      ...body,
      id: AN_ID,
      created_at: A_TIME,
      updated_at: A_TIME,
      ...computedOf(answer.body, NoteComputed),
    });
    expect(answer.headers.get('location')).toBe(`${API}/notes/${answer.body.id}`);
  });

  test('POST with an Idempotency-Key creates one item when it is repeated', async () => {
    const request = { headers: { 'idempotency-key': 'once' }, body: another() };
    const first = await service.request<Note>('POST', `${API}/notes`, request);
    expect(first).toHaveStatus(201);
    const { headers } = await service.get('/notes?count=true');
    const again = await service.request<Note>('POST', `${API}/notes`, request);
    expect(again).toHaveStatus(201);
    expect(again.body).toEqual(first.body);
    const after = await service.get('/notes?count=true');
    expect(after.headers.get('total-count')).toBe(headers.get('total-count'));
  });

  test('POST fills in defaults', async () => {
    const body = await noteBody(service);
    const item = await service.create<Note>('/notes', body);
    expect(item).toEqual({
      ...UNSET,
      ...body,
      id: AN_ID,
      created_at: A_TIME,
      updated_at: A_TIME,
      ...computedOf(item, NoteComputed),
    });
  });

  test('GET returns an item, and HEAD its headers', async () => {
    const item = await createNote(service);
    const answer = await service.get(`/notes/${item.id}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual(item);
    const upperCase = await service.get(`/notes/${item.id.toUpperCase()}`);
    expect(upperCase.body).toEqual(item);
    const head = await service.head(`/notes/${item.id}`);
    expect(head).toHaveStatus(200);
    expect(head.body).toBeUndefined();
    expect(head.headers.get('content-length')).toBe(answer.headers.get('content-length'));
  });

  test('PUT replaces an item, and resets absent members to their default or null', async () => {
    const body = another();
    const item = await service.create<Note>('/notes', body);
    const other = await noteBody(service);
    const answer = await service.put<Note>(`/notes/${item.id}`, other);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      ...UNSET,
      ...other,
      updated_at: A_TIME,
      ...computedOf(answer.body, NoteComputed),
    });
    expect(answer.body.updated_at).not.toBe(item.updated_at);
    expect((await service.get(`/notes/${item.id}`)).body).toEqual(answer.body);
  });

  test.each(Object.entries(changed()))('PATCH changes %s only', async (member, value) => {
    const item = await service.create<Note>('/notes', another());
    const answer = await service.patch<Note>(`/notes/${item.id}`, { [member]: value });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      [member]: value,
      updated_at: A_TIME,
      ...computedOf(answer.body, NoteComputed),
    });
    expect((await service.get(`/notes/${item.id}`)).body).toEqual(answer.body);
  });

  test.each(clearable(['body'], allowed))('PATCH clears %s with null', async (member) => {
    const item = await service.create<Note>('/notes', another());
    const answer = await service.patch<Note>(`/notes/${item.id}`, { [member]: null });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      [member]: null,
      updated_at: A_TIME,
      ...computedOf(answer.body, NoteComputed),
    });
  });

  test('answers If-None-Match with 304, and an outdated If-Match with 412', async () => {
    const body = await noteBody(service);
    const made = await service.post<Note>('/notes', body);
    const item = made.body;
    const path = `${API}/notes/${item.id}`;
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
    const item = await createNote(service);
    const path = `/notes/${item.id}`;
    const answer = await service.delete(path);
    expect(answer).toHaveStatus(204);
    expect(answer.body).toBeUndefined();
    expect(await service.get(path)).toBeError(410);
    expect(await service.head(path)).toHaveStatus(410);
    expect(await service.put(path, await noteBody(service))).toBeError(410);
    expect(await service.patch(path, {})).toBeError(410);
    expect(await service.delete(path)).toBeError(410);
    expect((await service.get('/notes')).body).not.toContainEqual(item);
  });

  test.each([NO_ID, 'no-id'])('answers 404 for the id %s', async (id) => {
    const path = `/notes/${id}`;
    expect(await service.get(path)).toBeError(404);
    expect(await service.head(path)).toHaveStatus(404);
    expect(await service.put(path, {})).toBeError(404);
    expect(await service.patch(path, {})).toBeError(404);
    expect(await service.delete(path)).toBeError(404);
  });

  test.each(
    limits(
      [
        ['body', 'the shortest', ''],
        ['body', 'with blanks around', ' a '],
        ['body', 'with quotes and backslashes', '\'"\\%_'],
      ],
      allowed,
    ),
  )('accepts %s: %s', async (member, _why, sent) => {
    const body = { ...(await noteBody(service)), [member]: sent };
    const item = await service.create<Note>('/notes', body);
    expect(item).toHaveProperty(member, sent);
    expect((await service.get(`/notes/${item.id}`)).body).toEqual(item);
  });

  test.each<[member: string, why: string, changes: object]>([
    ['body', 'a number', { body: 5 }],
    ['body', 'with a NUL character', { body: 'Body 1\u0000' }],
    ['body', 'with half of a surrogate pair', { body: 'Body 1\ud800' }],
  ])('refuses %s: %s (422)', async (member, _why, changes) => {
    const body = { ...(await noteBody(service)), ...changes };
    expect(await service.post('/notes', body)).toBeError(422, member);
    const item = await createNote(service);
    expect(await service.patch(`/notes/${item.id}`, changes)).toBeError(422, member);
    expect((await service.get(`/notes/${item.id}`)).body).toEqual(item);
  });

  test.each<[member: string, value: unknown]>([
    ['id', NO_ID],
    ['created_at', '2026-01-31T12:00:00Z'],
    ['updated_at', '2026-01-31T12:00:00Z'],
    ['unheard_of', 1],
  ])('refuses the read-only or unknown member %s (422)', async (member, value) => {
    const body = { ...(await noteBody(service)), [member]: value };
    expect(await service.post('/notes', body)).toBeError(422, member);
    const item = await createNote(service);
    const path = `/notes/${item.id}`;
    expect(await service.put(path, { [member]: value })).toBeError(422, member);
    expect(await service.patch(path, { [member]: value })).toBeError(422, member);
    expect((await service.get(path)).body).toEqual(item);
  });
});

describe('lists of notes', () => {
  const items: Note[] = [];
  /** What items are compared by. */
  const keys = {
    created_at: (item: Note) => item.created_at.slice(0, -1),
  };

  beforeAll(async () => {
    await service.clear();
    items.length = 0;
    const given = listed<NoteValues>(8, {}, allowed);
    for (const members of given) items.push(await createNote(service, members));
    // Computed members may depend on items that were created later.
    for (const [at, { id }] of items.entries()) {
      items[at] = (await service.get<Note>(`/notes/${id}`)).body;
    }
  });

  test('return each item once, in order of creation', async () => {
    const ids = items.map(({ id }) => id);
    expect(await readForthAndBack(service, '/notes?limit=3')).toEqual({ forth: ids, back: ids });
    const answer = await service.get('/notes?count=true&limit=1');
    expect(answer.body).toEqual(items.slice(0, 1));
    expect(answer.headers.get('total-count')).toBe(String(items.length));
    for (const query of ['', '&count=false']) {
      const { headers } = await service.get(`/notes?limit=1${query}`);
      expect(headers.get('total-count')).toBeNull();
    }
  });

  test.each(['created_at'] as const)('sort by %s, ascending and descending', async (sort) => {
    const rising = sortBy(items, keys[sort]).map(({ id }) => id);
    const falling = rising.toReversed();
    const path = '/notes?limit=3&sort=';
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
    const some = items.map((item) => ({ id: item.id, body: item.body }));
    expect(await readAll(service, '/notes?fields=body')).toEqual(some);
    expect(await service.get('/notes?fields=unheard_of')).toBeError(400, 'fields');
  });

  test.each(['unheard_of=1', 'limit=1&limit=2', 'sort=unheard_of', 'limit=0', 'q=word'])(
    'refuse %s (400)',
    async (query) => {
      const [name = ''] = query.split('=');
      expect(await service.get(`/notes?${query}`)).toBeError(400, name);
    },
  );
});
