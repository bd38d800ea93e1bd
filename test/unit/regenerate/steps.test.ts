/**
 * A newer version changes the tables of services themselves: a project of an older one gets a
 * migration, in the chain with those of its definitions, and its rows stay. On PGlite, by the
 * service's own runner.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { execa } from 'execa';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import type { MigrationFile } from '../../../src/migration/chain.ts';
import { hasJobs } from '../../../src/model/jobs.ts';
import type { UpgradeSteps } from '../../../src/update/upgrade-steps.ts';
import type { OpenDatabase } from '../../../templates/service/src/platform/database/database.ts';
import {
  createInMemory,
  overPglite,
} from '../../../templates/service/src/platform/database/pglite.ts';
import { apply, inSchema } from '../migration/apply.ts';
import { catalogOf, modelOf } from '../migration/support.ts';
import { makeProject } from './support.ts';
import type { TestProject } from './support.ts';

/** What versions to come might ask, beside one that the project is beyond. */
const STEPS: UpgradeSteps = {
  files: [],
  schema: [
    {
      version: '0.0.1',
      summary: 'Was done before.',
      sql: () => ['alter table "users" add column "never" text;'],
    },
    {
      version: '0.0.2',
      summary: 'Users have an e-mail address, and sessions.',
      sql: () => [
        `alter table "users" add column if not exists "email" text;`,
        `update "users" set "email" = "username" || '@example.org' where "email" is null;`,
        `alter table "users" alter column "email" set not null;`,
        `create unique index if not exists "users__email__key"\n  on "users" ("email");`,
        `create table if not exists "_sessions" (\n  "id" uuid primary key,\n  "user_id" uuid not null references "users" ("id") on delete cascade\n);`,
      ],
    },
    {
      version: '0.1.0',
      summary:
        'Tombstones tell when, to the second; jobs have a priority; items say who changed them.',
      sql: (before) => [
        `create or replace function "_bury"() returns trigger language plpgsql as $$
begin
  insert into "_tombstones" ("id", "collection", "removed_at")
  values (old."id", tg_argv[0], date_trunc('second', now()));
  return null;
end
$$;`,
        ...(hasJobs(before)
          ? ['alter table "jobs" add column if not exists "priority" integer not null default 0;']
          : []),
        ...before.collections.map(
          ({ table }) =>
            `alter table "${table.name}" add column if not exists "_editor_id" uuid references "users" ("id") on delete set null;`,
        ),
      ],
    },
  ],
};

const DEFINITIONS = {
  'service.yaml': 'name: shop\n',
  'collections/books.yaml': 'fields:\n  title: { type: string }\n',
  'collections/scans.yaml': 'fields:\n  name: { type: string }\ncreate: background\n',
};

let database: OpenDatabase;
beforeAll(async () => {
  database = overPglite(await createInMemory(), () => {});
}, 60_000);
afterAll(() => database.close());

let place = '';
let project: TestProject;
beforeEach(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
  project = await makeProject(path.join(place, 'shop'), DEFINITIONS);
  madeBy('0.0.1');
  await inSchema(database, 'migrated');
  await apply(database, migrations());
  await database.query({
    text: `insert into "users" ("id", "username", "password_hash", "roles") values ('${ID(1)}', 'ada', 'x', '{admin}');
      insert into "tokens" ("id", "user_id", "hash") values ('${ID(2)}', '${ID(1)}', 'y');
      insert into "books" ("id", "title") values ('${ID(3)}', 'Emma'), ('${ID(4)}', 'Persuasion');
      insert into "jobs" ("id", "collection", "item_id", "version") values ('${ID(5)}', 'scans', '${ID(6)}', 1);
      insert into "_answers" ("id", "content", "status", "location", "body") values ('a', 'b', 201, 'c', 'd');`,
  });
}, 60_000);
afterEach(() => rmSync(place, { recursive: true, force: true }));

const ID = (number: number): string => `00000000-0000-7000-8000-00000000000${number}`;

/** The project as if another version had generated it. */
function madeBy(version: string): void {
  project.edit('.create-service/manifest', (text) =>
    text.replace(/^generator .*$/m, `generator ${version}`),
  );
  project.edit('migrations/0001_initial.sql', (text) =>
    text.replace(/by create-service .*$/m, `by create-service ${version}`),
  );
}

const migrations = (): MigrationFile[] =>
  readdirSync(path.join(project.folder, 'migrations')).map((file) => ({
    name: file.replace('.sql', ''),
    text: project.read(`migrations/${file}`),
  }));

const rows = async (text: string): Promise<unknown> => database.query({ text });

/** What a new project of the newer version would begin with: its tables, with what the steps add. */
async function expectNewSchema(): Promise<void> {
  const migrated = await catalogOf(database);
  const fresh = await makeProject(path.join(place, 'fresh'), {
    ...DEFINITIONS,
    'collections/books.yaml': project.read('definitions/collections/books.yaml'),
  });
  await inSchema(database, 'fresh');
  await apply(database, [
    { name: '0001_initial', text: fresh.read('migrations/0001_initial.sql') },
  ]);
  const model = await modelOf(
    'books:\n  fields: { title: { type: string } }\nscans:\n  fields: { name: { type: string } }\n  create: background',
  );
  for (const text of STEPS.schema.slice(1).flatMap(({ sql }) => sql(model))) {
    await database.query({ text });
  }
  expect(migrated).toEqual(await catalogOf(database));
}

