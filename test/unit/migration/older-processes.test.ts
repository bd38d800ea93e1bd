/** What processes of an older version write while a migration is applied, until its contract. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { nextMigrations } from '../../../src/migration/chain.ts';
import type { MigrationFile } from '../../../src/migration/chain.ts';
import { planMigration } from '../../../src/migration/index.ts';
import type { OpenDatabase } from '../../../templates/service/src/platform/database/database.ts';
import { openPglite } from '../../../templates/service/src/platform/database/pglite.ts';
import { apply, inSchema } from './apply.ts';
import { initialSql, modelOf } from './support.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openPglite('memory', console.error);
});
afterAll(() => database.close());

const run = <Row extends object>(text: string): Promise<Row[]> => database.query<Row>({ text });
const books = (fields: string, rest = ''): string =>
  `books: { fields: { ${fields} }${rest === '' ? '' : `, ${rest}`} }`;

/** The files of a change, applied one after the other to a schema with rows. */
async function begin(before: string, now: string, rows: string): Promise<() => Promise<string>> {
  const model = await modelOf(before);
  const first = { name: '0001_initial', text: await initialSql(model) };
  const files: MigrationFile[] = [
    first,
    ...nextMigrations([first], planMigration(model, await modelOf(now))),
  ];
  await inSchema(database, 'migrated');
  let applied = 1;
  await apply(database, files.slice(0, applied));
  await run(rows);
  return async () => {
    if (applied === files.length) throw new Error('all files are applied');
    applied++;
    await apply(database, files.slice(0, applied));
    return (
      files[applied - 1]?.name.replace(/.*?(_(?:fill|finish|switch|contract))?$/, '$1') ?? 'none'
    );
  };
}

/** Until before the contract. */
async function untilContract(next: () => Promise<string>): Promise<void> {
  while ((await next()) !== '_finish');
}

describe('a renamed field', () => {
  const BEFORE = books('title: { type: string, required: true }, price: { type: integer }');
  const NOW = books(
    'name: { type: string, required: true, renamed_from: title }, price: { type: integer }',
  );
  const both = (): Promise<object[]> => run('select "title", "name" from "books" order by "price"');

  test('keeps its value if a row changes before it is filled', async () => {
    const next = await begin(BEFORE, NOW, `insert into "books" ("title", "price") values ('a', 1)`);
    await next();
    await run(`update "books" set "title" = 'a', "price" = 2`);
    expect(await both()).toEqual([{ title: 'a', name: 'a' }]);
  });

  test('gets the value of an older process before it is filled', async () => {
    const next = await begin(BEFORE, NOW, `insert into "books" ("title", "price") values ('a', 1)`);
    await next();
    await run(`update "books" set "title" = 'b', "price" = 2`);
    expect(await both()).toEqual([{ title: 'b', name: 'b' }]);
  });

  test('has the last value, whichever version writes it', async () => {
    const next = await begin(BEFORE, NOW, `insert into "books" ("title", "price") values ('a', 1)`);
    await untilContract(next);
    await run(`insert into "books" ("title", "price") values ('old', 2)`);
    await run(`insert into "books" ("name", "price") values ('new', 3)`);
    const rows = (...values: string[]): object[] =>
      values.map((value) => ({ title: value, name: value }));
    expect(await both()).toEqual(rows('a', 'old', 'new'));
    await run(`update "books" set "name" = "name" || '1', "price" = "price"`);
    expect(await both()).toEqual(rows('a1', 'old1', 'new1'));
    await run(`update "books" set "title" = "title" || '2', "price" = "price"`);
    expect(await both()).toEqual(rows('a12', 'old12', 'new12'));
    await run(`update "books" set "price" = "price" + 1`);
    expect(await both()).toEqual(rows('a12', 'old12', 'new12'));
    expect(await next()).toBe('_contract');
    expect(await run('select "name" from "books"')).toHaveLength(3);
  });

  test('may become null by either version', async () => {
    const next = await begin(
      books('a: { type: string }'),
      books('b: { type: string, renamed_from: a }'),
      `insert into "books" ("a") values ('x'), ('y')`,
    );
    while ((await next()) !== '_fill');
    await run(`update "books" set "a" = null where "a" = 'x'`);
    await run(`update "books" set "b" = null where "b" = 'y'`);
    const empty = { a: null, b: null };
    expect(await run('select "a", "b" from "books"')).toEqual([empty, empty]);
  });
});

