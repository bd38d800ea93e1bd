/** Tests of what owners see and do, and others may not, however items come to belong to users. */
import { expect, test } from 'vitest';

import { asAdmin, makeCaller, send } from './callers.ts';
import type { Caller, Callers, Owners, Target } from './callers.ts';
import type { Answer, Item, TestService } from './service.ts';
import { makeReferred, pathOf, prepare, removeOthers } from './test-items.ts';
import type { Members, TestItems } from './test-items.ts';
import { setRoles } from './users.ts';

/** What the definition of a collection has; what is absent, it has not. */
export interface OwnerOptions {
  readonly callers: Callers;
  readonly owners: Owners;
  /** What owners may do, and others may not. */
  readonly methods?: readonly string[];
  /** SQL that gives the items of the user `$1` to the user `$2`; absent if owners only read. */
  readonly handOver?: string;
  /** A role that an owner needs to change an item, where the owner alone may not. */
  readonly changer?: string;
  /** What lists of an owner have; absent if owners do not read lists of their own. */
  readonly lists?: OwnLists;
}

export interface OwnLists {
  /** The members that lists are sorted by. */
  readonly sorts: readonly string[];
  /** Members of each item that filters compare, and those that `q` searches. */
  readonly filters?: readonly string[];
  readonly searched?: readonly string[];
  readonly nested?: readonly OwnNestedList[];
}

/** A list below an item that a reference leads to. */
export interface OwnNestedList {
  /** `/books/{id}/reviews` */
  readonly path: string;
  readonly member: string;
  /** The item, where callers may not read all: the caller themself, or one that they own. */
  readonly parent?: 'caller' | 'own';
}

/** An item of a caller, and the path and body of requests for it. */
export interface OwnedItem extends Target {
  readonly item: Item;
  /** Sends a request by any method. @param meanwhile as in `send`. */
  send(sender: TestService, method: string, meanwhile?: () => Promise<unknown>): Promise<Answer>;
}

/** Creates an item of a caller. */
export async function makeOwned(
  service: TestService,
  items: TestItems,
  owners: Owners,
  caller: Caller,
): Promise<OwnedItem> {
  const body = await items.body(service, await owners.given(caller));
  return owned(service, items, await owners.create(caller, body), body);
}

/** An item, and the body that it was made of. */
export function owned(service: TestService, items: TestItems, item: Item, body: object): OwnedItem {
  const target = { path: pathOf(items, item), body };
  return {
    ...target,
    item,
    async send(sender, method, meanwhile) {
      if (method === 'DELETE') await prepare(service, items, item, 'removal');
      return send(sender, method, target, meanwhile);
    },
  };
}

/** The queries that sort a list, in both directions. */
export const sortQueries = (sorts: readonly string[] = []): string[] => [
  '',
  ...sorts.flatMap((member) => [`&sort=${member}`, `&sort=-${member}`]),
];

/** Tests of a collection whose items belong to users; a suite that begins without items calls it. */
export function ownerTests(service: TestService, items: TestItems, options: OwnerOptions): void {
  if (options.lists !== undefined) listTests(service, items, options, options.lists);
  if ((options.methods ?? []).length > 0) changeTests(service, items, options);
  if (options.handOver !== undefined) handOverTests(service, items, options, options.handOver);
  if (options.changer !== undefined) changerTests(service, items, options, options.changer);
}

