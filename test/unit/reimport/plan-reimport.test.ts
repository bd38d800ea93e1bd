/** `import --again`: what a database changes comes into the definitions, and what the team wrote stays. */
import { describe, expect, test } from 'vitest';

import { FILMS, told, useDatabase } from './support.ts';
import type { Imported } from './support.ts';

const importFrom = useDatabase();

const TABLES = `
  create type "mood" as enum ('sad', 'happy');
  create table "language" ("language_id" serial primary key, "name" varchar(20) not null);
  create table "film" (
    "film_id" serial primary key,
    "title" varchar(40) not null,
    "length" smallint check ("length" > 0),
    "mood" "mood" default 'sad',
    "language_id" integer not null references "language",
    "added" timestamptz,
    "user_id" integer
  );
  create index on "film" ("title")`;

/** What is told of each new definition. */
const OPEN =
  'whoever is signed in can read and change all its items, until you write permissions into it';

const LANGUAGES = 'definitions/collections/languages.yaml';

test('nothing has changed', async () => {
  const imported = await importFrom(TABLES);
  const { lock } = imported;
  expect(told(await imported.again(''))).toEqual([]);
  expect(imported.lock).toBe(lock);
});

test.each<[what: string, sql: string, changes: readonly string[]]>([
  ['a new column', 'alter table "film" add "sub" text', ['+ sub { type: text }']],
  ['a column that is gone', 'alter table "film" drop "length"', ['- length', '- checks']],
  [
    'another length',
    'alter table "film" alter "title" type varchar(60)',
    ['~ title.max_length 40 → 60'],
  ],
  [
    'another type',
    'alter table "film" alter "title" type integer using 1',
    [
      '~ title.type string → integer',
      '- title.max_length',
      '+ title.minimum -2147483648',
      '+ title.maximum 2147483647',
    ],
  ],
  ['nulls', 'alter table "film" alter "title" drop not null', ['- title.required']],
  [
    'a value of an enum type',
    `alter type "mood" add value 'calm' before 'happy'`,
    ['~ mood.values [sad, happy] → [sad, calm, happy]'],
  ],
  [
    'another default',
    `alter table "film" alter "mood" set default 'happy'`,
    ['~ mood.default sad → happy'],
  ],
  [
    'a unique index of one column',
    'create unique index "one" on "film" ("title")',
    ['+ unique [{ fields: [title], name: one }]'],
  ],
  [
    'an index',
    'create index on "film" ("added")',
    ['~ sort [title] → [title, added]', '~ filter [title] → [title, added]'],
  ],
  [
    'a foreign key that is gone',
    'alter table "film" drop constraint "film_language_id_fkey"',
    [
      '~ language_id.type reference → integer',
      '- language_id.to',
      '+ language_id.minimum -2147483648',
      '+ language_id.maximum 2147483647',
    ],
  ],
  [
    'a foreign key to a table that is left out',
    'create table "users" ("id" serial primary key); alter table "film" add foreign key ("user_id") references "users"',
    ['~ user_id is called user_number', ' users is not added: no column can become a field'],
  ],
  [
    'a generated column',
    'alter table "film" add "upper" text generated always as (upper("title")) stored',
    ['+ upper { type: text, generated: true }'],
  ],
  [
    'a column that becomes a generated one',
    'alter table "film" drop "mood", add "mood" "mood" generated always as (null) stored',
    ['- mood.default', '+ mood.generated true'],
  ],
  [
    'a column whose default is no constant',
    'alter table "film" add "token" uuid not null default gen_random_uuid()',
    ['+ token { type: uuid, required: true, database_default: true, write_only: true }'],
  ],
  [
    'a default that becomes an expression',
    'alter table "film" alter "mood" set default (enum_range(null::"mood"))[1]',
    ['- mood.default', '+ mood.database_default true'],
  ],
  ['a comment', `comment on column "film"."title" is 'The name'`, ['+ title.description The name']],
])('%s', async (_what, sql, changes) => {
  const imported = await importFrom(TABLES);
  const before = imported.files.get(FILMS)?.split('\n') ?? [];
  imported.edit(FILMS, 'fields:', '# ours\nfields: # of a film');
  const result = await imported.again(sql);
  expect(told(result).toSorted()).toEqual([...changes].toSorted());
  const after = imported.files.get(FILMS) ?? '';
  expect(after).toContain('\n# ours\nfields: # of a film\n');
  // Lines that say the same are the same.
  const kept = before.filter((line) => after.includes(`${line}\n`));
  expect(kept.length).toBeGreaterThan(before.length - 5);
  expect(told(await imported.again(''))).toEqual([]);
});

