/** What holds for rows that SQL writes by hand. */
import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { beforeAll, beforeEach, expect, test } from 'vitest';

import { buryTrigger } from '../../../src/migration/statements.ts';
import type {
  Database,
  OpenDatabase,
} from '../../../templates/service/src/platform/database/database.ts';
import { fillWords } from '../../../templates/service/src/platform/database/fill-words.ts';
import { apply, inSchema } from './apply.ts';
import { catalogOf, initialSql, modelOf, modelOfFile } from './support.ts';

const id = (n: number): string => `01890a5d-ac96-774b-bcce-b302099a800${n}`;

/** What is in the database before each test. */
const ROWS = `
  insert into "users" ("id", "username", "password_hash", "roles") values ('${id(1)}', 'ada', 'x', '{}');
  insert into "tokens" ("id", "user_id", "hash") values ('${id(2)}', '${id(1)}', 'y');
  insert into "authors" ("id", "name", "motto", "_owner_id")
    values ('${id(3)}', 'Frank', repeat('sand ', 1000), '${id(1)}');
  insert into "books" ("id", "title", "subtitle", "isbn", "pages", "author_id", "editor_id", "_words", "_words_v1", "_owner_id")
    values ('${id(4)}', 'Dune', 'Spice', '9780441172719', 412, '${id(3)}', '${id(3)}', '{dune,spice}', '{dune}', '${id(1)}');
  delete from "tokens"`;

const CLEAR = `set search_path = written; delete from "books"; delete from "authors";
  delete from "users"; delete from "_tombstones"`;

/** As the emitted src/collections/searched-tables.ts has it. */
const BOOKS = {
  name: '"books"',
  words: [
    { column: '"_words"', texts: ['"title"', '"subtitle"'] },
    { column: '"_words_v1"', texts: ['"title"'] },
  ],
};
const IS_MARKED = `"_words" @> '{""}'`;

interface Book {
  readonly id: string;
  readonly updated_at: string;
  readonly words: readonly string[];
  readonly words_v1: readonly string[];
}

const UNIQUE_VIOLATION = '23505';

