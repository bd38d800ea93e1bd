/** Which versions are held to what they were, and that what is advised then is a way out. */
import { describe, expect, test } from 'vitest';

import { viewOf } from '../../../src/definition/versions/view.ts';
import { breakingChanges } from '../../../src/compatibility/breaking-changes.ts';
import { brokenContracts, frozenContracts } from '../../../src/compatibility/frozen-contracts.ts';
import { service, single } from '../definition/support.ts';

const placeOf = (key: string) => ({ file: key, line: 1, column: 1 });

const AUTHORS = '  authors: { fields: { name: { type: string } } }';
const BOOKS = '  books: { fields: { title: { type: string } } }';

const shop = (versions: string, ...collections: readonly string[]): string =>
  ['name: shop', versions, 'collections:', ...collections].join('\n');

/** What a change breaks, where all that was frozen before it was kept. */
async function broken(
  before: string,
  after: string,
  today = '2026-06-30',
): Promise<readonly string[]> {
  const was = service(await single(before));
  const is = service(await single(after));
  return brokenContracts(frozenContracts(was), was, is, placeOf, today).map(
    ({ code, message, hint }) => `${code} ${message}\n  ${hint}`,
  );
}

describe('a version is frozen', () => {
  test.each([
    ['versions: [1]', []],
    ['versions: [1, 2, 4]', [1, 2]],
    ['versions: { 1: {}, 2: { frozen: true } }', [1, 2]],
    ['versions: { 3: { frozen: true } }', [3]],
  ])('%s', async (versions, frozen) => {
    const shapes = frozenContracts(service(await single(shop(versions, BOOKS))));
    expect(shapes.map(({ version }) => version)).toEqual(frozen);
  });

  test('and is kept as its clients see it', async () => {
    const books = '  books: { fields: { price: { type: integer, name_in: { 1: cost } } } }';
    const all = service(await single(shop('versions: [1, 2]', books)));
    expect(frozenContracts(all)).toEqual([{ version: 1, view: viewOf(all, 1) }]);
    expect(frozenContracts(all)[0]?.view.collections[0]?.fields[0]?.name).toBe('cost');
  });
});

describe('a change is held against', () => {
  const before = '  books: { fields: { title: { type: string }, price: { type: integer } } }';

  test('no version that only grows', async () => {
    expect(await broken(shop('versions: [1]', before), shop('versions: [1]', BOOKS))).toEqual([]);
  });

  test('a highest version that says it is frozen; a new one is the way out', async () => {
    const frozen = 'versions: { 1: { frozen: true } }';
    expect(await broken(shop(frozen, before), shop(frozen, BOOKS))).toEqual([
      'member-gone breaks version 1: member "price" of books was removed: clients that read it find nothing, and clients that send it get 422\n  Add version 2 to "versions", and write it again, with "until: 1".',
    ]);
    const until = before.replace('integer', 'integer, until: 1');
    expect(await broken(shop(frozen, before), shop('versions: [1, 2]', until))).toEqual([]);
  });

  test('a highest version that is frozen by the same change: it is what stands there', async () => {
    const frozen = 'versions: { 1: { frozen: true } }';
    expect(await broken(shop('versions: [1]', before), shop(frozen, BOOKS))).toEqual([]);
  });

  test('a version that a higher one freezes: it is what it was', async () => {
    expect(await broken(shop('versions: [1]', before), shop('versions: [1, 2]', BOOKS))).toEqual([
      expect.stringMatching(/^member-gone breaks version 1: /),
    ]);
  });

  test('several versions at once, with one finding and one advice', async () => {
    const versions = 'versions: [1, 2, 3, 5]';
    expect(await broken(shop(versions, before), shop(versions, BOOKS))).toEqual([
      'member-gone breaks versions 1, 2 and 3: member "price" of books was removed: clients that read it find nothing, and clients that send it get 422\n  Write it again, with "until: 3".',
    ]);
  });

  test('what bears the name of another now', async () => {
    const books = (a: string, b: string): string =>
      `  books: { fields: { a: { type: integer${a} }, b: { type: integer${b} } } }`;
    const versions = 'versions: [1, 2]';
    const was = shop(versions, books('', ''));
    const swapped = shop(versions, books(', renamed_from: b', ', renamed_from: a'));
    expect(await broken(was, swapped)).toEqual([
      expect.stringMatching(/^member-renamed .*"b" of books is now called "a"/),
      expect.stringMatching(/^member-renamed .*"a" of books is now called "b"/),
    ]);
    const advised = books(
      ', name_in: { 1: b }, renamed_from: b',
      ', name_in: { 1: a }, renamed_from: a',
    );
    expect(await broken(was, shop(versions, advised))).toEqual([]);
    // Once it is done it may stay.
    expect(await broken(swapped, swapped)).toEqual([]);
  });

  test('each version by the names that its clients know', async () => {
    const price = (rest: string): string =>
      `  books: { fields: { title: { type: string }, ${rest} } }`;
    const was = shop(
      'versions: [1, 2, 3]',
      price('price: { type: integer, name_in: { 1: cost } }'),
    );
    const is = shop(
      'versions: [1, 2, 3]',
      price('amount: { type: integer, renamed_from: price, name_in: { 1: cost } }'),
    );
    expect(await broken(was, is)).toEqual([
      'member-renamed breaks version 2: member "price" of books is now called "amount": clients that read it find nothing, and clients that send it get 422\n  Write "name_in: { 2: price }" on it.',
    ]);
  });
});

