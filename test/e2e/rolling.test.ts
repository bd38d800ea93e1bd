/**
 * A rolling deployment: the old and the new version of a service run on one database, under load, while it is
 * migrated. Each kind of change is in the new definitions.
 */
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { execa } from 'execa';
import { afterAll, expect, inject, onTestFinished, test } from 'vitest';

import type { OpenDatabase } from '../../templates/service/src/platform/database/database.ts';
import { openPostgres } from '../../templates/service/src/platform/database/postgres.ts';
import { freshCatalog } from '../unit/migration/apply.ts';
import { catalogOf, modelOfFile } from '../unit/migration/support.ts';
import { makeDatabase, makeProject, ROOT, runScript, runSql, start } from './support/project.ts';
import { ask, BIOGRAPHY, startRollingLoad } from './support/rolling-load.ts';

const ROWS = 4_000;
const PERMISSIONS =
  'permissions: { read: public, create: [editor], update: [editor], delete: [editor] }';

/** The bookshop without its seeds, and with two more collections. */
const OLD = `${readFileSync(join(ROOT, 'examples/bookshop.yaml'), 'utf8').split('\n# Items to begin with')[0]}
  shelves:
    fields:
      label: { type: string, required: true, max_length: 100 }
      note: { type: string, max_length: 100 }
      places: { type: integer, minimum: 0, maximum: 10000 }
    sort: [label, places]
    ${PERMISSIONS}

  loans:
    fields:
      book_id: { type: reference, to: books, required: true, on_delete: refuse }
      borrower: { type: string, required: true, max_length: 100 }
    filter: [book_id]
    ${PERMISSIONS}
`;

/** The collections of the new version. */
const NEW: Readonly<Record<string, string>> = {
  // A new optional field with bounds, one that becomes required, and another search.
  authors: `
    fields:
      name: { type: string, required: true, min_length: 1, max_length: 200 }
      born_on: { type: date }
      born_in: { type: integer, minimum: -3000, maximum: 2100 }
      website: { type: string, format: uri, max_length: 2000 }
      biography: { type: text, max_length: 20000, required: true, backfill: ${JSON.stringify(BIOGRAPHY)} }
    sort: [name, born_on, born_in, created_at]
    filter: [name]
    search: [name, website]
    permissions: { read: public, create: [editor], update: [editor], delete: [admin] }
`,
  // A renamed field, a narrower bound, a wider enum, new fields, a reference, a unique, a check, and fewer lists.
  books: `
    fields:
      name: { type: string, required: true, min_length: 1, max_length: 300, renamed_from: title }
      isbn: { type: string, required: true, unique: true, max_length: 13, pattern: '^97[89][0-9]{10}$' }
      price: { type: decimal, precision: 10, scale: 2, minimum: '0', maximum: '1000' }
      status: { type: enum, values: [draft, published, archived], default: draft }
      author_id: { type: reference, to: authors, required: true, nested: true, on_delete: refuse }
      translator_id: { type: reference, to: authors, on_delete: refuse }
      published_at: { type: timestamp }
      language: { type: string, max_length: 2, default: en }
      pages: { type: integer, required: true, minimum: 1, backfill: 1 }
    sort: [name, translator_id, created_at]
    filter: [status, author_id, translator_id, published_at]
    search: [name]
    unique: [[author_id, name]]
    checks: { published_has_price: { rule: "status != 'published' or price != null" } }
    permissions: { read: public, create: [editor], update: [editor], delete: [admin] }
`,
  // A renamed collection, without a field that was required.
  opinions: `
    renamed_from: reviews
    fields:
      book_id: { type: reference, to: books, required: true, immutable: true, nested: true, on_delete: cascade }
      rating: { type: integer, required: true, minimum: 1, maximum: 5 }
      body: { type: text, max_length: 10000 }
    sort: [rating, created_at]
    filter: [rating, book_id]
    search: [body]
    permissions: { read: public, create: authenticated, update: owner, delete: [owner, editor] }
`,
  // A new search, and a field with another type.
  shelves: `
    fields:
      label: { type: string, required: true, max_length: 100 }
      note: { type: string, max_length: 100 }
      places: { type: number, minimum: 0, maximum: 10000 }
    sort: [label, places]
    search: [label]
    ${PERMISSIONS}
`,
};

/** Rows that no client knows. */
const FILL = `
  insert into "authors" ("name", "biography") select 'author ' || n, case when n % 2 = 0 then 'life ' || n end
    from generate_series(1, ${ROWS}) n;
  insert into "books" ("title", "isbn", "price", "author_id")
    select 'title ' || n, '979' || lpad(n::text, 10, '0'), n % 1000, (select "id" from "authors" where "name" = 'author ' || n)
    from generate_series(1, ${ROWS}) n;
  insert into "reviews" ("book_id", "reader", "rating") select "id", 'reader', 3 from "books";
  insert into "shelves" ("label", "places") select 'label' || n, n from generate_series(1, ${ROWS}) n;
  insert into "loans" ("book_id", "borrower") select "id", 'borrower' from "books";`;

