/** What `import --again` must not remove: fields, references and definitions that it cannot merge stay, and it says so. */
import { describe, expect, test } from 'vitest';

import { definitionValue } from '../../../src/reimport/edit-yaml.ts';
import { expectedTables, isOtherDatabase } from '../../../src/reimport/removed-tables.ts';
import { parseLock } from '../../../src/reimport/import-lock.ts';
import { FILMS, told, useDatabase } from './support.ts';

const importFrom = useDatabase();

const collection = (name: string): string => `definitions/collections/${name}.yaml`;
const REVIEWS = collection('reviews');

const TABLES = `
  create table "film" (
    "film_id" serial primary key,
    "title" varchar(40) not null,
    "length" integer,
    "lang" integer
  );
  create index on "film" ("title");
  create index on "film" ("lang");
  create table "language" ("id" serial primary key, "name" text);
  create table "review" ("id" serial primary key, "film_id" integer references "film", "text" text);
  create index on "review" ("film_id")`;

function rename(files: Map<string, string>, from: string, to: string): void {
  files.set(to, files.get(from) ?? '');
  files.delete(from);
}

describe('a reference to a collection without a definition', () => {
  test('stays if its collection was renamed, and then its table', async () => {
    const imported = await importFrom(TABLES);
    rename(imported.files, FILMS, collection('movies'));
    imported.edit(REVIEWS, 'to: films', 'to: movies');
    const files = new Map(imported.files);
    const notes = [
      `${REVIEWS} the field of the column film_id stays as it is: there is no definition of movies`,
      ' the table movie is not added: there is another collection movies',
      `${collection('movies')} the definition stays because it was edited, but the database has no table film`,
    ];
    const sql = 'alter table "film" rename to "movie"';
    expect(told(await imported.again(sql)).toSorted()).toEqual(notes.toSorted());
    expect(told(await imported.again('')).toSorted()).toEqual(notes.toSorted());
    expect(imported.files).toEqual(files);
    expect(imported.lock).toContain('film_id: { type: reference, to: films }');
    // That is what the team has to do.
    imported.edit(collection('movies'), 'table: film', 'table: movie');
    expect(told(await imported.again(''))).toEqual([]);
  });

  test('stays a plain field if the team removed the other collection', async () => {
    const imported = await importFrom(TABLES);
    imported.files.delete(collection('languages'));
    const note = `${FILMS} the field of the column lang stays as it is: there is no definition of languages`;
    const sql = 'alter table "film" add foreign key ("lang") references "language"';
    const files = new Map(imported.files);
    expect(told(await imported.again(sql))).toEqual([note]);
    expect(imported.files).toEqual(files);
    expect(imported.files.get(FILMS)).toContain('filter: [title, lang]');
    expect(imported.lock).toContain('lang: { type: integer');
    expect(imported.lock).not.toContain('to: languages');
    imported.files.set(
      collection('languages'),
      'table: language\nkey: integer\nhistory: {}\nfields:\n  name: { type: text }\n',
    );
    expect(told(await imported.again(''))).toContain('~ lang is called lang_id');
  });
});

describe('another database', () => {
  test.each<[found: readonly string[], isOther: boolean]>([
    [['film', 'language', 'review'], false],
    [['film', 'language'], false],
    [['film'], true],
    [[], true],
  ])('with the tables %j of three: %j', async (found, isOther) => {
    const imported = await importFrom(TABLES);
    const lock = parseLock(imported.lock ?? '') ?? {
      options: { schemas: [], skip: [], adopt: true },
      imported: [],
      leftOut: [],
      leftOutColumns: [],
    };
    const read = { options: { schemas: ['public'] }, tables: new Set(found) };
    const expected = expectedTables(lock, imported.files, read);
    expect(isOtherDatabase(expected)).toBe(isOther);
    // Whoever removes the definitions by hand may go on.
    for (const path of expected.gone) imported.files.delete(path);
    expect(isOtherDatabase(expectedTables(lock, imported.files, read))).toBe(false);
  });
});

test('tables of a schema that is not read keep their definitions, and references to them', async () => {
  const sql = `create schema "sales"; create table "sales"."buyer" ("id" serial primary key, "name" text);
    create table "sale" ("id" serial primary key, "buyer_id" integer references "sales"."buyer", "sum" integer)`;
  const imported = await importFrom(sql, true, ['public', 'sales']);
  const files = new Map(imported.files);
  expect(files.get(collection('sales'))).toContain('to: buyers');
  expect(told(await imported.again('', { schemas: ['public'] }))).toEqual([]);
  expect(imported.files).toEqual(files);
  expect(told(await imported.again(''))).toEqual([]);
  expect(told(await imported.again('drop table "sales"."buyer" cascade'))).toContain(
    `${collection('buyers')} is removed`,
  );
});

