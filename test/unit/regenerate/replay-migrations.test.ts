/** `check` applies all migrations to an empty PGlite, and compares the schema with the definitions. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { check } from '../../../src/commands/check.ts';
import type { CheckResult } from '../../../src/commands/check.ts';
import { packageVersion } from '../../../src/disk/package.ts';
import { nextMigrations } from '../../../src/migration/chain.ts';
import { makeProject } from './support.ts';
import type { TestProject } from './support.ts';

const PGLITE = fileURLToPath(
  new URL('../../../node_modules/@electric-sql/pglite', import.meta.url),
);

let place = '';
let project: TestProject;
beforeEach(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
  project = await makeProject(path.join(place, 'shop'), {
    'service.yaml': 'name: shop\n',
    'collections/books.yaml':
      'fields:\n  title: { type: string, max_length: 9 }\n  price: { type: integer }\n',
  });
  install();
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

function install(): void {
  const scope = path.join(project.folder, 'node_modules/@electric-sql');
  mkdirSync(scope, { recursive: true });
  symlinkSync(PGLITE, path.join(scope, 'pglite'));
}

async function checked(): Promise<Extract<CheckResult, { ok: true }>> {
  const owner = { pid: process.pid, host: 'here', random: '0a1b2c3d' };
  const result = await check({ cwd: project.folder, owner, isAlive: () => false });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result;
}
const told = async (): Promise<readonly string[]> =>
  (await checked()).findings.map(({ code, message }) => `${code}: ${message}`);
const cache = (): string => path.join(project.folder, 'node_modules/.cache/create-service/schema');

/** A migration of which the record says other things than its SQL does. */
const PRETENDS = `alter table "books" alter column "title" type varchar(3);
alter table "books" drop column "price";
drop index "books__created_at__sort";
create index "more" on "books" ("title");
drop trigger "_touch" on "books";
-- definitions: by create-service ${packageVersion()}
`;

test('tells what a new database would have otherwise, thing by thing', async () => {
  project.write('migrations/0002_pretends.sql', PRETENDS);
  expect((await told()).toSorted()).toEqual([
    'schema-differs: the column title of books is "character varying(3)" by the migrations, and "text collate "C"" by the definitions',
    'schema-differs: the constraint books__title__check of books is "CHECK ((char_length((title)::text) <= 9))" by the migrations, and "CHECK ((char_length(title) <= 9))" by the definitions',
    'schema-differs: the migrations make no column price of books, and the definitions ask for it',
    'schema-differs: the migrations make no constraint books__price__check of books, and the definitions ask for it',
    'schema-differs: the migrations make no index books__created_at__sort of books, and the definitions ask for it',
    'schema-differs: the migrations make no trigger _touch of books, and the definitions ask for it',
    'schema-differs: the migrations make the index more of books, and the definitions do not ask for it',
  ]);
  expect(existsSync(cache())).toBe(false);
});

test('what the team has made in migrations of its own is no difference', async () => {
  project.write(
    'migrations/0002_by_hand.sql',
    `create table "notes" ("text" text not null);
create index "mine" on "books" ("price");
alter table "books" add constraint "cheap" check ("price" < 1000);
alter table "books" add column "shelf" text;
create view "cheap_books" as select "title" from "books";
`,
  );
  project.edit('definitions/collections/books.yaml', (text) => `renamed_from: books\n${text}`);
  project.write(
    'definitions/collections/titles.yaml',
    project.read('definitions/collections/books.yaml'),
  );
  project.write('definitions/collections/books.yaml', undefined);
  await project.generate();
  expect(await told()).toEqual([]);
});

test('a migration without a transaction is applied a statement at a time', async () => {
  project.write(
    'migrations/0002_by_hand.sql',
    `-- no transaction
create index concurrently if not exists "mine" on "books" ("price"); -- for a report
create index concurrently if not exists "more"
  on "books" ("title");
`,
  );
  expect(await told()).toEqual([]);
  project.write('migrations/0003_by_hand.sql', '-- no transaction\nselect 1 / 0;\n');
  expect(await told()).toEqual([expect.stringContaining('division by zero')]);
});

