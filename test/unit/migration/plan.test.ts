/** What a migration says and asks: bounds, words for people, names, and what definitions lack. */
import { describe, expect, test } from 'vitest';

import { newDraft } from '../../../src/migration/draft.ts';
import { migrationParts } from '../../../src/migration/migration-text.ts';
import { isWiderCheck } from '../../../src/migration/wider-check.ts';
import { planMigration } from '../../../src/migration/index.ts';
import type { Migration } from '../../../src/migration/index.ts';
import { migrationName } from '../../../src/migration/migration-name.ts';
import { buildModel } from '../../../src/model/build.ts';
import type { FieldType } from '../../../src/types/registry.ts';
import type { Model } from '../../../src/model/types.ts';
import { modelOf, modelOfFile } from './support.ts';

/** A migration, with the text of all of its files. */
const plan = async (
  before: string,
  now: string,
): Promise<(Migration & { readonly sql: string }) | undefined> => {
  const migration = planMigration(await modelOf(before), await modelOf(now));
  return migration && { ...migration, sql: sqlOf(migration) };
};

const sqlOf = ({ parts }: Migration): string => parts.map(({ sql }) => sql).join('\n');
const books = (fields: string): string => `books: { fields: { ${fields} } }`;

describe('whether a new check accepts all values of the former one', () => {
  const bounds = (minimum?: number, maximum?: number): FieldType => ({
    ...{ type: 'integer', ...(minimum !== undefined && { minimum }) },
    ...(maximum !== undefined && { maximum }),
  });
  const values = (...all: string[]): FieldType => ({ type: 'enum', values: all });

  test.each<[isWider: boolean, before: FieldType, now: FieldType]>([
    [true, bounds(1, 5), bounds(1, 5)],
    [true, bounds(1, 5), bounds(0, 6)],
    [true, bounds(1, 5), bounds()],
    [true, bounds(1, 5), bounds(undefined, 5)],
    [false, bounds(1, 5), bounds(2, 5)],
    [false, bounds(1, 5), bounds(1, 4)],
    [false, bounds(), bounds(1)],
    [false, bounds(1), bounds(1, 5)],
    [true, values('a', 'b'), values('b', 'c', 'a')],
    [false, values('a', 'b'), values('a', 'c')],
    [true, { type: 'string', maxLength: 5 }, { type: 'text', maxLength: 5 }],
    [false, { type: 'string', maxLength: 6 }, { type: 'text', maxLength: 5 }],
  ])('%s: %j, then %j', (isWider, before, now) => {
    expect(isWiderCheck(before, now)).toBe(isWider);
  });

  test('existing rows are checked only if it does not', async () => {
    const wider = await plan(
      books('pages: { type: integer, minimum: 1, maximum: 9 }'),
      books('pages: { type: integer, minimum: 0, maximum: 9 }'),
    );
    expect(wider?.sql).not.toContain('raise exception');
    const narrower = await plan(
      books('pages: { type: integer, minimum: 0, maximum: 9 }'),
      books('pages: { type: integer, minimum: 1, maximum: 9 }'),
    );
    expect(narrower?.sql).toContain('raise exception');
  });
});

test('a constraint that goes is dropped before another one gets its name', async () => {
  const migration = await plan(
    books('a: { type: string, max_length: 50 }, b: { type: string, max_length: 300 }'),
    books(
      'b: { type: string, max_length: 300, renamed_from: a }, a: { type: string, max_length: 300, renamed_from: b }',
    ),
  );
  expect(migration?.sql.match(/^.*(?:drop|rename|add) constraint .*$/gm)).toEqual([
    '  drop constraint "books__a__check";',
    'alter table "books" rename constraint "books__b__check" to "books__a__check";',
    '  drop constraint if exists "books__b__check",',
    '  add constraint "books__b__check" check (char_length("b") <= 300) not valid;',
  ]);
});

