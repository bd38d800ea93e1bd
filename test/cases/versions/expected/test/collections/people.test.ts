/** The endpoints of people. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type {
  PersonV3 as Person,
  PersonV3Values as PersonValues,
} from '../../src/collections/people/v3.ts';
import { PersonV3Computed as PersonComputed } from '../../src/collections/people/v3.ts';
import { searchedTables } from '../../src/collections/searched-tables.ts';
import { indexWords } from '../../src/platform/database/fill-words.ts';
import { allowed, another, changed } from '../fixtures/people.ts';
import { A_TIME, AN_ID, computedOf, NO_ID } from '../support/expected.ts';
import { createPerson, personBody } from '../support/items/people.ts';
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

/** What a person has of members that nobody sent. */
const UNSET = {
  born: null,
  score: null,
  country: 'NL',
  home: null,
  notes: null,
};

describe('people', () => {
  beforeEach(() => service.clear());

  test('q finds rows written by SQL after they are indexed', async () => {
    const { id } = await createPerson(service);
    await service.database.query({ text: 'update "people" set "name" = $2 where "id" = $1' }, [
      id,
      'quetzalcoatl',
    ]);
    const written = await service.get(`/people/${id}`);
    await indexWords(service.database, searchedTables);
    const found = await service.get('/people?q=quetzalcoatl');
    expect(found.body).toEqual([written.body]);
    const indexed = await service.get(`/people/${id}`);
    expect(indexed.headers.get('etag')).toBe(written.headers.get('etag'));
  });

  test('POST creates an item (201)', async () => {
    const body = another();
    const answer = await service.post<Person>('/people', body);
    expect(answer).toHaveStatus(201);
    expect(answer.body).toEqual({
      ...UNSET,
      ...body,
      id: AN_ID,
      created_at: A_TIME,
      updated_at: A_TIME,
      ...computedOf(answer.body, PersonComputed),
    });
    expect(answer.headers.get('location')).toBe(`${API}/people/${answer.body.id}`);
  });

  test('POST with an Idempotency-Key creates one item when it is repeated', async () => {
    const request = { headers: { 'idempotency-key': 'once' }, body: another() };
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
    const body = await personBody(service);
    const item = await service.create<Person>('/people', body);
    expect(item).toEqual({
      ...UNSET,
      ...body,
      id: AN_ID,
      created_at: A_TIME,
      updated_at: A_TIME,
      ...computedOf(item, PersonComputed),
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
    const body = another();
    const item = await service.create<Person>('/people', body);
    const other = await personBody(service);
    const answer = await service.put<Person>(`/people/${item.id}`, other);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      ...UNSET,
      ...other,
      updated_at: A_TIME,
      ...computedOf(answer.body, PersonComputed),
    });
    expect(answer.body.updated_at).not.toBe(item.updated_at);
    expect((await service.get(`/people/${item.id}`)).body).toEqual(answer.body);
  });

  test.each(Object.entries(changed()))('PATCH changes %s only', async (member, value) => {
    const item = await service.create<Person>('/people', another());
    const answer = await service.patch<Person>(`/people/${item.id}`, { [member]: value });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      [member]: value,
      updated_at: A_TIME,
      ...computedOf(answer.body, PersonComputed),
    });
    expect((await service.get(`/people/${item.id}`)).body).toEqual(answer.body);
  });

  test.each(clearable(['born', 'score', 'country', 'home', 'notes'], allowed))(
    'PATCH clears %s with null',
    async (member) => {
      const item = await service.create<Person>('/people', another());
      const answer = await service.patch<Person>(`/people/${item.id}`, { [member]: null });
      expect(answer).toHaveStatus(200);
      expect(answer.body).toEqual({
        ...item,
        [member]: null,
        updated_at: A_TIME,
        ...computedOf(answer.body, PersonComputed),
      });
    },
  );

  test.each(
    unrestricted<[member: string, before: unknown, patch: object, answered: unknown]>(
      [
        [
          'home',
          full.home,
          { city: changed().home?.city },
          { ...full.home, city: changed().home?.city },
        ],
        [
          'notes',
          { color: 'blue', sizes: [1, 2.5], more: { deep: [null] } },
          { color: null, more: { added: [1] } },
          { sizes: [1, 2.5], more: { deep: [null], added: [1] } },
        ],
      ],
      allowed,
    ),
  )('PATCH merges into %s', async (member, before, patch, answered) => {
    const body = { ...another(), [member]: before };
    const item = await service.create<Person>('/people', body);
    const answer = await service.patch<Person>(`/people/${item.id}`, { [member]: patch });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      [member]: answered,
      updated_at: A_TIME,
      ...computedOf(answer.body, PersonComputed),
    });
  });

  test.each(unrestricted([['notes', 'x']], allowed))(
    'PATCH rejects %s beyond BODY_LIMIT (422)',
    async (member) => {
      const item = await service.create<Person>('/people', another());
      const path = `/people/${item.id}`;
      const text = 'x'.repeat(600_000);
      expect(await service.patch(path, { [member]: { one: text } })).toHaveStatus(200);
      expect(await service.patch(path, { [member]: { two: text } })).toBeError(422, member);
      expect(await service.patch(path, { [member]: { one: null, two: text } })).toHaveStatus(200);
    },
  );

  test('answers If-None-Match with 304, and an outdated If-Match with 412', async () => {
    const body = await personBody(service);
    const made = await service.post<Person>('/people', body);
    const item = made.body;
    const path = `${API}/people/${item.id}`;
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
    const { [member]: _left, ...body }: Record<string, unknown> = another();
    expect(await service.post('/people', body)).toBeError(422, member);
  });

  test('PUT requires the same members (422)', async () => {
    const item = await createPerson(service);
    expect(await service.put(`/people/${item.id}`, {})).toBeError(422, 'name');
  });

  test.each(
    limits(
      [
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
      ],
      allowed,
    ),
  )('accepts %s: %s', async (member, _why, sent) => {
    const body = { ...(await personBody(service)), [member]: sent };
    const item = await service.create<Person>('/people', body);
    expect(item).toHaveProperty(member, sent);
    expect((await service.get(`/people/${item.id}`)).body).toEqual(item);
  });

  test.each(
    present<[member: string, sent: unknown, answered: unknown]>([
      [
        'home',
        full.home && { ...full.home, city: undefined, floor: undefined },
        full.home && { ...full.home, city: null, floor: 0 },
      ],
    ]),
  )('normalizes %s: %j to %j', async (member, sent, answered) => {
    const body = { ...(await personBody(service)), [member]: sent };
    const item = await service.create<Person>('/people', body);
    expect(item).toHaveProperty(member, answered);
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
  ])('refuses the read-only or unknown member %s (422)', async (member, value) => {
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
  /** What items are compared by. */
  const keys = {
    name: (item: Person) => item.name,
    born: (item: Person) => item.born,
    score: (item: Person) => item.score,
    country: (item: Person) => item.country,
  };

  beforeAll(async () => {
    await service.clear();
    items.length = 0;
    const given = listed<PersonValues>(
      8,
      {
        name: [
          'quiet',
          'Quiet River',
          'say "yes", twice',
          'Élan Straße 7',
          'ｚ wide',
          '😀 beyond',
          'quiet',
          'quiet',
        ],
        born: [
          '2026-01-31',
          null,
          '2026-02-02',
          '2026-02-03',
          '2026-02-04',
          '2026-02-01',
          '2026-02-01',
          null,
        ],
        score: [null, 3, 4, 5, 2, 2, 1, 4],
        country: [',', 'é', 'ｚ', '😀', 'B', 'B', 'b', null],
      },
      allowed,
    );
    for (const members of given) items.push(await createPerson(service, members));
    // Computed members may depend on items that were created later.
    for (const [at, { id }] of items.entries()) {
      items[at] = (await service.get<Person>(`/people/${id}`)).body;
    }
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

  test.each(['name', 'born', 'score'] as const)(
    'sort by %s, ascending and descending',
    async (sort) => {
      const rising = sortBy(items, keys[sort]).map(({ id }) => id);
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
    },
  );

  test('sort by name ascending and born descending', async () => {
    const falling = sortBy(items, keys.born).toReversed();
    const ids = sortBy(falling, keys.name).map(({ id }) => id);
    const path = '/people?limit=3&sort=name,-born';
    expect(await readForthAndBack(service, path)).toEqual({ forth: ids, back: ids });
  });

  test.each<[member: keyof Person, options: FilterOptions<Person>]>([
    ['name', { order: keys.name, canBeEmpty: true }],
    ['born', { order: keys.born }],
    ['country', { order: keys.country, canBeEmpty: true }],
  ])('filter by %s', async (member, options) => {
    for (const [query, found] of filtersOf(items, member, options)) {
      const answer = await readAll(service, `/people?${query}`);
      expect([query, answer]).toEqual([query, found]);
    }
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

  test('search for every word of q', async () => {
    for (const [q, found] of searchesOf(items, ['name'])) {
      const answer = await readAll(service, `/people?q=${encodeURIComponent(q)}`);
      expect([q, answer]).toEqual([q, found]);
    }
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