describe('clients of a version break by', () => {
  const it = (options: string, rest = ''): string =>
    shop(
      'roles: [editor, clerk]\nversions: [1, 2]',
      `  books: { fields: { title: { type: string }, it: { ${options} } }${rest} }`,
    );
  const codes = async (before: string, after: string): Promise<readonly string[]> =>
    (await broken(before, after)).map((line) => /^\S+/.exec(line)?.[0] ?? '');

  test.each<[before: string, after: string, codes: readonly string[]]>([
    // The greatest and the least integers of 32 bits, and those beyond.
    ['type: integer, minimum: 0, maximum: 9', 'type: integer, minimum: 0, maximum: 2147483647', []],
    [
      'type: integer, minimum: 0, maximum: 9',
      'type: integer, minimum: 0, maximum: 2147483648',
      ['range-wider'],
    ],
    [
      'type: integer, minimum: 0, maximum: 9',
      'type: integer, minimum: -2147483648, maximum: 9',
      [],
    ],
    [
      'type: integer, minimum: 0, maximum: 9',
      'type: integer, minimum: -2147483649, maximum: 9',
      ['range-wider'],
    ],
    // Another type that takes all values, and one that has bounds.
    ['type: integer, write_only: true', 'type: number, write_only: true', []],
    [
      'type: integer, write_only: true',
      'type: number, maximum: 5, write_only: true',
      ['type-changed'],
    ],
    // Texts are read by their format, where they have one.
    ['type: string, read_only: true', 'type: uuid, read_only: true', []],
    [
      'type: string, format: slug, read_only: true',
      'type: uuid, read_only: true',
      ['type-changed'],
    ],
    // Digits before the point and behind it.
    [
      'type: decimal, precision: 10, scale: 2',
      'type: decimal, precision: 11, scale: 4',
      ['bounds-narrower', 'type-changed'],
    ],
    [
      'type: decimal, precision: 10, scale: 2, write_only: true',
      'type: decimal, precision: 12, scale: 4, write_only: true',
      [],
    ],
    // What may not be changed, and what may not be sent at all.
    ['type: string, immutable: true', 'type: string, read_only: true', ['member-locked']],
  ])('%s, now %s: %j', async (before, after, expected) => {
    expect(await codes(it(before), it(after))).toEqual(expected);
  });

  test.each<[before: string, after: string, codes: readonly string[]]>([
    ['permissions: { create: [admin, editor] }', 'permissions: { create: [editor] }', []],
    [
      'permissions: { create: [clerk, editor] }',
      'permissions: { create: [editor] }',
      ['permission-narrower'],
    ],
    ['permissions: { update: owner }', 'permissions: { update: authenticated }', []],
    ['sort: [created_at, title]', 'sort: [title]', ['sort-gone']],
    ['filter: [updated_at]', 'filter: []', ['filter-gone']],
  ])('%s, now %s: %j', async (before, after, expected) => {
    const type = 'type: string';
    expect(await codes(it(type, `, ${before}`), it(type, `, ${after}`))).toEqual(expected);
  });

  test('no rule that follows from one that there was', async () => {
    const type = 'type: string, max_length: 20';
    const alone = it(`${type}, unique: true`);
    const together = it(type, ', unique: [[title, it]]');
    expect(await codes(alone, together)).toEqual([]);
    expect(await codes(together, alone)).toEqual(['unique-new']);
    expect(await codes(it(type), together)).toEqual(['unique-new']);
  });

  test('no reference to a collection that has another name now, and by one to another', async () => {
    const author = (to: string): string =>
      `  books: { fields: { author_id: { type: reference, to: ${to} } } }`;
    const makers = '  makers: { fields: { name: { type: string } } }';
    const was = shop('versions: [1, 2]', AUTHORS, makers, author('authors'));
    const writers = AUTHORS.replace('authors: {', 'writers: { renamed_from: authors,');
    expect(await codes(was, shop('versions: [1, 2]', writers, makers, author('writers')))).toEqual([
      'collection-renamed',
    ]);
    expect(await codes(was, shop('versions: [1, 2]', AUTHORS, makers, author('makers')))).toEqual([
      'reference-changed',
    ]);
  });

  test('no collection that it did not have, and no rename that was made before', async () => {
    const tags = (since: string): string =>
      `  tags: { ${since}fields: { word: { ${since}type: string } } }`;
    const versions = 'versions: [1, 2]';
    expect(
      await codes(shop(versions, BOOKS, tags('since: 2, ')), shop(versions, BOOKS, tags(''))),
    ).toEqual([]);
    const renamed = service(
      await single(
        shop(
          'versions: [1]',
          '  books: { renamed_from: works, fields: { title: { type: string, renamed_from: name } } }',
        ),
      ),
    );
    const context = { placeOf, isListed: () => false };
    expect(breakingChanges(renamed, renamed, context)).toEqual([]);
  });
});