describe('a migration says which tables it locks until their rows are rewritten', () => {
  test.each([
    ['another type of a renamed field', 'b: { type: integer, renamed_from: a }', 'new type of b'],
    [
      'a sequence',
      'a: { type: string }, n: { type: bigint, set_by: service, default: sequence }',
      'numbers of n',
    ],
    [
      'another field of the same name',
      'a: { type: object, properties: { b: { type: boolean } } }',
      'another field called a',
    ],
  ])('%s', async (_what, now, reasons) => {
    const migration = await plan(books('a: { type: string }'), books(now));
    expect(migration?.sql).toContain(`-- - "books" (${reasons})\n\n-- tables: "books"\n`);
    expect([...(migration?.locks ?? [])]).toEqual([['books', reasons]]);
    // All in one transaction: nothing is left to be done later.
    expect(migration?.parts.map(({ suffix }) => suffix)).toEqual(['']);
  });

  test('none for a decimal with more digits that a check names, which gets a new column: PostgreSQL would make the check anew', async () => {
    const ruled = (precision: number): string =>
      `books: { fields: { a: { type: decimal, precision: ${precision}, scale: 2 }, b: { type: decimal, precision: 9, scale: 2 } }, checks: { c: { rule: 'a > b', message: m } } }`;
    const migration = await plan(ruled(10), ruled(12));
    expect(migration?.locks.size).toBe(0);
    expect(migration?.parts.at(-1)?.suffix).toBe('_switch');
    // People know no other name of the field.
    expect(migration?.sql).toContain('violate the check "c" (a > b): ');
  });

  test('none for a decimal with more digits before the point: PostgreSQL does not rewrite the rows', async () => {
    const decimal = (precision: number, scale: number): string =>
      books(`a: { type: decimal, precision: ${precision}, scale: ${scale} }`);
    const suffixes = async (now: string): Promise<string[]> =>
      ((await plan(decimal(10, 2), now))?.parts ?? []).map(({ suffix }) => suffix);
    expect(await suffixes(decimal(12, 2))).toEqual(['']);
    for (const rewritten of [decimal(12, 3), decimal(8, 2)]) {
      expect(await suffixes(rewritten)).toContain('_switch');
    }
  });

  test.each([
    ['a column that is required', 'a: { type: string, required: true }'],
    ['a narrower bound', 'a: { type: string, max_length: 5 }'],
    ['a new field', 'a: { type: string }, b: { type: string, default: x, required: true }'],
    ['a field that goes', 'c: { type: string }'],
  ])('none for %s', async (_what, now) => {
    const migration = await plan(books('a: { type: string }, c: { type: string }'), books(now));
    expect(migration?.locks.size).toBe(0);
    expect(migration?.sql).not.toContain('Locks these tables');
  });
});