test('a new table', async () => {
  const imported = await importFrom(TABLES);
  const sql = `create table "review" ("review_id" serial primary key, "film" integer references "film", "text" text)`;
  expect(told(await imported.again(sql))).toEqual([
    'definitions/collections/reviews.yaml is new',
    `definitions/collections/reviews.yaml ${OPEN}`,
  ]);
  expect(imported.files.get('definitions/collections/reviews.yaml')).toBe(
    `# yaml-language-server: $schema=../../node_modules/create-service/schema/collection.schema.json
table: review
key: { type: integer, column: review_id }
history: {}
fields:
  film_id: { type: reference, to: films, column: film }
  text: { type: text }
sort: []
`,
  );
});

describe('a table that an older version left out because of its name', () => {
  const SCHEMAS = ['public', 'sales'];
  const CREATE = `create schema "sales"; create table "film" ("id" int, "title" text);
    create table "sales"."film" ("id" serial primary key, "price" int);
    create table "shows" (
      "id" serial primary key, "film_id" int, "sold_id" int references "sales"."film", "note" text
    )`;
  /** Makes the table without a definition one that could be used from the start. */
  const COMPLETE = `alter table "film" add primary key ("id");
    alter table "shows" add foreign key ("film_id") references "film"`;

  test('gets a definition, and the other one keeps its name', async () => {
    const imported = await importFrom(CREATE, true, SCHEMAS);
    const added = await imported.again(COMPLETE, { schemas: SCHEMAS });
    expect(told(added)).toContain('definitions/collections/public_films.yaml is new');
    expect(imported.files.get(FILMS)).toContain('table: sales.film');
    expect(imported.files.get('definitions/collections/shows.yaml')).toMatch(
      /film_id: .* to: public_films [^]*sold_id: .* to: films /,
    );
    expect(told(await imported.again('', { schemas: SCHEMAS }))).toEqual([]);
  });

  test('gets the name if the team has given the other one another', async () => {
    const imported = await importFrom(CREATE, true, SCHEMAS);
    const sold = 'definitions/collections/sold_films.yaml';
    imported.files.set(sold, imported.files.get(FILMS) ?? '');
    imported.files.delete(FILMS);
    imported.edit('definitions/collections/shows.yaml', 'to: films', 'to: sold_films');
    const added = await imported.again(COMPLETE, { schemas: SCHEMAS });
    expect(told(added)).toContain(`${FILMS} is new`);
    expect(imported.files.get(FILMS)).toContain('table: film\n');
    expect(imported.files.get('definitions/collections/shows.yaml')).toMatch(
      /film_id: .* to: films [^]*sold_id: .* to: sold_films /,
    );
    expect(told(await imported.again('', { schemas: SCHEMAS }))).toEqual([]);
  });
});

test('a table and a column keep their names when others come that are called so', async () => {
  const imported = await importFrom(
    'create table "film" ("id" serial primary key, "big title" text)',
  );
  const before = imported.files.get(FILMS);
  expect(before).toContain('big_title: { type: text, column: big title }');
  await imported.again(`alter table "film" add "big_title" text;
    create table "films" ("id" serial primary key, "price" int)`);
  const after = imported.files.get(FILMS);
  expect(after).toContain('big_title: { type: text, column: big title }');
  expect(after).toContain('big_title_2: { type: text, column: big_title }');
  expect(imported.files.get('definitions/collections/film_items.yaml')).toContain('price');
  expect(told(await imported.again(''))).toEqual([]);
});