describe('an older form that today’s type cannot hold', () => {
  const price = (type: string): string =>
    shop('versions: [1, 2]', `  books: { fields: { price: ${type} } }`);
  test.each([
    ['{ type: string }', '{ type: uuid, type_in: { 1: { type: string } } }'],
    ['{ type: string }', '{ type: integer, type_in: { 1: { type: string } } }'],
    ['{ type: timestamp }', '{ type: date, type_in: { 1: { type: timestamp } } }'],
    [
      '{ type: number }',
      '{ type: decimal, precision: 10, scale: 2, type_in: { 1: { type: number } } }',
    ],
    ['{ type: bigint }', '{ type: integer, type_in: { 1: { type: bigint } } }'],
    [
      '{ type: decimal, precision: 8, scale: 4, minimum: "0", maximum: "10" }',
      '{ type: decimal, precision: 8, scale: 2, minimum: "0", maximum: "10", type_in: { 1: { type: decimal, precision: 8, scale: 4, minimum: "0", maximum: "10" } } }',
    ],
    [
      '{ type: decimal, precision: 8, scale: 2 }',
      '{ type: integer, minimum: 0, maximum: 99, type_in: { 1: { type: decimal, precision: 8, scale: 2 } } }',
    ],
  ])('%s, now %s', async (before, after) => {
    expect(await broken(price(before), price(after))).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^bounds-narrower breaks version 1: member "price" of books is stored as /,
        ),
      ]),
    );
    // It is told once: then it is what the version was.
    expect(await broken(price(after), price(after))).toEqual([]);
  });

  test.each([
    ['{ type: integer }', '{ type: bigint, type_in: { 1: { type: integer } } }'],
    [
      '{ type: integer, minimum: 0, maximum: 99 }',
      '{ type: decimal, precision: 8, scale: 2, type_in: { 1: { type: integer, minimum: 0, maximum: 99 } } }',
    ],
    [
      '{ type: timestamp, read_only: true }',
      '{ type: date, read_only: true, type_in: { 1: { type: timestamp } } }',
    ],
    [
      '{ type: integer, read_only: true }',
      '{ type: decimal, precision: 8, scale: 2, read_only: true, type_in: { 1: { type: integer } } }',
    ],
    ['{ type: integer }', '{ type: string, type_in: { 1: { type: integer } } }'],
  ])('is not that of %s, now %s', async (before, after) => {
    expect(await broken(price(before), price(after))).toEqual([]);
  });
});

