/** Tests of `q`, the search of a collection. */
import { expect, test } from 'vitest';

import { searchedTables } from '../../src/collections/searched-tables.ts';
import { indexWords } from '../../src/platform/database/fill-words.ts';
import { readAll } from './lists.ts';
import { searchesOf } from './searches.ts';
import type { TestService } from './service.ts';
import { suite } from './suite.ts';
import { createItem, pathOf } from './test-items.ts';
import type { AnyItem, TestItems } from './test-items.ts';

/**
 * Tests a row that another program has changed.
 * @param update SQL that gives a searched text to the item `$1`. @param text the text, which is one word.
 */
export function writtenTests(
  service: TestService,
  items: TestItems,
  { update, text }: { readonly update: string; readonly text: string },
): void {
  suite(service, items, () => {
    test('q finds rows written by SQL after they are indexed', async () => {
      const item = await createItem(service, items);
      await service.database.query({ text: update }, [item.id, text]);
      const written = await service.get(pathOf(items, item));
      await indexWords(service.database, searchedTables);
      const found = await service.get(`${items.path}?q=${text}`);
      expect(found.body).toEqual([written.body]);
      const indexed = await service.get(pathOf(items, item));
      expect(indexed.headers.get('etag')).toBe(written.headers.get('etag'));
    });
  });
}

/** Tests that `q` finds words of some members: what `listTests` runs with its items. */
export const searchIn =
  (...members: readonly string[]) =>
  (service: TestService, path: string, items: readonly AnyItem[]): void => {
    test('search for every word of q', async () => {
      for (const [q, found] of searchesOf(items, members)) {
        const answer = await readAll(service, `${path}?q=${encodeURIComponent(q)}`);
        expect([q, answer]).toEqual([q, found]);
      }
    });
  };