test('a time that takes nulls becomes one of the times, and follows its column', async () => {
  const imported = await importFrom(
    'create table "film" ("film_id" serial primary key, "title" text, "created_at" date)',
  );
  expect(imported.files.get(FILMS)).toContain('history: {}');
  await imported.again('alter table "film" alter "created_at" type timestamptz');
  expect(imported.files.get(FILMS)).toContain(
    'history: { created_at: { column: created_at, nullable: true } }',
  );
  expect(told(await imported.again(''))).toEqual([]);
  await imported.again('alter table "film" alter "created_at" set not null');
  expect(imported.files.get(FILMS)).toContain('history: { created_at: created_at }');
  expect(told(await imported.again(''))).toEqual([]);
});

describe('a table users, which an older version left out', () => {
  const USERS = 'create table "users" ("id" serial primary key, "email" text)';
  const ACCOUNTS = 'definitions/collections/user_accounts.yaml';
  const PROFILES = `create table "profile" ("id" serial primary key, "user_id" integer references "users", "text" text)`;
  const PROFILE = 'definitions/collections/profiles.yaml';
  const PLAIN =
    'user_number: { type: integer, minimum: -2147483648, maximum: 2147483647, column: user_id }';

  /** What a version wrote that left the table out. */
  async function importedBefore(): Promise<Imported> {
    const imported = await importFrom(`${USERS}; ${PROFILES}`);
    imported.files.delete(ACCOUNTS);
    const reference = 'user_id: { type: reference, to: user_accounts }';
    imported.edit(PROFILE, reference, PLAIN);
    imported.lock = (imported.lock ?? '')
      .replace(reference, PLAIN)
      .replace(/---\ncollection: user_accounts\n[^]*?(?=---\n|\.{3}\n)/, '')
      .replace('adopt: true', 'adopt: true\nleft_out: [users]');
    expect(imported.lock).toContain('user_number');
    expect(imported.lock).not.toContain('user_accounts');
    return imported;
  }

  test('becomes a definition, and what refers to it a reference', async () => {
    const imported = await importedBefore();
    expect(told(await imported.again(''))).toEqual([
      '~ user_number is called user_id',
      '~ user_id.type integer → reference',
      '- user_id.minimum',
      '- user_id.maximum',
      '+ user_id.to user_accounts',
      `${ACCOUNTS} is new`,
      `${ACCOUNTS} ${OPEN}`,
    ]);
    expect(imported.files.get(ACCOUNTS)).toContain('table: users\n');
    expect(told(await imported.again(''))).toEqual([]);
    imported.files.delete(ACCOUNTS);
    imported.edit(PROFILE, /user_id: .*/, PLAIN);
    expect(told(await imported.again(''))).toEqual([]);
  });

  test('stays as it is if the team has a definition of it', async () => {
    const imported = await importedBefore();
    const path = 'definitions/collections/people.yaml';
    imported.files.set(
      path,
      'table: users\nkey: integer\nhistory: {}\nfields:\n  email: { type: text }\nsort: []\n',
    );
    imported.edit(PROFILE, PLAIN, 'user_id: { type: reference, to: people }');
    expect(told(await imported.again(''))).toEqual([]);
  });
});

test('a table keeps the columns of its ids', async () => {
  const imported = await importFrom(
    `create table "kind" ("code" text not null unique, "name" text, "x" int not null, "y" int not null, unique ("x", "y"))`,
  );
  const path = 'definitions/collections/kinds.yaml';
  expect(imported.files.get(path)).toContain('key: { type: string, column: code,');
  const changed = await imported.again('alter table "kind" add "number" smallserial primary key');
  expect(told(changed)[0]).toBe('+ number { type: integer, set_by: service, default: sequence }');
  expect(imported.files.get(path)).toContain('key: { type: string, column: code,');
  // Without it, ids come from the key that is there.
  const other = await imported.again('alter table "kind" drop constraint "kind_code_key"');
  expect(told(other)).toContain('~ key.type string → smallint');
});