test('what the team has removed in migrations of its own is missing, but for an index that saves time', async () => {
  project.write(
    'migrations/0002_by_hand.sql',
    `drop index "books__created_at__sort";
drop trigger "_touch" on "books";
alter table "books" drop constraint "books__title__check", drop column "price";
`,
  );
  expect((await told()).toSorted()).toEqual([
    'schema-differs: the migrations make no column price of books, and the definitions ask for it',
    'schema-differs: the migrations make no constraint books__price__check of books, and the definitions ask for it',
    'schema-differs: the migrations make no constraint books__title__check of books, and the definitions ask for it',
    'schema-differs: the migrations make no trigger _touch of books, and the definitions ask for it',
  ]);
  project.write('migrations/0003_by_hand.sql', 'drop table "books";\n');
  expect(await told()).toEqual([
    'schema-differs: the migrations make no table books, and the definitions ask for it',
  ]);
});

test('a project that has no migrations left is told so, also after generate', async () => {
  project.write('migrations/0001_initial.sql', undefined);
  await project.generate();
  expect(await told()).toEqual([expect.stringMatching(/^migration-missing: /)]);
});

test('conflict markers that git left in a generated file are told', async () => {
  project.edit(
    'src/collections/books/routes.ts',
    (text) => `<<<<<<< HEAD\n// ours\n=======\n// theirs\n>>>>>>> other\n${text}`,
  );
  expect(await told()).toEqual(['conflict-markers: the file has conflict markers']);
});

describe('a migration that fails on a new database is named, with why, and what is known of its cause', () => {
  const PRICE = 'alter table "books" add column "price" integer;\n';
  const AUTHOR = `-- definitions: by create-service ${packageVersion()}\n`;
  const failure = async (): Promise<readonly [path: string, message: string, hint: string]> => {
    const [finding, ...others] = (await checked()).findings;
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ code: 'migration-fails' });
    return [finding!.path!, finding!.message, finding!.hint];
  };

  test('one of the team', async () => {
    project.write('migrations/0002_twice.sql', PRICE);
    expect(await failure()).toEqual([
      'migrations/0002_twice.sql',
      'the migration fails on a new database: column "price" of relation "books" already exists',
      expect.stringMatching(/^create-service did not write this migration: correct its SQL\./),
    ]);
  });

  test('one that was generated, also for what PGlite may not have', async () => {
    const text = 'alter table "books" alter column "title" type no_such_type;\n';
    project.write('migrations/0002_generated.sql', `${text}${AUTHOR}`);
    const [, message, hint] = await failure();
    expect(message).toBe(
      'the migration fails on a new database: type "no_such_type" does not exist',
    );
    expect(hint).toContain('git checkout HEAD -- migrations/0002_generated.sql');
    expect(hint).toContain('bug of create-service');
    expect(hint).not.toContain('branch');
  });

  test('one that follows another branch than the one before it', async () => {
    const initial = { name: '0001_initial', text: project.read('migrations/0001_initial.sql') };
    for (const name of ['one', 'other']) {
      const [next] = nextMigrations([initial], {
        name,
        parts: [{ suffix: '', sql: PRICE.replace('price', 'shelf') + AUTHOR }],
      });
      project.write(`migrations/${next!.name}.sql`, next!.text);
    }
    await project.generate();
    const [file, , hint] = await failure();
    expect(file).toBe('migrations/0002_other.sql');
    expect(hint).toMatch(/^migrations\/0002_one\.sql comes from another branch/);
  });
});

test('what needs a server with more than PGlite has is not compared, and that is told', async () => {
  project.write('migrations/0002_by_hand.sql', 'create extension "postgis";\n');
  const { findings, notCompared } = await checked();
  expect(findings).toEqual([]);
  expect(notCompared).toMatch(/^PGlite cannot apply 0002_by_hand: .*"postgis"/);
});

