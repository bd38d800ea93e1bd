/**
 * Golden runs over projects that live. `before/` of a case is a project as a team has it: its files,
 * with what was remembered of the last run, and no more files than the case is about. `definitions/`
 * is what it is generated from now, and `expected/` what then stands there: those files, those
 * beside them, new migrations, and in `told.txt` what was done with each. `npm run cases` writes
 * `expected/` anew. And of every case: generated a second time, nothing changes.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newProject } from '../../src/commands/create.ts';
import { NPM } from '../../src/shared/package-manager.ts';
import { filesIn } from '../unit/cli/support.ts';
import { projectIn } from '../unit/regenerate/support.ts';

const HERE = fileURLToPath(new URL('./', import.meta.url));
const UPDATE = process.env['UPDATE_CASES'] === '1';

const FOLDERS = readdirSync(HERE, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const isThere = (file: string): boolean => existsSync(path.join(HERE, file));
const LIVING = FOLDERS.filter((name) => isThere(`${name}/before`));
const NEW = [
  ...FOLDERS.filter((name) => !LIVING.includes(name)).flatMap((name) =>
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

describe.each(LIVING)('%s', (name) => {
  const at = (file: string): string => path.join(HERE, name, file);

  test('yields the expected files, and then nothing more', async () => {
    const folder = path.join(place, name);
    cpSync(at('before'), folder, { recursive: true });
    rmSync(path.join(folder, 'definitions'), { recursive: true });
    cpSync(at('definitions'), path.join(folder, 'definitions'), { recursive: true });
    const project = projectIn(folder);
    const { outcomes, strays } = await project.generate();

    const known = new Set(Object.keys(filesIn(at('before'))));
    const told = outcomes.filter(
      ({ path: file, action }) => action !== 'added' || file.startsWith('migrations/'),
    );
    const targets = new Set([
      ...known,
      ...told.flatMap(({ path: file, conflict }) => [file, conflict?.beside]),
    ]);
    const files = Object.entries(filesIn(folder)).filter(
      ([file]) => targets.has(file) && !/^(\.create-service|definitions)\//.test(file),
    );
    const lines = [
      ...told.map(({ path: file, action, from, conflict }) => [
        `${action} ${from === undefined ? '' : `${from} → `}${file}`,
        ...(conflict?.places ?? []).map(({ line, what }) => `  ${line}: ${what}`),
      ]),
      ...strays.map((file) => `stray ${file}`),
    ].flat();
    const result = { ...Object.fromEntries(files), 'told.txt': `${lines.join('\n')}\n` };
    if (UPDATE) {
      rmSync(at('expected'), { recursive: true, force: true });
      for (const [file, text] of Object.entries(result)) {
        mkdirSync(path.dirname(at(`expected/${file}`)), { recursive: true });
        writeFileSync(at(`expected/${file}`), text);
      }
    }
    expect(result).toEqual(filesIn(at('expected')));
    // What is written anew is looked at by nobody at times: this is not to be missed.
    const hasConflict = told.some(({ action }) => action === 'conflict');
    expect(hasConflict).toBe(name.endsWith('-in-conflict'));
    expect((await project.generate()).changes).toEqual([]);
  });
});

test.each(NEW)('generating %s again changes nothing', async (from) => {
  const folder = path.join(place, `new-${NEW.indexOf(from)}`);
  const made = await newProject({
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