describe('a field that becomes required', () => {
  const BACKFILL = `it's $$ $1; -- \\n`;

  test('has its backfill where an older process writes null', async () => {
    const next = await begin(
      books('a: { type: string }, n: { type: integer }'),
      books(
        `a: { type: string, required: true, backfill: ${JSON.stringify(BACKFILL)} }, n: { type: integer }`,
      ),
      'insert into "books" ("n") values (1)',
    );
    const values = (): Promise<object[]> => run('select "a" from "books" order by "n"');
    await next();
    await run(`insert into "books" ("a", "n") values (null, 2), ('x', 3)`);
    expect(await next()).toBe('_fill');
    await run('update "books" set "a" = null where "n" = 1');
    expect(await next()).toBe('_finish');
    await run('update "books" set "a" = null where "n" = 2');
    const filled = { a: BACKFILL };
    expect(await values()).toEqual([filled, filled, { a: 'x' }]);
    expect(await next()).toBe('_contract');
    await expect(run('update "books" set "a" = null')).rejects.toThrow('not-null');
  });
});

describe('a field of another type', () => {
  test('is converted in rows that older processes write meanwhile', async () => {
    const next = await begin(
      books('n: { type: integer }, a: { type: string }', 'sort: [n]'),
      books('n: { type: string, max_length: 9 }, a: { type: string }', 'sort: [n]'),
      `insert into "books" ("n", "a", "updated_at") values (1, 'a', '2026-01-01Z'), (2, 'b', default), (3, 'c', default)`,
    );
    expect(await next()).toBe('');
    await run(`update "books" set "n" = 20 where "a" = 'b'`);
    await run(`update "books" set "n" = null where "a" = 'c'`);
    await run(`insert into "books" ("n", "a") values (4, 'd')`);
    expect(await next()).toBe('_fill');
    await run(`update "books" set "n" = 30 where "a" = 'c'`);
    expect(await next()).toBe('_finish');
    await run(`insert into "books" ("n", "a") values (null, 'e')`);
    expect(await next()).toBe('_switch');
    expect(await run('select "n" from "books" order by "a"')).toEqual(
      ['1', '20', '30', '4', null].map((n) => ({ n })),
    );
    expect(await run(`select from "books" where "updated_at" = '2026-01-01Z'`)).toHaveLength(1);
  });

  test('takes no value that has no form in the new type', async () => {
    const next = await begin(
      books('n: { type: string }'),
      books('n: { type: integer }'),
      `insert into "books" ("n") values ('1')`,
    );
    expect(await next()).toBe('');
    for (const statement of ['insert into "books" ("n") values', 'update "books" set "n" =']) {
      await expect(run(`${statement} ('many')`)).rejects.toMatchObject({
        code: '23514',
        message: 'A value of "n" in "books" does not fit into integer',
      });
    }
    while ((await next()) !== '_switch');
    expect(await run('select "n"::text from "books"')).toEqual([{ n: '1' }]);
  });

  test('that becomes required has its backfill where an older process writes none, until the contract', async () => {
    const next = await begin(
      books('n: { type: integer }, a: { type: string }'),
      books('n: { type: string, required: true, backfill: none }, a: { type: string }'),
      `insert into "books" ("a") values ('a')`,
    );
    let file = await next();
    for (const name of ['b', 'c', 'd']) {
      await run(`insert into "books" ("a") values ('${name}')`);
      file = await next();
    }
    expect(file).toBe('_switch');
    await run(`insert into "books" ("a") values ('e')`);
    await run(`update "books" set "n" = null where "a" = 'a'`);
    expect(await run('select distinct "n" from "books"')).toEqual([{ n: 'none' }]);
    expect(await next()).toBe('_contract');
    await expect(run(`insert into "books" ("a") values ('f')`)).rejects.toThrow('not-null');
  });

  test('has its new default once the columns are switched, and the old one before', async () => {
    const next = await begin(
      books('n: { type: integer, default: 1 }'),
      books('n: { type: string, default: "2" }'),
      'select 1',
    );
    do await run('insert into "books" default values');
    while ((await next()) !== '_switch');
    await run('insert into "books" default values');
    expect(await run('select "n" from "books" order by "created_at"')).toEqual(
      ['1', '1', '1', '2'].map((n) => ({ n })),
    );
  });

  test.each([
    ['an index', 'create index "mine" on "books" ((abs("n")))', 'index mine'],
    [
      'a constraint',
      'alter table "books" add constraint "mine" check ("n" > 0)',
      'constraint mine on table books',
    ],
    ['a view', 'create view "mine" as select "n" from "books"', 'rule _RETURN on view mine'],
    [
      'a trigger',
      `create function "mine"() returns trigger language plpgsql as 'begin return new; end';
      create trigger "mine" before update of "n" on "books" for each row execute function "mine"()`,
      'trigger mine on table books',
    ],
    [
      'a generated column',
      'alter table "books" add "mine" bigint generated always as ("n" + 1) stored',
      'default value for column mine of table books',
    ],
  ])('is not replaced while %s of the team depends on it', async (_what, sql, name) => {
    const begins = (rows: string): Promise<() => Promise<string>> =>
      begin(
        books(
          'n: { type: integer, default: 1, required: true }',
          'sort: [n], unique: [{ fields: [n], where: "n > 7" }]',
        ),
        books('n: { type: string, required: true, default: one }', 'sort: [n]'),
        rows,
      );
    const refusal = `These depend on "n" of "books", which a new column replaces: ${name}`;
    await expect((await begins(sql))()).rejects.toThrow(refusal);
    // Added by a migration of another branch.
    const next = await begins('select 1');
    while ((await next()) !== '_finish');
    await run(sql);
    await expect(next()).rejects.toThrow(refusal);
  });

  test('is unique in its new form before the columns are switched', async () => {
    const next = await begin(
      books('n: { type: decimal, precision: 5, scale: 2, unique: true }'),
      books('n: { type: decimal, precision: 5, scale: 1, unique: true }'),
      'insert into "books" ("n") values (1.11)',
    );
    while ((await next()) !== '_finish');
    await expect(run('insert into "books" ("n") values (1.12)')).rejects.toThrow('unique');
    await run('insert into "books" ("n") values (1.2)');
    expect(await next()).toBe('_switch');
    expect(await run('select "n" from "books" order by 1')).toEqual([{ n: '1.1' }, { n: '1.2' }]);
  });
});