describe('the files of a change', () => {
  const suffixes = async (before: string, now: string): Promise<string[] | undefined> =>
    (await plan(before, now))?.parts.map(({ suffix }) => suffix);

  test.each<[what: string, now: string, files: string[]]>([
    ['an optional field without bounds', 'a: { type: string }, b: { type: text }', ['']],
    ['a field with a default', 'a: { type: string }, b: { type: boolean, default: true }', ['']],
    ['a field with bounds', 'a: { type: string }, b: { type: string, max_length: 5 }', ['']],
    [
      'a field with a backfill',
      'a: { type: string }, b: { type: text, required: true, backfill: x }',
      ['', '_contract'],
    ],
    ['a field that is required', 'a: { type: string, required: true }', ['', '_finish']],
    [
      'a field that is required, with a backfill',
      'a: { type: string, required: true, backfill: x }',
      ['', '_fill', '_finish', '_contract'],
    ],
    ['a field that goes', 'b: { type: text }', ['', '_contract']],
  ])('%s', async (_what, now, files) => {
    expect(await suffixes(books('a: { type: string }'), books(now))).toEqual(files);
  });

  test.each<[what: string, before: string, now: string, expands: boolean]>([
    ['a new field', 'a: { type: string }', 'a: { type: string }, b: { type: text }', true],
    ['a narrower bound', 'a: { type: string }', 'a: { type: string, max_length: 5 }', true],
    ['a renamed field', 'a: { type: string }', 'b: { type: string, renamed_from: a }', true],
    [
      'names that are swapped',
      'a: { type: string }, b: { type: string }',
      'a: { type: string, renamed_from: b }, b: { type: string, renamed_from: a }',
      false,
    ],
  ])('of %s say whether older processes go on', async (_what, before, now, expands) => {
    const migration = await plan(books(before), books(now));
    for (const { suffix, sql } of migration?.parts ?? []) {
      expect(/^-- expand$/m.test(sql)).toBe(expands && suffix !== '_contract');
    }
    const fails = '-- Processes of an older version fail until they are replaced: ';
    expect(migration?.sql.includes(fails)).toBe(!expands);
  });

  test('of another type let older processes go on until the columns are switched', async () => {
    const migration = await plan(books('a: { type: string }'), books('a: { type: integer }'));
    const kinds = migration?.parts.map(({ suffix, sql }) => [
      suffix,
      sql.includes('\n-- expand\n'),
      sql.includes('may fail until they are replaced: books.a has another type or form.'),
    ]);
    expect(kinds).toEqual([
      ['', true, false],
      ['_fill', true, false],
      ['_finish', true, false],
      ['_switch', false, true],
    ]);
  });

  test.each([
    ['a reference', 'a_id: { type: string }', 'a_id: { type: reference, to: users }', ''],
    ['a searched text', 'a: { type: string }', 'a: { type: integer }', ', search: [a]'],
  ])('of %s lock the table', async (_what, before, now, search) => {
    const migration = await plan(
      `books: { fields: { ${before} }${search} }`,
      `books: { fields: { ${now} } }`,
    );
    expect(migration?.parts[0]?.sql).toMatch(/^-- - "books" \(new type of a(?:_id)?\)$/m);
  });

  test('of a field and of the name that another one had before are told apart', async () => {
    const migration = await plan(
      books('n: { type: integer }, m: { type: string }'),
      books('n: { type: string }, m: { type: string, renamed_from: n }'),
    );
    expect(migration?.losses).toEqual([]);
    expect(migration?.sql).toContain('rename column "_new_n" to "n"');
    expect(migration?.sql).not.toContain('"_new_m"');
  });

  test('of a decimal that an index computes from are online', async () => {
    const sorted = (precision: number): string =>
      `books: { fields: { a: { type: decimal, precision: ${precision}, scale: 2 } }, sort: [a] }`;
    const files = await suffixes(sorted(10), sorted(12));
    expect(files).toContain('_switch');
  });

  test('of a name that leaves no room for a prefix lock the table', async () => {
    const files = async (length: number): Promise<string[] | undefined> => {
      const name = 'a'.repeat(length);
      return suffixes(books(`${name}: { type: integer }`), books(`${name}: { type: number }`));
    };
    expect(await files(58)).toContain('_switch');
    expect(await files(59)).toEqual(['']);
  });

  test('name a table that is checked before it is changed, so that a start does not wait for that', async () => {
    const first = async (now: string): Promise<string | undefined> =>
      (await plan(books('a: { type: string }'), books(now)))?.parts[0]?.sql;
    expect(await first('a: { type: string, max_length: 5 }')).toContain('\n-- tables: "books"\n');
    expect(await first('a: { type: string }, b: { type: text }')).not.toContain('-- tables:');
  });

  test('lists that change', async () => {
    const listed = (options: string): string =>
      `books: { fields: { a: { type: string, max_length: 9 } }${options} }`;
    const sorted = listed(', sort: [a, created_at]');
    expect(await suffixes(listed(''), sorted)).toEqual(['']);
    expect(await suffixes(sorted, listed(''))).toEqual(['_contract']);
    expect(await suffixes(listed(''), listed(', search: [a]'))).toEqual(['', '_fill', '_finish']);
  });

  test('add a check as not valid, and validate it', async () => {
    const migration = await plan(
      books('a: { type: string, max_length: 9 }'),
      books('a: { type: string, max_length: 5 }'),
    );
    const check = /add constraint "(.+)" check \(.+\) not valid;/.exec(migration?.sql ?? '');
    expect(check).not.toBeNull();
    expect(migration?.sql).toContain(`alter table "books" validate constraint "${check?.[1]}";`);
  });

  test('are applied in the order in which rows are filled before constraints are validated', () => {
    const draft = newDraft();
    draft.expansions.push('select 1;');
    draft.batches.push({ table: 'books', statements: ['select 2;'] });
    draft.finishStatements.push('select 3;');
    const parts = migrationParts(draft, draft.expansions);
    expect(parts.map(({ suffix, sql }) => [suffix, sql.match(/select \d/g)])).toEqual([
      ['', ['select 1']],
      ['_fill', ['select 2']],
      ['_finish', ['select 3']],
    ]);
  });

  test('add a foreign key as not valid, and validate it in `_finish`', async () => {
    const authors = 'authors: { fields: { n: { type: text } } }';
    const migration = await plan(
      `${books('a: { type: string }')}\n${authors}`,
      `${books('a: { type: string }, author_id: { type: reference, to: authors }')}\n${authors}`,
    );
    expect(migration?.parts.map(({ suffix }) => suffix)).toEqual(['']);
    const sql = migration?.sql ?? '';
    const places = [
      '-- expand\n-- no transaction\n-- tables: "books"\n',
      'add column if not exists "author_id" uuid;',
      'foreign key ("author_id") references "authors" ("id")\n  on delete no action deferrable initially deferred not valid;',
      'alter table "books" validate constraint "books__author_id__fkey";',
      'create index concurrently if not exists "books__author_id__idx"',
    ].map((text) => sql.indexOf(text));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  test('drop the tables of removed collections in the contract, and their foreign keys in the first file', async () => {
    const authors = 'authors: { fields: { n: { type: text } } }';
    const migration = await plan(
      `books: { fields: { author_id: { type: reference, to: authors } } }\n${authors}`,
      authors,
    );
    const [first, last] = migration?.parts ?? [];
    expect(first?.sql).toContain('drop constraint if exists "books__author_id__fkey"');
    expect(first?.sql).not.toContain('drop table');
    expect(last).toMatchObject({ suffix: '_contract' });
    expect(last?.sql).toContain(
      '-- contract\n-- no transaction\n\ndrop table if exists "books";\n',
    );
  });
});

test('the name of a migration has at most 60 characters, and counts what it leaves out', () => {
  const long = 'a'.repeat(70);
  expect(migrationName(['add_books', 'add_books', 'add_tags'])).toBe('add_books_and_add_tags');
  expect(migrationName([long])).toBe('a'.repeat(60));
  expect(migrationName([long, 'b', 'c'])).toBe(`${'a'.repeat(49)}_and_2_more`);
  expect(migrationName([`${'a'.repeat(48)}_bc`, 'b', 'c'])).toBe(`${'a'.repeat(48)}_and_2_more`);
});

describe('definitions without a value for existing items are refused', () => {
  test.each([
    ['a field', 'b: { type: string, required: true }', 'field "b"'],
    [
      'a member of an object',
      'in: { type: object, properties: { x: { type: string, required: true } } }',
      'property "x"',
    ],
    [
      'a member deep in an object',
      'in: { type: object, properties: { deep: { type: object, properties: { x: { type: string, required: true } } } } }',
      'property "x"',
    ],
  ])('%s that is new and required', async (_what, now, name) => {
    const before = books(
      'a: { type: string }, in: { type: object, properties: { deep: { type: object, properties: { y: { type: string } } } } }',
    );
    const migration = await plan(before, books(`a: { type: string }, ${now}`));
    expect(migration?.issues).toMatchObject([
      { code: 'needs-backfill', message: expect.stringContaining(name) as string },
    ]);
  });
});

test('another key is refused', async () => {
  const films = (key: string): string => `films: { key: ${key}, fields: { a: { type: string } } }`;
  const migration = await plan(films('bigint'), films('integer'));
  expect(migration?.issues).toMatchObject([
    {
      code: 'key-changed',
      message:
        'the key of "films" is integer, and was bigint when this was last generated: stored ids, references and links would no longer lead anywhere. Write "key: bigint", or add a new collection.',
    },
  ]);
});

test('other fields of a key are refused, unless one is renamed', async () => {
  const pages = (parts: string, more = ''): string =>
    `pages: { table: page, history: {}, key: { fields: [${parts}] }, fields: { ` +
    ['book', 'number', 'side']
      .map(
        (name) =>
          `${name === 'number' && more !== '' ? `place: { ${more}` : `${name}: { `}type: integer, required: true, immutable: true }`,
      )
      .join(', ') +
    ' } }';
  const message = (is: string): string =>
    `the key of "pages" is { fields: [${is}] }, and was { fields: [book, number] } when this was last generated: stored ids, references and links would no longer lead anywhere. Write "key: { fields: [book, number] }", or add a new collection.`;
  for (const is of ['number, book', 'book, side', 'book, number, side']) {
    const migration = await plan(pages('book, number'), pages(is));
    expect(migration?.issues).toMatchObject([{ code: 'key-changed', message: message(is) }]);
  }
  const renamed = pages('book, place', 'renamed_from: number, column: number, ');
  expect((await plan(pages('book, number'), renamed))?.issues).toEqual([]);
  // `renamed_from` may stay.
  const later = renamed.replace('history: {}', 'history: { updated_at: at }');
  expect((await plan(renamed, later))?.issues).toEqual([]);
  // The column is what counts.
  const other = pages('book, place', 'column: number, ');
  expect((await plan(pages('book, number'), other))?.issues).toEqual([]);
});

test.each([
  [
    'an existing table in place of one of the service',
    'films: { fields: { a: { type: string } } }',
    'films: { table: film, fields: { a: { type: string } } }',
    '"films" has an existing table, and had one of its own when this was last generated: its rows would stay behind. Remove "table", or add a new collection.',
  ],
  [
    'a table of the service in place of an existing one',
    'films: { table: film, fields: { a: { type: string } } }',
    'films: { fields: { a: { type: string } } }',
    '"films" has a table of its own, and had an existing one when this was last generated: its rows would stay behind. Write "table:" again, or add a new collection.',
  ],
])('%s is refused', async (_what, before, now, message) => {
  // It has the service have a schema in both.
  const other = 'others: { table: other, fields: { a: { type: string } } }';
  const migration = await plan(`${before}\n${other}`, `${now}\n${other}`);
  expect(migration?.issues).toMatchObject([{ code: 'table-changed', message }]);
});

test('a collection with an existing table whose view stays has no migration', async () => {
  const films = (sort: string): string =>
    `films: { table: film, sort: [${sort}], fields: { a: { type: string } } }`;
  expect(await plan(films(''), films('a'))).toBeUndefined();
});

test.each([
  [
    'a field of an existing table that is added',
    'films: { table: film, fields: { a: { type: string } } }',
    'films: { table: film, fields: { a: { type: string }, b: { type: string } } }',
    '-- Changes the view of the collection films.\n\n-- expand\n-- views\n',
  ],
  [
    'one that is removed',
    'films: { table: film, fields: { a: { type: string }, b: { type: string } } }',
    'films: { table: film, fields: { a: { type: string } } }',
    '-- Changes the view of the collection films.\n--\n-- Processes of an older version fail until they are replaced: "films" has no "b".\n\n-- views\n',
  ],
  [
    'a collection with an existing table that is added',
    '',
    'films: { table: film, fields: { a: { type: string } } }',
    '-- Adds the collection films.\n\n-- expand\n-- views\n',
  ],
])('%s has a migration without statements', async (_what, before, now, sql) => {
  const other = 'others: { table: other, fields: { a: { type: string } } }';
  expect((await plan(`${other}\n${before}`, `${other}\n${now}`))?.parts).toEqual([
    { suffix: '', sql },
  ]);
});

test('older processes do not go on after an existing table has another collection', async () => {
  const films = 'films: { table: film, fields: { a: { type: string } } }';
  const movies = 'movies: { table: film, renamed_from: films, fields: { a: { type: string } } }';
  const parts = (await plan(films, movies))?.parts;
  expect(parts?.[0]?.sql).toContain('"films" is called "movies"');
  expect(parts?.[0]?.sql).not.toContain('-- expand');
  expect(parts?.map(({ suffix }) => suffix)).toEqual(['', '_contract']);
});

test('the view of a collection that is dropped goes once no older process needs it', async () => {
  const other = 'others: { table: other, fields: { a: { type: string } } }';
  const films = 'films: { table: film, fields: { a: { type: string } } }';
  const parts = (await plan(`${other}\n${films}`, other))?.parts;
  expect(parts?.map(({ suffix }) => suffix)).toEqual(['', '_contract']);
  expect(parts?.[1]?.sql).toContain('\ndrop view if exists "films";\n');
});

test.each([
  ['service', undefined, 'Write "schema: service".'],
  [undefined, 'service', 'Remove "schema".'],
  ['shop', 'service', 'Write "schema: shop".'],
])('a schema that changes from %s to %s is refused', async (was, is, advice) => {
  const modelIn = (schema: string | undefined): Promise<Model> =>
    modelOfFile(
      `${schema === undefined ? '' : `schema: ${schema}\n`}collections: { films: { fields: { a: { type: string } } } }`,
    );
  const migration = planMigration(await modelIn(was), await modelIn(is));
  const name = (schema = 'that of the connection'): string => schema;
  expect(migration?.issues).toMatchObject([
    {
      code: 'schema-changed',
      message: `the schema of the service is ${name(is)}, and was ${name(was)} when this was last generated: its tables would stay behind. ${advice}`,
    },
  ]);
});

test('a reference of an unchanged collection is migrated if its target is another collection of the same name', async () => {
  const reviews = 'reviews: { fields: { book_id: { type: reference, to: books } } }';
  const before = await modelOf(`${books('title: { type: string }')}\n${reviews}`);
  const changed = await modelOf(
    `works: { renamed_from: books, fields: { title: { type: string } } }\n${books('title: { type: string }')}\n${reviews}`,
  );
  // What is the same to the letter is read once.
  const same = before.service.collections.find(({ name }) => name === 'reviews')!;
  const now = buildModel({
    ...changed.service,
    collections: changed.service.collections.map((one) => (one.name === 'reviews' ? same : one)),
  });
  const sql = sqlOf(planMigration(before, now)!);
  expect(sql).toBe(sqlOf(planMigration(before, changed)!));
  expect(sql).toContain('Rows of "reviews" in which "book_id" leads to nothing');
});

test('a renamed_from that was applied does nothing when a new field of the old name is removed', async () => {
  const price = 'price: { type: integer, renamed_from: cost }';
  const migration = await plan(books(`${price}, cost: { type: integer }`), books(price));
  expect(migration?.losses.map(({ what }) => what)).toEqual(['books.cost and its values']);
  expect(migration?.sql).toContain('drop column if exists "cost"');
  expect(migration?.sql).not.toContain('rename column');
});

test('the contract fills each column of words that older processes do not keep up to date', async () => {
  const books2 = (b: string): string =>
    `books: { fields: { a: { type: string }, b: { type: string${b} } }, search: [a, b] }`;
  const before = await modelOf('books: { fields: { a: { type: string } }, search: [a] }', '[1, 2]');
  const now = await modelOf(books2(', since: 2'), '[1, 2]');
  const words = now.collections[0]?.table.words.map(({ name }) => name) ?? [];
  expect(words).toHaveLength(2);
  const contract = planMigration(before, now)?.parts.at(-1);
  expect(contract?.suffix).toBe('_contract');
  expect(contract?.sql.match(/^-- fill words: /gm)).toHaveLength(2);
});

describe('renames', () => {
  test('of a collection name its table under both names, because it is measured before', async () => {
    const migration = await plan(
      'books: { fields: { a: { type: string } } }',
      'works: { renamed_from: books, fields: { a: { type: string } }, search: [a], sort: [a] }',
    );
    const lines = migration?.parts.map(({ sql }) => /^-- tables: (.*)$/m.exec(sql)?.[1]);
    expect(lines).toEqual(['"_tombstones"', '"books", "works"', '"books", "works"', undefined]);
  });

  test('of a collection with jobs, and jobs of another collection, stop older processes', async () => {
    const jobs = (name: string, rest = ''): string =>
      `${name}: { ${rest}create: background, fields: { a: { type: string } } }`;
    const expands = async (before: string, now: string): Promise<boolean> =>
      (await plan(before, now))?.sql.includes('-- expand\n') === true;
    expect(await expands(jobs('scans'), jobs('papers', 'renamed_from: scans, '))).toBe(false);
    expect(await expands(jobs('scans'), `${jobs('scans')}\n${jobs('papers')}`)).toBe(false);
    const notes = 'notes: { fields: { a: { type: string } } }';
    expect(await expands(jobs('scans'), `${jobs('scans')}\n${notes}`)).toBe(true);
  });

  test('of a required field give rows that name neither column its default', async () => {
    const migration = await plan(
      books('a: { type: string, required: true, default: x }'),
      books('b: { type: string, required: true, default: x, renamed_from: a }'),
    );
    expect(migration?.sql).toContain(`new."b" := coalesce(new."b", new."a", 'x');`);
  });

  test('of a collection leave a view under the old name, with the old names of its fields', async () => {
    const migration = await plan(
      'books: { fields: { a: { type: string }, b: { type: text } } }',
      'works: { renamed_from: books, fields: { c: { type: string, renamed_from: a } } }',
    );
    const [first, last] = migration?.parts ?? [];
    expect(first?.sql).toContain(
      'create view "books" as\n' +
        '  select "id", "c" as "a", "b", "created_at", "updated_at"\n  from "works";',
    );
    expect(last?.sql).toContain(
      'drop view if exists "books";\n\nalter table "works"\n  drop column if exists "b";',
    );
  });

  test('of a collection whose name another one gets leave no view', async () => {
    const migration = await plan(
      'books: { fields: { a: { type: string } } }',
      'works: { renamed_from: books, fields: { a: { type: string } } }\nbooks: { fields: { b: { type: string } } }',
    );
    expect(migration?.sql).not.toContain('view');
  });

  test.each<[what: string, before: string, now: string]>([
    [
      'that take names from each other',
      'a: { type: string }, b: { type: string }',
      'a: { type: string, renamed_from: b }, b: { type: string, renamed_from: a }',
    ],
    ['with another type', 'a: { type: string }', 'b: { type: text, renamed_from: a }'],
    [
      'of a table that is locked anyway',
      'a: { type: string }, n: { type: string }',
      'b: { type: string, renamed_from: a }, n: { type: bigint, set_by: service, default: sequence }',
    ],
  ])('of fields %s happen in place', async (_what, before, now) => {
    const migration = await plan(books(before), books(now));
    expect(migration?.sql).toContain('rename column');
    expect(migration?.sql).not.toContain('_copy');
  });
});

test('indexes of a renamed field are built under its new name; the old ones are dropped with the old column', async () => {
  const lists = (name: string, renamed = ''): string =>
    `books: { fields: { ${name}: { type: string, max_length: 20${renamed} }, shelf: { type: integer } }, sort: [${name}], filter: [shelf], unique: [[${name}, shelf]], indexes: [[shelf, ${name}]] }`;
  const migration = await plan(lists('title'), lists('name', ', renamed_from: title'));
  expect(migration?.parts.map(({ suffix }) => suffix)).toEqual([
    '',
    '_fill',
    '_finish',
    '_contract',
  ]);
  expect(migration?.sql.match(/^create (?:unique )?index concurrently /gm)).toHaveLength(3);
  expect(migration?.sql).not.toMatch(/(?:alter|drop) index/);
});

test('a changed owner path is recorded in the migration even if no column changes', async () => {
  const owned = (fields: string, owner: string): string =>
    `books: { fields: { ${fields} }, permissions: { update: owner }, owner: ${owner} }`;
  const references = 'a_id: { type: reference, to: users }, b_id: { type: reference, to: users }';
  const changed = await plan(owned(references, 'a_id'), owned(references, 'b_id'));
  expect(changed?.name).toBe('books_change_owner');
  expect(changed?.losses).toEqual([]);
  expect(changed?.sql).toContain(
    '-- The owner of each of books is the user at b_id, and was the user at a_id.',
  );
  const cards = (fields: string) => `cards: { fields: { ${fields} } }`;
  const user = 'user_id: { type: reference, to: users }';
  const card = 'card_id: { type: reference, to: cards }';
  const before = `${owned(card, 'card_id.user_id')}\n${cards(user)}`;
  const renamed = `${owned(
    card.replace('card_id', 'pass_id').replace(' }', ', renamed_from: card_id }'),
    'pass_id.reader_id',
  )}\n${cards(user.replace('user_id', 'reader_id').replace(' }', ', renamed_from: user_id }'))}`;
  expect((await plan(before, renamed))?.sql).not.toContain('owner');
  const longer = await plan(
    owned(`${card}, ${user}`, 'user_id') + `\n${cards(user)}`,
    owned(`${card}, ${user}`, 'card_id.user_id') + `\n${cards(user)}`,
  );
  expect(longer?.name).toBe('books_change_owner');
});

test('an owner path over another linking collection is recorded, and one over the renamed one is the same', async () => {
  const owned = (owner: string): string =>
    `books: { fields: { title: { type: string } }, permissions: { update: owner }, owner: ${owner} }`;
  const linking = (name: string, link: string, user: string): string =>
    `${name} fields: { ${link}, unique: true }, ${user} } } }`;
  const [link, user] = [
    'book_id: { type: reference, to: books',
    'user_id: { type: reference, to: users',
  ];
  const cards = linking('cards: {', link, user);
  const seats = linking('seats: {', link, user);
  const changed = await plan(
    `${owned('cards.user_id')}\n${cards}\n${seats}`,
    `${owned('seats.user_id')}\n${cards}\n${seats}`,
  );
  expect(changed?.name).toBe('books_change_owner');
  expect(changed?.sql).toContain(
    '-- The owner of each of books is the user at seats.user_id, and was the user at cards.user_id.',
  );
  const renamed = linking(
    'passes: { renamed_from: cards,',
    link.replace('book_id', 'volume_id') + ', renamed_from: book_id',
    user.replace('user_id', 'reader_id') + ', renamed_from: user_id',
  );
  const before = `${owned('cards.user_id')}\n${cards}`;
  const after = await plan(before, `${owned('passes.reader_id')}\n${renamed}`);
  expect(after?.sql).toContain('"volume_id"');
  expect(after?.sql).not.toContain('The owner');
  // Another unique reference of the same collection.
  const both = (unique: string, other: string): string =>
    `${owned('cards.user_id')}\ncards: { fields: { a_id: { type: reference, to: books${unique} }, b_id: { type: reference, to: books${other} }, ${user} } } }`;
  const other = await plan(both(', unique: true', ''), both('', ', unique: true'));
  expect(other?.name).toContain('books_change_owner');
});
