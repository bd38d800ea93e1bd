/** The endpoints of people. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type {
  PersonV2 as Person,
  PersonV2Values as PersonValues,
} from '../../../src/collections/people/v2.ts';
import { createPerson, personBody } from '../../fixtures/v2/people.ts';
import { A_TIME, AN_ID, NO_ID } from '../../support/expected.ts';
import { readAll, readForthAndBack, sortBy } from '../../support/lists.ts';
import type { Key } from '../../support/lists.ts';
import { startService } from '../../support/service.ts';

const service = (await startService()).in(2);
const API = service.api;

/** A body with all members that clients can set. */
async function fullPerson() {
  return {
    full_name: 'Full name 1',
    born: '2026-01-31',
    score: '1',
    country: '1',
    nickname: 'Nickname 1',
    home: { city: 'City 1' },
    notes: { color: 'blue', sizes: [1, 2.5], more: { deep: [null] } },
  };
}

describe('people of version 2', () => {
  beforeEach(() => service.clear());

  test('POST creates an item (201)', async () => {
    const body = await fullPerson();
    const answer = await service.post<Person>('/people', body);
    expect(answer).toHaveStatus(201);
    expect(answer.body).toEqual({
      id: AN_ID,
      full_name: 'Full name 1',
      born: '2026-01-31',
      score: '1.00',
      country: '1',
      nickname: 'Nickname 1',
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
      nickname: null,
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
      full_name: 'Full name 2',
    });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      full_name: 'Full name 2',
      born: null,
      score: null,
      country: 'NL',
      nickname: null,
      home: null,
      notes: null,
      updated_at: A_TIME,
    });
    expect(answer.body.updated_at).not.toBe(item.updated_at);
    expect((await service.get(`/people/${item.id}`)).body).toEqual(answer.body);
  });

  test.each<[member: string, sent: unknown, answered: unknown]>([
    ['full_name', 'Full name 2', 'Full name 2'],
    ['born', '2026-02-01', '2026-02-01'],
    ['score', '2', '2.00'],
    ['country', 'NL', 'NL'],
    ['nickname', 'Nickname 2', 'Nickname 2'],
  ])('PATCH changes %s only', async (member, sent, answered) => {
    const item = await service.create<Person>('/people', await fullPerson());
    const answer = await service.patch(`/people/${item.id}`, { [member]: sent });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({ ...item, [member]: answered, updated_at: A_TIME });
    expect((await service.get(`/people/${item.id}`)).body).toEqual(answer.body);
  });

  test.each(['born', 'score', 'country', 'nickname', 'home', 'notes'])(
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
        full_name: 'Full name 2',
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

  test.each(['full_name'])('POST requires %s (422)', async (member) => {
    const { [member]: _left, ...body }: Record<string, unknown> = await fullPerson();
    expect(await service.post('/people', body)).toBeError(422, member);
  });

  test('PUT requires the same members (422)', async () => {
    const item = await createPerson(service);
    expect(await service.put(`/people/${item.id}`, {})).toBeError(422, 'full_name');
  });

  test.each<[member: string, why: string, sent: unknown]>([
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
  ])('accepts %s: %s', async (member, _why, sent) => {
    const body = { ...(await personBody(service)), [member]: sent };
    const item = await service.create<Person>('/people', body);
    expect(item).toHaveProperty(member, sent);
    expect((await service.get(`/people/${item.id}`)).body).toEqual(item);
  });

  test.each<[member: string, sent: string, answered: string]>([['score', '1.000', '1.00']])(
    'normalizes %s: %s to %s',
    async (member, sent, answered) => {
      const body = { ...(await personBody(service)), [member]: sent };
      const item = await service.create<Person>('/people', body);
      expect(item).toHaveProperty(member, answered);
    },
  );

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
      {
        full_name: 'quiet',
        born: '2026-01-31',
        score: null,
        country: ',',
        nickname: 'Élan Straße 7',
      },
      { full_name: 'Quiet River', born: null, score: '3.00', country: 'é', nickname: 'ｚ wide' },
      {
        full_name: 'say "yes", twice',
        born: '2026-02-02',
        score: '4.00',
        country: 'ｚ',
        nickname: '😀 beyond',
      },
      {
        full_name: 'Élan Straße 7',
        born: '2026-02-03',
        score: '5.00',
        country: '😀',
        nickname: 'quiet',
      },
      { full_name: 'ｚ wide', born: '2026-02-04', score: '2.00', country: 'B', nickname: 'quiet' },
      {
        full_name: '😀 beyond',
        born: '2026-02-01',
        score: '2.00',
        country: 'B',
        nickname: 'Quiet River',
      },
      { full_name: 'quiet', born: '2026-02-01', score: '1.00', country: 'b', nickname: null },
      {
        full_name: 'quiet',
        born: null,
        score: '4.00',
        country: null,
        nickname: 'say "yes", twice',
      },
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
    ['full_name', (item) => item.full_name],
    ['born', (item) => item.born],
    ['score', (item) => (item.score === null ? null : BigInt(item.score.replace('.', '')))],
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

  test('sort by full_name ascending and born descending', async () => {
    const falling = sortBy(items, (item) => item.born).toReversed();
    const ids = sortBy(falling, (item) => item.full_name).map(({ id }) => id);
    const path = '/people?limit=3&sort=full_name,-born';
    expect(await readForthAndBack(service, path)).toEqual({ forth: ids, back: ids });
  });

  test.each<[parameter: string, value: string, matches: (item: Person) => boolean]>([
    ['full_name', 'Élan Straße 7', (item) => item.full_name === 'Élan Straße 7'],
    ['full_name[ne]', 'Élan Straße 7', (item) => item.full_name !== 'Élan Straße 7'],
    [
      'full_name[in]',
      'Élan Straße 7,"say ""yes"", twice"',
      (item) => item.full_name === 'Élan Straße 7' || item.full_name === 'say "yes", twice',
    ],
    ['full_name[gt]', 'Élan Straße 7', (item) => item.full_name > 'Élan Straße 7'],
    ['full_name[gte]', 'Élan Straße 7', (item) => item.full_name >= 'Élan Straße 7'],
    ['full_name[lt]', 'Élan Straße 7', (item) => item.full_name < 'Élan Straße 7'],
    ['full_name[lte]', 'Élan Straße 7', (item) => item.full_name <= 'Élan Straße 7'],
    ['full_name', '', (item) => item.full_name === ''],
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

  test.each<[q: string, positions: number[]]>([
    ['QUIET', [0, 1, 3, 4, 5, 6, 7]],
    ['élan -- quiet', [0, 3]],
    ['quie%', []],
    ['ÉLAN STRASSE', [0, 3]],
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
