/** Tests of what a collection does with items: it creates, returns, changes and removes them. */
import { expect, test } from 'vitest';

import { assignedIn } from './assigned.ts';
import type { Assigned } from './assigned.ts';
import { A_TIME, AN_ID } from './expected.ts';
import type { Answer, Job, TestService } from './service.ts';
import { suite } from './suite.ts';
import { createItem, fullBody, pathOf, prepare, removeOthers } from './test-items.ts';
import type { AnyItem, Members, TestItems } from './test-items.ts';
import { clearable, unrestricted } from './values.ts';

/** What the definition of a collection has; what is absent, it has not. */
export interface CollectionOptions extends Assigned {
  /** The form of ids. */
  readonly ids: 'uuid' | 'number' | 'text' | 'composite';
  /** Matches the ids that the service assigns; absent if clients choose them. */
  readonly anId?: unknown;
  /** An id that no item has. */
  readonly noId: string;
  /** The times that the service sets. */
  readonly times: readonly string[];
  /** Whether the table is another program's, where two changes may have the same time. */
  readonly isExisting?: boolean;
  /** Whether items are created in the background. */
  readonly isBackground?: boolean;
  /** What an item has of members that nobody sent. */
  readonly unset?: Members;
  /** The references that a body needs. */
  readonly parents?: readonly string[];
  /** Members that cannot change: all of them, those that are returned, and other values of some. */
  readonly fixed?: readonly string[];
  readonly shownFixed?: readonly string[];
  readonly immutable?: readonly [member: string, ...others: unknown[]][];
  readonly writeOnly?: readonly string[];
  /** Members that the database sets in items that are sent without them, and those of them that are `write_only`. */
  readonly databaseDefaults?: readonly string[];
  readonly hiddenDatabaseDefaults?: readonly string[];
  /** Members that can be null. */
  readonly clearable?: readonly string[];
  /** Patches of a part of a member: its value before, the patch, and its value after it. */
  readonly merges?: readonly Merge[];
  /** Members that patches add to, each with the length of a text that fits once and not twice. */
  readonly growing?: readonly (readonly [member: string, length: number])[];
  readonly requiresIfMatch?: boolean;
  /** Paths below an item. */
  readonly inside?: readonly string[];
}

export type Merge = readonly [member: string, before: unknown, patch: object, after: unknown];

