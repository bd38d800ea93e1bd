/** The endpoints of people. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type {
  PersonV2 as Person,
  PersonV2Values as PersonValues,
} from '../../../src/collections/people/v2.ts';
import { PersonV2Computed as PersonComputed } from '../../../src/collections/people/v2.ts';
import { allowed, another, changed } from '../../fixtures/v2/people.ts';
import { A_TIME, AN_ID, computedOf, NO_ID } from '../../support/expected.ts';
import { createPerson, personBody } from '../../support/items/v2/people.ts';
import {
  filtersOf,
  listed,
  readAll,
  readForthAndBack,
  searchesOf,
  sortBy,
} from '../../support/lists.ts';
import type { FilterOptions } from '../../support/lists.ts';
import { startService } from '../../support/service.ts';
import { clearable, limits, longer, present, unrestricted } from '../../support/values.ts';

const service = (await startService()).in(2);
const API = service.api;
const full = another();

/** What a person has of members that nobody sent. */
const UNSET = {
  born: null,
  score: null,
  country: 'NL',
  nickname: null,
  home: null,
  notes: null,
};

describe('people of version 2', () => {
  beforeEach(() => service.clear());

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

  test.each(clearable(['born', 'score', 'country', 'nickname', 'home', 'notes'], allowed))(
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

  test.each(['full_name'])('POST requires %s (422)', async (member) => {
    const { [member]: _left, ...body }: Record<string, unknown> = another();
    expect(await service.post('/people', body)).toBeError(422, member);
  });

  test('PUT requires the same members (422)', async () => {
    const item = await createPerson(service);
    expect(await service.put(`/people/${item.id}`, {})).toBeError(422, 'full_name');
  });

  test.each(
    limits(
      [
        ['full_name', 'the shortest', ''],
        ['full_name', 'the longest', '😀'.repeat(100)],
        ['full_name', 'with blanks around', ' a '],
        ['full_name', 'with quotes and backslashes', '\'"\\%_'],
        ['born', 'the smallest', '0001-01-01'],
        ['born', 'the largest', '9999-12-31'],
        ['score', 'the smallest', '-9007199254740991.00'],
        ['score', 'the largest', '9007199254740991.00'],
        ['country', 'the shortest', ''],
        ['country', 'the longest', '😀😀'],
        ['nickname', 'the shortest', ''],
        ['nickname', 'the longest', '😀'.repeat(50)],
        ['nickname', 'with blanks around', ' a '],
        ['nickname', 'with quotes and backslashes', '\'"\\%_'],
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
      ['score', longer(full.score), full.score],
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
    ['full_name', 'a number', { full_name: 5 }],
    ['full_name', 'with a NUL character', { full_name: 'Full name 1\u0000' }],
    ['full_name', 'with half of a surrogate pair', { full_name: 'Full name 1\ud800' }],
    ['full_name', 'too long', { full_name: 'Full name 1' + 'x'.repeat(90) }],
    ['full_name', 'null', { full_name: null }],
    ['born', 'no day of the calendar', { born: '2026-02-30' }],
    ['born', 'in short', { born: '2026-1-31' }],
    ['born', 'a time', { born: '2026-01-31T00:00:00Z' }],
    ['born', 'a number', { born: 20260131 }],
    ['score', 'a number', { score: 5 }],
    ['score', 'no number', { score: 'five' }],
    ['score', 'empty', { score: '' }],
    ['score', 'with a leading zero', { score: '05' }],
    ['score', 'with a plus sign', { score: '+5' }],
    ['score', 'negative zero', { score: '-0' }],
    ['score', 'with a bare point', { score: '5.' }],
    ['score', 'without a digit before the point', { score: '.5' }],
    ['score', 'with an exponent', { score: '5e0' }],
    ['score', 'with too many digits after the point', { score: '0.001' }],
    ['score', 'too small', { score: '-9007199254740991.01' }],
    ['score', 'too large', { score: '9007199254740991.01' }],
    ['country', 'a number', { country: 5 }],
    ['country', 'with a NUL character', { country: 'NL\u0000' }],
    ['country', 'with half of a surrogate pair', { country: 'NL\ud800' }],
    ['country', 'too long', { country: 'NLx' }],
    ['nickname', 'a number', { nickname: 5 }],
    ['nickname', 'with a NUL character', { nickname: 'Nickname 1\u0000' }],
    ['nickname', 'with half of a surrogate pair', { nickname: 'Nickname 1\ud800' }],
    ['nickname', 'too long', { nickname: 'Nickname 1' + 'x'.repeat(41) }],
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
    full_name: (item: Person) => item.full_name,
    born: (item: Person) => item.born,
    score: (item: Person) => (item.score === null ? null : BigInt(item.score.replace('.', ''))),
    country: (item: Person) => item.country,
  };

  beforeAll(async () => {
    await service.clear();
    items.length = 0;
    const given = listed<PersonValues>(
      8,
      {
        full_name: [
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
        score: [null, '3.00', '4.00', '5.00', '2.00', '2.00', '1.00', '4.00'],
        country: [',', 'é', 'ｚ', '😀', 'B', 'B', 'b', null],
        nickname: [
          'Élan Straße 7',
          'ｚ wide',
          '😀 beyond',
          'quiet',
          'quiet',
          'Quiet River',
          null,
          'say "yes", twice',
        ],
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

  test.each(['full_name', 'born', 'score'] as const)(
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

  test('sort by full_name ascending and born descending', async () => {
    const falling = sortBy(items, keys.born).toReversed();
    const ids = sortBy(falling, keys.full_name).map(({ id }) => id);
    const path = '/people?limit=3&sort=full_name,-born';
    expect(await readForthAndBack(service, path)).toEqual({ forth: ids, back: ids });
  });

  test.each<[member: keyof Person, options: FilterOptions<Person>]>([
    ['full_name', { order: keys.full_name, canBeEmpty: true }],
    ['born', { order: keys.born }],
    ['country', { order: keys.country, canBeEmpty: true }],
  ])('filter by %s', async (member, options) => {
    for (const [query, found] of filtersOf(items, member, options)) {
      const answer = await readAll(service, `/people?${query}`);
      expect([query, answer]).toEqual([query, found]);
    }
  });

  test.each([
    ['full_name[null]', 'perhaps'],
    ['full_name[like]', 'a'],
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
    for (const [q, found] of searchesOf(items, ['full_name', 'nickname'])) {
      const answer = await readAll(service, `/people?q=${encodeURIComponent(q)}`);
      expect([q, answer]).toEqual([q, found]);
    }
  });

  test('return only the members in fields', async () => {
    const some = items.map((item) => ({ id: item.id, full_name: item.full_name, born: item.born }));
    expect(await readAll(service, '/people?fields=full_name,born')).toEqual(some);
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