test('the id of several columns stays beside a later primary key', async () => {
  const imported = await importFrom(
    'create table "kind" ("the x" int, "y" int, "name" text, primary key ("the x", "y"))',
  );
  const sql =
    'alter table "kind" drop constraint "kind_pkey", add unique ("the x", "y"), add "id" smallserial primary key';
  expect(told(await imported.again(sql))).not.toContain('- key');
  expect(imported.files.get('definitions/collections/kinds.yaml')).toContain('fields: [the_x, y]');
});

test('a new table or view that cannot be used is told once, with the reason', async () => {
  const imported = await importFrom(`${TABLES}; create view "known" as select 1 as "one"`);
  const added = await imported.again(
    'create view "short" as select * from "film"; create table "films" ("id" uuid primary key)',
  );
  expect(told(added)).toEqual([
    ' films is not added: no column can become a field',
    ' short is not added: it is a view',
  ]);
  expect(told(await imported.again(''))).toEqual([]);
});

describe('a column that cannot be used', () => {
  const REASON = '"price" is left out: numeric has no precision and scale that a decimal can have';

  test('is told with a new table, and once', async () => {
    const imported = await importFrom(TABLES);
    const reviews = 'definitions/collections/reviews.yaml';
    const sql =
      'create table "review" ("review_id" serial primary key, "text" text, "price" numeric)';
    const added = told(await imported.again(sql));
    expect(added).toContain(`${reviews} ${REASON}`);
    expect(added).toHaveLength(3);
    expect(told(await imported.again(''))).toEqual([]);
  });

  test('is told once when it comes', async () => {
    const imported = await importFrom(`${TABLES}; alter table "film" add "area" point`);
    const added = await imported.again('alter table "film" add "price" numeric, add "note" text');
    expect(told(added)).toEqual(['+ note { type: text }', `${FILMS} ${REASON}`]);
    expect(told(await imported.again(''))).toEqual([]);
  });

  test('is not told if the team has a field for it', async () => {
    const imported = await importFrom(TABLES);
    imported.edit(
      FILMS,
      '  added:',
      '  price: { type: decimal, precision: 9, scale: 2 }\n  added:',
    );
    expect(told(await imported.again('alter table "film" add "price" numeric'))).toEqual([]);
  });
});

test('a new table that cannot be used is not told if the team has a definition of it', async () => {
  const imported = await importFrom(TABLES);
  imported.files.set(
    'definitions/collections/openings.yaml',
    'table: short\nfields: { film_id: { type: integer } }\n',
  );
  const sql = 'create view "short" as select * from "film"';
  expect(told(await imported.again(sql))).toEqual([]);
});

describe('a table that is gone', () => {
  test('takes a definition with it that nobody edited', async () => {
    const imported = await importFrom(TABLES);
    const result = await imported.again('drop table "film"');
    expect(told(result)).toEqual([`${FILMS} is removed`]);
    expect(imported.lock).not.toContain('films');
  });

  test('leaves one that was edited, and says so each time', async () => {
    const imported = await importFrom(TABLES);
    imported.edit(FILMS, 'sort:', '# by title\nsort:');
    const note = `${FILMS} the definition stays because it was edited, but the database has no table film`;
    expect(told(await imported.again('drop table "film"'))).toEqual([note]);
    expect(told(await imported.again(''))).toEqual([note]);
  });

  test('leaves the reference of a table of the team, so that all is refused', async () => {
    const imported = await importFrom(TABLES);
    imported.files.set(
      'definitions/collections/notes.yaml',
      'fields:\n  film_id: { type: reference, to: films }\n',
    );
    expect(told(await imported.again('drop table "film"'))).toEqual([
      `${FILMS} is removed`,
      'to "films" is not a collection. Write "languages", "notes" or "users".',
    ]);
    expect(imported.files.has(FILMS)).toBe(true);
  });

  test('that can no longer be used keeps its definition', async () => {
    const imported = await importFrom(TABLES);
    const result = await imported.again('alter table "film" add "area" polygon not null');
    expect(told(result)).toEqual([
      `${FILMS} the definition stays, but import leaves out film: each row needs a value of area, which cannot be a field; polygon has no field type`,
    ]);
  });
});

