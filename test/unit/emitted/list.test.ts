/** How emitted services read the query of a list: which parameters may be sent several times. */
import { expect, test, vi } from 'vitest';

/** Modules that know the types of Fastify, which is not installed here. */
const FOLDER = '../../../templates/service/src/platform/http';
// It checks the length of links, and needs modules that are templates.
vi.mock('../../../templates/service/src/platform/http/page.ts', () => ({
  refuseLongLinks: () => undefined,
}));
const { byInteger, byString } = (await import(`${FOLDER}/filters.ts`)) as Record<
  'byInteger' | 'byString',
  () => object
>;
const { bySearch } = (await import(`${FOLDER}/search.ts`)) as { bySearch: object };
const { readList } = (await import(`${FOLDER}/list.ts`)) as {
  readList: (request: object, options: object, services: object, path: string) => List;
};

interface List {
  readonly sort: readonly { readonly member: string; readonly descending: boolean }[];
  readonly members: readonly string[] | undefined;
  readonly filters: readonly object[];
  readonly words: readonly string[];
  readonly identity: string;
}

const NOT_FREE = { member: 'price', operator: 'ne', value: 0 };

const OPTIONS = {
  pages: { default: 20, maximum: 100 },
  members: ['id', 'title', 'price', 'pages'],
  sort: ['title', 'price', 'pages'],
  filter: { title: byString(), price: byInteger() },
  parameters: {
    q: bySearch,
    // Free items are left out, unless the request asks for them.
    free: {
      read: (text: string | undefined) => (text === 'true' ? {} : { filters: [NOT_FREE] }),
      schema: { type: 'boolean' },
    },
  },
};

const read = (query: string): List =>
  readList(
    { raw: { url: `/api/v1/books?${query}` }, api: { version: 1 } },
    OPTIONS,
    { cursors: { read: () => undefined }, pageBytes: 1 },
    'books',
  );

test.each([
  ['sort=-title&sort=price', 'sort=-title,price'],
  ['sort=-price&sort=title', 'sort=-price,title'],
  ['sort=title,price&limit=5&sort=-pages', 'sort=title,price,-pages&limit=5'],
  ['fields=id&fields=title', 'fields=id,title'],
  ['fields=price&q=word&fields=title&fields=price', 'fields=price,title,price&q=word'],
])('reads %s as %s', (repeated, once) => {
  expect(read(repeated)).toEqual(read(once));
});

test('keeps the order of sort keys', () => {
  expect(read('sort=-price&sort=title').sort).toEqual([
    { member: 'price', descending: true },
    { member: 'title', descending: false },
  ]);
  expect(read('sort=-price&sort=title').identity).not.toBe(read('sort=title&sort=-price').identity);
});

test.each([
  ['sort=title&sort=-title', 'The parameter "sort" names "title" twice.'],
  ['sort=title&sort=', 'The parameter "sort" does not support "".'],
  ['sort=title&sort=unheard_of', 'The parameter "sort" does not support "unheard_of".'],
  ['fields=id&fields=', 'The parameter "fields" does not support "".'],
  ['fields=id&fields=unheard_of', 'The parameter "fields" does not support "unheard_of".'],
])('refuses %s', (query, message) => {
  expect(() => read(query)).toThrow(message);
});

test.each([
  'limit=1&limit=1',
  'cursor=a&cursor=a',
  'count=true&count=true',
  'q=a&q=b',
  'title=a&title=b',
  'title[in]=a&title[in]=b',
  'price[gte]=1&price[gte]=2',
])('refuses %s: the parameter is sent once', (query) => {
  const [name = ''] = query.split('=');
  expect(() => read(query)).toThrow(`The parameter "${name}" occurs 2 times: send it once.`);
});

test('parameters of the collection select items, and cursors belong to their values', () => {
  const [without, withFree] = [read('title=a'), read('title=a&free=true')];
  const title = { member: 'title', operator: 'eq', value: 'a' };
  expect(without.filters).toEqual([title, NOT_FREE]);
  expect(withFree.filters).toEqual([title]);
  expect(without.identity).not.toBe(withFree.identity);
  expect(read('q=Two%20words').words).toEqual(['two', 'words']);
  expect(read('q=two').identity).not.toBe(read('q=words').identity);
});

test('a search without a word is refused', () => {
  expect(() => read('q=')).toThrow('The parameter "q" holds no word to search for.');
});

test('names the parameters that a list has', () => {
  expect(() => read('frei=true')).toThrow(
    'Known: limit, cursor, sort, fields, count, q, free, title, price.',
  );
});
