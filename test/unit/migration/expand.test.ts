/**
 * What processes of an older and of a newer version write while a migration waits for the older ones to end, on PGlite: it is
 * right for both. Then the last file of the migration is applied, and the schema is that of a new service.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { nextMigrations } from '../../../src/migration/chain.ts';
import type { MigrationFile } from '../../../src/migration/chain.ts';
import { readHeaderLines } from '../../../src/migration/header-lines.ts';
import { planMigration } from '../../../src/migration/index.ts';
import type { OpenDatabase } from '../../../templates/service/src/platform/database/database.ts';
import {
  createInMemory,
  overPglite,
} from '../../../templates/service/src/platform/database/pglite.ts';
import { apply, freshCatalog, inSchema } from './apply.ts';
import { catalogOf, initialSql, modelOf } from './support.ts';

let database: OpenDatabase;

beforeAll(async () => {
  database = overPglite(await createInMemory(), () => {});
});
afterAll(() => database.close());

const run = (text: string): Promise<object[]> => database.query({ text });

interface Deployment {
  /** SQL before the migration. */
  readonly rows?: string;
  /** SQL between the batches and the next file. */
  readonly meanwhile?: string;
  /** Runs before the last file, `-- contract`, is applied. */
  readonly both: () => Promise<void>;
}

/**
 * Migrates a database, with work between the files of the migration.
 * @param versions those of the service, before and now.
 */
async function deploy(
  before: string,
  now: string,
  work: Deployment,
  versions = ['[1]', '[1]'],
): Promise<void> {
  const [old, next] = [await modelOf(before, versions[0]), await modelOf(now, versions[1])];
  const first = { name: '0001_initial', text: await initialSql(old) };
  const files = nextMigrations([first], planMigration(old, next));
  const isBatch = ({ text }: MigrationFile): boolean => readHeaderLines(text).kind === 'batch';
  const filled = files.slice(0, files.findLastIndex(isBatch) + 1);
  const expanded = files.filter(({ name }) => !name.endsWith('_contract'));
  await inSchema(database, 'migrated');
  await apply(database, [first]);
  if (work.rows !== undefined) await run(work.rows);
  await apply(database, [first, ...filled]);
  if (work.meanwhile !== undefined) await run(work.meanwhile);
  await apply(database, [first, ...expanded]);
  await work.both();
  await apply(database, [first, ...files]);
  const migrated = await catalogOf(database);
  expect(migrated).toEqual(await freshCatalog(database, next));
}

describe('before the contract', () => {
  test('a renamed field has the same values under both names', async () => {
    const books = (field: string): string =>
      `books: { fields: { ${field} }, sort: [${field.split(':')[0]}] }`;
    const options = 'type: string, required: true, max_length: 20, unique: true';
    await deploy(
      books(`title: { ${options} }`),
      books(`name: { ${options}, renamed_from: title }`),
      {
        rows: `insert into "books" ("title") values ('Dune')`,
        both: async () => {
          await run(`insert into "books" ("title") values ('Old')`);
          await run(`insert into "books" ("name") values ('New')`);
          await expect(run(`insert into "books" ("title") values ('New')`)).rejects.toThrow(
            'unique',
          );
          await run(`update "books" set "title" = 'Dune 2' where "title" = 'Dune'`);
          await run(`update "books" set "name" = 'New 2' where "name" = 'New'`);
          expect(await run('select "title", "name" from "books" order by 1')).toEqual([
            { title: 'Dune 2', name: 'Dune 2' },
            { title: 'New 2', name: 'New 2' },
            { title: 'Old', name: 'Old' },
          ]);
        },
      },
    );
  });

  test('a renamed optional field can be set to null under either name', async () => {
    const books = (field: string): string => `books: { fields: { ${field} } }`;
    await deploy(
      books('note: { type: text, default: x }'),
      books('comment: { type: text, default: y, renamed_from: note }'),
      {
        rows: `insert into "books" ("note") values (null), ('a'), ('b')`,
        both: async () => {
          await run(`update "books" set "note" = null where "note" = 'a'`);
          await run(`update "books" set "comment" = null where "comment" = 'b'`);
          await run(`insert into "books" ("comment") values (null)`);
          expect(await run('select distinct "note", "comment" from "books"')).toEqual([
            { note: null, comment: null },
          ]);
        },
      },
    );
  });

  test('a renamed collection is read and written under its old name, with the old names of its fields', async () => {
    await deploy(
      'books: { fields: { title: { type: string, required: true }, pages: { type: integer } }, search: [title] }',
      'works: { renamed_from: books, fields: { name: { type: string, required: true, renamed_from: title } }, search: [name] }',
      {
        rows: `insert into "books" ("title") values ('Dune')`,
        both: async () => {
          await run(`insert into "books" ("title", "pages") values ('Old', 5)`);
          await run(`insert into "works" ("name") values ('New')`);
          await run(`update "books" set "title" = 'Dune 2' where "title" = 'Dune'`);
          await run(`delete from "books" where "title" = 'New'`);
          expect(await run('select "title", "pages" from "books" order by 1')).toEqual([
            { title: 'Dune 2', pages: null },
            { title: 'Old', pages: 5 },
          ]);
          expect(await run('select "collection" from "_tombstones"')).toEqual([
            { collection: 'works' },
          ]);
        },
      },
    );
  });

  test('a removed required field keeps its values, and new rows need none', async () => {
    await deploy(
      'books: { fields: { title: { type: text }, pages: { type: integer, required: true } } }',
      'books: { fields: { title: { type: text } } }',
      {
        rows: 'insert into "books" ("pages") values (1)',
        both: async () => {
          await run(`insert into "books" ("title") values ('New')`);
          await run('insert into "books" ("pages") values (2)');
          expect(await run('select "pages" from "books" order by 1')).toEqual([
            { pages: 1 },
            { pages: 2 },
            { pages: null },
          ]);
        },
      },
    );
  });

  test('a new required field has its backfill in rows that older processes insert', async () => {
    await deploy(
      'books: { fields: { title: { type: text } } }',
      'books: { fields: { title: { type: text }, pages: { type: integer, required: true, backfill: 7 } } }',
      {
        both: async () => {
          await run(`insert into "books" ("title") values ('Old')`);
          expect(await run('select "pages" from "books"')).toEqual([{ pages: 7 }]);
        },
      },
    );
  });

  test('references of a removed collection do not restrict the deletion of other items', async () => {
    const authors = 'authors: { fields: { name: { type: text } } }';
    await deploy(
      `${authors}\nbooks: { fields: { author_id: { type: reference, to: authors } } }`,
      authors,
      {
        rows: `insert into "authors" ("name") values ('Ada');
          insert into "books" ("author_id") select "id" from "authors"`,
        both: async () => {
          await run('delete from "authors"');
          expect(await run('select from "books"')).toHaveLength(1);
        },
      },
    );
  });
});