describe('a search', () => {
  const FIELDS = 'a: { type: string }, b: { type: string }';
  const words = (): Promise<object[]> => run('select "_words" from "books" order by "a"');

  test('over other fields indexes the rows of older processes again in the contract', async () => {
    const next = await begin(
      books(FIELDS, 'search: [a]'),
      books(FIELDS, 'search: [a, b]'),
      `insert into "books" ("a", "b", "_words") values ('one', 'two', '{one}')`,
    );
    while ((await next()) !== '_fill');
    await run(
      `insert into "books" ("a", "b", "_words", "updated_at") values ('three', 'four', '{three}', '2026-01-01Z')`,
    );
    expect(await next()).toBe('_contract');
    expect(await words()).toEqual([{ _words: ['one', 'two'] }, { _words: ['three', 'four'] }]);
    expect(await run(`select from "books" where "updated_at" = '2026-01-01Z'`)).toHaveLength(1);
  });

  test('that is removed marks rows of newer processes as not indexed until the contract', async () => {
    const next = await begin(
      books(FIELDS, 'search: [a]'),
      books(FIELDS),
      `insert into "books" ("a", "_words") values ('one', '{one}')`,
    );
    await run(`update "books" set "a" = 'two'`);
    expect(await words()).toEqual([{ _words: ['one', ''] }]);
    await next();
    expect(await run('select * from "books"')).toMatchObject([{ a: 'two' }]);
  });
});

test('a unique index over a removed field is dropped before the contract', async () => {
  const next = await begin(
    books('a: { type: string }, b: { type: boolean, default: false }', 'unique: [[a, b]]'),
    books('a: { type: string }'),
    `insert into "books" ("a") values ('x')`,
  );
  expect(await next()).toBe('');
  await run(`insert into "books" ("a") values ('x')`);
  expect(await next()).toBe('_contract');
});
