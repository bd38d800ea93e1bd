/** The endpoints of records. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { RecordItem, RecordItemValues } from '../../src/collections/records/schema.ts';
import { RecordItemComputed } from '../../src/collections/records/schema.ts';
import { searchedTables } from '../../src/collections/searched-tables.ts';
import { indexWords } from '../../src/platform/database/fill-words.ts';
import { allowed, another, changed } from '../fixtures/records.ts';
import { A_TIME, AN_ID, computedOf, NO_ID } from '../support/expected.ts';
import { createRecordItem, recordBody } from '../support/items/records.ts';
import {
  filtersOf,
  listed,
  readAll,
  readForthAndBack,
  searchesOf,
  sortBy,
} from '../support/lists.ts';
import type { FilterOptions } from '../support/lists.ts';
import { API, startService } from '../support/service.ts';
import { clearable, limits, present, unrestricted } from '../support/values.ts';

const service = await startService();
const full = another();

/** What a record has of members that nobody sent. */
const UNSET = {
  text: '\'"`\\${x}{{y}}*/--$$',
  kind: "'",
  code: null,
  note: '\u2028\u2029\u202e',
  tags: ["x'y"],
  extra: { __proto_: '`${1}`', '*/': ["'", null, 1.5, true], constructor: { a: '\\' } },
  inner: null,
};

