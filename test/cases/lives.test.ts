/**
 * Golden runs of `generate` in projects with edits. `lives/before/` is a project as an older version generated it.
 * Each case puts its `edits/` and its `definitions/` over that; `expected.diff` is what the run then does: an
 * action for each file, and the difference. `npm run cases` writes it. A second run changes nothing.
 */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { create } from '../../src/commands/create.ts';
import { NPM } from '../../src/shared/package-manager.ts';
import { unifiedDiff } from '../../src/update/unified.ts';
import { filesIn } from '../unit/cli/support.ts';
import { projectIn } from '../unit/regenerate/support.ts';

const HERE = fileURLToPath(new URL('./', import.meta.url));
const UPDATE = process.env['UPDATE_CASES'] === '1';

const FOLDERS = readdirSync(HERE, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const isThere = (file: string): boolean => existsSync(path.join(HERE, file));
const NEW = [
  ...FOLDERS.flatMap((name) =>
    ['definitions.yaml', 'definitions.json', 'definitions']
      .map((file) => `${name}/${file}`)
      .filter(isThere),
  ),
  '../../examples/bookshop.yaml',
];

let place = '';
beforeAll(() => {
  place = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

interface Life {
  readonly name: string;
  /** The cases whose edits the project has. */
  readonly edits: readonly string[];
  /** A definition that the team has removed. */
  readonly removed?: string;
}

const LIVES: readonly Life[] = [
  { name: 'edited', edits: ['edited'] },
  { name: 'in-conflict', edits: ['in-conflict'] },
  { name: 'renamed', edits: ['edited', 'renamed'], removed: 'definitions/collections/books.yaml' },
];

/** Makes the project of a case, with the record of the last run. */
function makeLife({ name, edits, removed }: Life): string {
  const folder = path.join(place, name);
  const before = path.join(HERE, 'lives/before');
  cpSync(before, folder, { recursive: true });
  const record = path.join(folder, '.create-service');
  cpSync(path.join(before, 'definitions'), path.join(record, 'definitions'), { recursive: true });
  const manifest = readFileSync(path.join(record, 'manifest'), 'utf8');
  for (const [, file = ''] of manifest.matchAll(/^(\S+) merged /gm)) {
    cpSync(path.join(before, file), path.join(record, 'base', `${file}.base`), { recursive: true });
  }
  for (const one of edits) {
    cpSync(path.join(HERE, 'lives', one, 'edits'), folder, { recursive: true });
  }
  const definitions = path.join(HERE, 'lives', name, 'definitions');
  cpSync(definitions, path.join(folder, 'definitions'), { recursive: true });
  if (removed !== undefined) rmSync(path.join(folder, removed));
  return folder;
}

test.each(LIVES)('$name: does what is expected, and then nothing more', async (life) => {
  const folder = makeLife(life);
  const before = filesIn(folder);
  const project = projectIn(folder);
  const { outcomes, strays } = await project.generate();
  const after = filesIn(folder);

  // New files are those of a new project, but for migrations.
  const shown = outcomes.filter(
    ({ path: file, action }) => action !== 'added' || file.startsWith('migrations/'),
  );
  const lines = [
    ...shown.flatMap(({ path: file, action, from, conflict }) => [
      `${action} ${from === undefined ? '' : `${from} → `}${file}`,
      ...(conflict?.places ?? []).map(({ line, what }) => `  ${line}: ${what}`),
    ]),
    ...strays.map((file) => `stray ${file}`),
    '',
    ...shown.flatMap(({ path: file, from = file, conflict }) => {
      const beside = conflict?.newFile;
      return [
        ...unifiedDiff(file, before[from], after[file]),
        ...(beside === undefined ? [] : unifiedDiff(beside, undefined, after[beside])),
      ];
    }),
  ];
  const result = `${lines.join('\n')}\n`;
  const expected = path.join(HERE, 'lives', life.name, 'expected.diff');
  if (UPDATE) writeFileSync(expected, result);
  expect(result).toBe(readFileSync(expected, 'utf8'));
  // Files that no outcome names are as they were, and files that move leave nothing behind.
  const named = new Set(
    outcomes.flatMap(({ path: file, from, conflict }) => [file, from, conflict?.newFile]),
  );
  const others = Object.keys({ ...before, ...after }).filter(
    (file) => !file.startsWith('.create-service/') && !named.has(file),
  );
  for (const file of others) expect(after[file], file).toBe(before[file]);
  const left = outcomes.flatMap(({ path: file, from = file }) =>
    from !== file && Object.hasOwn(after, from) ? from : [],
  );
  expect(left).toEqual([]);
  // `npm run cases` writes expectations without asking; a conflict must not come or go unseen.
  const hasConflict = shown.some(({ action }) => action === 'conflict');
  expect(hasConflict).toBe(life.name === 'in-conflict');
  expect((await project.generate()).changes).toEqual([]);
});

test.each(NEW)('generating %s again changes nothing', async (from) => {
  const folder = path.join(place, `new-${NEW.indexOf(from)}`);
  const made = await create({
    from: path.join(HERE, from),
    target: folder,
    cwd: place,
    name: undefined,
    tool: '0.0.0',
    manager: NPM,
    dryRun: false,
    interrupted: new AbortController().signal,
    owner: { pid: process.pid, host: 'here', random: '0a1b2c3d' },
    isAlive: () => false,
  });
  expect(made.ok).toBe(true);
  expect((await projectIn(folder).generate()).changes).toEqual([]);
});
