/** The endpoints of constructors. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Constructor, ConstructorValues } from '../../src/collections/constructors/schema.ts';
import { ConstructorComputed } from '../../src/collections/constructors/schema.ts';
import { searchedTables } from '../../src/collections/searched-tables.ts';
import { indexWords } from '../../src/platform/database/fill-words.ts';
import { allowed, another, changed } from '../fixtures/constructors.ts';
import { A_TIME, AN_ID, computedOf, NO_ID } from '../support/expected.ts';
import { constructorBody, createConstructor } from '../support/items/constructors.ts';
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

/** What a constructor has of members that nobody sent. */
const UNSET = {
  has_own_property: null,
  is_prototype_of: null,
  property_is_enumerable: null,
  to_locale_string: null,
  to_string: '[object Object]',
  value_of: null,
  at: null,
  concat: null,
  copy_within: null,
  entries: null,
  every: null,
  fill: null,
  filter: null,
  find: null,
  find_index: null,
  find_last: null,
  find_last_index: null,
  flat: null,
  flat_map: null,
  for_each: null,
  includes: null,
  index_of: null,
  join: null,
  keys: null,
  last_index_of: null,
  length: 0,
  map: null,
  pop: null,
  push: null,
  reduce: null,
  reduce_right: null,
  reverse: null,
  shift: null,
  slice: null,
  some: null,
  sort: null,
  splice: null,
  to_reversed: null,
  to_sorted: null,
  to_spliced: null,
  unshift: null,
  values: null,
  with: null,
};

