/** Tests of members: values that a collection accepts and refuses, and ids that it does not know. */
import { expect, test } from 'vitest';

import type { TestService } from './service.ts';
import { suite } from './suite.ts';
import { createItem, fullBody, pathOf } from './test-items.ts';
import type { Members, TestItems } from './test-items.ts';
import { limits, present } from './values.ts';

/** Values of members, in bodies and beyond their limits. */
export interface MemberOptions extends RefusalOptions {
  /** What a POST needs, and what of it a PUT needs. */
  readonly needed?: readonly string[];
  readonly replaced?: readonly string[];
  /** Values at the limits of members. */
  readonly accepted?: readonly [member: string, why: string, value: unknown][];
  /** Other spellings of values, and how they are returned. */
  readonly spelled?: readonly (readonly [member: string, sent: unknown, answered: unknown])[];
}

/** What is refused whether or not there are items. */
export interface RefusalOptions {
  /** Ids that no item has; the first is well-formed. */
  readonly unknownIds: readonly string[];
  /** Paths below an item. */
  readonly inside?: readonly string[];
  /** Values beyond the limits of members. */
  readonly refused?: readonly (readonly [member: string, why: string, changes: object])[];
  /** Objects without a property that they need. */
  readonly incomplete?: readonly (readonly [member: string, changes: object])[];
  /** Members that clients cannot send. */
  readonly readOnly: readonly (readonly [member: string, value: unknown])[];
}

/** Tests of a collection of which tests can create items. */
export function memberTests(service: TestService, items: TestItems, options: MemberOptions): void {
  const { path } = items;
  const { allowed } = items.fixture;
  const { needed = [], replaced = [], accepted = [], spelled = [] } = options;
  const bodyWith = async (changes: object): Promise<object> => ({
    ...(await items.body(service)),
    ...changes,
  });

  const ofItems = (): void => {
    test.each(needed)('POST requires %s (422)', async (member) => {
      const { [member]: _left, ...body }: Members = await fullBody(service, items);
      expect(await service.post(path, body)).toBeError(422, member);
    });

    if (replaced.length > 0) {
      test('PUT requires the same members (422)', async () => {
        const item = await createItem(service, items);
        expect(await service.put(pathOf(items, item), {})).toBeError(422, ...replaced);
      });
    }

    test.each(limits(accepted, allowed))('accepts %s: %s', async (member, _why, value) => {
      const item = await service.create(path, await bodyWith({ [member]: value }));
      expect(item).toHaveProperty(member, value);
      expect((await service.get(pathOf(items, item))).body).toEqual(item);
    });

    test.each(present(spelled))('normalizes %s: %j to %j', async (member, sent, answered) => {
      const item = await service.create(path, await bodyWith({ [member]: sent }));
      expect(item).toHaveProperty(member, answered);
    });
  };

  refusalTests(service, items, options, {
    ofItems,
    bodyWith,
    async refuses(changes, member, methods) {
      const item = await createItem(service, items);
      const own = pathOf(items, item);
      for (const method of methods) {
        const answer = await service.request(method, service.api + own, { body: changes });
        expect(answer).toBeError(422, member);
      }
      expect((await service.get(own)).body).toEqual(item);
    },
  });
}

/** What tests of refused values do with items, if tests can create some. */
interface WithItems {
  /** The tests of values in bodies that are accepted, or lack members. */
  readonly ofItems: () => void;
  /** A body with these members. */
  bodyWith(changes: object): Promise<object>;
  /** Expects that changes of a new item are refused, and change nothing. */
  refuses(changes: object, member: string, methods: readonly string[]): Promise<void>;
}

/** Without items: a POST alone can be tried. */
const WITHOUT_ITEMS: WithItems = {
  ofItems() {},
  bodyWith: async (changes) => changes,
  async refuses() {},
};

/** Tests of what is refused: also of a collection of which tests cannot create items. */
export function refusalTests(
  service: TestService,
  items: Pick<TestItems, 'path' | 'words'>,
  { unknownIds, inside = [], refused = [], incomplete = [], readOnly }: RefusalOptions,
  withItems: WithItems = WITHOUT_ITEMS,
): void {
  const { path } = items;

  suite(service, items, () => {
    withItems.ofItems();

    test.each(unknownIds)('answers 404 for the id %s', async (id) => {
      const own = pathOf(items, { id });
      expect(await service.get(own)).toBeError(404);
      expect(await service.head(own)).toHaveStatus(404);
      expect(await service.put(own, {})).toBeError(404);
      expect(await service.patch(own, {})).toBeError(404);
      expect(await service.delete(own)).toBeError(404);
      for (const nested of inside) {
        expect(await service.get(`${own}/${nested}`)).toBeError(404);
        expect(await service.post(`${own}/${nested}`, {})).toBeError(404);
      }
    });

    test.each(refused)('refuses %s: %s (422)', async (member, _why, changes) => {
      expect(await service.post(path, await withItems.bodyWith(changes))).toBeError(422, member);
      await withItems.refuses(changes, member, ['PATCH']);
    });

    test.each(incomplete)('POST requires %s (422)', async (member, changes) => {
      expect(await service.post(path, await withItems.bodyWith(changes))).toBeError(422, member);
    });

    test.each(readOnly)(
      'refuses the read-only or unknown member %s (422)',
      async (member, value) => {
        const changes = { [member]: value };
        expect(await service.post(path, await withItems.bodyWith(changes))).toBeError(422, member);
        await withItems.refuses(changes, member, ['PUT', 'PATCH']);
      },
    );
  });
}