let database: OpenDatabase | undefined;
afterAll(() => database?.close());

test('two versions answer while the database is migrated, and lose no write', async () => {
  const definitions = join(inject('workshop'), 'rolling.yaml');
  writeFileSync(definitions, OLD);
  const older = await makeProject('rolling', relative(ROOT, definitions));
  const newer = await makeNext(older);
  for (const project of [older, newer]) {
    const built = await runScript(project, 'build');
    expect(built.exitCode, built.output).toBe(0);
  }
  const url = await makeDatabase('rolling');
  const env = { DATABASE_URL: url };
  const old = await start(older, env);
  await runSql(url, FILL);
  const revisions = await runSql(url, 'select "id", "updated_at" from "books" order by "id"');
  const load = startRollingLoad(old.origin, 4);
  onTestFinished(() => load.stop());
  /** Waits for so many more answers. */
  const answered = async (count: number): Promise<void> => {
    const seen = (): number => [...load.outcomes.values()].reduce((sum, one) => sum + one, 0);
    const before = seen();
    await expect.poll(() => seen() - before, { timeout: 120_000 }).toBeGreaterThan(count);
  };
  await answered(300);

  // Migrated under the load of the old version.
  const first = await runScript(newer, 'migrate', env);
  expect(first.exitCode, first.output).toBe(0);
  expect(first.output).toMatch(/_contract waits for the end of 1 process of older versions/);
  expect(first.output).toMatch(/Applied .*_switch\./);
  await load.settle();
  for (const client of load.clients) client.isMigrated = true;
  await answered(100);
  expect(load.wrong).toEqual([]);

  // Both versions.
  const latest = await start(newer, env);
  load.targets.set('new', latest.origin);
  await answered(500);
  expect(load.wrong).toEqual([]);
  await changeAcross(old.origin, latest.origin);
  const again = await runScript(newer, 'migrate', env);
  expect(again.output).toMatch(/_contract waits for the end of 1 process of older versions/);
  expect(again.output).toMatch(/^Left for later: \S+_contract\.$/m);

  // The new version alone.
  load.targets.delete('old');
  await load.settle();
  expect(await old.stop()).toBe(0);
  const last = await runScript(newer, 'migrate', env);
  expect(last.exitCode, last.output).toBe(0);
  expect(last.output).toMatch(/^Applied \w+_contract\.$/);
  await answered(200);
  await load.stop();
  await Promise.all(load.clients.map((client) => client.readAll('new')));
  expect(load.wrong).toEqual([]);
  expectAllKinds(load.outcomes);

  // Rows that nobody changed have the values of their backfills, and their revisions.
  const rows = await runSql(
    url,
    `select count(*)::int as "rows" from "books" join "authors" on "authors"."id" = "author_id"
      where "isbn" like '979%' and "books"."name" like 'title %' and "pages" = 1 and "language" = 'en'
        and "translator_id" is null and "price" is not null and "status" = 'draft'
        and "biography" in ('life ' || substr("authors"."name", 8), $$${BIOGRAPHY}$$)`,
  );
  expect(rows).toEqual([{ rows: ROWS }]);
  const ids = revisions.map(({ id }) => `'${String(id)}'`).join(', ');
  expect(
    await runSql(
      url,
      `select "id", "updated_at" from "books" where "id" in (${ids}) order by "id"`,
    ),
  ).toEqual(revisions);

  // The old version wrote rows without the words of a search that it does not have.
  const indexed = await runScript(newer, 'index-words', env);
  expect(indexed.exitCode, indexed.output).toBe(0);
  const unindexed = `select from "shelves" where '' = any ("_words")`;
  expect(await runSql(url, unindexed)).toEqual([]);
  expect(await ask(latest.origin, 'GET', '/shelves?q=label17')).toMatchObject({
    body: [{ label: 'label17', places: 17 }],
  });
  expect(await latest.stop()).toBe(0);
  for (const service of [old, latest])
    expect(service.output()).not.toMatch(/"level":"(?:error|fatal)"/);

  const check = await execa('npx', ['create-service', 'check'], {
    cwd: newer,
    reject: false,
    all: true,
  });
  expect(check.exitCode, check.all).toBe(0);
  database = openPostgres(url, 1, console.error);
  const migrated = await catalogOf(database);
  const model = await modelOfFile(
    `${OLD.split('\ncollections:')[0]}\ncollections:\n${Object.entries(NEW)
      .map(([name, text]) => `  ${name}:${text}`)
      .join('')}`,
  );
  expect(migrated).toEqual(await freshCatalog(database, model));
}, 600_000);