describe('before the contract, tables of the service', () => {
  const ID = 'gen_random_uuid()';
  const books = (rest: string, fields = 'title: { type: string }'): string =>
    `books: { fields: { ${fields} }${rest} }`;
  const JOBS = ', create: background';
  const EVENTS = ', events: true';
  const DIFFERENT = 'name: { type: string, name_in: { 2: title } }';
  const films = (rest: string): string =>
    `\nfilms: { key: integer, fields: { title: { type: string } }${rest} }`;
  const TITLE = `insert into "books" ("title") values ('Dune')`;
  const job = (version: number): string =>
    `insert into "jobs" ("id", "collection", "item_id", "creator_id", "values", "version")
      values (${ID}, 'books', ${ID}, null, '{}', ${version})`;
  const EVENT = `insert into "events" ("event_id", "type", "item_id", "data") values (${ID}, 'book.created', ${ID}, '{}')`;
  const WEBHOOK = `insert into "webhooks" ("url", "version", "status") values ('https://example.org', 1, 'active')`;
  const DELIVERY = `insert into "_deliveries" ("webhook_id", "event_id", "position", "item_id", "type")
    select "webhooks"."id", "event_id", 1, "item_id", "type" from "webhooks", "events"
    order by "events"."id" desc limit 1`;
  const ALL_EVENTS = [EVENT, WEBHOOK, DELIVERY];

  // What processes of the old and of the new version write.
  test.each<
    [
      title: string,
      change: { before: string; now: string; versions?: string[] },
      writes: { old: string[]; latest: string[] },
    ]
  >([
    [
      'versions begin to differ',
      { before: books(JOBS), now: books(JOBS, DIFFERENT), versions: ['[1, 2]', '[1, 2, 3]'] },
      { old: [job(2)], latest: [job(3)] },
    ],
    [
      'no version differs any more',
      {
        before: books(JOBS, DIFFERENT),
        now: books(JOBS, 'name: { type: string }'),
        versions: ['[1, 2, 3]', '[3]'],
      },
      { old: [job(2)], latest: [job(3)] },
    ],
    [
      'jobs and events come',
      { before: books(''), now: books(JOBS + EVENTS) },
      { old: [TITLE], latest: [job(1), ...ALL_EVENTS] },
    ],
    [
      'jobs and events go',
      { before: books(JOBS + EVENTS), now: books('') },
      { old: [job(1), ...ALL_EVENTS], latest: [TITLE] },
    ],
    [
      'ids of items become text',
      { before: books(JOBS + EVENTS), now: books(JOBS + EVENTS) + films(JOBS + EVENTS) },
      { old: [job(1), ...ALL_EVENTS], latest: [job(1), ...ALL_EVENTS] },
    ],
  ])(
    'take what both versions write: %s',
    async (_title, { before, now, versions }, { old, latest }) => {
      const both = async (): Promise<void> => {
        for (const statement of [...old, ...latest, ...old]) await run(statement);
      };
      await expect(deploy(before, now, { both }, versions)).resolves.toBeUndefined();
    },
  );
});

test('rows that older processes insert after the fill get the backfill before the field is required', async () => {
  const books = (options: string): string =>
    `books: { fields: { title: { type: text }, pages: { type: integer${options} } } }`;
  await deploy(books(''), books(', required: true, backfill: 7'), {
    rows: 'insert into "books" ("pages") values (null), (1)',
    meanwhile: 'insert into "books" ("pages") values (null)',
    both: async () => {
      expect(await run('select "pages" from "books" order by 1')).toEqual([
        { pages: 1 },
        { pages: 7 },
        { pages: 7 },
      ]);
      const [times] = await run(
        'select count(*) filter (where "updated_at" > "created_at") as "changed" from "books"',
      );
      expect(times).toEqual({ changed: 0 });
    },
  });
});
