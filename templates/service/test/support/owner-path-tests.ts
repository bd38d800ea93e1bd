/** Tests of a collection whose items belong to the users that an owner path leads to. */
import { beforeEach, describe, expect, test } from 'vitest';

import { readForthAndBack } from './lists.ts';
import type { Links, PathOwners } from './owner-path.ts';
import { makeOwned, owned, ownerTests, sortQueries } from './owner-tests.ts';
import type { OwnerOptions } from './owner-tests.ts';
import type { Item, TestService } from './service.ts';
import { pathOf, prepare, removeOthers } from './test-items.ts';
import type { Members, TestItems } from './test-items.ts';

/** What the definition of a collection has; what is absent, it has not. */
export interface OwnerPathOptions extends OwnerOptions {
  readonly owners: PathOwners;
  /** The status of a POST by users without roles of an item of their own; absent if they may not. */
  readonly created?: number;
  /** Whether they may leave the reference out. */
  readonly canLeaveOut?: boolean;
  /** Who may change the reference; absent if it is immutable. */
  readonly giver?: 'owner' | 'admin';
  /** Whether an item may belong to nobody. */
  readonly isNullable?: boolean;
  /** How many values of the reference lead to one user in tests of pages; absent if there are none. */
  readonly pages?: number;
}

/** Tests of a collection with an owner path. */
export function ownerPathTests(
  service: TestService,
  items: TestItems,
  options: OwnerPathOptions,
): void {
  const { owners, methods = [], pages, lists, created, giver } = options;
  const { canLeaveOut = false, isNullable = false } = options;
  const { member = '', links } = owners;

  describe('ownership', () => {
    beforeEach(() => service.clear());
    ownerTests(service, items, options);
    if (pages !== undefined) pageTests(service, items, options, sortQueries(lists?.sorts), pages);
    if (created !== undefined) creationTests(service, items, options, created);
    if (canLeaveOut) defaultOwnerTests(service, items, options, member);
    if (giver !== undefined) handOverTests(service, items, options, member);
    if (isNullable) noOwnerTests(service, items, options, member);
    if (links !== undefined && methods.length > 0) linkTests(service, items, options, links);
  });
}

/** Tests pages of lists in which items of an owner alternate with those of others. */
function pageTests(
  service: TestService,
  items: TestItems,
  { callers: { owner }, owners }: OwnerPathOptions,
  queries: readonly string[],
  values: number,
): void {
  test.each(queries)('pages of an owner hold each item once, in order%s', async (query) => {
    const own: Item[] = [];
    const others: Item[] = [];
    const givens: Members[] = [];
    for (let n = 0; n < values; n++) givens.push(await owners.given(owner));
    for (let n = 0; n < 2; n++) {
      others.push(await items.create(service));
      for (const given of givens) {
        own.push(await owners.create(owner, await items.body(service, given)));
      }
    }
    await removeOthers(service, items, [...own, ...others]);
    const ids = new Set(own.map(({ id }) => id));
    const list = `${items.path}?limit=1${query}`;
    const all = await readForthAndBack(service, list);
    const listed = all.forth.filter((id) => ids.has(id));
    const pages = await readForthAndBack(owner.service, list);
    expect(pages).toEqual({ forth: listed, back: listed });
    expect(listed).toHaveLength(ids.size);
  });
}

/** Tests that users without roles may create items, if these are their own. */
function creationTests(
  service: TestService,
  items: TestItems,
  { callers: { nobody }, owners }: OwnerPathOptions,
  status: number,
): void {
  test('users without roles create items of their own', async () => {
    const body = await items.body(service, await owners.given(nobody));
    expect(await nobody.service.post(items.path, body)).toHaveStatus(status);
  });
}

/** Tests who owns an item that is sent without the reference. */
function defaultOwnerTests(
  service: TestService,
  items: TestItems,
  { callers: { nobody }, isNullable = false }: OwnerPathOptions,
  member: string,
): void {
  test('the owner of an item that names none is the caller', async () => {
    const body: object = { ...(await items.body(service)), [member]: undefined };
    const answer = await nobody.service.post(items.path, body);
    expect(answer).toHaveStatus(201);
    expect(answer.body).toHaveProperty(member, nobody.id);
    if (!isNullable) return;
    const other = await service.post(items.path, body);
    expect(other.body).toHaveProperty(member, null);
  });
}

/** Tests that the owner changes with the reference. */
function handOverTests(
  service: TestService,
  items: TestItems,
  { callers: { nobody, owner }, owners, methods = [], giver }: OwnerPathOptions,
  member: string,
): void {
  test(`a change of ${member} hands the item over`, async () => {
    const { item, path, body } = await makeOwned(service, items, owners, owner);
    const change = await owners.given(nobody);
    await prepare(service, items, item, change);
    const sender = giver === 'owner' ? owner.service : service;
    expect(await sender.patch(path, change)).toHaveStatus(200);
    const given = owned(service, items, item, { ...body, ...change });
    for (const method of methods) {
      expect(await given.send(owner.service, method)).toBeError(403);
      expect((await given.send(nobody.service, method)).status).toBeLessThan(300);
    }
  });
}

/** Tests that an item whose reference is null has no owner. */
function noOwnerTests(
  service: TestService,
  items: TestItems,
  { callers: { owner }, owners, methods = [] }: OwnerPathOptions,
  member: string,
): void {
  test(`an item without ${member} belongs to nobody`, async () => {
    const own = await makeOwned(service, items, owners, owner);
    const change = { [member]: null };
    await prepare(service, items, own.item, change);
    expect(await service.patch(own.path, change)).toHaveStatus(200);
    for (const method of methods) {
      expect(await own.send(owner.service, method)).toBeError(403);
    }
  });
}

/** Tests that an item has no owner without an item of the linking collection. */
function linkTests(
  service: TestService,
  items: TestItems,
  { callers: { owner }, methods = [] }: OwnerPathOptions,
  links: Links,
): void {
  test(`an item belongs to nobody without one of ${links.items.words}`, async () => {
    const body = await items.body(service);
    const item = await service.create(items.path, body);
    const link = await links.create(owner, item);
    await prepare(service, links.items, link, 'removal');
    expect(await service.delete(pathOf(links.items, link))).toHaveStatus(204);
    const left = owned(service, items, item, body);
    for (const method of methods) {
      expect(await left.send(owner.service, method)).toBeError(403);
    }
  });
}