describe('what no contract says', () => {
  const books = (fields: string): string =>
    shop('versions: [1, 2]', `  books: { fields: { title: { type: string }, ${fields} } }`);
  const state = (values: string, more = ''): string =>
    books(`state: { type: enum, values: ${values}${more} }`);

  test('a value that a version shows as another one', async () => {
    expect(
      await broken(
        state('[draft, open, { value: gone, since: 2, as: draft }]'),
        state('[draft, open, { value: gone, since: 2, as: open }]'),
      ),
    ).toEqual([
      'enum-value-shown breaks version 1: member "state" of books shows gone as open, and showed it as draft: clients that read it find another value in items that nobody changed\n  Let it show draft again, by its "as" or by "type_in".',
    ]);
  });

  test('names of values that change places', async () => {
    const types = (map: string): string => `, type_in: { 1: { type: enum, values: ${map} } }`;
    const [was, is] = ['{ a: x, b: y }', '{ a: y, b: x }'].map((map) =>
      state('[a, b]', types(map)),
    );
    expect(await broken(was!, is!)).toEqual([
      expect.stringContaining('shows a as y, and showed it as x'),
      expect.stringContaining('shows b as x, and showed it as y'),
    ]);
  });

  test('a value of a field that was renamed more than once', async () => {
    const field = (name: string, names: string, as: string): string =>
      `  books: { fields: { title: { type: string }, ${name}: { type: enum, values: [draft, open, { value: gone, since: 2, as: ${as} }], name_in: { ${names} } } } }`;
    expect(
      await broken(
        shop('versions: [1, 2]', field('status', '1: state', 'draft')),
        shop('versions: [1, 2, 3]', field('phase', '1: state, 2: status', 'open')),
      ),
    ).toEqual([
      expect.stringMatching(/^enum-value-shown breaks version 1: member "state" of books shows /),
    ]);
  });

  test('but not a value that nobody reads', async () => {
    const secret = (as: string): string =>
      state(`[draft, open, { value: gone, since: 2, as: ${as} }]`, ', write_only: true');
    expect(await broken(secret('draft'), secret('open'))).toEqual([]);
  });

  test('but not a value with another name today that is shown as it was', async () => {
    const types = ', type_in: { 1: { type: enum, values: { new: draft, open: open } } }';
    expect(await broken(state('[draft, open]'), state('[new, open]', types))).toEqual([]);
  });

  test('a member that a version did not have', async () => {
    const pages = (more: string): string => books(`pages: { type: integer${more} }`);
    expect(await broken(pages(', since: 2'), pages(''))).toEqual([
      'member-unlocked breaks version 1: member "pages" of books was not in it, and is now: clients that PUT leave it out, as they had to, and now set it back\n  Write "since: 2" on it again.',
    ]);
    for (const kind of [', read_only: true', ', immutable: true']) {
      expect(await broken(pages(`, since: 2${kind}`), pages(kind))).toEqual([]);
    }
    // Nothing is stored of what is new.
    expect(
      await broken(
        books('price: { type: integer }'),
        books('price: { type: integer }, pages: { type: integer }'),
      ),
    ).toEqual([]);
  });
});