describe('what the team wrote', () => {
  test('a renamed member gets the changes of its column, in all lists and checks', async () => {
    const imported = await importFrom(TABLES);
    imported.edit(FILMS, '  title: {', '  name: { column: title,');
    imported.edit(FILMS, 'sort: [title]', 'sort: [name]');
    imported.edit(FILMS, 'filter: [title]', 'filter: [name]');
    const sql = `alter table "film" alter "title" type varchar(60), add unique ("title", "length"),
      add constraint "long" check ("title" <> 'x' or "length" = 1)`;
    expect(told(await imported.again(sql))).toEqual([
      '~ name.max_length 40 → 60',
      "+ checks.long { rule: name != 'x' or length = 1 }",
      '+ unique [[name, length]]',
    ]);
    expect(told(await imported.again(''))).toEqual([]);
  });

  test('a field that was removed stays removed, and no new list names it', async () => {
    const imported = await importFrom(TABLES);
    imported.edit(FILMS, /\n {2}added.*/, '');
    const sql = `create index on "film" ("added"); alter table "film" alter "added" set not null`;
    expect(told(await imported.again(sql))).toEqual([]);
  });

  test('a field that was written before its column came stays as it is', async () => {
    const imported = await importFrom(TABLES);
    imported.edit(FILMS, 'fields:', 'fields:\n  tagline: { type: string, column: sub }');
    expect(told(await imported.again('alter table "film" add "sub" varchar(9)'))).toEqual([]);
  });

  test('a member whose name a new column has stays, and the column is named each time', async () => {
    const imported = await importFrom(TABLES);
    imported.edit(FILMS, '  length: {', '  minutes: { column: length,');
    imported.edit(FILMS, /rule: length/, 'rule: minutes');
    imported.edit(FILMS, '  added: {', '  length: { column: added,');
    const note = `${FILMS} the column sub is not added: there is another field sub`;
    imported.edit(FILMS, '  title: {', '  sub: { column: title,');
    imported.edit(FILMS, 'sort: [title]', 'sort: [sub]');
    imported.edit(FILMS, 'filter: [title]', 'filter: [sub]');
    expect(told(await imported.again('alter table "film" add "sub" text'))).toEqual([note]);
    expect(told(await imported.again(''))).toEqual([note]);
  });

  test('a renamed collection is that of its table, and the one that references lead to', async () => {
    const imported = await importFrom(TABLES);
    const text = imported.files.get(LANGUAGES) ?? '';
    imported.files.delete(LANGUAGES);
    imported.files.set('definitions/collections/tongues.yml', text);
    imported.edit(FILMS, 'to: languages', 'to: tongues');
    const sql = `alter table "language" add "code" text;
      alter table "film" add "original_id" integer references "language"`;
    expect(told(await imported.again(sql))).toEqual([
      '+ original_id { type: reference, to: tongues }',
      '+ code { type: text }',
    ]);
  });

  test('a collection that was removed stays removed, and nothing new refers to it', async () => {
    const imported = await importFrom(TABLES);
    imported.files.delete(LANGUAGES);
    imported.edit(
      FILMS,
      /language_id: .*/,
      'language_number: { type: integer, column: language_id }',
    );
    const sql = 'alter table "film" add "original_id" integer references "language"';
    const note = `${FILMS} the column original_id is not added: there is no definition of languages`;
    expect(told(await imported.again(sql))).toEqual([note]);
  });

  test('a collection of the team has the name that a new table would have', async () => {
    const imported = await importFrom(TABLES);
    imported.files.set('definitions/collections/reviews.yaml', 'fields:\n  text: { type: text }\n');
    const sql = 'create table "review" ("id" serial primary key, "text" text)';
    const note = ' the table review is not added: there is another collection reviews';
    expect(told(await imported.again(sql))).toEqual([note]);
    expect(told(await imported.again(''))).toEqual([note]);
  });

  test('bounds within those of the database stay', async () => {
    const imported = await importFrom(TABLES);
    imported.edit(FILMS, 'max_length: 40', 'max_length: 10');
    imported.edit(FILMS, 'minimum: -32768, maximum: 32767', 'minimum: 1, maximum: 900');
    const sql = `alter table "film" alter "title" type varchar(50), alter "length" type integer`;
    expect(told(await imported.again(sql))).toEqual([]);
  });

  test('bounds of entries within those of the database stay', async () => {
    const imported =
      await importFrom(`${TABLES}; create domain "year" as integer check (value >= 1900 and value < 2100);
      alter table "film" add "tags" varchar(40)[], add "codes" varchar(40)[], add "years" integer[], add "of" varchar(40)[]`);
    imported.edit(FILMS, /(?<=tags: .*)max_length: 40/, 'max_length: 10');
    imported.edit(FILMS, /(?<=codes: .*)max_length: 40/, 'max_length: 80');
    imported.edit(FILMS, /(?<=years: .*)minimum: -2147483648/, 'minimum: 1950');
    imported.edit(FILMS, /(?<= of: .*)max_length: 40/, 'max_length: 10');
    const sql = `alter table "film" alter "years" type "year"[], alter "tags" type varchar(60)[], alter "codes" type varchar(60)[], alter "of" type text[]`;
    expect(told(await imported.again(sql))).toEqual([
      '~ years.of.maximum 2147483647 → 2099',
      '~ of.of.type string → text',
      `${FILMS}:13 codes.of.max_length: the database says 60, the definition says 80, the last import said 40`,
    ]);
  });
});

