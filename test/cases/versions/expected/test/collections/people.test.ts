/** The endpoints of people. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type {
  PersonV3 as Person,
  PersonV3Values as PersonValues,
} from '../../src/collections/people/v3.ts';
import { createPerson, personBody } from '../fixtures/people.ts';
import { searched } from '../../src/collections/searched.ts';
import { indexWords } from '../../src/platform/database/index-words.ts';
import { A_TIME, AN_ID, NO_ID } from '../support/expected.ts';
import { readAll, readForthAndBack, sortBy } from '../support/lists.ts';
import type { Key } from '../support/lists.ts';
import { API, startService } from '../support/service.ts';

const service = await startService();

/** A body with all members that clients can set. */
async function fullPerson() {
  return {
    name: 'Name 1',
    born: '2026-01-31',
    score: 1,
    country: '1',
    home: { city: 'City 1' },
    notes: { color: 'blue', sizes: [1, 2.5], more: { deep: [null] } },
  };
}

describe('people', () => {
  beforeEach(() => service.clear());

  test('q finds rows written by SQL after they are indexed', async () => {
    const { id } = await createPerson(service);
    await service.database.query({ text: 'update "people" set "name" = $2 where "id" = $1' }, [
      id,
      'quetzalcoatl',
    ]);
    const written = await service.get(`/people/${id}`);
    await indexWords(service.database, searched);
    const found = await service.get('/people?q=quetzalcoatl');
    expect(found.body).toEqual([written.body]);
    const indexed = await service.get(`/people/${id}`);
    expect(indexed.headers.get('etag')).toBe(written.headers.get('etag'));
  });

  test('POST creates an item (201)', async () => {
    const body = await fullPerson();
    const answer = await service.post<Person>('/people', body);
    expect(answer).toHaveStatus(201);
    expect(answer.body).toEqual({
      id: AN_ID,
      name: 'Name 1',
      born: '2026-01-31',
      score: 1,
      country: '1',
      home: { city: 'City 1', floor: 0 },
      notes: { color: 'blue', sizes: [1, 2.5], more: { deep: [null] } },
      created_at: A_TIME,
      updated_at: A_TIME,
    });
    expect(answer.headers.get('location')).toBe(`${API}/people/${answer.body.id}`);
  });

  test('POST with an Idempotency-Key creates one item when it is repeated', async () => {
    const request = { headers: { 'idempotency-key': 'once' }, body: await fullPerson() };
    const first = await service.request<Person>('POST', `${API}/people`, request);
    expect(first).toHaveStatus(201);
    const { headers } = await service.get('/people?count=true');
    const again = await service.request<Person>('POST', `${API}/people`, request);
    expect(again).toHaveStatus(201);
    expect(again.body).toEqual(first.body);
    const after = await service.get('/people?count=true');
    expect(after.headers.get('total-count')).toBe(headers.get('total-count'));
  });

  test('POST fills in defaults', async () => {
    expect(await createPerson(service)).toMatchObject({
      born: null,
      score: null,
      country: 'NL',
      home: null,
      notes: null,
    });
  });

  test('GET returns an item, and HEAD its headers', async () => {
    const item = await createPerson(service);
    const answer = await service.get(`/people/${item.id}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual(item);
    const upperCase = await service.get(`/people/${item.id.toUpperCase()}`);
    expect(upperCase.body).toEqual(item);
    const head = await service.head(`/people/${item.id}`);
    expect(head).toHaveStatus(200);
    expect(head.body).toBeUndefined();
    expect(head.headers.get('content-length')).toBe(answer.headers.get('content-length'));
  });

  test('PUT replaces an item, and resets absent members to their default or null', async () => {
    const item = await service.create<Person>('/people', await fullPerson());
    const answer = await service.put<Person>(`/people/${item.id}`, {
      name: 'Name 2',
    });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      name: 'Name 2',
      born: null,
      score: null,
      country: 'NL',
      home: null,
      notes: null,
      updated_at: A_TIME,
    });
    expect(answer.body.updated_at).not.toBe(item.updated_at);
    expect((await service.get(`/people/${item.id}`)).body).toEqual(answer.body);
  });

  test.each<[member: string, sent: unknown, answered: unknown]>([
    ['name', 'Name 2', 'Name 2'],
    ['born', '2026-02-01', '2026-02-01'],
    ['score', 2, 2],
    ['country', 'NL', 'NL'],
  ])('PATCH changes %s only', async (member, sent, answered) => {
    const item = await service.create<Person>('/people', await fullPerson());
    const answer = await service.patch(`/people/${item.id}`, { [member]: sent });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({ ...item, [member]: answered, updated_at: A_TIME });
    expect((await service.get(`/people/${item.id}`)).body).toEqual(answer.body);
  });

  test.each(['born', 'score', 'country', 'home', 'notes'])(
    'PATCH clears %s with null',
    async (member) => {
      const item = await service.create<Person>('/people', await fullPerson());
      const answer = await service.patch(`/people/${item.id}`, { [member]: null });
      expect(answer).toHaveStatus(200);
      expect(answer.body).toEqual({ ...item, [member]: null, updated_at: A_TIME });
    },
  );

  test.each<[member: string, patch: object, answered: unknown]>([
    ['home', { city: 'City 2' }, { city: 'City 2', floor: 0 }],
    [
      'notes',
      { color: null, more: { added: [1] } },
      { sizes: [1, 2.5], more: { deep: [null], added: [1] } },
    ],
  ])('PATCH merges into %s', async (member, patch, answered) => {
    const item = await service.create<Person>('/people', await fullPerson());
    const answer = await service.patch(`/people/${item.id}`, { [member]: patch });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({ ...item, [member]: answered, updated_at: A_TIME });
  });

  test.each(['notes'])('PATCH rejects %s beyond BODY_LIMIT (422)', async (member) => {
    const item = await service.create<Person>('/people', await fullPerson());
    const path = `/people/${item.id}`;
    const text = 'x'.repeat(600_000);
    expect(await service.patch(path, { [member]: { one: text } })).toHaveStatus(200);
    expect(await service.patch(path, { [member]: { two: text } })).toBeError(422, member);
    expect(await service.patch(path, { [member]: { one: null, two: text } })).toHaveStatus(200);
  });

  test('answers If-None-Match with 304, and an outdated If-Match with 412', async () => {
    const made = await service.post<Person>('/people', await personBody(service));
    const item = made.body;
    const path = `${API}/people/${item.id}`;
    const first = made.headers.get('etag') ?? '';
    expect(first).toMatch(/^"[^"]+"$/);
    expect((await service.request('GET', path)).headers.get('etag')).toBe(first);
    const has = { headers: { 'if-none-match': first } };
    expect(await service.request('GET', path, has)).toHaveStatus(304);

    const changed = await service.request('PATCH', path, {
      headers: { 'if-match': first },
      body: {},
    });
    expect(changed).toHaveStatus(200);
    const second = changed.headers.get('etag') ?? '';
    expect(second).not.toBe(first);
    const read = await service.request('GET', path, has);
    expect(read.body).toEqual(changed.body);
    expect(read.headers.get('etag')).toBe(second);
    const outdated = { headers: { 'if-match': first }, body: await personBody(service) };
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expect(await service.request(method, path, outdated)).toBeError(412);
    }
    expect((await service.request('GET', path)).body).toEqual(changed.body);

    const replaced = await service.request('PUT', path, {
      headers: { 'if-match': second },
      body: {
        name: 'Name 2',
      },
    });
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
    const item = await createPerson(service);
    const path = `/people/${item.id}`;
    const answer = await service.delete(path);
    expect(answer).toHaveStatus(204);
    expect(answer.body).toBeUndefined();
    expect(await service.get(path)).toBeError(410);
    expect(await service.head(path)).toHaveStatus(410);
    expect(await service.put(path, await personBody(service))).toBeError(410);
    expect(await service.patch(path, {})).toBeError(410);
    expect(await service.delete(path)).toBeError(410);
    expect(await service.get(`${path}/books`)).toBeError(410);
    expect(await service.post(`${path}/books`, {})).toBeError(410);
    expect((await service.get('/people')).body).not.toContainEqual(item);
  });

  test.each([NO_ID, 'no-id'])('answers 404 for the id %s', async (id) => {
    const path = `/people/${id}`;
    expect(await service.get(path)).toBeError(404);
    expect(await service.head(path)).toHaveStatus(404);
    expect(await service.put(path, {})).toBeError(404);
    expect(await service.patch(path, {})).toBeError(404);
    expect(await service.delete(path)).toBeError(404);
    expect(await service.get(`${path}/books`)).toBeError(404);
    expect(await service.post(`${path}/books`, {})).toBeError(404);
  });

  test.each(['name'])('POST requires %s (422)', async (member) => {
    const { [member]: _left, ...body }: Record<string, unknown> = await fullPerson();
    expect(await service.post('/people', body)).toBeError(422, member);
  });

  test('PUT requires the same members (422)', async () => {
    const item = await createPerson(service);
    expect(await service.put(`/people/${item.id}`, {})).toBeError(422, 'name');
  });

  test.each<[member: string, why: string, sent: unknown]>([
    ['name', 'the shortest', ''],
    ['name', 'the longest', '😀'.repeat(100)],
    ['name', 'with blanks around', ' a '],
    ['name', 'with quotes and backslashes', '\'"\\%_'],
    ['born', 'the smallest', '0001-01-01'],
    ['born', 'the largest', '9999-12-31'],
    ['score', 'the smallest', -9007199254740991],
    ['score', 'the largest', 9007199254740991],
    ['country', 'the shortest', ''],
    ['country', 'the longest', '😀😀'],
  ])('accepts %s: %s', async (member, _why, sent) => {
    const body = { ...(await personBody(service)), [member]: sent };
    const item = await service.create<Person>('/people', body);
    expect(item).toHaveProperty(member, sent);
    expect((await service.get(`/people/${item.id}`)).body).toEqual(item);
  });

  test.each<[member: string, why: string, changes: object]>([
    ['name', 'a number', { name: 5 }],
    ['name', 'with a NUL character', { name: 'Name 1\u0000' }],
    ['name', 'with half of a surrogate pair', { name: 'Name 1\ud800' }],
    ['name', 'too long', { name: 'Name 1' + 'x'.repeat(95) }],
    ['name', 'null', { name: null }],
    ['born', 'no day of the calendar', { born: '2026-02-30' }],
    ['born', 'in short', { born: '2026-1-31' }],
    ['born', 'a time', { born: '2026-01-31T00:00:00Z' }],
    ['born', 'a number', { born: 20260131 }],
    ['score', 'a text', { score: '1' }],
    ['score', 'a fraction', { score: 1.5 }],
    ['score', 'true', { score: true }],
    ['score', 'beyond what a double holds', { score: 9007199254740992 }],
    ['country', 'a number', { country: 5 }],
    ['country', 'with a NUL character', { country: 'NL\u0000' }],
    ['country', 'with half of a surrogate pair', { country: 'NL\ud800' }],
    ['country', 'too long', { country: 'NLx' }],
    ['home', 'a text', { home: 'text' }],
    ['home', 'a list', { home: [] }],
    ['home.unknown', 'unknown', { home: { city: 'City 1', unknown: 1 } }],
    ['home.city', 'a number', { home: { city: 5 } }],
    ['home.city', 'with a NUL character', { home: { city: 'City 1\u0000' } }],
    ['home.city', 'with half of a surrogate pair', { home: { city: 'City 1\ud800' } }],
    ['home.floor', 'a text', { home: { city: 'City 1', floor: '0' } }],
    ['home.floor', 'a fraction', { home: { city: 'City 1', floor: 0.5 } }],
    ['home.floor', 'true', { home: { city: 'City 1', floor: true } }],
    ['notes', 'an integer that no double holds', { notes: { deep: [9007199254740992] } }],
    ['notes', 'a NUL character', { notes: { deep: 'a\u0000b' } }],
    ['notes', 'half of a surrogate pair', { notes: ['\ud800'] }],
  ])('refuses %s: %s (422)', async (member, _why, changes) => {
    const body = { ...(await personBody(service)), ...changes };
    expect(await service.post('/people', body)).toBeError(422, member);
    const item = await createPerson(service);
    expect(await service.patch(`/people/${item.id}`, changes)).toBeError(422, member);
    expect((await service.get(`/people/${item.id}`)).body).toEqual(item);
  });

  test.each<[member: string, value: unknown]>([
    ['id', NO_ID],
    ['created_at', '2026-01-31T12:00:00Z'],
    ['updated_at', '2026-01-31T12:00:00Z'],
    ['unheard_of', 1],
  ])('refuses %s, which is read-only (422)', async (member, value) => {
    const body = { ...(await personBody(service)), [member]: value };
    expect(await service.post('/people', body)).toBeError(422, member);
    const item = await createPerson(service);
    const path = `/people/${item.id}`;
    expect(await service.put(path, { [member]: value })).toBeError(422, member);
    expect(await service.patch(path, { [member]: value })).toBeError(422, member);
    expect((await service.get(path)).body).toEqual(item);
  });
});

describe('lists of people', () => {
  const items: Person[] = [];

  beforeAll(async () => {
    await service.clear();
    items.length = 0;
    const given: Partial<PersonValues>[] = [
      { name: 'quiet', born: '2026-01-31', score: null, country: ',' },
      { name: 'Quiet River', born: null, score: 3, country: 'é' },
      { name: 'say "yes", twice', born: '2026-02-02', score: 4, country: 'ｚ' },
      { name: 'Élan Straße 7', born: '2026-02-03', score: 5, country: '😀' },
      { name: 'ｚ wide', born: '2026-02-04', score: 2, country: 'B' },
      { name: '😀 beyond', born: '2026-02-01', score: 2, country: 'B' },
      { name: 'quiet', born: '2026-02-01', score: 1, country: 'b' },
      { name: 'quiet', born: null, score: 4, country: null },
    ];
    for (const members of given) items.push(await createPerson(service, members));
  });

  test('return each item once, in order of creation', async () => {
    const ids = items.map(({ id }) => id);
    expect(await readForthAndBack(service, '/people?limit=3')).toEqual({ forth: ids, back: ids });
    const answer = await service.get('/people?count=true&limit=1');
    expect(answer.body).toEqual(items.slice(0, 1));
    expect(answer.headers.get('total-count')).toBe(String(items.length));
    for (const query of ['', '&count=false']) {
      const { headers } = await service.get(`/people?limit=1${query}`);
      expect(headers.get('total-count')).toBeNull();
    }
  });

  test.each<[sort: string, key: (item: Person) => Key]>([
    ['name', (item) => item.name],
    ['born', (item) => item.born],
    ['score', (item) => item.score],
  ])('sort by %s, ascending and descending', async (sort, key) => {
    const rising = sortBy(items, key).map(({ id }) => id);
    const falling = rising.toReversed();
    const path = '/people?limit=3&sort=';
    expect(await readForthAndBack(service, `${path}${sort}`)).toEqual({
      forth: rising,
      back: rising,
    });
    expect(await readForthAndBack(service, `${path}-${sort}`)).toEqual({
      forth: falling,
      back: falling,
    });
  });

  test('sort by name ascending and born descending', async () => {
    const falling = sortBy(items, (item) => item.born).toReversed();
    const ids = sortBy(falling, (item) => item.name).map(({ id }) => id);
    const path = '/people?limit=3&sort=name,-born';
    expect(await readForthAndBack(service, path)).toEqual({ forth: ids, back: ids });
  });

  test.each<[parameter: string, value: string, matches: (item: Person) => boolean]>([
    ['name', 'Élan Straße 7', (item) => item.name === 'Élan Straße 7'],
    ['name[ne]', 'Élan Straße 7', (item) => item.name !== 'Élan Straße 7'],
    [
      'name[in]',
      'Élan Straße 7,"say ""yes"", twice"',
      (item) => item.name === 'Élan Straße 7' || item.name === 'say "yes", twice',
    ],
    ['name[gt]', 'Élan Straße 7', (item) => item.name > 'Élan Straße 7'],
    ['name[gte]', 'Élan Straße 7', (item) => item.name >= 'Élan Straße 7'],
    ['name[lt]', 'Élan Straße 7', (item) => item.name < 'Élan Straße 7'],
    ['name[lte]', 'Élan Straße 7', (item) => item.name <= 'Élan Straße 7'],
    ['name', '', (item) => item.name === ''],
    ['born', '2026-02-02', (item) => item.born === '2026-02-02'],
    ['born[ne]', '2026-02-02', (item) => item.born !== '2026-02-02'],
    [
      'born[in]',
      '2026-02-02,2026-01-31',
      (item) => item.born === '2026-02-02' || item.born === '2026-01-31',
    ],
    ['born[gt]', '2026-02-02', (item) => item.born !== null && item.born > '2026-02-02'],
    ['born[gte]', '2026-02-02', (item) => item.born !== null && item.born >= '2026-02-02'],
    ['born[lt]', '2026-02-02', (item) => item.born !== null && item.born < '2026-02-02'],
    ['born[lte]', '2026-02-02', (item) => item.born !== null && item.born <= '2026-02-02'],
    ['born[null]', 'true', (item) => item.born === null],
    ['born[null]', 'false', (item) => item.born !== null],
    ['country', 'é', (item) => item.country === 'é'],
    ['country[ne]', 'é', (item) => item.country !== 'é'],
    ['country[in]', 'é,","', (item) => item.country === 'é' || item.country === ','],
    ['country[gt]', 'é', (item) => item.country !== null && item.country > 'é'],
    ['country[gte]', 'é', (item) => item.country !== null && item.country >= 'é'],
    ['country[lt]', 'é', (item) => item.country !== null && item.country < 'é'],
    ['country[lte]', 'é', (item) => item.country !== null && item.country <= 'é'],
    ['country', '', (item) => item.country === ''],
    ['country[null]', 'true', (item) => item.country === null],
    ['country[null]', 'false', (item) => item.country !== null],
  ])('filter by %s=%s', async (parameter, value, matches) => {
    const query = String(new URLSearchParams({ [parameter]: value }));
    expect(await readAll(service, `/people?${query}`)).toEqual(items.filter(matches));
  });

  test.each([
    ['name[null]', 'perhaps'],
    ['name[like]', 'a'],
    ['born', '2026-02-30'],
    ['born[null]', 'perhaps'],
    ['born[like]', 'a'],
    ['country[null]', 'perhaps'],
    ['country[like]', 'a'],
  ])('refuse %s=%s (400)', async (parameter, value) => {
    const query = String(new URLSearchParams({ [parameter]: value }));
    expect(await service.get(`/people?${query}`)).toBeError(400, parameter);
  });

  test.each<[q: string, positions: number[]]>([
    ['QUIET', [0, 1, 6, 7]],
    ['river -- quiet', [1]],
    ['quie%', []],
    ['ÉLAN STRASSE', [3]],
    ['elan', []],
  ])('search whole words: q=%s', async (q, positions) => {
    const found = await readAll(service, `/people?q=${encodeURIComponent(q)}`);
    expect(found).toEqual(items.filter((_item, position) => positions.includes(position)));
  });

  test('search for every word of q', async () => {
    const q = encodeURIComponent(['QUIET', 'unheardof'].join(' '));
    expect(await readAll(service, `/people?q=${q}`)).toEqual([]);
  });

  test('return only the members in fields', async () => {
    const some = items.map((item) => ({ id: item.id, name: item.name, born: item.born }));
    expect(await readAll(service, '/people?fields=name,born')).toEqual(some);
    expect(await service.get('/people?fields=unheard_of')).toBeError(400, 'fields');
  });

  test.each(['unheard_of=1', 'limit=1&limit=2', 'sort=unheard_of', 'limit=0', 'q=', 'q=%20-'])(
    'refuse %s (400)',
    async (query) => {
      const [name = ''] = query.split('=');
      expect(await service.get(`/people?${query}`)).toBeError(400, name);
    },
  );
});