/** A copy of a project with the new definitions. */
async function makeNext(project: string): Promise<string> {
  const next = `${project}-next`;
  cpSync(project, next, {
    recursive: true,
    filter: (path) => !path.startsWith(join(project, 'node_modules')),
  });
  symlinkSync(join(project, 'node_modules'), join(next, 'node_modules'));
  const folder = join(next, 'definitions/collections');
  for (const name of ['reviews', 'loans']) rmSync(join(folder, `${name}.yaml`));
  for (const [name, text] of Object.entries(NEW)) {
    writeFileSync(join(folder, `${name}.yaml`), `name: ${name}${text.replaceAll('\n    ', '\n')}`);
  }
  const { exitCode, all } = await execa(
    'npx',
    ['create-service', 'generate', '--allow-data-loss', '--allow-wider'],
    { cwd: next, reject: false, all: true },
  );
  expect(exitCode, all).toBe(0);
  return next;
}

/** What one version writes is right for the other one, and what one refuses because of the other. */
async function changeAcross(old: string, latest: string): Promise<void> {
  const made = async (origin: string, path: string, body: object): Promise<string> => {
    const { status, body: item } = await ask(origin, 'POST', path, body);
    expect({ status, item }).toMatchObject({ status: 201 });
    return (item as { id: string }).id;
  };
  const author = await made(old, '/authors', { name: 'across' });
  expect((await ask(latest, 'GET', `/authors/${author}`)).body).toMatchObject({
    biography: BIOGRAPHY,
    born_in: null,
  });
  let number = 0;
  const isbn = (): string => `9785${String(number++).padStart(9, '0')}`;
  const byOld = (values: object): object => ({
    title: isbn(),
    isbn: isbn(),
    author_id: author,
    ...values,
  });
  const byNew = (values: object): object => ({
    ...{ name: isbn(), isbn: isbn(), author_id: author, pages: 7, price: '1.00' },
    ...values,
  });

  // A new value of an enum: the old version shows it, and changes other members beside it.
  const archived = await made(latest, '/books', byNew({ status: 'archived' }));
  expect(
    await ask(old, 'PATCH', `/books/${archived}`, { title: 'renamed by the old' }),
  ).toMatchObject({
    status: 200,
    body: { status: 'archived' },
  });
  expect((await ask(latest, 'GET', `/books/${archived}`)).body).toMatchObject({
    name: 'renamed by the old',
    pages: 7,
    status: 'archived',
  });

  // What the new version no longer takes, the old one refuses too.
  const refused: [method: string, body: object, status: number][] = [
    ['narrower bound', { price: '1000.01' }, 422],
    ['check', { status: 'published', price: null }, 422],
    ['unique', { title: 'renamed by the old' }, 409],
  ];
  for (const [what, values, status] of refused) {
    const answer = await ask(old, 'POST', '/books', byOld(values));
    expect({ what, ...answer }).toMatchObject({ what, status });
  }
  const taken = await made(old, '/books', byOld({ title: 'taken' }));
  expect(await ask(latest, 'POST', '/books', byNew({ name: 'taken' }))).toMatchObject({
    status: 409,
  });
  expect(await ask(old, 'PATCH', `/authors/${author}`, { biography: null })).toMatchObject({
    status: 200,
    body: { biography: BIOGRAPHY },
  });

  // A collection that goes holds no items of others.
  const loan = await made(old, '/loans', { book_id: taken, borrower: 'across' });
  expect(await ask(latest, 'DELETE', `/books/${taken}`)).toMatchObject({ status: 204 });
  expect(await ask(old, 'GET', `/loans/${loan}`)).toMatchObject({ status: 200 });

  // An owner is one in both versions.
  const review = await made(old, '/reviews', { book_id: archived, reader: 'ben', rating: 5 });
  expect((await ask(latest, 'GET', `/opinions/${review}`)).body).toMatchObject({ rating: 5 });
  const opinion = await made(latest, '/opinions', { book_id: archived, rating: 4 });
  expect((await ask(old, 'GET', `/reviews/${opinion}`)).body).toMatchObject({
    rating: 4,
    reader: null,
  });
  expect(await ask(old, 'DELETE', `/reviews/${opinion}`)).toMatchObject({ status: 204 });
  expect(await ask(latest, 'GET', `/opinions/${opinion}`)).toMatchObject({ status: 410 });
  // A removed item is remembered under the new name of its collection.
  expect(await ask(old, 'GET', `/reviews/${opinion}`)).toMatchObject({ status: 404 });
}

/** A load that made no requests of a kind would have shown nothing. */
function expectAllKinds(outcomes: ReadonlyMap<string, number>): void {
  for (const version of ['old', 'new']) {
    for (const name of ['authors', 'books', 'opinions', 'shelves']) {
      for (const request of ['POST 201', 'GET 200', 'PATCH 200', 'PUT 200']) {
        expect(outcomes.get(`${version} ${name} ${request}`), request).toBeGreaterThan(2);
      }
    }
  }
}
