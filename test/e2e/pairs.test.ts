/**
 * Services with each two switches together compile, and pass the linter: what is emitted depends on what definitions
 * say. `PAIRS=<folder>` keeps the projects there, so that two sets can be compared with `git diff --no-index`.
 */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { execa } from 'execa';
import { beforeAll, expect, inject, test } from 'vitest';

import { renderProject } from '../../src/project/render-project.ts';
import { formatIssue, parseSingleFile } from '../../src/definition/index.ts';
import { NPM } from '../../src/shared/package-manager.ts';
import { nameOf, pairsOf } from '../pairs/pairwise.ts';
import { definitionsOf, PAIRS, SWITCHES } from '../pairs/switches.ts';

const place = process.env['PAIRS'] ?? path.join(inject('workshop'), 'pairs');
/** How many services the compiler takes at once: all of them take more than 3 GB of memory. */
const IN_ONE_PROGRAM = 13;

const folderOf = (at: number): string => `service-${at}`;

/** The files of which each is linted: files with the same path and the same bytes are one. */
const linted = new Map<string, string>();
/** Compiler errors by project folder. */
const problems = new Map<string, string[]>();

beforeAll(async () => {
  for (const [at, switches] of PAIRS.entries()) {
    const bytes = new TextEncoder().encode(JSON.stringify(definitionsOf(switches)));
    const read = await parseSingleFile({ path: 'pairs.yaml', bytes }, { fallbackName: 'pairs' });
    if (!read.ok) throw new Error(`${folderOf(at)}: ${read.issues.map(formatIssue).join('\n')}`);
    for (const file of await renderProject(read, { tool: '0.0.0', manager: NPM })) {
      const target = path.join(folderOf(at), file.path);
      mkdirSync(path.join(place, path.dirname(target)), { recursive: true });
      writeFileSync(path.join(place, target), file.text);
      if (file.path.endsWith('.ts')) linted.set(`${file.path}\n${file.text}`, target);
    }
  }
  symlinkSync(path.join(inject('installed'), 'node_modules'), path.join(place, 'node_modules'));
  write('package.json', { type: 'module' });
  write('.oxlintrc.json', settings('.oxlintrc.json'));
  for (let first = 0; first < PAIRS.length; first += IN_ONE_PROGRAM) await compile(first);
});

/** Compiles services, from one on, in one program: the types of packages are read once for all of them. */
async function compile(first: number): Promise<void> {
  const folders = PAIRS.slice(first, first + IN_ONE_PROGRAM).map((_, at) => folderOf(first + at));
  write('tsconfig.json', {
    ...settings('tsconfig.json'),
    include: folders.flatMap((folder) =>
      ['src', 'test', 'vitest.config.ts'].map((one) => `${folder}/${one}`),
    ),
  });
  const { all, exitCode } = await run('tsc', ['--pretty', 'false']);
  if (all === '' && exitCode !== 0) throw new Error(`the compiler ended with ${exitCode}`);
  for (const line of all.split('\n').filter((one) => one.trim() !== '')) {
    const [folder = ''] = line.split('/');
    problems.set(folder, [...(problems.get(folder) ?? []), line]);
  }
}

/** A file of settings, which all services have alike. */
const settings = (name: string): object =>
  JSON.parse(readFileSync(path.join(place, folderOf(0), name), 'utf8')) as object;

const write = (name: string, value: object): void =>
  writeFileSync(path.join(place, name), JSON.stringify(value));

const run = (tool: string, args: readonly string[]) =>
  execa(`node_modules/.bin/${tool}`, args, { cwd: place, all: true, reject: false });

test.each(PAIRS.map((switches, at) => ({ folder: folderOf(at), said: Object.values(switches) })))(
  '$folder compiles: $said',
  ({ folder }) => {
    expect(problems.get(folder) ?? []).toEqual([]);
  },
);

test('the compiler reports no error outside these services', () => {
  const folders = PAIRS.map((_, at) => folderOf(at));
  expect([...problems.keys()].filter((folder) => !folders.includes(folder))).toEqual([]);
});

test('the linter has nothing to say about any of their files', async () => {
  expect(linted.size).toBeGreaterThan(PAIRS.length);
  const { all, exitCode } = await run('oxlint', [
    '--type-aware',
    '--deny-warnings',
    ...linted.values(),
  ]);
  expect(exitCode, all).toBe(0);
});

test('each two switches are together in one of these services, but for those that definitions refuse', () => {
  const together = new Set(
    PAIRS.flatMap((switches) => {
      const all = Object.entries(switches);
      return all.flatMap((one, at) => all.slice(at + 1).map((other) => nameOf([one, other])));
    }),
  );
  const missing = pairsOf(SWITCHES).map(nameOf);
  expect(missing.filter((pair) => !together.has(pair))).toEqual([
    // Only existing tables have these keys, and services with such tables a schema of their own.
    'key chosen uuid, table own',
    'key chosen bigint, table own',
    'key string, table own',
    'key two fields, table own',
    'key a reference, table own',
    // No reference has an id of two values.
    'key two fields, owner link',
    'key chosen uuid, schema no',
    'key chosen bigint, schema no',
    'key string, schema no',
    'key two fields, schema no',
    'key a reference, schema no',
    'anotherKey string, table own',
    'anotherKey two fields, table own',
    'anotherKey string, schema no',
    'anotherKey two fields, schema no',
    'softDelete yes, table own',
    'databaseDefault yes, table own',
    'schema no, table existing',
    'schema no, softDelete yes',
    'databaseDefault yes, schema no',
    // One version has no other one to differ from.
    'difference name, versions one',
    'difference type, versions one',
    'lifecycle deprecated, versions one',
    // The member that a check is decided for after hooks is one that a hook sets.
    'checks after hooks, setBy none',
    'checks after hooks, setBy sequence',
  ]);
});
