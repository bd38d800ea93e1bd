/** Names: which are plurals, which are actions, and what their singular is. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { caseOf, inWords } from '../../../src/definition/names.ts';
import { numberOf } from '../../../src/definition/pluralize.ts';
import { verbIn } from '../../../src/definition/verbs.ts';
import { folder, lines, service } from './support.ts';

const NOUNS = readFileSync(new URL('nouns.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(' ') as [string, string]);

async function read(name: string, rest = ''): Promise<readonly string[]> {
  const text = `name: ${name}\n${rest}fields: { a: { type: string } }\n`;
  return lines(await folder({ 'collections/x.yaml': text }));
}

describe('plurals', () => {
  test.each(NOUNS)('%s, %s', async (singular, plural) => {
    const result = await folder({
      [`collections/${plural}.yaml`]: 'fields: { a: { type: string } }',
    });
    expect(service(result).collections[0]).toMatchObject({ name: plural, singular });
    expect(numberOf(singular).kind).toBe('singular');
    expect(await read(singular)).toHaveLength(1);
  });

  test('there are some hundreds of them', () => {
    expect(NOUNS.length).toBeGreaterThan(350);
  });

  test.each(['book', 'status', 'address', 'canvas', 'child', 'person', 'cache', 'order_item'])(
    'a singular is told its plural: %s',
    async (singular) => {
      const plural = NOUNS.find(([one]) => one === singular)![1];
      expect(await read(singular)).toEqual([
        `definitions/collections/x.yaml:1:7 error name "${singular}" is singular: collections are plural. Write "${plural}".`,
      ]);
    },
  );

  test.each(
    'media staff news equipment data series species information feedback metadata fish sheep software social_media kudos aircraft'.split(
      ' ',
    ),
  )('%s needs a singular, and takes any', async (name) => {
    expect(await read(name)).toEqual([
      `definitions/collections/x.yaml:1:7 error name "${name}" has no singular of its own. Write "singular:" beside it, such as "${name}_item".`,
    ]);
    expect(await read(name, `singular: ${name}_item\n`)).toEqual([]);
  });

  test('whatever the rules say, a singular that is given is the way out', async () => {
    for (const name of ['kunden', 'buecher', 'citta', 'zzz', 'book', 'a1']) {
      expect(await read(name, 'singular: anything_else\n')).toEqual([]);
    }
    const given = 'name: leaves\nsingular: leave\nfields: { a: { type: string } }';
    expect(service(await folder({ 'collections/x.yaml': given })).collections[0]).toMatchObject({
      name: 'leaves',
      singular: 'leave',
    });
  });

  test('digits at the end are no part of the word', () => {
    expect(numberOf('items_2024')).toEqual({ kind: 'plural', singular: 'item_2024' });
    expect(numberOf('items2')).toEqual({ kind: 'plural', singular: 'item2' });
    expect(numberOf('item_2')).toEqual({ kind: 'singular', plural: 'items_2' });
    expect(numberOf('mp3')).toEqual({ kind: 'singular', plural: 'mp3s' });
    expect(numberOf('mp3s')).toEqual({ kind: 'plural', singular: 'mp3' });
  });
});

describe('actions', () => {
  test.each(
    'get_books list_orders retrieve_items delete_users create_orders update_books fetch_pages add_items remove_tags find_books books_delete order_create get delete patch_books send_messages_now'.split(
      ' ',
    ),
  )('%s is one', (name) => {
    expect(verbIn(name)).toBeDefined();
  });

  test.each(
    'deleted_items orders lists updates order_items search_results add_ons list_items list_prices update_logs test_runs read_receipts show_times post_tags view_counts import_jobs upload_parts set_pieces shopping_lists mailing_list_members creations deletions getaways price_list_entries checks imports patches finds edits cancellations sends'.split(
      ' ',
    ),
  )('%s is none', (name) => {
    expect(verbIn(name)).toBeUndefined();
  });
});

describe('cases', () => {
  test.each([
    ['BookShop', '-', 'book-shop'],
    ['My Übung_2', '-', 'my-ubung-2'],
    ['HTTPServer', '_', 'http_server'],
    ['2nd--place.', '-', 'nd-place'],
    ['日本', '-', ''],
    ['x'.repeat(70), '-', 'x'.repeat(63)],
  ] as const)('%s with %s is %s', (text, joint, expected) => {
    expect(caseOf(text, joint)).toBe(expected);
  });

  test('a name in words', () => {
    expect(inWords('order-items')).toBe('Order items');
    expect(inWords('order_items')).toBe('Order items');
  });
});