describe('records', () => {
  beforeEach(() => service.clear());

  test('q finds rows written by SQL after they are indexed', async () => {
    const { id } = await createRecordItem(service);
    await service.database.query({ text: 'update "records" set "text" = $2 where "id" = $1' }, [
      id,
      'quetzalcoatl',
    ]);
    const written = await service.get(`/records/${id}`);
    await indexWords(service.database, searchedTables);
    const found = await service.get('/records?q=quetzalcoatl');
    expect(found.body).toEqual([written.body]);
    const indexed = await service.get(`/records/${id}`);
    expect(indexed.headers.get('etag')).toBe(written.headers.get('etag'));
  });

  test('POST creates an item (201)', async () => {
    const body = another();
    const answer = await service.post<RecordItem>('/records', body);
    expect(answer).toHaveStatus(201);
    expect(answer.body).toEqual({
      ...UNSET,
      ...body,
      id: AN_ID,
      created_at: A_TIME,
      updated_at: A_TIME,
      ...computedOf(answer.body, RecordItemComputed),
    });
    expect(answer.headers.get('location')).toBe(`${API}/records/${answer.body.id}`);
  });

  test('POST with an Idempotency-Key creates one item when it is repeated', async () => {
    const request = { headers: { 'idempotency-key': 'once' }, body: another() };
    const first = await service.request<RecordItem>('POST', `${API}/records`, request);
    expect(first).toHaveStatus(201);
    const { headers } = await service.get('/records?count=true');
    const again = await service.request<RecordItem>('POST', `${API}/records`, request);
    expect(again).toHaveStatus(201);
    expect(again.body).toEqual(first.body);
    const after = await service.get('/records?count=true');
    expect(after.headers.get('total-count')).toBe(headers.get('total-count'));
  });

  test('POST fills in defaults', async () => {
    const body = await recordBody(service);
    const item = await service.create<RecordItem>('/records', body);
    expect(item).toEqual({
      ...UNSET,
      ...body,
      id: AN_ID,
      created_at: A_TIME,
      updated_at: A_TIME,
      ...computedOf(item, RecordItemComputed),
    });
  });

  test('GET returns an item, and HEAD its headers', async () => {
    const item = await createRecordItem(service);
    const answer = await service.get(`/records/${item.id}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual(item);
    const upperCase = await service.get(`/records/${item.id.toUpperCase()}`);
    expect(upperCase.body).toEqual(item);
    const head = await service.head(`/records/${item.id}`);
    expect(head).toHaveStatus(200);
    expect(head.body).toBeUndefined();
    expect(head.headers.get('content-length')).toBe(answer.headers.get('content-length'));
  });

  test('PUT replaces an item, and resets absent members to their default or null', async () => {
    const body = another();
    const item = await service.create<RecordItem>('/records', body);
    const other = await recordBody(service);
    const answer = await service.put<RecordItem>(`/records/${item.id}`, other);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      ...UNSET,
      ...other,
      updated_at: A_TIME,
      ...computedOf(answer.body, RecordItemComputed),
    });
    expect(answer.body.updated_at).not.toBe(item.updated_at);
    expect((await service.get(`/records/${item.id}`)).body).toEqual(answer.body);
  });

  test.each(Object.entries(changed()))('PATCH changes %s only', async (member, value) => {
    const item = await service.create<RecordItem>('/records', another());
    const answer = await service.patch<RecordItem>(`/records/${item.id}`, { [member]: value });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      [member]: value,
      updated_at: A_TIME,
      ...computedOf(answer.body, RecordItemComputed),
    });
    expect((await service.get(`/records/${item.id}`)).body).toEqual(answer.body);
  });

  test.each(clearable(['text', 'kind', 'code', 'note', 'tags', 'extra', 'inner'], allowed))(
    'PATCH clears %s with null',
    async (member) => {
      const item = await service.create<RecordItem>('/records', another());
      const answer = await service.patch<RecordItem>(`/records/${item.id}`, { [member]: null });
      expect(answer).toHaveStatus(200);
      expect(answer.body).toEqual({
        ...item,
        [member]: null,
        updated_at: A_TIME,
        ...computedOf(answer.body, RecordItemComputed),
      });
    },
  );

  test.each(
    unrestricted<[member: string, before: unknown, patch: object, answered: unknown]>(
      [
        [
          'extra',
          { color: 'blue', sizes: [1, 2.5], more: { deep: [null] } },
          { color: null, more: { added: [1] } },
          { sizes: [1, 2.5], more: { deep: [null], added: [1] } },
        ],
        [
          'inner',
          full.inner,
          { constructor: changed().inner?.constructor },
          { ...full.inner, constructor: changed().inner?.constructor },
        ],
      ],
      allowed,
    ),
  )('PATCH merges into %s', async (member, before, patch, answered) => {
    const body = { ...another(), [member]: before };
    const item = await service.create<RecordItem>('/records', body);
    const answer = await service.patch<RecordItem>(`/records/${item.id}`, { [member]: patch });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      [member]: answered,
      updated_at: A_TIME,
      ...computedOf(answer.body, RecordItemComputed),
    });
  });

  test.each(unrestricted([['extra', 'x']], allowed))(
    'PATCH rejects %s beyond BODY_LIMIT (422)',
    async (member) => {
      const item = await service.create<RecordItem>('/records', another());
      const path = `/records/${item.id}`;
      const text = 'x'.repeat(600_000);
      expect(await service.patch(path, { [member]: { one: text } })).toHaveStatus(200);
      expect(await service.patch(path, { [member]: { two: text } })).toBeError(422, member);
      expect(await service.patch(path, { [member]: { one: null, two: text } })).toHaveStatus(200);
    },
  );

  test('answers If-None-Match with 304, and an outdated If-Match with 412', async () => {
    const body = await recordBody(service);
    const made = await service.post<RecordItem>('/records', body);
    const item = made.body;
    const path = `${API}/records/${item.id}`;
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
    const item = await createRecordItem(service);
    const path = `/records/${item.id}`;
    const answer = await service.delete(path);
    expect(answer).toHaveStatus(204);
    expect(answer.body).toBeUndefined();
    expect(await service.get(path)).toBeError(410);
    expect(await service.head(path)).toHaveStatus(410);
    expect(await service.put(path, await recordBody(service))).toBeError(410);
    expect(await service.patch(path, {})).toBeError(410);
    expect(await service.delete(path)).toBeError(410);
    expect((await service.get('/records')).body).not.toContainEqual(item);
  });

  test.each([NO_ID, 'no-id'])('answers 404 for the id %s', async (id) => {
    const path = `/records/${id}`;
    expect(await service.get(path)).toBeError(404);
    expect(await service.head(path)).toHaveStatus(404);
    expect(await service.put(path, {})).toBeError(404);
    expect(await service.patch(path, {})).toBeError(404);
    expect(await service.delete(path)).toBeError(404);
  });

  test.each(
    limits(
      [
        ['text', 'the shortest', ''],
        ['text', 'the longest', '😀'.repeat(200)],
        ['text', 'with blanks around', ' a '],
        ['text', 'with quotes and backslashes', '\'"\\%_'],
        ['kind', 'the last of its values', "zero\u200bwidth'\\"],
        ['note', 'the shortest', ''],
        ['note', 'with blanks around', ' a '],
        ['note', 'with quotes and backslashes', '\'"\\%_'],
        ['tags', 'with the fewest items', []],
      ],
      allowed,
    ),
  )('accepts %s: %s', async (member, _why, sent) => {
    const body = { ...(await recordBody(service)), [member]: sent };
    const item = await service.create<RecordItem>('/records', body);
    expect(item).toHaveProperty(member, sent);
    expect((await service.get(`/records/${item.id}`)).body).toEqual(item);
  });

  test.each(
    present<[member: string, sent: unknown, answered: unknown]>([
      [
        'inner',
        full.inner && { ...full.inner, constructor: undefined, value: undefined },
        full.inner && { ...full.inner, constructor: '*/', value: null },
      ],
    ]),
  )('normalizes %s: %j to %j', async (member, sent, answered) => {
    const body = { ...(await recordBody(service)), [member]: sent };
    const item = await service.create<RecordItem>('/records', body);
    expect(item).toHaveProperty(member, answered);
  });

  test.each<[member: string, why: string, changes: object]>([
    ['text', 'a number', { text: 5 }],
    ['text', 'with a NUL character', { text: '\'"`\\${x}{{y}}*/--$$\u0000' }],
    ['text', 'with half of a surrogate pair', { text: '\'"`\\${x}{{y}}*/--$$\ud800' }],
    ['text', 'too long', { text: '\'"`\\${x}{{y}}*/--$$' + 'x'.repeat(182) }],
    ['kind', 'not one of its values', { kind: 'unknown' }],
    ['kind', 'a number', { kind: 5 }],
    ['code', 'a number', { code: 5 }],
    ['code', 'with a NUL character', { code: '\\\'"`$\u0000' }],
    ['code', 'with half of a surrogate pair', { code: '\\\'"`$\ud800' }],
    ['code', 'too long', { code: '\\\'"`$xxxxxx' }],
    ['code', 'not of its pattern', { code: '' }],
    ['note', 'a number', { note: 5 }],
    ['note', 'with a NUL character', { note: '\u2028\u2029\u202e\u0000' }],
    ['note', 'with half of a surrogate pair', { note: '\u2028\u2029\u202e\ud800' }],
    ['tags', 'no list', { tags: "x'y" }],
    ['tags', 'an object', { tags: {} }],
    ['tags[0]', 'not one of its values', { tags: ['unknown'] }],
    ['tags[0]', 'a number', { tags: [5] }],
    ['tags[0]', 'null', { tags: [null] }],
    ['extra', 'an integer that no double holds', { extra: { deep: [9007199254740992] } }],
    ['extra', 'a NUL character', { extra: { deep: 'a\u0000b' } }],
    ['extra', 'half of a surrogate pair', { extra: ['\ud800'] }],
    ['inner', 'a text', { inner: 'text' }],
    ['inner', 'a list', { inner: [] }],
    ['inner.unknown', 'unknown', { inner: { value: 'Value 1', unknown: 1 } }],
    ['inner.constructor', 'a number', { inner: { value: 'Value 1', constructor: 5 } }],
    [
      'inner.constructor',
      'with a NUL character',
      { inner: { value: 'Value 1', constructor: '*/\u0000' } },
    ],
    [
      'inner.constructor',
      'with half of a surrogate pair',
      { inner: { value: 'Value 1', constructor: '*/\ud800' } },
    ],
    ['inner.value', 'a number', { inner: { value: 5 } }],
    ['inner.value', 'with a NUL character', { inner: { value: 'Value 1\u0000' } }],
    ['inner.value', 'with half of a surrogate pair', { inner: { value: 'Value 1\ud800' } }],
  ])('refuses %s: %s (422)', async (member, _why, changes) => {
    const body = { ...(await recordBody(service)), ...changes };
    expect(await service.post('/records', body)).toBeError(422, member);
    const item = await createRecordItem(service);
    expect(await service.patch(`/records/${item.id}`, changes)).toBeError(422, member);
    expect((await service.get(`/records/${item.id}`)).body).toEqual(item);
  });

  test.each<[member: string, value: unknown]>([
    ['id', NO_ID],
    ['created_at', '2026-01-31T12:00:00Z'],
    ['updated_at', '2026-01-31T12:00:00Z'],
    ['unheard_of', 1],
  ])('refuses the read-only or unknown member %s (422)', async (member, value) => {
    const body = { ...(await recordBody(service)), [member]: value };
    expect(await service.post('/records', body)).toBeError(422, member);
    const item = await createRecordItem(service);
    const path = `/records/${item.id}`;
    expect(await service.put(path, { [member]: value })).toBeError(422, member);
    expect(await service.patch(path, { [member]: value })).toBeError(422, member);
    expect((await service.get(path)).body).toEqual(item);
  });
});

describe('lists of records', () => {
  const items: RecordItem[] = [];
  /** What items are compared by. */
  const keys = {
    kind: (item: RecordItem) =>
      item.kind === null
        ? null
        : [
            "'",
            '"',
            '`',
            '\\',
            '${x}',
            '{{x}}',
            '*/',
            '--',
            'a,b',
            'a b',
            'é',
            '日本',
            '$$',
            'null',
            'true',
            '',
            '%',
            '</script>',
            '\u202eadmin\u2066 \u2069',
            "zero\u200bwidth'\\",
          ].indexOf(item.kind),
    text: (item: RecordItem) => item.text,
    created_at: (item: RecordItem) => item.created_at.slice(0, -1),
  };

  beforeAll(async () => {
    await service.clear();
    items.length = 0;
    const given = listed<RecordItemValues>(
      8,
      {
        text: [
          'quiet',
          'Quiet River',
          null,
          'say "yes", twice',
          'Élan Straße 7',
          'ｚ wide',
          '😀 beyond',
          'quiet',
        ],
        kind: ["'", null, '`', '\\', '${x}', '"', '"', null],
      },
      allowed,
    );
    for (const members of given) items.push(await createRecordItem(service, members));
    // Computed members may depend on items that were created later.
    for (const [at, { id }] of items.entries()) {
      items[at] = (await service.get<RecordItem>(`/records/${id}`)).body;
    }
  });

  test('return each item once, in order of creation', async () => {
    const ids = items.map(({ id }) => id);
    expect(await readForthAndBack(service, '/records?limit=3')).toEqual({ forth: ids, back: ids });
    const answer = await service.get('/records?count=true&limit=1');
    expect(answer.body).toEqual(items.slice(0, 1));
    expect(answer.headers.get('total-count')).toBe(String(items.length));
    for (const query of ['', '&count=false']) {
      const { headers } = await service.get(`/records?limit=1${query}`);
      expect(headers.get('total-count')).toBeNull();
    }
  });

  test.each(['kind', 'text', 'created_at'] as const)(
    'sort by %s, ascending and descending',
    async (sort) => {
      const rising = sortBy(items, keys[sort]).map(({ id }) => id);
      const falling = rising.toReversed();
      const path = '/records?limit=3&sort=';
      expect(await readForthAndBack(service, `${path}${sort}`)).toEqual({
        forth: rising,
        back: rising,
      });
      expect(await readForthAndBack(service, `${path}-${sort}`)).toEqual({
        forth: falling,
        back: falling,
      });
    },
  );

  test('sort by kind ascending and text descending', async () => {
    const falling = sortBy(items, keys.text).toReversed();
    const ids = sortBy(falling, keys.kind).map(({ id }) => id);
    const path = '/records?limit=3&sort=kind,-text';
    expect(await readForthAndBack(service, path)).toEqual({ forth: ids, back: ids });
  });

  test.each<[member: keyof RecordItem, options: FilterOptions<RecordItem>]>([
    ['kind', {}],
    ['text', { order: keys.text, canBeEmpty: true }],
  ])('filter by %s', async (member, options) => {
    for (const [query, found] of filtersOf(items, member, options)) {
      const answer = await readAll(service, `/records?${query}`);
      expect([query, answer]).toEqual([query, found]);
    }
  });

  test.each([
    ['kind', 'no such value'],
    ['kind[null]', 'perhaps'],
    ['kind[like]', 'a'],
    ['kind[gt]', "'"],
    ['text[null]', 'perhaps'],
    ['text[like]', 'a'],
  ])('refuse %s=%s (400)', async (parameter, value) => {
    const query = String(new URLSearchParams({ [parameter]: value }));
    expect(await service.get(`/records?${query}`)).toBeError(400, parameter);
  });

  test('search for every word of q', async () => {
    for (const [q, found] of searchesOf(items, ['text'])) {
      const answer = await readAll(service, `/records?q=${encodeURIComponent(q)}`);
      expect([q, answer]).toEqual([q, found]);
    }
  });

  test('return only the members in fields', async () => {
    const some = items.map((item) => ({ id: item.id, text: item.text, kind: item.kind }));
    expect(await readAll(service, '/records?fields=text,kind')).toEqual(some);
    expect(await service.get('/records?fields=unheard_of')).toBeError(400, 'fields');
  });

  test.each(['unheard_of=1', 'limit=1&limit=2', 'sort=unheard_of', 'limit=0', 'q=', 'q=%20-'])(
    'refuse %s (400)',
    async (query) => {
      const [name = ''] = query.split('=');
      expect(await service.get(`/records?${query}`)).toBeError(400, name);
    },
  );
});