/** Tests that lists of an owner have their own items only. */
function listTests(
  service: TestService,
  items: TestItems,
  { callers: { nobody, owner }, owners }: OwnerOptions,
  { sorts, filters = [], searched = [], nested = [] }: OwnLists,
): void {
  const { path } = items;

  test('lists, filters and sorts only items of the caller', async () => {
    const { item: own } = await makeOwned(service, items, owners, owner);
    const other = await items.create(service);
    await removeOthers(service, items, [own, other]);
    for (const query of ['&limit=1', ...sortQueries(sorts)]) {
      const answer = await owner.service.get(`${path}?count=true${query}`);
      expect(answer.body).toEqual([own]);
      expect(answer.headers.get('total-count')).toBe('1');
      expect(answer.headers.get('link')).not.toContain('rel="next"');
    }
    const values: Members = { ...other };
    const queries = [
      ...filters.map((name) => [name, values[name]] as const),
      ...filters.map((name) => [`${name}[null]`, false] as const),
      ...searched.map((name) => ['q', values[name]] as const),
    ];
    for (const [name, value] of queries) {
      const query = `${path}?${name}=${encodeURIComponent(String(value))}&count=true`;
      expect((await service.get(query)).body).toContainEqual(other);
      const answer = await owner.service.get<unknown[]>(query);
      expect(answer.body).not.toContainEqual(other);
      expect(answer.headers.get('total-count')).toBe(String(answer.body.length));
    }
    const none = await nobody.service.get(`${path}?count=true`);
    expect(none.headers.get('total-count')).toBe('0');
  });

  test.each(nested.map((list) => [list.path, list] as const))(
    'lists only items of the caller at %s',
    async (inside, { member, parent: kind }) => {
      const parent =
        kind === 'caller'
          ? owner
          : kind === 'own'
            ? await asAdmin(owner, (client) => makeReferred(client, items, member))
            : await makeReferred(service, items, member);
      const given = { [member]: parent.id, ...(await owners.given(owner)) };
      const own = await owners.create(owner, await items.body(service, given));
      const other = await items.create(service, { [member]: parent.id });
      // The parent may be an item of the same collection.
      await removeOthers(service, items, [own, other, parent]);
      const list = inside.replace('{id}', encodeURIComponent(parent.id));
      const answer = await owner.service.get(`${list}?count=true`);
      expect(answer.body).toEqual([own]);
      expect(answer.headers.get('total-count')).toBe('1');
    },
  );
}

/** Tests that a change by somebody else does not change the owner. */
function changeTests(
  service: TestService,
  items: TestItems,
  { callers: { nobody, owner }, owners, methods = [] }: OwnerOptions,
): void {
  test('a change by another user keeps the owner', async () => {
    const own = await makeOwned(service, items, owners, owner);
    expect(await service.put(own.path, own.body)).toHaveStatus(200);
    for (const method of methods) {
      expect((await own.send(nobody.service, method)).status).toBe(403);
      expect((await own.send(owner.service, method)).status).toBeLessThan(300);
    }
  });
}

/** Tests that the owner is compared when the body is there. */
function handOverTests(
  service: TestService,
  items: TestItems,
  { callers: { nobody, owner }, owners, methods = [] }: OwnerOptions,
  text: string,
): void {
  test.each(methods.filter((method) => method !== 'GET'))(
    '%s by a former owner is 403, if the item is handed over before the body arrives',
    async (method) => {
      const own = await makeOwned(service, items, owners, owner);
      const answer = await own.send(owner.service, method, () =>
        service.database.query({ text }, [owner.id, nobody.id]),
      );
      expect(answer).toBeError(403);
      expect(await service.get(own.path)).toHaveStatus(200);
    },
  );
}

/** Tests that owners change items only with a role by which they may read them. */
function changerTests(
  service: TestService,
  items: TestItems,
  { callers: { nobody }, owners }: OwnerOptions,
  role: string,
): void {
  test.each(['PUT', 'PATCH'])('%s requires an owner who may read', async (method) => {
    const reader = await makeCaller(service, `reader by ${method}`);
    const own = await makeOwned(service, items, owners, reader);
    expect(await own.send(reader.service, method)).toBeError(403);
    await setRoles(service.database, reader.id, [role]);
    expect(await own.send(reader.service, method)).toHaveStatus(200);
    await setRoles(service.database, nobody.id, [role]);
    expect(await own.send(nobody.service, method)).toBeError(403);
    await setRoles(service.database, nobody.id, []);
  });
}