describe('conflicts', () => {
  test('are told with their lines, and nothing is written', async () => {
    const imported = await importFrom(TABLES);
    imported.edit(FILMS, 'max_length: 40', 'max_length: 80');
    imported.edit(FILMS, 'default: sad', 'description: How it feels., default: sad');
    const before = new Map(imported.files);
    const sql = `alter table "film" alter "title" type varchar(60), drop "mood", add "sub" text`;
    const conflicts = [
      `${FILMS}:6 title.max_length: the database says 60, the definition says 80, the last import said 40`,
      `${FILMS}:8 mood: the database says nothing, the definition says { type: enum, values: [sad, happy], stored: mood, description: How it f…, the last import said { type: enum, values: [sad, happy], stored: mood, default: sad }`,
    ];
    const result = await imported.again(sql);
    expect(told(result)).toEqual(['+ sub { type: text }', ...conflicts]);
    expect(imported.files).toEqual(before);
    expect(told(await imported.again(''))).toEqual(told(result));
  });

  test('are resolved by the value of the database, or by keeping that of the definition', async () => {
    const imported = await importFrom(TABLES);
    imported.edit(FILMS, 'max_length: 40', 'max_length: 80');
    imported.edit(FILMS, 'default: sad', 'default: happy');
    const sql = `alter type "mood" add value 'calm'; commit; alter table "film" alter "title" type varchar(60), alter "mood" set default 'calm'`;
    expect((await imported.again(sql)).conflicts.length).toBe(2);
    imported.edit(FILMS, 'max_length: 80', 'max_length: 60');
    expect((await imported.again('')).conflicts.length).toBe(1);
    const kept = await imported.again('', { keepEdits: true });
    expect(kept.conflicts.length).toBe(1);
    expect(imported.files.get(FILMS)).toContain(
      'values: [sad, happy, calm], stored: mood, default: happy',
    );
    expect(told(await imported.again(''))).toEqual([]);
    // Until the database changes again.
    const again = await imported.again(`alter table "film" alter "mood" set default 'sad'`);
    expect(again.conflicts.length).toBe(1);
  });
});