/** Tests of a collection of which tests can create items. */
export function collectionTests(
  service: TestService,
  items: TestItems,
  options: CollectionOptions,
): void {
  const { path, fixture } = items;
  const { allowed } = fixture;
  const { databaseDefaults = [], hiddenDatabaseDefaults = [], merges = [], growing = [] } = options;
  const { fixed = [], shownFixed = [], immutable = [], parents = [], inside = [] } = options;
  const { api } = service;
  const full = (): Promise<Members> => fullBody(service, items);
  const create = (body: object): Promise<AnyItem> => service.create<AnyItem>(path, body);
  const read = async (item: AnyItem): Promise<unknown> =>
    (await service.get(pathOf(items, item))).body;
  const hidden = Object.fromEntries((options.writeOnly ?? []).map((name) => [name, undefined]));
  const ofTimes = Object.fromEntries(options.times.map((name) => [name, A_TIME]));
  const updated = options.times.includes('updated_at') ? { updated_at: A_TIME } : {};
  const assigned = (item: object): object => assignedIn(item, options);
  /** A new item with a body. */
  const createdFrom = (body: object, item: object): object => ({
    ...options.unset,
    ...body,
    ...hidden,
    ...(options.anId !== undefined && { id: options.anId }),
    ...ofTimes,
    ...assigned(item),
  });
  const patch = async (item: AnyItem, body: Members): Promise<Answer<AnyItem>> => {
    await prepare(service, items, item, body);
    return service.patch<AnyItem>(pathOf(items, item), body);
  };

  suite(service, items, () => {
    if (options.isBackground === true) {
      test('POST accepts a job, which creates the item (202)', async () => {
        const body = await full();
        const answer = await service.post<Job>(path, body);
        expect(answer).toHaveStatus(202);
        expect(answer.body).toEqual({
          id: AN_ID,
          status: 'queued',
          resource: null,
          error: null,
          created_at: A_TIME,
          updated_at: A_TIME,
        });
        expect(answer.headers.get('location')).toBe(`${api}/jobs/${answer.body.id}`);

        const job = await service.finished(answer.body.id);
        const item = await service.made<AnyItem>(job);
        expect(job).toMatchObject({ status: 'succeeded', error: null });
        expect(job.resource).toBe(api + pathOf(items, item));
        expect(item).toEqual(createdFrom(body, item));
        expect((await service.get(path)).body).toContainEqual(item);
      });

      test('POST with an Idempotency-Key accepts one job when it is repeated', async () => {
        const request = { headers: { 'idempotency-key': 'once' }, body: await full() };
        const first = await service.request<Job>('POST', api + path, request);
        expect(first).toHaveStatus(202);
        await service.finished(first.body.id);
        const again = await service.request<Job>('POST', api + path, request);
        expect(again).toHaveStatus(202);
        expect(again.body).toEqual(first.body);
        expect(again.headers.get('location')).toBe(first.headers.get('location'));
      });
    } else {
      test('POST creates an item (201)', async () => {
        const body = await full();
        const answer = await service.post<AnyItem>(path, body);
        expect(answer).toHaveStatus(201);
        expect(answer.body).toEqual(createdFrom(body, answer.body));
        expect(answer.headers.get('location')).toBe(api + pathOf(items, answer.body));
      });

      test('POST with an Idempotency-Key creates one item when it is repeated', async () => {
        const request = { headers: { 'idempotency-key': 'once' }, body: await full() };
        const first = await service.request('POST', api + path, request);
        expect(first).toHaveStatus(201);
        const { headers } = await service.get(`${path}?count=true`);
        const again = await service.request('POST', api + path, request);
        expect(again).toHaveStatus(201);
        expect(again.body).toEqual(first.body);
        const after = await service.get(`${path}?count=true`);
        expect(after.headers.get('total-count')).toBe(headers.get('total-count'));
      });
    }

    if (options.unset !== undefined) {
      test('POST fills in defaults', async () => {
        const body = await items.body(service);
        const item = await create(body);
        expect(item).toEqual(createdFrom(body, item));
      });
    }

    test('GET returns an item, and HEAD its headers', async () => {
      const item = await createItem(service, items);
      const answer = await service.get(pathOf(items, item));
      expect(answer).toHaveStatus(200);
      expect(answer.body).toEqual(item);
      if (options.ids === 'uuid') {
        const upperCase = await service.get(`${path}/${item.id.toUpperCase()}`);
        expect(upperCase.body).toEqual(item);
      } else {
        const id = encodeURIComponent(item.id);
        const other = { number: `0${id}`, text: `${id}-`, composite: `${id}~` }[options.ids];
        expect(await service.get(`${path}/${other}`)).toBeError(404);
      }
      const head = await service.head(pathOf(items, item));
      expect(head).toHaveStatus(200);
      expect(head.body).toBeUndefined();
      expect(head.headers.get('content-length')).toBe(answer.headers.get('content-length'));
    });

    if (options.ids === 'text' && options.anId === undefined) {
      test('the id is percent-encoded in paths, and no segment that clients resolve (422)', async () => {
        const body = { ...(await items.body(service)), id: 'A b/c?d#e%2Fé' };
        const answer = await service.post(path, body);
        expect(answer).toHaveStatus(201);
        const own = `${api}${path}/${encodeURIComponent(body.id)}`;
        expect(answer.headers.get('location')).toBe(own);
        expect((await service.request('GET', own)).body).toEqual(answer.body);
        expect(await service.request('GET', own.toLowerCase())).toBeError(404);
        for (const id of ['.', '..']) {
          expect(await service.post(path, { ...body, id })).toBeError(422, 'id');
        }
      });
    }

    test('PUT replaces an item, and resets absent members to their default or null', async () => {
      const body = await full();
      const item = await create(body);
      const kept = Object.fromEntries(parents.map((name) => [name, body[name]]));
      const other: Members = {
        ...(await items.body(service, kept)),
        ...Object.fromEntries(fixed.map((name) => [name, undefined])),
      };
      await prepare(service, items, item, other);
      const answer = await service.put<AnyItem>(pathOf(items, item), other);
      expect(answer).toHaveStatus(200);
      expect(answer.body).toEqual({
        ...item,
        ...options.unset,
        ...other,
        ...Object.fromEntries(shownFixed.map((name) => [name, item[name]])),
        ...hidden,
        ...updated,
        ...assigned(answer.body),
      });
      if (options.isExisting !== true) {
        expect(answer.body['updated_at']).not.toBe(item['updated_at']);
      }
      expect(await read(item)).toEqual(answer.body);
    });

    test.each(databaseDefaults)(
      'the database sets %s in a new item without it, and PUT without it keeps it',
      async (member) => {
        const body = { ...(await full()), [member]: undefined };
        const item = await create(body);
        expect(item).toHaveProperty(member);
        const answer = await service.put<AnyItem>(pathOf(items, item), body);
        expect(answer).toHaveStatus(200);
        expect(answer.body).toEqual({ ...item, ...updated, ...assigned(answer.body) });
      },
    );

    test.each(hiddenDatabaseDefaults)(
      'POST and PUT accept an item without %s, which the database sets',
      async (member) => {
        const body = { ...(await full()), [member]: undefined };
        const item = await create(body);
        expect(await service.put(pathOf(items, item), body)).toHaveStatus(200);
      },
    );

    test.each(Object.entries(fixture.changed()))('PATCH changes %s only', async (member, value) => {
      const item = await create(await full());
      const answer = await patch(item, { [member]: value });
      expect(answer).toHaveStatus(200);
      expect(answer.body).toEqual({
        ...item,
        [member]: value,
        ...updated,
        ...assigned(answer.body),
      });
      expect(await read(item)).toEqual(answer.body);
    });

    test.each(clearable(options.clearable ?? [], allowed))(
      'PATCH clears %s with null',
      async (member) => {
        const item = await create(await full());
        const answer = await patch(item, { [member]: null });
        expect(answer).toHaveStatus(200);
        expect(answer.body).toEqual({
          ...item,
          [member]: null,
          ...updated,
          ...assigned(answer.body),
        });
      },
    );

    test.each(unrestricted(merges, allowed))(
      'PATCH merges into %s',
      async (member, before, change, after) => {
        const item = await create({ ...(await full()), [member]: before });
        const answer = await patch(item, { [member]: change });
        expect(answer).toHaveStatus(200);
        expect(answer.body).toEqual({
          ...item,
          [member]: after,
          ...updated,
          ...assigned(answer.body),
        });
      },
    );

    test.each(unrestricted(growing, allowed))(
      'PATCH rejects %s if it grows beyond its limit (422)',
      async (member, length) => {
        const item = await create(await full());
        const text = 'x'.repeat(length);
        expect(await patch(item, { [member]: { one: text } })).toHaveStatus(200);
        expect(await patch(item, { [member]: { two: text } })).toBeError(422, member);
        expect(await patch(item, { [member]: { one: null, two: text } })).toHaveStatus(200);
      },
    );

    test.each<[member: string, ...others: unknown[]]>(immutable)(
      '%s cannot change after creation (422)',
      async (member, ...others) => {
        const item = await createItem(service, items);
        const own = { [member]: item[member] };
        // A fixture may lack the member, or give all items the same.
        const other = others.find((value) => value !== undefined && value !== own[member]);
        expect(await service.patch(pathOf(items, item), { [member]: other })).toBeError(
          422,
          member,
        );
        expect(await service.put(pathOf(items, item), { [member]: other })).toBeError(422, member);
        expect(await service.patch(pathOf(items, item), own)).toHaveStatus(200);
        const after = await service.get<AnyItem>(pathOf(items, item));
        expect(after.body).toEqual({ ...item, ...updated, ...assigned(after.body) });
      },
    );

    test.each(options.writeOnly ?? [])('never returns %s', async (member) => {
      const item = await create(await full());
      expect(item).not.toHaveProperty(member);
      expect(await read(item)).not.toHaveProperty(member);
      expect((await patch(item, {})).body).not.toHaveProperty(member);
      await removeOthers(service, items, [item]);
      expect((await service.get(path)).body).toEqual([await read(item)]);
      expect(await service.get(`${path}?fields=${member}`)).toBeError(400, 'fields');
    });

    test('answers If-None-Match with 304, and an outdated If-Match with 412', async () => {
      const body = await items.body(service);
      const created =
        options.isBackground === true
          ? await service.get<AnyItem>(pathOf(items, await create(body)))
          : await service.post<AnyItem>(path, body);
      const own = api + pathOf(items, created.body);
      const first = created.headers.get('etag') ?? '';
      expect(first).toMatch(/^"[^"]+"$/);
      expect((await service.request('GET', own)).headers.get('etag')).toBe(first);
      const has = { headers: { 'if-none-match': first } };
      expect(await service.request('GET', own, has)).toHaveStatus(304);

      const headers = { 'if-match': first };
      const patched = await service.request('PATCH', own, { headers, body: {} });
      expect(patched).toHaveStatus(200);
      const second = patched.headers.get('etag') ?? '';
      expect(second).not.toBe(first);
      const now = await service.request('GET', own, has);
      expect(now.body).toEqual(patched.body);
      expect(now.headers.get('etag')).toBe(second);
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        expect(await service.request(method, own, { headers, body })).toBeError(412);
      }
      expect((await service.request('GET', own)).body).toEqual(patched.body);

      const current = { headers: { 'if-match': second }, body };
      const replaced = await service.request('PUT', own, current);
      expect(replaced).toHaveStatus(200);
      const third = replaced.headers.get('etag') ?? '';
      expect((await service.request('GET', own)).headers.get('etag')).toBe(third);
      await prepare(service, items, created.body, 'removal');
      const last = String((await service.request('GET', own)).headers.get('etag'));
      const ofLast = { headers: { 'if-match': last } };
      expect(await service.request('DELETE', own, ofLast)).toHaveStatus(204);
      expect(await service.request('DELETE', own, ofLast)).toBeError(410);
    });

    test.each(options.requiresIfMatch === true ? ['PUT', 'PATCH', 'DELETE'] : [])(
      '%s requires If-Match (428)',
      async (method) => {
        const item = await createItem(service, items);
        const own = api + pathOf(items, item);
        const without = { 'if-match': undefined };
        expect(await service.request(method, own, { headers: without })).toBeError(428);
        const noTag = { ...without, 'if-none-match': '"x"', 'content-type': 'text/plain' };
        expect(await service.request(method, own, { headers: noTag, body: '{' })).toBeError(428);
        expect((await service.request('GET', own)).body).toEqual(item);
        const missing = `${api}${path}/${options.noId}`;
        expect(await service.request(method, missing, { headers: without })).toBeError(404);
      },
    );

    test('DELETE removes an item (410 afterwards)', async () => {
      const item = await createItem(service, items);
      await prepare(service, items, item, 'removal');
      const own = pathOf(items, item);
      const answer = await service.delete(own);
      expect(answer).toHaveStatus(204);
      expect(answer.body).toBeUndefined();
      expect(await service.get(own)).toBeError(410);
      expect(await service.head(own)).toHaveStatus(410);
      expect(await service.put(own, await items.body(service))).toBeError(410);
      expect(await service.patch(own, {})).toBeError(410);
      expect(await service.delete(own)).toBeError(410);
      for (const nested of inside) {
        expect(await service.get(`${own}/${nested}`)).toBeError(410);
        expect(await service.post(`${own}/${nested}`, {})).toBeError(410);
      }
      const listed = await service.get<AnyItem[]>(path);
      expect(listed.body.map(({ id }) => id)).not.toContain(item.id);
    });
  });
}
