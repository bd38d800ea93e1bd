/** Tests of lists: pages, sorts, filters and sparse items. */
import { beforeAll, describe, expect, test } from 'vitest';

import { filtersOf, listed, readAll, readForthAndBack, sortBy } from './lists.ts';
import type { FilterOptions, Key } from './lists.ts';
import type { TestService } from './service.ts';
import { createItem, makeReferred, Made, pathOf, removeOthers } from './test-items.ts';
import type { AnyItem, TestItems } from './test-items.ts';

/** A filter: whether it compares in order, and how its values are spelled otherwise than they are returned. */
export interface Filter extends Pick<FilterOptions<never>, 'spell' | 'canBeEmpty'> {
  readonly isOrdered?: boolean;
}

/** What an item is compared by. */
type KeyOf = { of(item: object): Key }['of'];

/** The lists of a collection. */
export interface Lists {
  /** How many items the test creates, and what they have of each member; `made()` stands for ids. */
  readonly count: number;
  readonly columns?: Readonly<Record<string, readonly unknown[]>>;
  /** How many items of each reference there are; items of the collection itself are in its lists. */
  readonly parents?: Readonly<Record<string, number>>;
  readonly ownParents?: readonly string[];
  readonly sorts?: readonly string[];
  /** What items are sorted by, where that is not the member as it is. */
  readonly keys?: Readonly<Record<string, KeyOf>>;
  /** What ids consist of, where lists are in the order of the values of fields. */
  readonly idOrder?: readonly ((item: { readonly id: string }) => Key)[];
  readonly filters?: Readonly<Record<string, Filter>>;
  /** Filters by references, each with an id that no item has. */
  readonly references?: Readonly<
    Record<string, { readonly noId: string; readonly canBeNull?: boolean }>
  >;
  /** Parameters that are refused. */
  readonly refused?: readonly (readonly [parameter: string, value: string])[];
  /** Two members of a sparse item. */
  readonly sparse: readonly string[];
  /** The length of pages. */
  readonly limit: number;
  /** SQL that clears the times of the item `$1`, as in rows of other programs. */
  readonly clearTimes?: string;
  /** Tests of the search, if items can be searched. */
  readonly search?: (service: TestService, path: string, items: readonly AnyItem[]) => void;
}

const idsOf = (items: readonly AnyItem[]): string[] => items.map(({ id }) => id);

/** What an item is compared by: the value of a member, unless a function says otherwise. */
const keyIn = (item: AnyItem, name: string, keys: Readonly<Record<string, KeyOf>>): Key =>
  // A member may be called `constructor`.
  (Object.hasOwn(keys, name) ? keys[name]?.(item) : item[name]) as Key;