/** Declares the tests. @param open gives the database, once it is there. */
export function testSqlWrites(open: () => OpenDatabase): void {
  let database: OpenDatabase;
  let catalog: readonly string[];
  const run = <Row>(text: string): Promise<Row[]> => database.query<Row>({ text });
  const book = async (title: string): Promise<Book> => {
    const rows = await run<Book>(
      `select "id", "updated_at", "_words" as "words", "_words_v1" as "words_v1" from "books" where "title" = '${title}'`,
    );
    expect(rows).toHaveLength(1);
    return rows[0] as Book;
  };

  beforeAll(async () => {
    database = open();
    const definitions = await readFile(new URL('sql-writes.yaml', import.meta.url), 'utf8');
    const text = await initialSql(await modelOfFile(definitions));
    await inSchema(database, 'written');
    await apply(database, [{ name: '0001_initial', text }]);
    catalog = await catalogOf(database);
  });
  beforeEach(() => run(`${CLEAR}; ${ROWS}`));

  test('the schema needs no MD5, and has no index that another one serves for', () => {
    // A server in FIPS mode has no MD5.
    expect(catalog.filter((line) => line.includes('md5'))).toEqual([]);
    // What is declared is as lists use it.
    const indexes = catalog.filter((line) => /index/i.test(line)).join('\n');
    for (const name of ['authors__name__sort', 'books__editor_id__idx']) {
      expect.soft(indexes).not.toContain(name);
    }
    expect(indexes).toMatch(/books__author_id__printed_on__index .*printed_on IS NULL.*, id\)/);
  });

  test('SQL inserts rows without an id and words; they are found once they are indexed', async () => {
    const start = Date.now();
    await run(`insert into "books" ("title", "subtitle", "isbn", "pages")
      values ('Emma', 'Highbury', '9780141439587', 474)`);
    const made = await book('Emma');
    expect(made.id).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    const time = Number.parseInt(made.id.replaceAll('-', '').slice(0, 12), 16);
    expect(Math.abs(time - start)).toBeLessThan(60_000);

    expect(await fillWords(database, BOOKS, IS_MARKED)).toBe(1);
    expect(await book('Emma')).toEqual({
      ...made,
      words: ['emma', 'highbury'],
      words_v1: ['emma'],
    });
    expect(await fillWords(database, BOOKS, IS_MARKED)).toBe(0);
  });

  test('a text that SQL changes is indexed anew, and the item is another one by that', async () => {
    const before = await book('Dune');
    await run(`update "books" set "pages" = 413 where "title" = 'Dune'`);
    expect(await fillWords(database, BOOKS, IS_MARKED)).toBe(0);
    await run(`update "books" set "subtitle" = 'Melange' where "title" = 'Dune'`);
    const changed = await book('Dune');
    expect(Date.parse(changed.updated_at)).toBeGreaterThanOrEqual(Date.parse(before.updated_at));
    expect(changed.updated_at).not.toBe(before.updated_at);
    // Until then it is found by what it was.
    expect(changed.words).toContain('spice');
    expect(await fillWords(database, BOOKS, IS_MARKED)).toBe(1);
    expect(await book('Dune')).toEqual({
      ...changed,
      words: ['dune', 'melange'],
      words_v1: ['dune'],
    });
  });

  test('a change that gives the words is not indexed again; one that leaves them is, and stays found', async () => {
    await run(`update "books" set "title" = 'Sand', "_words" = '{sand,melange}', "_words_v1" = '{sand}'
      where "title" = 'Dune'`);
    expect(await fillWords(database, BOOKS, IS_MARKED)).toBe(0);
    await run(`update "books" set "title" = 'Dune!', "_words" = "_words", "_words_v1" = "_words_v1"
      where "title" = 'Sand'`);
    expect((await book('Dune!')).words).toEqual(['sand', 'melange', '']);
    await run(`update "books" set "title" = 'Dune' where "title" = 'Dune!'`);
    expect((await book('Dune')).words).toEqual(['sand', 'melange', '']);
    expect(await fillWords(database, BOOKS, IS_MARKED)).toBe(1);
    expect((await book('Dune')).words).toEqual(['dune', 'spice']);
  });

  test('a change of a row that is not indexed yet is a change, whatever else it does', async () => {
    await run(`update "books" set "subtitle" = 'Melange' where "title" = 'Dune'`);
    const before = await book('Dune');
    expect(before.words).toContain('');
    await run(`update "books" set "pages" = 1, "_words" = '{dune,melange}' where "title" = 'Dune'`);
    expect((await book('Dune')).updated_at).not.toBe(before.updated_at);
  });

  test('what changes while it is being indexed is left for the next time', async () => {
    await run(`update "books" set "subtitle" = 'Sand' where "title" = 'Dune'`);
    let isChanged = false;
    const racing: Pick<Database, 'query'> = {
      query: async (statement, values) => {
        const rows = await database.query<never>(statement, values);
        if (!isChanged) await run(`update "books" set "subtitle" = 'Worms' where "title" = 'Dune'`);
        isChanged = true;
        return rows;
      },
    };
    await fillWords(racing, BOOKS, IS_MARKED);
    expect((await book('Dune')).words).toContain('');
    expect(await fillWords(database, BOOKS, IS_MARKED)).toBe(1);
    expect((await book('Dune')).words).toEqual(['dune', 'worms']);
  });

  test('all rows are indexed, and texts of many bytes some at a time', async () => {
    await run(`insert into "books" ("title", "isbn", "pages", "subtitle")
      select 'many', n::text, n, repeat(n || ' ', 700000) from generate_series(1, 8) n`);
    const read: number[] = [];
    const counting: Pick<Database, 'query'> = {
      query: async (statement, values) => {
        const rows = await database.query<never>(statement, values);
        if (statement.text.startsWith('select') && rows.length > 0) read.push(rows.length);
        return rows;
      },
    };
    expect(await fillWords(counting as Database, BOOKS, IS_MARKED)).toBe(8);
    // Of 1.4 MB each, rows are read until they are more than 4 MiB.
    expect(read).toEqual([3, 3, 2]);
    const words = await run(
      `select count(distinct "_words")::int as "count" from "books" where "title" = 'many'`,
    );
    expect(words).toEqual([{ count: 8 }]);
  });

  test('an item stays as it is when its owner is removed, and not when what it shows is cleared', async () => {
    const before = await book('Dune');
    await run(`delete from "users" where "username" = 'ada'`);
    expect(await book('Dune')).toEqual(before);
    expect(await run('select from "books" where "_owner_id" is not null')).toEqual([]);
    await run(`update "books" set "author_id" = null`);
    const unowned = await book('Dune');
    await run('delete from "authors"');
    expect((await book('Dune')).updated_at).not.toBe(unowned.updated_at);
  });

  test('the removal of 100,000 rows by a cascade takes as long for each row as that of fewer, and leaves a tombstone of each', async () => {
    // With no more indexes than it needs: it is their removal that is tried.
    await run(`create table "leaves" ("id" uuid primary key default "_new_id"(),
        "user_id" uuid references "users" ("id") on delete cascade);
      create index on "leaves" ("user_id");
      ${buryTrigger('leaves', 'leaves')}`);
    const remove = async (count: number): Promise<number> => {
      await run(`insert into "users" ("id", "username", "password_hash", "roles")
          values ('${id(9)}', 'leaver', 'x', '{}');
        insert into "leaves" ("user_id") select '${id(9)}' from generate_series(1, ${count});
        delete from "_tombstones"`);
      const start = performance.now();
      await run(`delete from "users" where "id" = '${id(9)}'`);
      const duration = performance.now() - start;
      const counts = await run(
        'select "collection", count(*)::int as "count" from "_tombstones" group by 1 order by 1',
      );
      expect(counts).toEqual([
        { collection: 'leaves', count },
        { collection: 'users', count: 1 },
      ]);
      return duration;
    };
    // Ten times the rows: ten times as long if each costs the same, a hundred times if each reads all. Before and
    // after, because what else the machine does changes.
    const before = await remove(10_000);
    let duration = await remove(100_000);
    // PostgreSQL ends a statement of the service after 10 seconds. On a busy machine the fastest of three counts.
    for (let more = 2; more > 0 && duration >= 10_000; more -= 1) {
      duration = Math.min(duration, await remove(100_000));
    }
    expect(duration).toBeLessThan(10_000);
    expect(duration).toBeLessThan(50 * Math.max(before, await remove(10_000)));
    await run('drop table "leaves"');
  });

  test('values of any length fit into their indexes', async () => {
    const model = await modelOf(`notes:
  fields:
    free: { type: string, unique: true }
    whole: { type: string, max_length: 671, unique: true }
    longer: { type: string, max_length: 672, unique: true }
    one: { type: string, max_length: 330 }
    other: { type: string, max_length: 335 }
    third: { type: string, max_length: 400 }
    wide: { type: decimal, precision: 1000, scale: 0 }
    broad: { type: decimal, precision: 1000, scale: 0 }
  sort: [free, other]
  unique: [[one, other], [other, third], [wide, broad, third]]
  indexes: [[wide, broad, third], [third, free], [free, other, -one], [other, -wide]]`);
    const indexes = model.collections[0]?.table.indexes.filter(({ unique }) => unique);
    expect(indexes?.map(({ on }) => on)).toEqual([
      ['_digest("free")'],
      ['"whole"'],
      ['_digest("longer")'],
      ['"one"', '"other"'],
      ['"other"', '_digest("third")'],
      ['"wide"', '"broad"', '_digest("third")'],
    ]);
    await inSchema(database, 'fresh');
    await apply(database, [{ name: '0001_initial', text: await initialSql(model) }]);
    // Nothing that PostgreSQL could compress: four bytes a character.
    const text = (length: number): string =>
      Array.from({ length }, () => String.fromCodePoint(randomInt(0x20000, 0x2a6df))).join('');
    const digits = (): string => Array.from({ length: 1000 }, () => randomInt(1, 10)).join('');
    const texts = [text(5000), text(671), text(672), text(330), text(335), text(400)];
    const values = [...texts, digits(), digits()];
    const insert = {
      text: `insert into "notes" ("free", "whole", "longer", "one", "other", "third", "wide", "broad")
        values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    };
    await database.query(insert, values);
    for (const at of [0, 1, 2]) {
      const others = values.map((_value, place) =>
        place === at ? values[at] : place < texts.length ? text(9) : digits(),
      );
      await expect(database.query(insert, others)).rejects.toMatchObject({
        code: UNIQUE_VIOLATION,
      });
    }
  });
}