test('references to a table that is skipped, or can no longer be used, stay', async () => {
  const imported = await importFrom(TABLES);
  const files = new Map(imported.files);
  expect(told(await imported.again('', { skip: ['skipped', 'film'] }))).toEqual([]);
  expect(told(await imported.again('alter table "film" add "area" polygon not null'))).toEqual([
    expect.stringContaining(`${FILMS} the definition stays, but import leaves out film`),
  ]);
  expect(imported.files).toEqual(files);
  // Without its foreign key it is no reference.
  const sql = 'alter table "review" drop constraint "review_film_id_fkey"';
  expect(told(await imported.again(sql, { skip: ['skipped', 'film'] }))).toContain(
    '~ film_id.type reference → integer',
  );
});

test('each definition over a table gets the changes of its columns, and the first one the new columns', async () => {
  const imported = await importFrom(TABLES);
  imported.edit(FILMS, /\n {2}length.*/, '');
  const details = collection('details');
  imported.files.set(
    details,
    'table: film\nkey: { type: integer, column: film_id }\nhistory: {}\nfields:\n  minutes: { column: length, type: integer, minimum: -2147483648, maximum: 2147483647 }\n  name: { column: title, type: string, max_length: 40, required: true }\n',
  );
  const sql = 'alter table "film" alter "title" type varchar(60), add "sub" text, drop "length"';
  expect(told(await imported.again(sql)).toSorted()).toEqual([
    '+ sub { type: text }',
    '- minutes',
    '~ name.max_length 40 → 60',
    '~ title.max_length 40 → 60',
  ]);
  expect(imported.files.get(details)).not.toContain('sub');
  expect(told(await imported.again(''))).toEqual([]);
});

test('a new column whose name is taken in the first definition is not added to the second one', async () => {
  const imported = await importFrom(TABLES);
  imported.edit(FILMS, /  lang: \{/, '  sub: { column: lang,');
  imported.edit(FILMS, /\blang\b(?=[,\]])(?<!column: lang)/g, 'sub');
  const details = 'table: film\nkey: { type: integer, column: film_id }\nhistory: {}\nfields:\n';
  const name = '  name: { column: title, type: string, max_length: 40, required: true }\n';
  imported.files.set(collection('details'), details + name);
  expect(told(await imported.again('alter table "film" add "sub" text'))).toEqual([
    `${FILMS} the column sub is not added: there is another field sub`,
  ]);
  expect(imported.files.get(collection('details'))).toBe(details + name);
});

test('soft_delete stays when another column has such a name', async () => {
  const imported = await importFrom(
    'create table "film" ("id" serial primary key, "code" text, "removed_at" timestamptz); create unique index "codes" on "film" ("code") where "removed_at" is null',
  );
  imported.edit(FILMS, /\n  removed_at: .*/, '');
  imported.edit(FILMS, 'fields:', 'soft_delete: { column: removed_at }\nfields:');
  imported.edit(FILMS, /\nunique:[^]*/, '\n');
  // The index is over all rows that lists have.
  expect(told(await imported.again(''))).toEqual([
    '~ sort [] → [code]',
    '+ filter [code]',
    '+ unique [{ fields: [code], name: codes }]',
  ]);
  expect(told(await imported.again('alter table "film" add "deleted_at" timestamptz'))).toEqual([
    '+ deleted_at { type: timestamp }',
  ]);
  expect(told(await imported.again(''))).toEqual([]);
});

test('a column that the team has written as a time, or as the mark of removed rows, gets no field', async () => {
  const imported = await importFrom(TABLES);
  const own = 'history: { created_at: made }\nsoft_delete: { column: gone }';
  imported.edit(FILMS, 'history: {}', own);
  const sql = `alter table "film" add "made" timestamptz not null default now(), add "gone" timestamptz`;
  expect(told(await imported.again(sql))).toEqual([]);
  expect(told(await imported.again(''))).toEqual([]);
});

test('a column that can no longer be a field takes its field along, with the reason', async () => {
  const imported = await importFrom(TABLES);
  const sql = 'alter table "film" alter "length" type polygon using null';
  expect(told(await imported.again(sql))).toEqual([
    '- length',
    `${FILMS} length can no longer be a field: polygon has no field type`,
  ]);
  expect(told(await imported.again(''))).toEqual([]);
});

describe('--keep-edits', () => {
  test('keeps a field whose column is gone in all lists', async () => {
    const imported = await importFrom(TABLES);
    imported.edit(FILMS, '  title: {', '  title: { description: Ours,');
    const files = new Map(imported.files);
    const sql = 'alter table "film" drop "title"';
    expect((await imported.again(sql)).conflicts.length).toBe(1);
    expect(told(await imported.again('', { keepEdits: true })).length).toBe(1);
    expect(imported.files).toEqual(files);
    expect(told(await imported.again(''))).toEqual([]);
  });

  test('keeps the type of a field that the team sorts by', async () => {
    const imported = await importFrom(
      `create table "film" ("id" serial primary key, "title" varchar(40))`,
    );
    imported.edit(FILMS, 'sort: []', 'sort: [title]');
    const files = new Map(imported.files);
    const sql = 'alter table "film" alter "title" type text';
    const conflict = `${FILMS}:6 title.type: the database says text, the definition says string, the last import said string`;
    expect(told(await imported.again(sql))).toEqual([conflict]);
    expect(told(await imported.again('', { keepEdits: true }))).toEqual([conflict]);
    expect(imported.files).toEqual(files);
    expect(told(await imported.again(''))).toEqual([]);
  });
});