test('without PGlite in the project the rest is checked, and that is told', async () => {
  rmSync(path.join(project.folder, 'node_modules'), { recursive: true });
  project.write('migrations/0002_pretends.sql', PRETENDS);
  const { findings, notCompared } = await checked();
  expect(findings).toEqual([]);
  expect(notCompared).toBe('@electric-sql/pglite is not installed in this project');
  expect(existsSync(path.join(project.folder, 'node_modules'))).toBe(false);
});

test('what agreed is not replayed until a migration or a definition changes', async () => {
  expect(await told()).toEqual([]);
  expect(existsSync(cache())).toBe(true);
  // It could not be replayed now, and need not be.
  rmSync(path.join(project.folder, 'node_modules/@electric-sql'), { recursive: true });
  expect((await checked()).notCompared).toBeUndefined();
  project.write('migrations/0002_by_hand.sql', 'select 1;\n');
  expect((await checked()).notCompared).toContain('is not installed');
});

test('a database is compared only with existing tables', async () => {
  const owner = { pid: process.pid, host: 'here', random: '0a1b2c3d' };
  const database = 'postgresql://nobody@127.0.0.1:1/none';
  const request = { cwd: project.folder, database, owner, isAlive: () => false };
  await expect(check(request)).rejects.toThrow(
    '--database compares existing tables, and no collection has one',
  );
});

describe('existing tables', () => {
  const FILMS = `table: film
key: { type: integer, column: film_id }
history: {}
fields:
  title: { type: string, max_length: 9 }
`;

  beforeEach(async () => {
    rmSync(project.folder, { recursive: true });
    project = await makeProject(project.folder, {
      'service.yaml': 'name: shop\nschema: service\n',
      'collections/books.yaml': 'fields:\n  title: { type: string, max_length: 9 }\n',
    });
    install();
    project.write('definitions/collections/films.yaml', FILMS);
    await project.generate();
  });

  test('are made before the views of the service', async () => {
    expect(await told()).toEqual([]);
    project.write('views.sql', project.read('views.sql').replace('"title"', '"name"'));
    expect(await told()).toContain(
      'views-fail: the views do not fit the tables of existing-tables.sql: column "name" does not exist',
    );
    project.write('views.sql', project.read('views.sql').replace('create view', 'CREATE VIEW'));
    expect(await told()).toContain(
      'views-fail: the views do not fit the tables of existing-tables.sql: a statement does not begin with: create view "<name>" as',
    );
  });

  test('need the file with their views', async () => {
    rmSync(path.join(project.folder, 'views.sql'));
    expect(await told()).toEqual([
      'views-fail: the file with the views of existing tables is missing',
    ]);
  });

  test('have views that a migration of the team may use', async () => {
    project.write('migrations/0003_own.sql', 'create view "report" as table "films";\n');
    expect(await told()).toEqual([]);
  });

  test('are changed with the definitions: no migration needs the columns that they had', async () => {
    project.write('definitions/collections/films.yaml', `${FILMS}  more: { type: integer }\n`);
    await project.generate();
    expect(await told()).toEqual([]);
    project.write('definitions/collections/films.yaml', FILMS.replace('title:', 'other:'));
    await project.generate();
    expect(project.read('existing-tables.sql')).not.toContain('"more"');
    expect(await told()).toEqual([]);
  });

  test('are those of the team, if it has written them', async () => {
    const dump = `\\restrict abc
SELECT pg_catalog.set_config('search_path', '', false);
create table public.film (film_id serial primary key, "title" varchar(9), more int);
\\unrestrict abc
`;
    project.write('existing-tables.sql', dump);
    expect(await told()).toEqual([]);
    project.write('existing-tables.sql', dump.replace('"title"', '"name"'));
    expect(await told()).toEqual([
      'views-fail: the views do not fit the tables of existing-tables.sql: column "title" does not exist',
    ]);
  });

  test('that PGlite does not know are not compared', async () => {
    project.write('existing-tables.sql', 'create table public.film (at public.geometry);\n');
    expect((await checked()).notCompared).toBe(
      'PGlite cannot apply existing-tables.sql: type "public.geometry" does not exist',
    );
  });
});