describe('what is advised has the names of today', () => {
  const books = (rest: string): string =>
    shop(
      'versions: [1, 2]',
      `  books: { name_in: { 1: titles }, fields: { price: { type: integer, name_in: { 1: cost } }, pages: { type: integer } }, ${rest} }`,
    );
  test.each(['filter', 'sort'])('%s', async (key) => {
    expect(await broken(books(`${key}: [pages, price]`), books(`${key}: [pages]`))).toEqual([
      expect.stringContaining(`collection titles no longer has the ${key}`),
    ]);
    expect((await broken(books(`${key}: [pages, price]`), books(`${key}: [pages]`)))[0]).toContain(
      `Write "${key}: [pages, price]".`,
    );
  });

  test('unique', async () => {
    expect(await broken(books('unique: []'), books('unique: [[pages, price]]'))).toEqual([
      expect.stringContaining('Leave [pages, price] out of "unique".'),
    ]);
  });

  test('a collection', async () => {
    expect(await broken(books('sort: []'), shop('versions: [1, 2]', AUTHORS))).toEqual([
      expect.stringMatching(
        /collection titles was removed.*\n {2}Write definitions\/collections\/books\.yaml again/,
      ),
    ]);
  });
});

describe('the end of a version', () => {
  const served = (sunset: string): string =>
    shop(`versions: { 1: { deprecated: 2026-01-01, sunset: ${sunset} }, 2: {} }`, BOOKS);

  test('does not come before the day that was announced', async () => {
    expect(await broken(served('2026-12-31'), served('2026-10-31'))).toEqual([
      'version-ends-early breaks version 1: its sunset is 2026-10-31, and was announced for 2026-12-31: clients that planned to migrate by the announced day lose the version before it\n  Write "1: { deprecated: 2026-01-01, sunset: 2026-12-31 }" under "versions".',
    ]);
    expect(await broken(served('2026-12-31'), served('2027-01-31'))).toEqual([]);
    const retired = shop('versions: [2]\nretired: [1]', BOOKS);
    expect(await broken(served('2026-12-31'), retired, '2026-12-30')).toEqual([
      expect.stringMatching(/^version-ends-early breaks version 1: it is retired, /),
    ]);
    expect(await broken(served('2026-12-31'), retired, '2026-12-31')).toEqual([]);
  });

  test('is retired, and not just gone', async () => {
    expect(await broken(shop('versions: [1, 2]', BOOKS), shop('versions: [2]', BOOKS))).toEqual([
      'version-gone breaks version 1: it was removed: its clients get 404 or 406 in place of 410\n  Write "retired: [1]": its clients then get 410.',
    ]);
    const retired = 'versions: [2]\nretired: [1]';
    expect(await broken(shop('versions: [1, 2]', BOOKS), shop(retired, BOOKS))).toEqual([]);
  });

  test('names those that are retired already', async () => {
    const before = shop('versions: [2, 3]\nretired: [1]', BOOKS);
    expect(await broken(before, shop('versions: [3]\nretired: [1]', BOOKS))).toEqual([
      expect.stringContaining('Write "retired: [1, 2]"'),
    ]);
  });

  test('of one that no shape was kept of is known too: a higher one took its place', async () => {
    expect(await broken(shop('versions: [1]', BOOKS), shop('versions: [2]', BOOKS))).toEqual([
      expect.stringMatching(/^version-gone breaks version 1: /),
    ]);
  });

  test('of the highest one, which nobody relies on yet, leaves the one below frozen', async () => {
    const before = shop('versions: { 1: { deprecated: 2026-11-01 }, 2: {}, 3: {} }', BOOKS);
    const versions = 'versions: { 1: { deprecated: 2026-11-01 }, 2: { frozen: true } }';
    expect(await broken(before, shop(versions, BOOKS))).toEqual([]);
    expect(await broken(before, shop('versions: [1, 2]', BOOKS))).toEqual([
      'version-thawed breaks version 2: it is no longer frozen: later changes that break its clients would not be reported\n  Write "versions: { 1: {}, 2: { frozen: true } }".',
    ]);
  });
});

