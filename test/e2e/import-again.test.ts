/** `import --again`: a service over existing tables follows their changes, and the team's edits stay. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { execa } from 'execa';
import { beforeAll, describe, expect, inject, test } from 'vitest';

import {
  AUTHORIZATION,
  makeDatabase,
  makeProject,
  ROOT,
  runScript,
  runSql,
  start,
} from './support/project.ts';

let url = '';
let workshop = '';
let project = '';

interface Ended {
  readonly exitCode?: number;
  readonly stdout: string;
  readonly stderr: string;
}

const run = async (cwd: string, ...words: readonly string[]): Promise<Ended> =>
  execa(inject('command'), words, { cwd, reject: false });

const again = async (...words: readonly string[]): Promise<Ended> =>
  run(project, 'import', '--again', url, ...words);

const definition = (name: string): string =>
  path.join(project, `definitions/collections/${name}.yaml`);

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}

beforeAll(async () => {
  workshop = path.join(inject('workshop'), 'again');
  mkdirSync(workshop);
  url = await makeDatabase('import_again');
  await runSql(
    url,
    `create table "language" ("language_id" serial primary key, "name" text not null);
      create table "film" (
        "film_id" serial primary key,
        "title" varchar(40) not null,
        "length" smallint,
        "language_id" integer references "language"
      );
      create index on "film" ("title");
      insert into "language" ("name") values ('English')`,
  );
  await run(workshop, 'import', url, 'films', '--adopt');
  project = await makeProject(
    'films-again',
    path.relative(ROOT, path.join(workshop, 'films/definitions')),
  );
});

test('a run that was killed is completed, and files that were edited since are named', async () => {
  const left = path.join(project, '.create-service/run');
  mkdirSync(path.join(left, 'new'), { recursive: true });
  const journal = [{ path: 'notes.txt', kind: 'write', before: null }];
  writeFileSync(path.join(left, 'journal.json'), JSON.stringify(journal));
  writeFileSync(path.join(left, 'new/0'), 'of the run\n');
  writeFileSync(path.join(project, 'notes.txt'), 'of the team\n');
  const { exitCode, stderr } = await again();
  expect(exitCode, stderr).toBe(0);
  expect(stderr.split('\n').slice(0, 2)).toEqual([
    'A run that was killed was completed first.',
    '  notes.txt.new has the text of that run: you have changed the file since.',
  ]);
  expect(readFileSync(path.join(project, 'notes.txt.new'), 'utf8')).toBe('of the run\n');
});

test('the record of the import comes into the project, and nothing has changed', async () => {
  const lock = readFileSync(path.join(workshop, 'films/definitions/import.lock'), 'utf8');
  expect(readFileSync(path.join(project, 'definitions/import.lock'), 'utf8')).toBe(lock);
  expect(await again()).toMatchObject({
    exitCode: 0,
    stderr: 'The definitions are up to date with the database.',
  });
  expect(existsSync(path.join(project, 'import-report.md'))).toBe(false);
});

test('edits and changes of the tables become one service', async () => {
  edit(definition('films'), '  title: {', '  # as on the poster\n  name: { column: title,');
  edit(definition('films'), 'sort: [title]', 'permissions: { read: public }\nsort: [name]');
  edit(definition('films'), 'filter: [title]', 'filter: [name]');
  expect((await run(project, 'generate', '--allow-wider')).exitCode).toBe(0);
  await runSql(
    url,
    `alter table "film" add "subtitle" text, alter "title" type varchar(60);
      create table "review" ("review_id" serial primary key, "film_id" integer not null references "film", "text" text);
      insert into "film" ("title", "subtitle", "language_id") values ('Alien', 'In space', 1)`,
  );
  const before = readFileSync(definition('films'), 'utf8');
  const preview = await again('--report-only', '--json');
  expect(preview.exitCode).toBe(0);
  expect(JSON.parse(preview.stdout)).toMatchObject({
    ok: true,
    isWritten: false,
    files: [
      {
        path: 'definitions/collections/films.yaml',
        action: 'changed',
        changes: [
          { member: 'name.max_length', before: 40, after: 60 },
          { member: 'subtitle', after: { type: 'text' } },
        ],
      },
      { path: 'definitions/collections/reviews.yaml', action: 'added' },
    ],
    conflicts: [],
  });
  expect(readFileSync(definition('films'), 'utf8')).toBe(before);

  const merged = await again();
  expect(merged.exitCode).toBe(0);
  expect(merged.stderr).toContain('npx create-service generate');
  const text = readFileSync(definition('films'), 'utf8');
  expect(text).toContain(
    '  # as on the poster\n  name: { column: title, type: string, max_length: 60, required: true }\n',
  );
  expect(text).toContain('permissions: { read: public }');

  // The table of reviews, and what was in the new column, could not be read.
  expect((await run(project, 'generate')).stderr).toContain(
    'may read the values of films.subtitle',
  );
  const generated = await run(project, 'generate', '--allow-wider');
  expect(generated.exitCode, generated.stderr).toBe(0);
  // The tables have it all already.
  expect(generated.stderr).not.toContain('alter table');
  const checked = await run(project, 'check', '--database', url);
  expect(checked.exitCode, checked.stdout).toBe(0);
  for (const script of ['types', 'build']) {
    const ended = await runScript(project, script);
    expect(ended.exitCode, ended.output).toBe(0);
  }
  const service = await start(project, { DATABASE_URL: url });
  const response = await fetch(`${service.origin}/api/v1/films`);
  expect(await response.json()).toMatchObject([{ name: 'Alien', subtitle: 'In space' }]);
  const post = await fetch(`${service.origin}/api/v1/reviews`, {
    method: 'POST',
    headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
    body: JSON.stringify({ film_id: '1', text: 'Loud' }),
  });
  expect(post.status).toBe(201);
  expect(await service.stop()).toBe(0);
});

describe('what the tables do not have', () => {
  test('is printed as SQL, and the migration waits for it', async () => {
    edit(definition('films'), '  subtitle:', '  tagline: { type: text }\n  subtitle:');
    const sql = 'alter table "public"."film" add column if not exists "tagline" text;';
    const generated = await run(project, 'generate');
    expect(generated.stderr).toContain(`unless they have it:\n  ${sql}\n`);
    const checked = await run(project, 'check', '--database', url);
    expect(checked.exitCode).toBe(1);
    expect(checked.stdout).toContain(`film has no column "tagline"`);
    expect(checked.stdout).toContain(sql);
    const listed = await run(project, 'check', '--database', url, '--json');
    expect(JSON.parse(listed.stdout)).toMatchObject({ issues: [{ code: 'table-differs', sql }] });
    const migrate = async (): Promise<{ exitCode: number | undefined; output: string }> => {
      const { exitCode, all } = await execa('npm', ['run', '--silent', 'migrate'], {
        ...{ cwd: project, env: { DATABASE_URL: url }, reject: false },
        all: true,
      });
      return { exitCode, output: all };
    };
    await runScript(project, 'build');
    const refused = await migrate();
    expect(refused.exitCode).toBe(1);
    expect(refused.output).toContain('column "tagline" does not exist');
    expect(refused.output).toContain('comments of the migrations have the SQL for what is missing');
    await runSql(url, sql);
    expect(await migrate()).toMatchObject({ exitCode: 0 });
    expect((await run(project, 'check', '--database', url)).exitCode).toBe(0);
    expect(await again()).toMatchObject({
      exitCode: 0,
      stderr: 'The definitions are up to date with the database.',
    });
  });
});

test('a conflict is told with its place, and nothing is written until it is decided', async () => {
  edit(definition('films'), 'max_length: 60', 'max_length: 80');
  await runSql(
    url,
    'drop view service.films; alter table "film" alter "title" type varchar(70), add "plot" text',
  );
  const lock = readFileSync(path.join(project, 'definitions/import.lock'), 'utf8');
  const refused = await again();
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toMatch(
    /definitions\/collections\/films\.yaml:\d+ name\.max_length: the database says 70, the definition says 80, the last import said 60\n/,
  );
  expect(readFileSync(path.join(project, 'definitions/import.lock'), 'utf8')).toBe(lock);
  expect(readFileSync(definition('films'), 'utf8')).not.toContain('plot');
  const kept = await again('--keep-edits');
  expect(kept.exitCode).toBe(0);
  expect(readFileSync(definition('films'), 'utf8')).toContain('plot: { type: text }');
  expect(readFileSync(definition('films'), 'utf8')).toContain('max_length: 80');
  expect((await again()).stderr).not.toContain('conflict');
});

describe('refuses in a sentence', () => {
  test('a folder without definitions, and a damaged lock', async () => {
    const empty = await run(workshop, 'import', '--again', url, '.');
    expect(empty).toMatchObject({ exitCode: 2 });
    expect(empty.stderr).toContain('there are no definitions in . to import into');
    const lock = path.join(workshop, 'films/definitions/import.lock');
    const text = readFileSync(lock, 'utf8');
    writeFileSync(lock, `<<<<<<< ours\n${text}`);
    const damaged = await run(workshop, 'import', '--again', url, 'films');
    expect(damaged).toMatchObject({ exitCode: 1 });
    expect(damaged.stderr).toContain('films/definitions/import.lock was edited or cut');
    writeFileSync(lock, text);
    expect(existsSync(path.join(workshop, 'films/.create-service'))).toBe(false);
  });

  test('--timestamps for definitions of new tables', async () => {
    await run(workshop, 'import', url, 'new-tables');
    const refused = await run(workshop, 'import', '--again', url, 'new-tables', '--timestamps=utc');
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.stderr).toContain('--timestamps is only for definitions that use the existing');
  });

  test('another database', async () => {
    const other = await makeDatabase('import_again_other');
    await runSql(other, 'create table "order" ("id" serial primary key)');
    const refused = await run(project, 'import', '--again', other);
    expect(refused).toMatchObject({ exitCode: 1 });
    expect(refused.stderr).toContain('has none of the 3 tables that the definitions are from');
    expect(refused.stderr).toMatch(/remove their definitions \(.+ and .+\), and run this again/);
    // One table in common is not enough.
    await runSql(other, 'create table "film" ("film_id" serial primary key)');
    const files = readdirSync(path.dirname(definition('films')));
    const common = await run(project, 'import', '--again', other, '--keep-edits');
    expect(common).toMatchObject({ exitCode: 1 });
    expect(common.stderr).toContain('has only 1 of the 3 tables');
    expect(readdirSync(path.dirname(definition('films')))).toEqual(files);
  });
});

test('a folder of definitions without a lock gets one, with the layout of its files', async () => {
  await run(workshop, 'import', url, 'old', '--adopt');
  const folder = path.join(workshop, 'old/definitions');
  const films = path.join(folder, 'collections/films.yaml');
  writeFileSync(
    films,
    `\uFEFF${readFileSync(films, 'utf8').replace('sort:', '# sorted\nsort:')}`.replaceAll(
      '\n',
      '\r\n',
    ),
  );
  await execa('rm', [path.join(folder, 'import.lock')]);
  const first = await run(workshop, 'import', '--again', url, 'old');
  expect(first).toMatchObject({ exitCode: 0 });
  expect(first.stderr).toContain('No earlier import is known');
  await runSql(url, 'alter table "film" add "year" integer');
  expect(await run(folder, 'import', '--again', url)).toMatchObject({ exitCode: 0 });
  const text = readFileSync(films, 'utf8');
  expect(text.startsWith('\uFEFF# yaml-language-server')).toBe(true);
  expect(text).toContain('  year: { type: integer');
  expect(text.replaceAll('\r\n', '')).not.toContain('\n');
  expect(text).toContain('# sorted\r\n');
  expect(readFileSync(path.join(workshop, 'old/import-report.md'), 'utf8')).toContain('film');
});