test('definitions that would not be valid are refused', async () => {
  const imported = await importFrom(TABLES);
  imported.edit(FILMS, 'max_length: 40', "max_length: 40, pattern: '^[a-z ]+$'");
  const before = new Map(imported.files);
  const { issues } = await imported.again('alter table "film" alter "title" type integer using 1');
  expect(issues.map(({ message }) => message)).toEqual([expect.stringContaining('pattern')]);
  expect(imported.files).toEqual(before);
});

test('a table that import skips is neither new nor gone', async () => {
  const imported = await importFrom(TABLES);
  const sql = 'create table "skipped" ("id" serial primary key, "text" text)';
  expect(told(await imported.again(sql))).toEqual([]);
});

test('without a lock, the definitions stay, and what they lack is listed once', async () => {
  const imported = await importFrom(TABLES);
  imported.lock = undefined;
  imported.edit(FILMS, /\n {2}added.*/, '');
  imported.files.delete(LANGUAGES);
  imported.edit(FILMS, /\n {2}language_id.*/, '');
  const before = new Map(imported.files);
  expect(told(await imported.again(''))).toEqual([
    `${FILMS} the column language_id of film has no field`,
    `${FILMS} the column added of film has no field`,
    ' the table language has no definition',
  ]);
  expect(imported.files).toEqual(before);
  expect(told(await imported.again('alter table "film" add "sub" text'))).toEqual([
    '+ sub { type: text }',
  ]);
});

test('definitions for new tables are merged, too', async () => {
  const imported = await importFrom(TABLES, false);
  imported.edit(FILMS, '  title: {', '  name: { renamed_from: title,');
  imported.edit(FILMS, 'sort: [created_at, title]', 'sort: [created_at, name]');
  imported.edit(FILMS, 'filter: [language_id, title]', 'filter: [language_id, name]');
  const sql = `alter table "film" alter "title" type varchar(60), add "sub" text; drop table "film" cascade;
    create table "film" ("film_id" serial primary key, "title" varchar(70) not null)`;
  const result = await imported.again(sql);
  expect(told(result)).toEqual(expect.arrayContaining(['~ name.max_length 40 → 70', '- length']));
  expect(told(await imported.again(''))).toEqual([]);
});

describe.each([
  ['tables that the definitions use', true],
  ['new tables', false],
])('a new table with the name of another collection, in definitions for %s', (_what, adopt) => {
  const FIRST = 'create table "films" ("id" uuid primary key, "title" text, "len" int)';

  test('is added under a name of its own, and the other one goes on', async () => {
    const imported = await importFrom(FIRST, adopt);
    const added = await imported.again(
      'create table "film" ("id" uuid primary key, "note" text); alter table "films" add "extra" int',
    );
    expect(told(added)[0]).toBe('definitions/collections/film_items.yaml is new');
    expect(imported.files.get(FILMS)).toContain('extra');
    await imported.again('alter table "film" add "dirname" text; alter table "film" drop "note"');
    expect(imported.files.get(FILMS)).toMatch(/title[^]*len[^]*extra/);
    expect(imported.files.get(FILMS)).not.toContain('dirname');
    await imported.again('drop table "film"');
    expect(imported.files.get(FILMS)).toContain('extra');
    expect(imported.lock?.match(/from: /g)).toHaveLength(1);
  });

  test('does not become the definition of a table that goes in the same run', async () => {
    const imported = await importFrom(
      `${FIRST}; create table "actors" ("id" uuid primary key, "name" text)`,
      adopt,
    );
    await imported.again(
      'drop table "films"; create table "film" ("id" uuid primary key, "a" text)',
    );
    await imported.again('');
    expect(imported.files.get(FILMS) ?? '').not.toMatch(/title|len/);
    expect(imported.lock).not.toContain('from: films');
  });
});
