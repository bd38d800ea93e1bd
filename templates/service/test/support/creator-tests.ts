/** Tests of a collection whose items belong to the users who create them. */
import { beforeEach, describe, expect, test } from 'vitest';

import { createAs, makeCaller } from './callers.ts';
import type { Owners } from './callers.ts';
import { makeOwned, owned, ownerTests } from './owner-tests.ts';
import type { OwnerOptions } from './owner-tests.ts';
import type { TestService } from './service.ts';
import type { TestItems } from './test-items.ts';

/** Items belong to the users who create them. */
export const creators = ({ path }: Pick<TestItems, 'path'>): Owners => ({
  given: async () => ({}),
  create: (caller, body) => createAs(caller, path, body),
});

/** What the definition of a collection has; what is absent, it has not. */
export interface CreatorOptions extends OwnerOptions {
  /** Names of no member that look as if they named the owner. */
  readonly unknownMembers?: readonly string[];
  /** Whether an item stays when its owner is removed. */
  readonly canLeave?: boolean;
  /** Whether items can be created without a credential: they belong to nobody. */
  readonly isOpen?: boolean;
}

/** Tests of a collection whose items belong to the users who create them. */
export function creatorTests(
  service: TestService,
  items: TestItems,
  options: CreatorOptions,
): void {
  const { callers, owners, methods = [] } = options;
  const { unknownMembers = [], canLeave = false, isOpen = false } = options;
  const { nobody, owner } = callers;
  const { path } = items;

  describe('ownership', () => {
    beforeEach(() => service.clear());
    ownerTests(service, items, options);
    if (canLeave) leaverTests(service, items, options);
    if (canLeave && methods.length > 0) removedOwnerTests(service, items, options);
    if (isOpen && methods.length > 0) strangerTests(service, items, options);

    test.each(unknownMembers)('clients cannot set or filter by %s', async (member) => {
      const own = await makeOwned(service, items, owners, owner);
      const stolen = { ...own.body, [member]: nobody.id };
      expect(await service.post(path, stolen)).toBeError(422, member);
      expect(await service.put(own.path, stolen)).toBeError(422, member);
      expect(await service.patch(own.path, { [member]: nobody.id })).toBeError(422, member);
      expect(await service.get(`${path}?${member}=${owner.id}`)).toBeError(400, member);
      expect((await service.get(own.path)).body).not.toHaveProperty(member);
    });
  });
}

/** Tests that an item stays as it is without its owner. */
function leaverTests(service: TestService, items: TestItems, { owners }: CreatorOptions): void {
  test('the removal of the owner does not change the item', async () => {
    const leaver = await makeCaller(service, 'leaver');
    const own = await makeOwned(service, items, owners, leaver);
    const before = await service.get(own.path);
    expect(await service.delete(`/users/${leaver.id}`)).toHaveStatus(204);
    const after = await service.get(own.path);
    expect(after.body).toEqual(before.body);
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
  });
}

/** Tests that an item whose owner is removed is nobody's. */
function removedOwnerTests(
  service: TestService,
  items: TestItems,
  { callers: { nobody }, owners, methods = [] }: CreatorOptions,
): void {
  test('the items of a removed user are 403 for everyone but administrators', async () => {
    const leaving = await makeCaller(service, 'leaving');
    const own = await makeOwned(service, items, owners, leaving);
    expect(await service.delete(`/users/${leaving.id}`)).toHaveStatus(204);
    for (const method of methods) {
      expect(await own.send(leaving.service, method)).toBeError(401);
      expect(await own.send(nobody.service, method)).toBeError(403);
    }
    expect(await service.get(own.path)).toHaveStatus(200);
  });
}

/** Tests that an item that was created without a credential is nobody's. */
function strangerTests(
  service: TestService,
  items: TestItems,
  { callers: { nobody }, methods = [], lists }: CreatorOptions,
): void {
  test('items that were created without a credential are 401 without one, and 403 for other users', async () => {
    const stranger = service.as(undefined);
    const body = await items.body(service);
    const left = owned(service, items, await stranger.create(items.path, body), body);
    for (const method of methods) {
      expect(await left.send(stranger, method)).toBeError(401);
      expect(await left.send(nobody.service, method)).toBeError(403);
    }
    expect(await service.get(left.path)).toHaveStatus(200);
    if (lists === undefined) return;
    const list = await nobody.service.get(`${items.path}?count=true`);
    expect(list.body).toEqual([]);
    expect(list.headers.get('total-count')).toBe('0');
  });
}
