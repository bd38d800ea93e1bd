/** `import`: definitions for the tables of a real database, and a service that is made from them. */
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

import { execa } from 'execa';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';

import {
  AUTHORIZATION,
  makeDatabase,
  makeProject,
  ROOT,
  runCommand,
  runScript,
  runSql,
  start,
} from './support/project.ts';

let url = '';
let workshop = '';

/** A user who sees the catalog, and no row of a table. */
let stranger = '';

beforeAll(async () => {
  workshop = path.join(inject('workshop'), 'import');
  mkdirSync(workshop);
  url = await makeDatabase('pagila');
  const sql = readFileSync(path.join(ROOT, 'test/e2e/import/pagila.sql'), 'utf8');
  await runSql(url, sql);
  await runSql(
    url,
    `create role "stranger" login password 'kept-to-itself';
      create schema "archive"; create table "archive"."old_films" ("id" uuid primary key, "title" text);
      create table "public"."old_films" ("id" uuid primary key, "name" text)`,
  );
  const { host, pathname } = new URL(url);
  stranger = `postgresql://stranger:kept-to-itself@${host}${pathname}`;
});

interface Ended {
  readonly exitCode?: number;
  readonly stdout: string;
  readonly stderr: string;
}

const importInto = async (...words: readonly string[]): Promise<Ended> =>
  execa(inject('command'), ['import', ...words], { cwd: workshop, reject: false });

/** All that the catalog has of tables, and the number of transactions that wrote. */
const stateOf = async (): Promise<unknown> =>
  runSql(
    url,
    `select (select json_agg(c order by c.oid) from (
        select oid, relname, relkind from pg_class where relnamespace = 'public'::regnamespace
      ) c) as "catalog"`,
  );