describe('constructors', () => {
  beforeEach(() => service.clear());

  test('q finds rows written by SQL after they are indexed', async () => {
    const { id } = await createConstructor(service);
    await service.database.query(
      { text: 'update "constructors" set "to_string" = $2 where "id" = $1' },
      [id, 'quetzalcoatl'],
    );
    const written = await service.get(`/constructors/${id}`);
    await indexWords(service.database, searchedTables);
    const found = await service.get('/constructors?q=quetzalcoatl');
    expect(found.body).toEqual([written.body]);
    const indexed = await service.get(`/constructors/${id}`);
    expect(indexed.headers.get('etag')).toBe(written.headers.get('etag'));
  });

  test('POST creates an item (201)', async () => {
    const body = another();
    const answer = await service.post<Constructor>('/constructors', body);
    expect(answer).toHaveStatus(201);
    expect(answer.body).toEqual({
      ...UNSET,
      ...body,
      id: AN_ID,
      created_at: A_TIME,
      updated_at: A_TIME,
      ...computedOf(answer.body, ConstructorComputed),
    });
    expect(answer.headers.get('location')).toBe(`${API}/constructors/${answer.body.id}`);
  });

  test('POST with an Idempotency-Key creates one item when it is repeated', async () => {
    const request = { headers: { 'idempotency-key': 'once' }, body: another() };
    const first = await service.request<Constructor>('POST', `${API}/constructors`, request);
    expect(first).toHaveStatus(201);
    const { headers } = await service.get('/constructors?count=true');
    const again = await service.request<Constructor>('POST', `${API}/constructors`, request);
    expect(again).toHaveStatus(201);
    expect(again.body).toEqual(first.body);
    const after = await service.get('/constructors?count=true');
    expect(after.headers.get('total-count')).toBe(headers.get('total-count'));
  });

  test('POST fills in defaults', async () => {
    const body = await constructorBody(service);
    const item = await service.create<Constructor>('/constructors', body);
    expect(item).toEqual({
      ...UNSET,
      ...body,
      id: AN_ID,
      created_at: A_TIME,
      updated_at: A_TIME,
      ...computedOf(item, ConstructorComputed),
    });
  });

  test('GET returns an item, and HEAD its headers', async () => {
    const item = await createConstructor(service);
    const answer = await service.get(`/constructors/${item.id}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual(item);
    const upperCase = await service.get(`/constructors/${item.id.toUpperCase()}`);
    expect(upperCase.body).toEqual(item);
    const head = await service.head(`/constructors/${item.id}`);
    expect(head).toHaveStatus(200);
    expect(head.body).toBeUndefined();
    expect(head.headers.get('content-length')).toBe(answer.headers.get('content-length'));
  });

  test('PUT replaces an item, and resets absent members to their default or null', async () => {
    const body = another();
    const item = await service.create<Constructor>('/constructors', body);
    const other = await constructorBody(service);
    const answer = await service.put<Constructor>(`/constructors/${item.id}`, other);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      ...UNSET,
      ...other,
      updated_at: A_TIME,
      ...computedOf(answer.body, ConstructorComputed),
    });
    expect(answer.body.updated_at).not.toBe(item.updated_at);
    expect((await service.get(`/constructors/${item.id}`)).body).toEqual(answer.body);
  });

  test.each(Object.entries(changed()))('PATCH changes %s only', async (member, value) => {
    const item = await service.create<Constructor>('/constructors', another());
    const answer = await service.patch<Constructor>(`/constructors/${item.id}`, {
      [member]: value,
    });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      [member]: value,
      updated_at: A_TIME,
      ...computedOf(answer.body, ConstructorComputed),
    });
    expect((await service.get(`/constructors/${item.id}`)).body).toEqual(answer.body);
  });

  test.each(
    clearable(
      [
        'has_own_property',
        'is_prototype_of',
        'property_is_enumerable',
        'to_locale_string',
        'to_string',
        'value_of',
        'at',
        'concat',
        'copy_within',
        'entries',
        'every',
        'fill',
        'filter',
        'find',
        'find_index',
        'find_last',
        'find_last_index',
        'flat',
        'flat_map',
        'for_each',
        'includes',
        'index_of',
        'join',
        'keys',
        'last_index_of',
        'length',
        'map',
        'pop',
        'push',
        'reduce',
        'reduce_right',
        'reverse',
        'shift',
        'slice',
        'some',
        'sort',
        'splice',
        'to_reversed',
        'to_sorted',
        'to_spliced',
        'unshift',
        'values',
        'with',
      ],
      allowed,
    ),
  )('PATCH clears %s with null', async (member) => {
    const item = await service.create<Constructor>('/constructors', another());
    const answer = await service.patch<Constructor>(`/constructors/${item.id}`, { [member]: null });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      [member]: null,
      updated_at: A_TIME,
      ...computedOf(answer.body, ConstructorComputed),
    });
  });

  test.each(
    unrestricted<[member: string, before: unknown, patch: object, answered: unknown]>(
      [
        [
          'map',
          full.map,
          { constructor: changed().map?.constructor },
          { ...full.map, constructor: changed().map?.constructor },
        ],
      ],
      allowed,
    ),
  )('PATCH merges into %s', async (member, before, patch, answered) => {
    const body = { ...another(), [member]: before };
    const item = await service.create<Constructor>('/constructors', body);
    const answer = await service.patch<Constructor>(`/constructors/${item.id}`, {
      [member]: patch,
    });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      [member]: answered,
      updated_at: A_TIME,
      ...computedOf(answer.body, ConstructorComputed),
    });
  });

  test('answers If-None-Match with 304, and an outdated If-Match with 412', async () => {
    const body = await constructorBody(service);
    const made = await service.post<Constructor>('/constructors', body);
    const item = made.body;
    const path = `${API}/constructors/${item.id}`;
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
    const item = await createConstructor(service);
    const path = `/constructors/${item.id}`;
    const answer = await service.delete(path);
    expect(answer).toHaveStatus(204);
    expect(answer.body).toBeUndefined();
    expect(await service.get(path)).toBeError(410);
    expect(await service.head(path)).toHaveStatus(410);
    expect(await service.put(path, await constructorBody(service))).toBeError(410);
    expect(await service.patch(path, {})).toBeError(410);
    expect(await service.delete(path)).toBeError(410);
    expect(await service.get(`${path}/value-ofs`)).toBeError(410);
    expect(await service.post(`${path}/value-ofs`, {})).toBeError(410);
    expect(await service.get(`${path}/items`)).toBeError(410);
    expect(await service.post(`${path}/items`, {})).toBeError(410);
    expect((await service.get('/constructors')).body).not.toContainEqual(item);
  });

  test.each([NO_ID, 'no-id'])('answers 404 for the id %s', async (id) => {
    const path = `/constructors/${id}`;
    expect(await service.get(path)).toBeError(404);
    expect(await service.head(path)).toHaveStatus(404);
    expect(await service.put(path, {})).toBeError(404);
    expect(await service.patch(path, {})).toBeError(404);
    expect(await service.delete(path)).toBeError(404);
    expect(await service.get(`${path}/value-ofs`)).toBeError(404);
    expect(await service.post(`${path}/value-ofs`, {})).toBeError(404);
    expect(await service.get(`${path}/items`)).toBeError(404);
    expect(await service.post(`${path}/items`, {})).toBeError(404);
  });

  test.each(['constructor'])('POST requires %s (422)', async (member) => {
    const { [member]: _left, ...body }: Record<string, unknown> = another();
    expect(await service.post('/constructors', body)).toBeError(422, member);
  });

  test('PUT requires the same members (422)', async () => {
    const item = await createConstructor(service);
    expect(await service.put(`/constructors/${item.id}`, {})).toBeError(422, 'constructor');
  });

  test.each(
    limits(
      [
        ['has_own_property', 'the shortest', ''],
        ['has_own_property', 'the longest', '😀'.repeat(50)],
        ['has_own_property', 'with blanks around', ' a '],
        ['has_own_property', 'with quotes and backslashes', '\'"\\%_'],
        ['is_prototype_of', 'the shortest', ''],
        ['is_prototype_of', 'the longest', '😀'.repeat(50)],
        ['is_prototype_of', 'with blanks around', ' a '],
        ['is_prototype_of', 'with quotes and backslashes', '\'"\\%_'],
        ['property_is_enumerable', 'the shortest', ''],
        ['property_is_enumerable', 'the longest', '😀'.repeat(50)],
        ['property_is_enumerable', 'with blanks around', ' a '],
        ['property_is_enumerable', 'with quotes and backslashes', '\'"\\%_'],
        ['to_locale_string', 'the shortest', ''],
        ['to_locale_string', 'the longest', '😀'.repeat(50)],
        ['to_locale_string', 'with blanks around', ' a '],
        ['to_locale_string', 'with quotes and backslashes', '\'"\\%_'],
        ['to_string', 'the shortest', ''],
        ['to_string', 'the longest', '😀'.repeat(50)],
        ['to_string', 'with blanks around', ' a '],
        ['to_string', 'with quotes and backslashes', '\'"\\%_'],
        ['value_of', 'the shortest', ''],
        ['value_of', 'the longest', '😀'.repeat(50)],
        ['value_of', 'with blanks around', ' a '],
        ['value_of', 'with quotes and backslashes', '\'"\\%_'],
        ['at', 'the shortest', ''],
        ['at', 'the longest', '😀'.repeat(50)],
        ['at', 'with blanks around', ' a '],
        ['at', 'with quotes and backslashes', '\'"\\%_'],
        ['concat', 'the smallest', -9007199254740991],
        ['concat', 'the largest', 9007199254740991],
        ['copy_within', 'false', false],
        ['entries', 'the shortest', ''],
        ['entries', 'the longest', '😀'.repeat(50)],
        ['entries', 'with blanks around', ' a '],
        ['entries', 'with quotes and backslashes', '\'"\\%_'],
        ['every', 'the smallest', -9007199254740991],
        ['every', 'the largest', 9007199254740991],
        ['fill', 'false', false],
        ['filter', 'the shortest', ''],
        ['filter', 'the longest', '😀'.repeat(50)],
        ['filter', 'with blanks around', ' a '],
        ['filter', 'with quotes and backslashes', '\'"\\%_'],
        ['find', 'the smallest', -9007199254740991],
        ['find', 'the largest', 9007199254740991],
        ['find_index', 'false', false],
        ['find_last', 'the shortest', ''],
        ['find_last', 'the longest', '😀'.repeat(50)],
        ['find_last', 'with blanks around', ' a '],
        ['find_last', 'with quotes and backslashes', '\'"\\%_'],
        ['find_last_index', 'the smallest', -9007199254740991],
        ['find_last_index', 'the largest', 9007199254740991],
        ['flat', 'false', false],
        ['flat_map', 'the shortest', ''],
        ['flat_map', 'the longest', '😀'.repeat(50)],
        ['flat_map', 'with blanks around', ' a '],
        ['flat_map', 'with quotes and backslashes', '\'"\\%_'],
        ['for_each', 'the smallest', -9007199254740991],
        ['for_each', 'the largest', 9007199254740991],
        ['includes', 'false', false],
        ['index_of', 'the shortest', ''],
        ['index_of', 'the longest', '😀'.repeat(50)],
        ['index_of', 'with blanks around', ' a '],
        ['index_of', 'with quotes and backslashes', '\'"\\%_'],
        ['join', 'the smallest', -9007199254740991],
        ['join', 'the largest', 9007199254740991],
        ['keys', 'false', false],
        ['last_index_of', 'the shortest', ''],
        ['last_index_of', 'the longest', '😀'.repeat(50)],
        ['last_index_of', 'with blanks around', ' a '],
        ['last_index_of', 'with quotes and backslashes', '\'"\\%_'],
        ['length', 'the smallest', 0],
        ['length', 'the largest', 9007199254740991],
        ['pop', 'the shortest', ''],
        ['pop', 'the longest', '😀'.repeat(50)],
        ['pop', 'with blanks around', ' a '],
        ['pop', 'with quotes and backslashes', '\'"\\%_'],
        ['push', 'the smallest', -9007199254740991],
        ['push', 'the largest', 9007199254740991],
        ['reduce', 'false', false],
        ['reduce_right', 'the shortest', ''],
        ['reduce_right', 'the longest', '😀'.repeat(50)],
        ['reduce_right', 'with blanks around', ' a '],
        ['reduce_right', 'with quotes and backslashes', '\'"\\%_'],
        ['reverse', 'the smallest', -9007199254740991],
        ['reverse', 'the largest', 9007199254740991],
        ['shift', 'false', false],
        ['slice', 'the shortest', ''],
        ['slice', 'the longest', '😀'.repeat(50)],
        ['slice', 'with blanks around', ' a '],
        ['slice', 'with quotes and backslashes', '\'"\\%_'],
        ['some', 'the smallest', -9007199254740991],
        ['some', 'the largest', 9007199254740991],
        ['sort', 'false', false],
        ['splice', 'the shortest', ''],
        ['splice', 'the longest', '😀'.repeat(50)],
        ['splice', 'with blanks around', ' a '],
        ['splice', 'with quotes and backslashes', '\'"\\%_'],
        ['to_reversed', 'the smallest', -9007199254740991],
        ['to_reversed', 'the largest', 9007199254740991],
        ['to_sorted', 'false', false],
        ['to_spliced', 'the shortest', ''],
        ['to_spliced', 'the longest', '😀'.repeat(50)],
        ['to_spliced', 'with blanks around', ' a '],
        ['to_spliced', 'with quotes and backslashes', '\'"\\%_'],
        ['unshift', 'the smallest', -9007199254740991],
        ['unshift', 'the largest', 9007199254740991],
        ['values', 'with the fewest items', []],
        ['with', 'the shortest', ''],
        ['with', 'the longest', '😀'.repeat(50)],
        ['with', 'with blanks around', ' a '],
        ['with', 'with quotes and backslashes', '\'"\\%_'],
      ],
      allowed,
    ),
  )('accepts %s: %s', async (member, _why, sent) => {
    const body = { ...(await constructorBody(service)), [member]: sent };
    const item = await service.create<Constructor>('/constructors', body);
    expect(item).toHaveProperty(member, sent);
    expect((await service.get(`/constructors/${item.id}`)).body).toEqual(item);
  });

  test.each(
    present<[member: string, sent: unknown, answered: unknown]>([
      [
        'map',
        full.map && {
          ...full.map,
          constructor: undefined,
          to_string: undefined,
          length: undefined,
          map: undefined,
        },
        full.map && { ...full.map, constructor: null, to_string: null, length: null, map: null },
      ],
    ]),
  )('normalizes %s: %j to %j', async (member, sent, answered) => {
    const body = { ...(await constructorBody(service)), [member]: sent };
    const item = await service.create<Constructor>('/constructors', body);
    expect(item).toHaveProperty(member, answered);
  });

  test.each<[member: string, why: string, changes: object]>([
    ['constructor', 'a number', { constructor: 5 }],
    ['constructor', 'with a NUL character', { constructor: 'Constructor 1\u0000' }],
    ['constructor', 'with half of a surrogate pair', { constructor: 'Constructor 1\ud800' }],
    ['constructor', 'too long', { constructor: 'Constructor 1' + 'x'.repeat(38) }],
    ['constructor', 'null', { constructor: null }],
    ['has_own_property', 'a number', { has_own_property: 5 }],
    ['has_own_property', 'with a NUL character', { has_own_property: 'Has own property 1\u0000' }],
    [
      'has_own_property',
      'with half of a surrogate pair',
      { has_own_property: 'Has own property 1\ud800' },
    ],
    ['has_own_property', 'too long', { has_own_property: 'Has own property 1' + 'x'.repeat(33) }],
    ['is_prototype_of', 'a number', { is_prototype_of: 5 }],
    ['is_prototype_of', 'with a NUL character', { is_prototype_of: 'Is prototype of 1\u0000' }],
    [
      'is_prototype_of',
      'with half of a surrogate pair',
      { is_prototype_of: 'Is prototype of 1\ud800' },
    ],
    ['is_prototype_of', 'too long', { is_prototype_of: 'Is prototype of 1' + 'x'.repeat(34) }],
    ['property_is_enumerable', 'a number', { property_is_enumerable: 5 }],
    [
      'property_is_enumerable',
      'with a NUL character',
      { property_is_enumerable: 'Property is enumerable 1\u0000' },
    ],
    [
      'property_is_enumerable',
      'with half of a surrogate pair',
      { property_is_enumerable: 'Property is enumerable 1\ud800' },
    ],
    [
      'property_is_enumerable',
      'too long',
      { property_is_enumerable: 'Property is enumerable 1' + 'x'.repeat(27) },
    ],
    ['to_locale_string', 'a number', { to_locale_string: 5 }],
    ['to_locale_string', 'with a NUL character', { to_locale_string: 'To locale string 1\u0000' }],
    [
      'to_locale_string',
      'with half of a surrogate pair',
      { to_locale_string: 'To locale string 1\ud800' },
    ],
    ['to_locale_string', 'too long', { to_locale_string: 'To locale string 1' + 'x'.repeat(33) }],
    ['to_string', 'a number', { to_string: 5 }],
    ['to_string', 'with a NUL character', { to_string: '[object Object]\u0000' }],
    ['to_string', 'with half of a surrogate pair', { to_string: '[object Object]\ud800' }],
    ['to_string', 'too long', { to_string: '[object Object]' + 'x'.repeat(36) }],
    ['value_of', 'a number', { value_of: 5 }],
    ['value_of', 'with a NUL character', { value_of: 'Value of 1\u0000' }],
    ['value_of', 'with half of a surrogate pair', { value_of: 'Value of 1\ud800' }],
    ['value_of', 'too long', { value_of: 'Value of 1' + 'x'.repeat(41) }],
    ['at', 'a number', { at: 5 }],
    ['at', 'with a NUL character', { at: 'At 1\u0000' }],
    ['at', 'with half of a surrogate pair', { at: 'At 1\ud800' }],
    ['at', 'too long', { at: 'At 1' + 'x'.repeat(47) }],
    ['concat', 'a text', { concat: '1' }],
    ['concat', 'a fraction', { concat: 1.5 }],
    ['concat', 'true', { concat: true }],
    ['concat', 'beyond what a double holds', { concat: 9007199254740992 }],
    ['copy_within', 'a text', { copy_within: 'true' }],
    ['copy_within', 'a number', { copy_within: 1 }],
    ['entries', 'a number', { entries: 5 }],
    ['entries', 'with a NUL character', { entries: 'Entries 1\u0000' }],
    ['entries', 'with half of a surrogate pair', { entries: 'Entries 1\ud800' }],
    ['entries', 'too long', { entries: 'Entries 1' + 'x'.repeat(42) }],
    ['every', 'a text', { every: '1' }],
    ['every', 'a fraction', { every: 1.5 }],
    ['every', 'true', { every: true }],
    ['every', 'beyond what a double holds', { every: 9007199254740992 }],
    ['fill', 'a text', { fill: 'true' }],
    ['fill', 'a number', { fill: 1 }],
    ['filter', 'a number', { filter: 5 }],
    ['filter', 'with a NUL character', { filter: 'Filter 1\u0000' }],
    ['filter', 'with half of a surrogate pair', { filter: 'Filter 1\ud800' }],
    ['filter', 'too long', { filter: 'Filter 1' + 'x'.repeat(43) }],
    ['find', 'a text', { find: '1' }],
    ['find', 'a fraction', { find: 1.5 }],
    ['find', 'true', { find: true }],
    ['find', 'beyond what a double holds', { find: 9007199254740992 }],
    ['find_index', 'a text', { find_index: 'true' }],
    ['find_index', 'a number', { find_index: 1 }],
    ['find_last', 'a number', { find_last: 5 }],
    ['find_last', 'with a NUL character', { find_last: 'Find last 1\u0000' }],
    ['find_last', 'with half of a surrogate pair', { find_last: 'Find last 1\ud800' }],
    ['find_last', 'too long', { find_last: 'Find last 1' + 'x'.repeat(40) }],
    ['find_last_index', 'a text', { find_last_index: '1' }],
    ['find_last_index', 'a fraction', { find_last_index: 1.5 }],
    ['find_last_index', 'true', { find_last_index: true }],
    ['find_last_index', 'beyond what a double holds', { find_last_index: 9007199254740992 }],
    ['flat', 'a text', { flat: 'true' }],
    ['flat', 'a number', { flat: 1 }],
    ['flat_map', 'a number', { flat_map: 5 }],
    ['flat_map', 'with a NUL character', { flat_map: 'Flat map 1\u0000' }],
    ['flat_map', 'with half of a surrogate pair', { flat_map: 'Flat map 1\ud800' }],
    ['flat_map', 'too long', { flat_map: 'Flat map 1' + 'x'.repeat(41) }],
    ['for_each', 'a text', { for_each: '1' }],
    ['for_each', 'a fraction', { for_each: 1.5 }],
    ['for_each', 'true', { for_each: true }],
    ['for_each', 'beyond what a double holds', { for_each: 9007199254740992 }],
    ['includes', 'a text', { includes: 'true' }],
    ['includes', 'a number', { includes: 1 }],
    ['index_of', 'a number', { index_of: 5 }],
    ['index_of', 'with a NUL character', { index_of: 'Index of 1\u0000' }],
    ['index_of', 'with half of a surrogate pair', { index_of: 'Index of 1\ud800' }],
    ['index_of', 'too long', { index_of: 'Index of 1' + 'x'.repeat(41) }],
    ['join', 'a text', { join: '1' }],
    ['join', 'a fraction', { join: 1.5 }],
    ['join', 'true', { join: true }],
    ['join', 'beyond what a double holds', { join: 9007199254740992 }],
    ['keys', 'a text', { keys: 'true' }],
    ['keys', 'a number', { keys: 1 }],
    ['last_index_of', 'a number', { last_index_of: 5 }],
    ['last_index_of', 'with a NUL character', { last_index_of: 'Last index of 1\u0000' }],
    ['last_index_of', 'with half of a surrogate pair', { last_index_of: 'Last index of 1\ud800' }],
    ['last_index_of', 'too long', { last_index_of: 'Last index of 1' + 'x'.repeat(36) }],
    ['length', 'a text', { length: '0' }],
    ['length', 'a fraction', { length: 0.5 }],
    ['length', 'true', { length: true }],
    ['length', 'too small', { length: -1 }],
    ['length', 'beyond what a double holds', { length: 9007199254740992 }],
    ['map', 'a text', { map: 'text' }],
    ['map', 'a list', { map: [] }],
    [
      'map.unknown',
      'unknown',
      {
        map: { constructor: 'Constructor 1', to_string: 1, length: 'Length 1', map: 1, unknown: 1 },
      },
    ],
    [
      'map.constructor',
      'a number',
      { map: { constructor: 5, to_string: 1, length: 'Length 1', map: 1 } },
    ],
    [
      'map.constructor',
      'with a NUL character',
      { map: { constructor: 'Constructor 1\u0000', to_string: 1, length: 'Length 1', map: 1 } },
    ],
    [
      'map.constructor',
      'with half of a surrogate pair',
      { map: { constructor: 'Constructor 1\ud800', to_string: 1, length: 'Length 1', map: 1 } },
    ],
    [
      'map.to_string',
      'a text',
      { map: { constructor: 'Constructor 1', to_string: '1', length: 'Length 1', map: 1 } },
    ],
    [
      'map.to_string',
      'a fraction',
      { map: { constructor: 'Constructor 1', to_string: 1.5, length: 'Length 1', map: 1 } },
    ],
    [
      'map.to_string',
      'true',
      { map: { constructor: 'Constructor 1', to_string: true, length: 'Length 1', map: 1 } },
    ],
    [
      'map.length',
      'a number',
      { map: { constructor: 'Constructor 1', to_string: 1, length: 5, map: 1 } },
    ],
    [
      'map.length',
      'with a NUL character',
      { map: { constructor: 'Constructor 1', to_string: 1, length: 'Length 1\u0000', map: 1 } },
    ],
    [
      'map.length',
      'with half of a surrogate pair',
      { map: { constructor: 'Constructor 1', to_string: 1, length: 'Length 1\ud800', map: 1 } },
    ],
    [
      'map.map',
      'a text',
      { map: { constructor: 'Constructor 1', to_string: 1, length: 'Length 1', map: '1' } },
    ],
    [
      'map.map',
      'a fraction',
      { map: { constructor: 'Constructor 1', to_string: 1, length: 'Length 1', map: 1.5 } },
    ],
    [
      'map.map',
      'true',
      { map: { constructor: 'Constructor 1', to_string: 1, length: 'Length 1', map: true } },
    ],
    ['pop', 'a number', { pop: 5 }],
    ['pop', 'with a NUL character', { pop: 'Pop 1\u0000' }],
    ['pop', 'with half of a surrogate pair', { pop: 'Pop 1\ud800' }],
    ['pop', 'too long', { pop: 'Pop 1' + 'x'.repeat(46) }],
    ['push', 'a text', { push: '1' }],
    ['push', 'a fraction', { push: 1.5 }],
    ['push', 'true', { push: true }],
    ['push', 'beyond what a double holds', { push: 9007199254740992 }],
    ['reduce', 'a text', { reduce: 'true' }],
    ['reduce', 'a number', { reduce: 1 }],
    ['reduce_right', 'a number', { reduce_right: 5 }],
    ['reduce_right', 'with a NUL character', { reduce_right: 'Reduce right 1\u0000' }],
    ['reduce_right', 'with half of a surrogate pair', { reduce_right: 'Reduce right 1\ud800' }],
    ['reduce_right', 'too long', { reduce_right: 'Reduce right 1' + 'x'.repeat(37) }],
    ['reverse', 'a text', { reverse: '1' }],
    ['reverse', 'a fraction', { reverse: 1.5 }],
    ['reverse', 'true', { reverse: true }],
    ['reverse', 'beyond what a double holds', { reverse: 9007199254740992 }],
    ['shift', 'a text', { shift: 'true' }],
    ['shift', 'a number', { shift: 1 }],
    ['slice', 'a number', { slice: 5 }],
    ['slice', 'with a NUL character', { slice: 'Slice 1\u0000' }],
    ['slice', 'with half of a surrogate pair', { slice: 'Slice 1\ud800' }],
    ['slice', 'too long', { slice: 'Slice 1' + 'x'.repeat(44) }],
    ['some', 'a text', { some: '1' }],
    ['some', 'a fraction', { some: 1.5 }],
    ['some', 'true', { some: true }],
    ['some', 'beyond what a double holds', { some: 9007199254740992 }],
    ['sort', 'a text', { sort: 'true' }],
    ['sort', 'a number', { sort: 1 }],
    ['splice', 'a number', { splice: 5 }],
    ['splice', 'with a NUL character', { splice: 'Splice 1\u0000' }],
    ['splice', 'with half of a surrogate pair', { splice: 'Splice 1\ud800' }],
    ['splice', 'too long', { splice: 'Splice 1' + 'x'.repeat(43) }],
    ['to_reversed', 'a text', { to_reversed: '1' }],
    ['to_reversed', 'a fraction', { to_reversed: 1.5 }],
    ['to_reversed', 'true', { to_reversed: true }],
    ['to_reversed', 'beyond what a double holds', { to_reversed: 9007199254740992 }],
    ['to_sorted', 'a text', { to_sorted: 'true' }],
    ['to_sorted', 'a number', { to_sorted: 1 }],
    ['to_spliced', 'a number', { to_spliced: 5 }],
    ['to_spliced', 'with a NUL character', { to_spliced: 'To spliced 1\u0000' }],
    ['to_spliced', 'with half of a surrogate pair', { to_spliced: 'To spliced 1\ud800' }],
    ['to_spliced', 'too long', { to_spliced: 'To spliced 1' + 'x'.repeat(39) }],
    ['unshift', 'a text', { unshift: '1' }],
    ['unshift', 'a fraction', { unshift: 1.5 }],
    ['unshift', 'true', { unshift: true }],
    ['unshift', 'beyond what a double holds', { unshift: 9007199254740992 }],
    ['values', 'no list', { values: 'constructor' }],
    ['values', 'an object', { values: {} }],
    ['values[0]', 'not one of its values', { values: ['unknown'] }],
    ['values[0]', 'a number', { values: [5] }],
    ['values[0]', 'null', { values: [null] }],
    ['with', 'a number', { with: 5 }],
    ['with', 'with a NUL character', { with: 'With 1\u0000' }],
    ['with', 'with half of a surrogate pair', { with: 'With 1\ud800' }],
    ['with', 'too long', { with: 'With 1' + 'x'.repeat(45) }],
  ])('refuses %s: %s (422)', async (member, _why, changes) => {
    const body = { ...(await constructorBody(service)), ...changes };
    expect(await service.post('/constructors', body)).toBeError(422, member);
    const item = await createConstructor(service);
    expect(await service.patch(`/constructors/${item.id}`, changes)).toBeError(422, member);
    expect((await service.get(`/constructors/${item.id}`)).body).toEqual(item);
  });

  test.each<[member: string, value: unknown]>([
    ['id', NO_ID],
    ['created_at', '2026-01-31T12:00:00Z'],
    ['updated_at', '2026-01-31T12:00:00Z'],
    ['unheard_of', 1],
  ])('refuses the read-only or unknown member %s (422)', async (member, value) => {
    const body = { ...(await constructorBody(service)), [member]: value };
    expect(await service.post('/constructors', body)).toBeError(422, member);
    const item = await createConstructor(service);
    const path = `/constructors/${item.id}`;
    expect(await service.put(path, { [member]: value })).toBeError(422, member);
    expect(await service.patch(path, { [member]: value })).toBeError(422, member);
    expect((await service.get(path)).body).toEqual(item);
  });

  test('constructor is unique', async () => {
    const first = await constructorBody(service);
    const item = await service.create<Constructor>('/constructors', first);
    const second = { ...(await constructorBody(service)), constructor: first.constructor };
    expect(await service.post('/constructors', second)).toBeError(409, 'constructor');
    const keyed = { headers: { 'idempotency-key': 'once' }, body: second };
    const taken = await service.request('POST', `${API}/constructors`, keyed);
    expect(taken).toBeError(409, 'constructor');

    const other = await createConstructor(service);
    const same = { constructor: first.constructor };
    expect(await service.patch(`/constructors/${other.id}`, same)).toBeError(409, 'constructor');

    expect(await service.delete(`/constructors/${item.id}`)).toHaveStatus(204);
    expect(await service.request('POST', `${API}/constructors`, keyed)).toHaveStatus(201);
  });

  test('length and value_of are unique together', async () => {
    const first = {
      ...(await constructorBody(service)),
      length: full.length ?? 1,
      value_of: full.value_of ?? 'Value of 1',
    };
    const item = await service.create<Constructor>('/constructors', first);
    const second = {
      ...(await constructorBody(service)),
      length: first.length,
      value_of: first.value_of,
    };
    expect(await service.post('/constructors', second)).toBeError(409, 'length', 'value_of');
    const keyed = { headers: { 'idempotency-key': 'once' }, body: second };
    const taken = await service.request('POST', `${API}/constructors`, keyed);
    expect(taken).toBeError(409, 'length', 'value_of');

    const other = await createConstructor(service);
    const same = { length: first.length, value_of: first.value_of };
    expect(await service.patch(`/constructors/${other.id}`, same)).toBeError(
      409,
      'length',
      'value_of',
    );

    expect(await service.delete(`/constructors/${item.id}`)).toHaveStatus(204);
    expect(await service.request('POST', `${API}/constructors`, keyed)).toHaveStatus(201);
  });

  test.skipIf(clearable(['length', 'value_of'], allowed).length === 0)(
    'allows several items without length and value_of',
    async () => {
      const none = { length: null, value_of: null };
      await createConstructor(service, none);
      await createConstructor(service, none);
      expect((await service.get('/constructors')).body).toHaveLength(2);
    },
  );
});

describe('lists of constructors', () => {
  const items: Constructor[] = [];
  /** What items are compared by. */
  const keys = {
    length: (item: Constructor) => item.length,
    to_string: (item: Constructor) => item.to_string,
    constructor: (item: Constructor) => item.constructor,
    value_of: (item: Constructor) => item.value_of,
    has_own_property: (item: Constructor) => item.has_own_property,
    with: (item: Constructor) => item.with,
  };

  beforeAll(async () => {
    await service.clear();
    items.length = 0;
    const given = listed<ConstructorValues>(
      8,
      {
        constructor: [
          'Constructor 5',
          'Constructor 8',
          'Constructor 11',
          'Constructor 14',
          'Constructor 17',
          'Constructor 20',
          'Constructor 23',
          'Constructor 26',
        ],
        has_own_property: [
          'Quiet River',
          null,
          'say "yes", twice',
          'Élan Straße 7',
          'ｚ wide',
          '😀 beyond',
          'quiet',
          'quiet',
        ],
        to_string: [
          null,
          'say "yes", twice',
          'Élan Straße 7',
          'ｚ wide',
          '😀 beyond',
          'quiet',
          'quiet',
          'Quiet River',
        ],
        value_of: [
          'Value of 11',
          'Value of 14',
          'Value of 17',
          'Value of 20',
          'Value of 23',
          'Value of 26',
          'Value of 5',
          'Value of 8',
        ],
        length: [14, 17, 20, 23, 26, 5, 8, null],
        with: [
          'ｚ wide',
          '😀 beyond',
          'quiet',
          'quiet',
          'Quiet River',
          null,
          'say "yes", twice',
          'Élan Straße 7',
        ],
      },
      allowed,
    );
    for (const members of given) items.push(await createConstructor(service, members));
    // Computed members may depend on items that were created later.
    for (const [at, { id }] of items.entries()) {
      items[at] = (await service.get<Constructor>(`/constructors/${id}`)).body;
    }
  });

  test('return each item once, in order of creation', async () => {
    const ids = items.map(({ id }) => id);
    expect(await readForthAndBack(service, '/constructors?limit=3')).toEqual({
      forth: ids,
      back: ids,
    });
    const answer = await service.get('/constructors?count=true&limit=1');
    expect(answer.body).toEqual(items.slice(0, 1));
    expect(answer.headers.get('total-count')).toBe(String(items.length));
    for (const query of ['', '&count=false']) {
      const { headers } = await service.get(`/constructors?limit=1${query}`);
      expect(headers.get('total-count')).toBeNull();
    }
  });

  test.each(['length', 'to_string'] as const)(
    'sort by %s, ascending and descending',
    async (sort) => {
      const rising = sortBy(items, keys[sort]).map(({ id }) => id);
      const falling = rising.toReversed();
      const path = '/constructors?limit=3&sort=';
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

  test('sort by length ascending and to_string descending', async () => {
    const falling = sortBy(items, keys.to_string).toReversed();
    const ids = sortBy(falling, keys.length).map(({ id }) => id);
    const path = '/constructors?limit=3&sort=length,-to_string';
    expect(await readForthAndBack(service, path)).toEqual({ forth: ids, back: ids });
  });

  test.each<[member: keyof Constructor, options: FilterOptions<Constructor>]>([
    ['constructor', { order: keys.constructor, canBeEmpty: true }],
    ['length', { order: keys.length }],
    ['value_of', { order: keys.value_of, canBeEmpty: true }],
    ['has_own_property', { order: keys.has_own_property, canBeEmpty: true }],
    ['with', { order: keys.with, canBeEmpty: true }],
  ])('filter by %s', async (member, options) => {
    for (const [query, found] of filtersOf(items, member, options)) {
      const answer = await readAll(service, `/constructors?${query}`);
      expect([query, answer]).toEqual([query, found]);
    }
  });

  test.each([
    ['constructor[null]', 'perhaps'],
    ['constructor[like]', 'a'],
    ['length', '1.5'],
    ['length[null]', 'perhaps'],
    ['length[like]', 'a'],
    ['value_of[null]', 'perhaps'],
    ['value_of[like]', 'a'],
    ['has_own_property[null]', 'perhaps'],
    ['has_own_property[like]', 'a'],
    ['with[null]', 'perhaps'],
    ['with[like]', 'a'],
  ])('refuse %s=%s (400)', async (parameter, value) => {
    const query = String(new URLSearchParams({ [parameter]: value }));
    expect(await service.get(`/constructors?${query}`)).toBeError(400, parameter);
  });

  test('search for every word of q', async () => {
    for (const [q, found] of searchesOf(items, ['to_string'])) {
      const answer = await readAll(service, `/constructors?q=${encodeURIComponent(q)}`);
      expect([q, answer]).toEqual([q, found]);
    }
  });

  test('return only the members in fields', async () => {
    const some = items.map((item) => ({
      id: item.id,
      constructor: item.constructor,
      has_own_property: item.has_own_property,
    }));
    expect(await readAll(service, '/constructors?fields=constructor,has_own_property')).toEqual(
      some,
    );
    expect(await service.get('/constructors?fields=unheard_of')).toBeError(400, 'fields');
  });

  test.each(['unheard_of=1', 'limit=1&limit=2', 'sort=unheard_of', 'limit=0', 'q=', 'q=%20-'])(
    'refuse %s (400)',
    async (query) => {
      const [name = ''] = query.split('=');
      expect(await service.get(`/constructors?${query}`)).toBeError(400, name);
    },
  );
});