describe('what is advised is a way out', () => {
  const two = 'versions: [1, 2]';
  const field = (line: string): readonly string[] => [
    AUTHORS,
    '  books:',
    '    fields:',
    `      ${line}`,
  ];
  test.each([
    [
      'member-gone',
      'title: { type: string, required: true }',
      'body: { type: text }',
      'body: { type: text }\n      title: { type: string, required: true, until: 1, default: "" }',
    ],
    [
      'member-renamed',
      'cost: { type: integer }',
      'price: { type: integer, renamed_from: cost }',
      'price: { type: integer, name_in: { 1: cost } }',
    ],
    [
      'member-required',
      'body: { type: text }',
      'body: { type: text }\n      title: { type: string, required: true }',
      'body: { type: text }\n      title: { type: string, required: true, since: 2, default: "" }',
    ],
    [
      'type-changed',
      'price: { type: integer }',
      'price: { type: string }',
      'price: { type: string, type_in: { 1: { type: integer } } }',
    ],
    [
      'range-wider',
      'price: { type: integer, minimum: 0, maximum: 100 }',
      'price: { type: integer, minimum: 0, maximum: 5000000000 }',
      'price: { type: integer, minimum: 0, maximum: 5000000000, type_in: { 1: { type: integer, minimum: 0, maximum: 100 } } }',
    ],
    [
      'type-changed',
      'price: { type: decimal, precision: 10, scale: 2 }',
      'price: { type: decimal, precision: 12, scale: 4 }',
      'price: { type: decimal, precision: 12, scale: 4, type_in: { 1: { type: decimal, precision: 10, scale: 2 } } }',
    ],
    [
      'member-gone',
      'place: { type: object, properties: { a: { type: string }, b: { type: string } } }',
      'place: { type: object, properties: { a: { type: string } } }',
      'place: { type: object, properties: { a: { type: string } }, type_in: { 1: { type: object, properties: { a: { type: string }, b: { type: string } } } } }',
    ],
    [
      'enum-value-new',
      'state: { type: enum, values: [draft, open] }',
      'state: { type: enum, values: [draft, open, gone] }',
      'state: { type: enum, values: [draft, open, { value: gone, since: 2, as: draft }] }',
    ],
    [
      'enum-value-gone',
      'state: { type: enum, values: [draft, open] }',
      'state: { type: enum, values: [draft] }',
      'state: { type: enum, values: [draft, { value: open, until: 1, as: draft }] }',
    ],
    [
      'nested-path-gone',
      'author_id: { type: reference, to: authors, nested: true }',
      'author_id: { type: reference, to: authors }',
      'author_id: { type: reference, to: authors, nested: { as: books, until: 1 } }',
    ],
    [
      'nested-path-gone',
      'author_id: { type: reference, to: authors, nested: true }',
      'author_id: { type: reference, to: authors, nested: written_books }',
      'author_id: { type: reference, to: authors, nested: { as: written_books, name_in: { 1: books } } }',
    ],
  ])('%s: %s', async (code, before, after, advised) => {
    const was = shop(two, ...field(before));
    expect(await broken(was, shop(two, ...field(after)))).toEqual(
      expect.arrayContaining([expect.stringMatching(`^${code} breaks version 1: `)]),
    );
    expect(await broken(was, shop(two, ...field(advised)))).toEqual([]);
  });

  test('collection-renamed', async () => {
    const titles = (rest: string): string =>
      `  titles: { ${rest}, fields: { title: { type: string } } }`;
    const was = shop(two, BOOKS);
    expect(await broken(was, shop(two, titles('renamed_from: books')))).toEqual([
      expect.stringMatching(/^collection-renamed .*\n {2}Write "name_in: \{ 1: books \}" on it\.$/),
    ]);
    expect(await broken(was, shop(two, titles('name_in: { 1: books }')))).toEqual([]);
  });

  test('member-renamed, where it is unique together with another: that is no other rule', async () => {
    const books = (name: string): string =>
      `  books: { fields: { a: { type: integer }, ${name}: { type: integer, renamed_from: b } }, unique: [[a, ${name}]] }`;
    const was = shop(two, books('b').replace(', renamed_from: b', ''));
    expect(await broken(was, shop(two, books('c')))).toEqual([
      expect.stringMatching(/^member-renamed /),
    ]);
  });

  test('collection-gone', async () => {
    const was = shop(two, AUTHORS, BOOKS);
    expect(await broken(was, shop(two, AUTHORS))).toEqual([
      expect.stringMatching(/^collection-gone .*\n {2}Write .* again, with "until: 1"\.$/),
    ]);
    const until = BOOKS.replace('{ fields', '{ until: 1, fields');
    expect(await broken(was, shop(two, AUTHORS, until))).toEqual([]);
  });

  test('a filter by what the team converts is told as what it is', async () => {
    const books = (price: string): string =>
      `  books: { fields: { title: { type: string }, price: ${price} }, filter: [price] }`;
    const was = shop(two, books('{ type: integer }'));
    const team = '{ type: list, of: integer, type_in: { 1: { type: integer } } }';
    expect(
      await broken(was, shop(two, books(team).replace('filter: [price]', 'filter: []'))),
    ).toEqual([expect.stringContaining('\n  Write "filter: [price]".')]);
    const converted = '{ type: string, type_in: { 1: { type: integer } } }';
    expect(await broken(was, shop(two, books(converted)))).toEqual([
      'filter-gone breaks version 1: collection books no longer has the filter price: clients that filter by it get 400\n  Keep its type, or write a "type_in" that needs no functions of yours: the database cannot compare what they convert.',
    ]);
  });
});