test('Pagila becomes a service: it compiles, passes its tests, and serves films', async () => {
  const before = await stateOf();
  const { exitCode, stdout, stderr } = await importInto(stranger, 'pagila', '--skip', 'old_films');
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
  expect(stderr).toMatch(
    /^15 of 15 tables become collections, with 86 of 87 columns\. 8 views are left out\.\nWhoever is signed in/,
  );
  expect(stderr).toContain('npx create-service pagila-service --from pagila/definitions');
  expect(stderr).not.toContain('kept-to-itself');
  expect(await stateOf()).toEqual(before);

  const folder = path.join(workshop, 'pagila');
  expect(readdirSync(folder)).toEqual(['definitions', 'import-report.json', 'import-report.md']);
  const written: unknown = JSON.parse(
    readFileSync(path.join(folder, 'import-report.json'), 'utf8'),
  );
  const printed = await importInto(stranger, '--report-only', '--json', '--skip', 'old_films');
  expect(written).toEqual(JSON.parse(printed.stdout));
  await expect(
    readFileSync(path.join(folder, 'definitions/collections/films.yaml'), 'utf8'),
  ).toMatchFileSnapshot('import/expected/films.yaml');
  await expect(
    readFileSync(path.join(folder, 'import-report.md'), 'utf8').replace(
      /PostgreSQL \S+/,
      'PostgreSQL 18.',
    ),
  ).toMatchFileSnapshot('import/expected/report.md');

  const project = await makeProject(
    'imported-pagila',
    path.relative(ROOT, path.join(folder, 'definitions')),
  );
  for (const script of ['types', 'build']) {
    const ended = await runScript(project, script);
    expect(ended.exitCode, ended.output).toBe(0);
  }
  const words = ['run', '--silent', 'test', '--', 'collections/films', 'repositories/'];
  const tested = await runCommand(project, words, { env: {}, input: '' });
  expect(tested.exitCode, tested.output).toBe(0);
  const service = await start(project, { DATABASE_URL: await makeDatabase('imported_pagila') });
  const post = async (collection: string, body: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${service.origin}/api/v1/${collection}`, {
      method: 'POST',
      headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const created = (await response.json()) as Record<string, unknown>;
    expect(response.status, JSON.stringify(created)).toBe(201);
    return created;
  };
  const language = await post('languages', { name: 'English' });
  const film = await post('films', { title: 'ACADEMY DINOSAUR', language_id: language['id'] });
  expect(film).toMatchObject({
    title: 'ACADEMY DINOSAUR',
    language_id: language['id'],
    rental_duration: 3,
    rental_rate: '4.99',
    rating: 'G',
    special_features: null,
  });
  const staff = await post('staff', {
    ...{ first_name: 'Mike', last_name: 'Hillyer', username: 'Mike', password: '8cb2' },
    ...(await addressAndStore()),
  });
  expect(staff).not.toHaveProperty('password');
  expect(await service.stop()).toBe(0);

  async function addressAndStore(): Promise<object> {
    const country = await post('countries', { country: 'Canada' });
    const city = await post('cities', { city: 'Lethbridge', country_id: country['id'] });
    const more = { district: 'Alberta', phone: '1', city_id: city['id'] };
    const address = await post('addresses', { address: '47 MySakila Drive', ...more });
    const store = await post('stores', { address_id: address['id'], manager_staff_id: 1 });
    return { address_id: address['id'], store_id: store['id'] };
  }
});

test('the tables of that service yield the same fields and references', async () => {
  const before = path.join(workshop, 'pagila/definitions/collections');
  const names = readdirSync(before).map((file) => path.basename(file, '.yaml'));
  const own = `${url.replace(/\/[^/]*$/, '')}/imported_pagila`;
  const { exitCode, stderr } = await importInto(own, 'again', '--tables', names.join());
  expect(exitCode, stderr).toBe(0);
  const after = path.join(workshop, 'again/definitions/collections');
  for (const name of names) expect(fieldsIn(after, name), name).toEqual(fieldsIn(before, name));

  /** The types of other columns are in their checks. */
  function fieldsIn(folder: string, name: string): object {
    const { fields } = parse(readFileSync(path.join(folder, `${name}.yaml`), 'utf8')) as {
      fields: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    };
    return Object.fromEntries(
      Object.entries(fields).map(([field, { required, to, on_delete: onDelete }]) => [
        field,
        { required, to, onDelete },
      ]),
    );
  }
});

describe('--report-only', () => {
  test('prints the report, and writes nothing', async () => {
    const before = readdirSync(workshop);
    const { exitCode, stdout, stderr } = await importInto(url, '--report-only', '--tables', 'film');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(
      /^# Import report: pagila\n\n1 of 1 table becomes a collection, with 13 of 14 columns\./,
    );
    expect(stdout).toContain('## film → films');
    // A table that was not asked for is not a collection.
    expect(stdout).toContain(
      'foreign-key-not-imported: language_id refers to public.language, which is not among the collections',
    );
    expect(readdirSync(workshop)).toEqual(before);
  });

  test('names tables with their schema, and takes several schemas', async () => {
    const { stdout } = await importInto(
      ...[
        url,
        '--report-only',
        '--json',
        '--schema',
        'archive,public',
        '--tables',
        'archive.old_films,film',
      ],
    );
    const { tables } = JSON.parse(stdout) as {
      tables: readonly { schema: string; table: string }[];
    };
    expect(tables.map(({ schema, table }) => `${schema}.${table}`)).toEqual([
      'archive.old_films',
      'public.film',
    ]);
  });

  test('of two tables with one name, the one in the schema that comes first keeps it', async () => {
    const { stdout } = await importInto(
      ...[url, '--report-only', '--schema', 'archive,public', '--tables', 'old_films'],
    );
    expect(stdout).toContain('## archive.old_films → old_films\n');
    expect(stdout).toContain(
      '## old_films → public_old_films\n\n2 columns.\n\nChanged:\n\n- name-taken: becomes public_old_films, because the table archive.old_films becomes old_films\n',
    );
  });
});

test('an interruption ends it at once, and writes nothing', async () => {
  const server = createServer();
  const connected = once(server, 'connection');
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const silent = `postgresql://ada:secret@127.0.0.1:${port}/shop`;
  const running = execa(inject('command'), ['import', silent, 'interrupted'], {
    cwd: workshop,
    reject: false,
  });
  await connected;
  running.kill('SIGINT');
  expect((await running).exitCode).toBe(130);
  expect(existsSync(path.join(workshop, 'interrupted'))).toBe(false);
});

describe('refuses in a sentence, and writes nothing', () => {
  test.each<[what: string, words: () => readonly string[], exitCode: number, stderr: RegExp]>([
    [
      'no directory',
      () => [url],
      2,
      /^error the folder for the definitions is missing\nWrite create-service import/,
    ],
    [
      'a directory and --report-only',
      () => [url, 'shop', '--report-only'],
      2,
      /^error --report-only writes nothing/,
    ],
    [
      'no URL',
      () => [],
      2,
      /^error the URL of the database, or the file of the OpenAPI document, is missing\n/,
    ],
    [
      'what is not a URL',
      () => ['shop', 'shop'],
      2,
      /^error this is not the URL of a PostgreSQL database, and there is no file shop\n/,
    ],
    [
      'a table that is not there',
      () => [url, 'shop', '--tables', 'films'],
      2,
      /names "films", and there is no such table or view in the schemas that are read\nDid you mean film\?/,
    ],
    [
      'a table to skip that is not there',
      () => [url, 'shop', '--skip', 'nothing'],
      2,
      /^error --skip names "nothing"/,
    ],
    [
      'a schema that is not there',
      () => [url, 'shop', '--schema', 'none'],
      1,
      /no table in the schema "none"\nName another schema with --schema: "archive" or "public"/,
    ],
    [
      'a file that is not there',
      () => [`${url}?sslrootcert=/nowhere/ca.pem`, 'shop'],
      1,
      /^error \/nowhere\/ca\.pem, which the URL of the database names, cannot be read \(ENOENT\)/,
    ],
    [
      'a wrong password',
      () => [stranger.replace('kept-to-itself', 'guessed'), 'shop'],
      1,
      /password authentication failed/,
    ],
    [
      'views alone',
      () => [url, 'shop', '--tables', 'film_list'],
      1,
      /^error no table becomes a collection\nNothing was written/,
    ],
    [
      'a folder that is not empty',
      () => [url, 'full'],
      2,
      /^error full is not empty: it holds mine\.txt/,
    ],
  ])('%s', async (_what, words, status, message) => {
    mkdirSync(path.join(workshop, 'full'), { recursive: true });
    writeFileSync(path.join(workshop, 'full/mine.txt'), 'mine');
    const { exitCode, stdout, stderr } = await importInto(...words());
    expect({ exitCode, stdout }).toEqual({ exitCode: status, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/guessed|kept-to-itself/);
    expect(existsSync(path.join(workshop, 'shop'))).toBe(false);
    expect(readdirSync(path.join(workshop, 'full'))).toEqual(['mine.txt']);
  });
});