test('the steps since then are one migration with the change of definitions, and keep the rows', async () => {
  project.edit(
    'definitions/collections/books.yaml',
    (text) => `${text}  pages: { type: integer }\n`,
  );
  const { migration } = await project.generate(STEPS);
  expect(migration?.files[0]?.path).toBe(
    'migrations/0002_upgrade_to_0_1_0_and_books_add_pages.sql',
  );
  expect(migration?.losses).toEqual([]);
  const text = project.read(migration?.files[0]?.path ?? '');
  expect(text).toMatch(/^-- after: 0001_initial [0-9a-f]{64}\n/);
  expect(text).toContain('-- Users have an e-mail address, and sessions.\n');
  expect(text).not.toContain('"never"');

  await apply(database, migrations());
  expect(await rows('select "username", "email" from "users"')).toEqual([
    { username: 'ada', email: 'ada@example.org' },
  ]);
  expect(await rows('select "title", "pages", "_editor_id" from "books" order by "id"')).toEqual([
    { title: 'Emma', pages: null, _editor_id: null },
    { title: 'Persuasion', pages: null, _editor_id: null },
  ]);
  expect(await rows('select "priority" from "jobs"')).toEqual([{ priority: 0 }]);
  expect(await rows('select count(*)::int as "count" from "tokens", "_answers"')).toEqual([
    { count: 1 },
  ]);
  await expectNewSchema();

  // The project is one of this version now.
  expect((await project.generate(STEPS)).changes).toEqual([]);
});

test('a project that has nothing they are about gets no migration', async () => {
  const steps = { files: [], schema: STEPS.schema.map((step) => ({ ...step, sql: () => [] })) };
  const { migration } = await project.generate(steps);
  expect(migration).toBeUndefined();
  expect(project.read('.create-service/manifest')).not.toContain('generator 0.0.1');
});

test('branches that were both upgraded, and one that was not, come to one schema', async () => {
  const git = async (...words: string[]): Promise<void> => {
    const settings = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
    await execa('git', [...settings, ...words], { cwd: project.folder });
  };
  const commit = async (): Promise<void> => {
    await git('add', '--all');
    await git('commit', '-qm', 'x');
  };
  const books = 'definitions/collections/books.yaml';
  await git('init', '-q', '-b', 'main');
  await commit();
  await git('switch', '-qc', 'one');
  await project.generate(STEPS);
  await commit();
  await apply(database, migrations());
  await git('switch', '-qc', 'other', 'main');
  project.edit(books, (text) => `${text}  pages: { type: integer }\n`);
  await project.generate(STEPS);
  await commit();
  await git('switch', '-qc', 'old', 'main');
  project.edit('definitions/collections/scans.yaml', (text) => `${text}description: Paper.\n`);
  await project.generate({ files: [], schema: [] });
  madeBy('0.0.1');
  await commit();

  await git('merge', '-q', '-X', 'ours', 'one');
  await git('merge', '-q', '-X', 'ours', 'other');
  const { outcomes } = await project.generate(STEPS);
  expect(outcomes.filter(({ action }) => action === 'conflict')).toEqual([]);
  expect((await project.generate(STEPS)).changes).toEqual([]);
  await apply(database, migrations());
  expect(await rows('select "title" from "books" order by "id"')).toEqual([
    { title: 'Emma' },
    { title: 'Persuasion' },
  ]);
  await expectNewSchema();
});

test('a collection that an older version added on a branch gets the steps, too', async () => {
  const git = async (...words: string[]): Promise<void> => {
    const settings = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
    await execa('git', [...settings, ...words], { cwd: project.folder });
  };
  const commit = async (): Promise<void> => {
    await git('add', '--all');
    await git('commit', '-qm', 'x');
  };
  await git('init', '-q', '-b', 'main');
  await commit();
  await git('switch', '-qc', 'upgraded');
  await project.generate(STEPS);
  await commit();
  await git('switch', '-qc', 'old', 'main');
  project.write('definitions/collections/notes.yaml', 'fields:\n  text: { type: string }\n');
  const { migration } = await project.generate({ files: [], schema: [] });
  madeBy('0.0.1');
  project.edit(migration?.files[0]?.path ?? '', (text) =>
    text.replace(/by create-service .*$/m, 'by create-service 0.0.1'),
  );
  await commit();
  await git('merge', '-q', '-X', 'ours', 'upgraded');
  await project.generate(STEPS);
  await apply(database, migrations());
  expect(
    await rows(
      `select "table_name" from information_schema.columns
       where "table_schema" = current_schema() and "column_name" = '_editor_id' order by 1`,
    ),
  ).toEqual([{ table_name: 'books' }, { table_name: 'notes' }, { table_name: 'scans' }]);
});