describe('whose items are', () => {
  const members = (user: string) => `  members: { fields: { name: { type: string }, ${user} } }`;
  const loans = (fields: string, owner: string) =>
    `  loans: { fields: { tool: { type: string }, ${fields} }, permissions: { read: owner, update: owner }${owner} }`;
  const USER = 'user_id: { type: reference, to: users }';
  const MEMBER = 'member_id: { type: reference, to: members';
  const path = ', owner: member_id.user_id';
  const both = 'versions: [1, 2]';

  test('may not change for a version that has the path', async () => {
    const before = shop(both, members(USER), loans(`${MEMBER} }, ${USER}`, path));
    const after = shop(both, members(USER), loans(`${MEMBER} }, ${USER}`, ', owner: user_id'));
    expect(await broken(before, before)).toEqual([]);
    expect(await broken(before, after)).toEqual([
      'owner-changed breaks version 1: collection loans has items that belong to the users at user_id, and belonged to the users at member_id.user_id: clients that read or change their own items reach others than before, and may create only those that belong to them\n  Write "owner: member_id.user_id" again.',
    ]);
  });

  test('may go by other names in it', async () => {
    const before = shop(both, members(USER), loans(`${MEMBER} }`, path));
    const renamed = members(
      'account_id: { type: reference, to: users, renamed_from: user_id, name_in: { 1: user_id } }',
    );
    const after = shop(both, renamed, loans(`${MEMBER} }`, ', owner: member_id.account_id'));
    expect(await broken(before, after)).toEqual([]);
  });

  test('goes by the names of the version in messages, and by those of today in advice', async () => {
    const named = loans(`${MEMBER}, name_in: { 1: person_id } }, ${USER}`, path);
    const after = named.replace(path, '').replace(USER, `${USER.slice(0, -1)}, since: 2 }`);
    expect(
      await broken(shop(both, members(USER), named), shop(both, members(USER), after)),
    ).toEqual([
      expect.stringContaining('member-gone'),
      'owner-changed breaks version 1: collection loans has items that belong to their creators, and belonged to the users at person_id.user_id: clients that read or change their own items reach others than before\n  Write "owner: member_id.user_id" again.',
    ]);
  });

  test.each([
    [
      '',
      ', owner: user_id',
      'belong to the users at user_id, and belonged to their creators',
      'Leave "owner" out.',
    ],
    [
      ', owner: user_id',
      path,
      'belong to the users at member_id.user_id, and belonged to the users at user_id',
      'Write "owner: user_id" again.',
    ],
  ])('may not change for a version without the path: %s to %s', async (from, to, what, hint) => {
    const fields = `${MEMBER}, since: 2 }, user_id: { type: reference, to: users, since: 2 }`;
    const of = (owner: string) => shop(both, members(USER), loans(fields, owner));
    expect(await broken(of(from), of(from))).toEqual([]);
    expect(await broken(of(from), of(to))).toEqual([
      `owner-changed breaks version 1: collection loans has items that ${what}: clients that read or change their own items reach others than before, and may create only those that belong to them\n  ${hint}`,
    ]);
  });

  const club = (owner: string) =>
    `  clubs: { fields: { name: { type: string } }, permissions: { read: owner, create: [admin] }, owner: ${owner} }`;
  const linking = (name: string, user: string, link = 'club_id: { type: reference, to: clubs') =>
    `  ${name} fields: { ${link}, unique: true }, ${user} } }`;

  test('may not change by another linking collection, and may by another name of it', async () => {
    const [cards, seats] = [linking('cards: {', USER), linking('seats: {', USER)];
    const before = shop(both, club('cards.user_id'), cards, seats);
    expect(await broken(before, before)).toEqual([]);
    expect(await broken(before, shop(both, club('seats.user_id'), cards, seats))).toEqual([
      'owner-changed breaks version 1: collection clubs has items that belong to the users at seats.user_id, and belonged to the users at cards.user_id: clients that read their own items reach others than before\n  Write "owner: cards.user_id" again.',
    ]);
    const link =
      'group_id: { type: reference, to: clubs, renamed_from: club_id, name_in: { 1: club_id }';
    const passes = linking('passes: { renamed_from: cards, name_in: { 1: cards },', USER, link);
    expect(await broken(before, shop(both, club('passes.user_id'), passes, seats))).toEqual([]);
    const named = shop(
      both,
      club('passes.user_id'),
      linking('passes: { name_in: { 1: cards },', USER),
      seats,
    );
    const after = shop(
      both,
      club('seats.user_id'),
      linking('passes: { name_in: { 1: cards },', USER),
      seats,
    );
    expect(await broken(named, after)).toEqual([
      expect.stringMatching(
        / the users at seats\.user_id, and belonged to the users at cards\.user_id: .*\n  Write "owner: passes\.user_id" again\.$/,
      ),
    ]);
  });

  test.each(['since: 2,', ''])(
    'may not change for a version without the linking collection, or without its reference: %s',
    async (since) => {
      const link = `club_id: { type: reference, to: clubs${since === '' ? ', since: 2' : ''}`;
      const of = (owner: string) =>
        shop(
          both,
          club(owner),
          linking(`cards: { ${since}`, USER, link),
          linking(`seats: { ${since}`, USER, link),
        );
      expect(await broken(of('cards.user_id'), of('cards.user_id'))).toEqual([]);
      expect(await broken(of('cards.user_id'), of('seats.user_id'))).toEqual([
        expect.stringMatching(
          /^owner-changed breaks version 1: .*\n  Write "owner: cards\.user_id" again\.$/,
        ),
      ]);
    },
  );

  test('may be said where nobody acted as owner', async () => {
    const plain = `  loans: { fields: { ${USER} }, permissions: { read: [admin] } }`;
    const owned = `  loans: { fields: { ${USER} }, permissions: { read: [admin, owner] }, owner: user_id }`;
    expect(await broken(shop(both, plain), shop(both, owned))).toEqual([]);
  });
});