/** Tests the lists of a collection. */
export function listTests(service: TestService, collection: TestItems, lists: Lists): void {
  const { path, words, fixture } = collection;
  const { sorts = [], filters = {}, references = {}, refused = [], sparse, limit } = lists;
  const { keys = {} } = lists;
  const keyOf = (name: string) => (item: AnyItem) => keyIn(item, name, keys);
  const items: AnyItem[] = [];

  describe(`lists of ${words}`, () => {
    beforeAll(async () => {
      await service.clear();
      items.length = 0;
      const parents = new Map<string, AnyItem[]>();
      for (const [member, count] of Object.entries(lists.parents ?? {})) {
        const several: AnyItem[] = [];
        for (let n = 0; n < count; n++) {
          several.push((await makeReferred(service, collection, member)) as AnyItem);
        }
        parents.set(member, several);
        if (lists.ownParents?.includes(member) === true) items.push(...several);
      }
      const withIds = (value: unknown): unknown =>
        value instanceof Made ? parents.get(value.member)?.[value.index]?.id : value;
      for (const members of listed(lists.count, lists.columns ?? {}, fixture.allowed)) {
        const given = Object.entries(members).map(([name, value]) => [name, withIds(value)]);
        items.push(await createItem(service, collection, Object.fromEntries(given)));
      }
      await removeOthers(service, collection, items);
      // Lists are in the order of the values that ids consist of.
      const inOrder = (lists.idOrder ?? []).reduceRight<AnyItem[]>(
        (sorted, part) => sortBy(sorted, part),
        [...items],
      );
      items.splice(0, items.length, ...inOrder);
      if (lists.clearTimes !== undefined) {
        // Other programs insert rows without the times.
        const clear = { text: lists.clearTimes };
        for (const { id } of items.slice(0, 2)) await service.database.query(clear, [id]);
      }
      // Computed members may depend on items that were created later.
      for (const [at, item] of items.entries()) {
        items[at] = (await service.get<AnyItem>(pathOf(collection, item))).body;
      }
    });

    test(`return each item once, in ${lists.idOrder ? 'the order of ids' : 'order of creation'}`, async () => {
      const ids = idsOf(items);
      const pages = await readForthAndBack(service, `${path}?limit=${limit}`);
      expect(pages).toEqual({ forth: ids, back: ids });
      const answer = await service.get(`${path}?count=true&limit=1`);
      expect(answer.body).toEqual(items.slice(0, 1));
      expect(answer.headers.get('total-count')).toBe(String(items.length));
      for (const query of ['', '&count=false']) {
        const { headers } = await service.get(`${path}?limit=1${query}`);
        expect(headers.get('total-count')).toBeNull();
      }
    });

    test.each(sorts)('sort by %s, ascending and descending', async (sort) => {
      const rising = idsOf(sortBy(items, keyOf(sort)));
      const falling = rising.toReversed();
      const sorted = `${path}?limit=${limit}&sort=`;
      const forth = await readForthAndBack(service, sorted + sort);
      expect(forth).toEqual({ forth: rising, back: rising });
      const back = await readForthAndBack(service, `${sorted}-${sort}`);
      expect(back).toEqual({ forth: falling, back: falling });
    });

    const [first, second] = sorts;
    if (first !== undefined && second !== undefined) {
      test(`sort by ${first} ascending and ${second} descending`, async () => {
        const falling = sortBy(items, keyOf(second)).toReversed();
        const ids = idsOf(sortBy(falling, keyOf(first)));
        for (const separator of [',', '&sort=']) {
          const query = `limit=${limit}&sort=${first}${separator}-${second}`;
          const pages = await readForthAndBack(service, `${path}?${query}`);
          expect(pages).toEqual({ forth: ids, back: ids });
        }
      });
    }

    test.each(Object.entries(filters))('filter by %s', async (member, { isOrdered, ...filter }) => {
      const options = { ...filter, ...(isOrdered === true && { order: keyOf(member) }) };
      for (const [query, found] of filtersOf(items, member, options)) {
        const answer = await readAll(service, `${path}?${query}`);
        expect([query, answer]).toEqual([query, found]);
      }
    });

    test.each(Object.entries(references))('filter by %s', async (name, { noId, canBeNull }) => {
      const id = (items.find((item) => item[name] !== null)?.[name] as string | undefined) ?? noId;
      const filtered = `${path}?${name}`;
      const those = items.filter((item) => item[name] === id);
      const others = items.filter((item) => item[name] !== id);
      expect(await readAll(service, `${filtered}=${id}`)).toEqual(those);
      expect(await readAll(service, `${filtered}[ne]=${id}`)).toEqual(others);
      expect(await readAll(service, `${filtered}[in]=${noId},${id}`)).toEqual(those);
      if (canBeNull === true) {
        const without = items.filter((item) => item[name] === null);
        expect(await readAll(service, `${filtered}[null]=true`)).toEqual(without);
      }
      expect(await readAll(service, `${filtered}=${noId}`)).toEqual([]);
    });

    test.each(refused)('refuse %s=%s (400)', async (parameter, value) => {
      const query = String(new URLSearchParams({ [parameter]: value }));
      expect(await service.get(`${path}?${query}`)).toBeError(400, parameter);
    });

    lists.search?.(service, path, items);

    test('return only the members in fields', async () => {
      const some = items.map((item) =>
        Object.fromEntries(['id', ...sparse].map((name) => [name, item[name]])),
      );
      const named = sparse.length === 0 ? ['id'] : sparse;
      for (const separator of [',', '&fields=']) {
        const query = `fields=${named.join(separator)}`;
        expect(await readAll(service, `${path}?${query}`)).toEqual(some);
      }
      expect(await service.get(`${path}?fields=unheard_of`)).toBeError(400, 'fields');
    });

    const searches = lists.search === undefined ? ['q=word'] : ['q=', 'q=%20-'];
    test.each(['unheard_of=1', 'limit=1&limit=2', 'sort=unheard_of', 'limit=0', ...searches])(
      'refuse %s (400)',
      async (query) => {
        const [name = ''] = query.split('=');
        expect(await service.get(`${path}?${query}`)).toBeError(400, name);
      },
    );
  });
}