test('a unique rule that both have changed is a conflict', async () => {
  const imported = await importFrom(
    `create table "film" ("id" serial primary key, "a" integer, "b" integer); create unique index "ab" on "film" ("a", "b")`,
  );
  imported.edit(FILMS, 'fields: [a, b], name: ab', 'fields: [a, b], name: ab, where: a > 5');
  const files = new Map(imported.files);
  const sql = 'drop index "ab"; create unique index "ab" on "film" ("b", "a") where "b" > 1';
  const conflict = `${FILMS}:10 unique.ab: the database says { fields: [b, a], name: ab, where: b > 1 }, the definition says { fields: [a, b], name: ab, where: a > 5 }, the last import said { fields: [a, b], name: ab }`;
  expect(told(await imported.again(sql))).toContain(conflict);
  expect(told(await imported.again('', { keepEdits: true }))).toContain(conflict);
  const { unique } = definitionValue(imported.files.get(FILMS) ?? '');
  expect(unique).toEqual(definitionValue(files.get(FILMS) ?? '')['unique']);
  expect(told(await imported.again(''))).toEqual([]);
  // And so is one that goes.
  expect((await imported.again('drop index "ab"')).conflicts.length).toBe(1);
});

test('an edited field with the name of a bound is a conflict when its column goes', async () => {
  const imported = await importFrom(`${TABLES}; alter table "film" add "minimum" integer`);
  imported.edit(FILMS, '  minimum: {', '  minimum: { description: Ours,');
  expect((await imported.again('alter table "film" drop "minimum"')).conflicts.length).toBe(1);
});

test('a type of ours that the new type of the column has all values of stays', async () => {
  const imported = await importFrom(TABLES);
  imported.edit(FILMS, /title: .*/, 'title: { type: integer }');
  imported.edit(FILMS, 'sort: [title', 'sort: [');
  imported.edit(FILMS, 'filter: [title, ', 'filter: [');
  const sql = `drop index "film_title_idx"; alter table "film" alter "title" drop not null, alter "title" type bigint using 1`;
  expect((await imported.again(sql)).conflicts).toEqual([]);
  expect(imported.files.get(FILMS)).toContain('title: { type: integer }');
});

test('a new table whose file is that of another collection is told with the file', async () => {
  const imported = await importFrom(TABLES);
  imported.files.set(collection('notes'), 'name: remarks\nfields:\n  text: { type: text }\n');
  const sql = 'create table "note" ("id" serial primary key, "text" text)';
  expect(told(await imported.again(sql))).toEqual([
    ` the table note is not added: there is the file ${collection('notes')} of the collection remarks`,
  ]);
});

test('a bound of ours stays when the column has none any more', async () => {
  const imported = await importFrom(TABLES);
  imported.edit(FILMS, 'max_length: 40', 'max_length: 30');
  const sql = 'alter table "film" alter "title" type varchar';
  expect(told(await imported.again(sql))).toEqual([]);
  expect(imported.files.get(FILMS)).toContain('max_length: 30');
});

test('entries of indexes that descend get the names of the team', async () => {
  const imported = await importFrom(
    `create table "film" ("id" serial primary key, "title" varchar(40), "made" integer);
      create index on "film" ("title", "made" desc)`,
    false,
  );
  imported.edit(FILMS, '  made: {', '  year: { renamed_from: made,');
  imported.edit(FILMS, '-made', '-year');
  const sql = 'create index on "film" ("made" desc, "title")';
  expect(told(await imported.again(sql))).toContain(
    '~ indexes [[title, -year]] → [[title, -year], [-year, title]]',
  );
});

describe('a lock', () => {
  test('that was cut anywhere is damaged', async () => {
    const { lock = '' } = await importFrom(TABLES);
    expect(parseLock(lock)?.imported.length).toBe(3);
    for (let end = 0; end < lock.length; end += 1) {
      expect(parseLock(lock.slice(0, end))).toBeUndefined();
    }
  });

  test('that does not say whether the tables are used is damaged', async () => {
    const { lock = '' } = await importFrom(TABLES);
    expect(parseLock(lock.replace('adopt: true\n', ''))).toBeUndefined();
    const { lock: other = '' } = await importFrom(TABLES, false);
    expect(parseLock(other)?.options.adopt).toBe(false);
  });
});
