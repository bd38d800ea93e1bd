/** Runs that are broken off, that only look, that meet another run, and that find a conflict open. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { check } from '../../../src/commands/check.ts';
import { generate } from '../../../src/commands/generate.ts';
import type { GenerateResult } from '../../../src/commands/generate.ts';
import { filesIn } from '../cli/support.ts';
import { makeProject } from './support.ts';
import type { TestProject } from './support.ts';

const BOOKS = 'definitions/collections/books.yaml';
const SCHEMA = 'src/collections/books/schema.ts';
const owner = { pid: process.pid, host: 'here', random: '0a1b2c3d' };

let place = '';
let project: TestProject;
beforeEach(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
  project = await makeProject(path.join(place, 'shop'), {
    'service.yaml': 'name: shop\n',
    'collections/books.yaml': 'fields:\n  title: { type: string }\n',
  });
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const run = (
  more: { readonly dryRun?: boolean; readonly interrupted?: AbortSignal } = {},
): Promise<GenerateResult> =>
  generate({
    cwd: project.folder,
    dryRun: false,
    allowDataLoss: false,
    allowBreaking: false,
    allowWider: false,
    interrupted: new AbortController().signal,
    owner,
    isAlive: () => false,
    ...more,
  });
const addPages = (): void => project.edit(BOOKS, (text) => `${text}  pages: { type: integer }\n`);

test('a run that is interrupted before it writes leaves the project as it was', async () => {
  addPages();
  const before = filesIn(project.folder);
  const interruption = new AbortController();
  const running = run({ interrupted: interruption.signal });
  interruption.abort(new Error('Ctrl-C'));
  await expect(running).rejects.toThrow('Ctrl-C');
  expect(filesIn(project.folder)).toEqual(before);
  expect(await run()).toMatchObject({ ok: true, refused: [] });
  expect(project.read(SCHEMA)).toContain('pages');
});

test('a dry run leaves what a killed run had begun; the next run finishes it', async () => {
  const begun = path.join(project.folder, '.create-service/run');
  mkdirSync(path.join(begun, 'new'), { recursive: true });
  writeFileSync(path.join(begun, 'new/0'), 'begun\n');
  const journal = [{ path: 'NOTES.md', kind: 'write', before: null }];
  writeFileSync(path.join(begun, 'journal.json'), JSON.stringify(journal));
  const before = filesIn(project.folder);
  expect((await run({ dryRun: true })).recovered).toBeUndefined();
  expect(filesIn(project.folder)).toEqual(before);
  expect((await run()).recovered).toEqual({ beside: [] });
  expect(project.read('NOTES.md')).toBe('begun\n');
});

test('neither check nor another run looks at a project that a run is writing to', async () => {
  project.write(
    '.create-service/lock',
    `${JSON.stringify({ pid: 1, host: 'here', random: '00000000' })}\n`,
  );
  const isAlive = (pid: number): boolean => pid === 1;
  const request = { cwd: project.folder, owner, isAlive };
  await expect(check(request)).rejects.toMatchObject({ code: 'busy' });
  await expect(
    generate({
      ...{
        ...request,
        dryRun: false,
        allowDataLoss: false,
        allowBreaking: false,
        allowWider: false,
      },
      interrupted: new AbortController().signal,
    }),
  ).rejects.toMatchObject({ code: 'busy' });
  // What a dead process left is in nobody's way.
  expect(await check({ ...request, isAlive: () => false })).toMatchObject({ ok: true });
});

test('a conflict is told by each run until it is resolved', async () => {
  project.edit(SCHEMA, (text) => text.replace('string()', 'string({ maxLength: 7 })'));
  project.edit(BOOKS, (text) => text.replace('string }', 'string, max_length: 99 }'));
  const newFile = `${SCHEMA}.new`;
  await project.generate();
  const [mine, theirs] = [project.read(SCHEMA), project.read(newFile)];
  for (let time = 0; time < 2; time++) {
    const { outcomes } = await project.generate();
    expect(outcomes).toMatchObject([
      { path: SCHEMA, action: 'conflict', conflict: { newFile, isOld: true } },
    ]);
    expect([project.read(SCHEMA), project.read(newFile)]).toEqual([mine, theirs]);
  }
  project.write(newFile, undefined);
  expect((await project.generate()).outcomes).toMatchObject([{ path: SCHEMA, action: 'kept' }]);
});

test('check tells of migrations by hand on two branches, which the next one is to join', async () => {
  const first = project.read('migrations/0001_initial.sql');
  const hash = createHash('sha256').update(first).digest('hex');
  const codes = async (): Promise<readonly string[]> => {
    const result = await check({ cwd: project.folder, owner, isAlive: () => false });
    return result.ok ? result.findings.map(({ code }) => code) : ['issues'];
  };
  for (const name of ['one', 'other']) {
    project.write(`migrations/0002_${name}.sql`, `-- after: 0001_initial ${hash}\n\nselect 1;\n`);
  }
  expect(await codes()).toContain('migration-not-written');
  const { migration } = await project.generate();
  expect(migration?.files[0]?.path).toBe('migrations/0003_join.sql');
  expect(await codes()).toEqual([]);
});
