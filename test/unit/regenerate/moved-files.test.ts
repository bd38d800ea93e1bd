/** A newer version moves files of the service: edits move along, and what imports them still does. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { ts } from 'ts-morph';

import type { UpgradeSteps } from '../../../src/update/upgrade-steps.ts';
import { filesIn } from '../cli/support.ts';
import { makeProject } from './support.ts';
import type { TestProject } from './support.ts';

const OLD = 'src/security/secrets/hashing.ts';
const NOW = 'src/platform/auth/passwords.ts';
const BASE = '.create-service/base/';
const STEPS: UpgradeSteps = { files: [{ version: '0.2.0', from: OLD, to: NOW }], schema: [] };

let place = '';
let project: TestProject;

/** A project as an older version made it: `NOW` stood at `OLD`. */
beforeEach(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
  project = await makeProject(path.join(place, 'shop'), {
    'service.yaml': 'name: shop\n',
    'collections/books.yaml': 'fields:\n  title: { type: string, required: true }\n',
  });
  const files = Object.keys(filesIn(project.folder));
  for (const file of files.filter((one) => /\.ts(?:\.base)?$/.test(one))) {
    project.edit(file, (text) =>
      /\/passwords\.ts/.test(file)
        ? text
            .replaceAll("'../", "'../../platform/")
            .replaceAll("'./login-throttle.ts'", "'../../platform/auth/login-throttle.ts'")
        : text
            .replaceAll(
              "'../src/platform/auth/passwords.ts'",
              "'../src/security/secrets/hashing.ts'",
            )
            .replaceAll("'./passwords.ts'", "'../../security/secrets/hashing.ts'"),
    );
    if (file.startsWith(BASE)) rehash(file.slice(BASE.length, -'.base'.length), project.read(file));
  }
  move(NOW, OLD);
  move(`${BASE}${NOW}.base`, `${BASE}${OLD}.base`);
  project.edit('.create-service/manifest', (text) =>
    text.replace(/^generator .*$/m, 'generator 0.1.0').replace(`\n${NOW} `, `\n${OLD} `),
  );
}, 60_000);
afterEach(() => rmSync(place, { recursive: true, force: true }));

function move(from: string, to: string): void {
  mkdirSync(path.join(project.folder, path.dirname(to)), { recursive: true });
  renameSync(path.join(project.folder, from), path.join(project.folder, to));
}

/** Lets the manifest say that a file was generated with this text. */
function rehash(file: string, text: string): void {
  const hash = createHash('sha256').update(text).digest('hex');
  project.edit('.create-service/manifest', (manifest) =>
    manifest
      .split('\n')
      .map((line) => (line.startsWith(`${file} `) ? line.replace(/\S+$/, hash) : line))
      .join('\n'),
  );
}

/** The imports of all source files that lead nowhere. */
function broken(): string[] {
  const files = Object.keys(filesIn(project.folder)).filter((file) => /^(?:src|test)\//.test(file));
  return files.flatMap((file) =>
    ts
      .preProcessFile(project.read(file))
      .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
      .filter(
        ({ fileName }) => !existsSync(path.join(project.folder, path.dirname(file), fileName)),
      )
      .map(({ fileName }) => `${file} imports ${fileName}`),
  );
}

const actions = (outcomes: readonly { path: string; action: string }[]): object =>
  Object.fromEntries(outcomes.map(({ path: file, action }) => [file, action]));

test('a file that nobody edited moves, and so does what imports it', async () => {
  expect(broken()).toEqual([]);
  const { outcomes } = await project.generate(STEPS);
  expect(actions(outcomes)).toMatchObject({
    [NOW]: 'moved',
    'src/platform/auth/users.ts': 'updated',
  });
  expect(existsSync(path.join(project.folder, OLD))).toBe(false);
  expect(broken()).toEqual([]);
  expect((await project.generate(STEPS)).changes).toEqual([]);
});

test('edits move along, and imports that the team wrote lead to where the file is now', async () => {
  // In the file that moves.
  project.edit(OLD, (text) =>
    text
      .replace(
        'import { hash,',
        "import { today } from '../../platform/http/values.ts';\nimport { hash,",
      )
      .replace('let running = 0;', '/** Ours. */\nexport const SINCE = today();\nlet running = 0;'),
  );
  // In a generated file that does not import it otherwise.
  project.edit('src/collections/books/routes.ts', (text) =>
    text.replace(
      '\nexport function booksRoutes(',
      "\nexport { SINCE } from '../../security/secrets/hashing.ts';\n\nexport function booksRoutes(",
    ),
  );
  // In a file that is the team's after it was generated, and in files of their own.
  const hooks = project.read('src/collections/books/hooks.ts');
  project.write(
    'src/collections/books/hooks.ts',
    `import { SINCE } from '../../security/secrets/hashing.ts';\n${hooks}\nexport const since = SINCE;\n`,
  );
  project.write(
    'src/reports/index.ts',
    `import type { SINCE } from "../security/secrets/hashing.ts"\nexport const load = async () => import("../security/secrets/hashing.ts")\n`,
  );
  project.write('src/security/secrets/ours.ts', `export { SINCE as OURS } from './hashing.ts';\n`);
  project.write('test/ours.test.ts', `import '../src/platform/auth/users.ts';\n`);
  expect(broken()).toEqual([]);

  const { outcomes } = await project.generate(STEPS);
  expect(actions(outcomes)).toMatchObject({
    [NOW]: 'merged',
    'src/collections/books/routes.ts': 'merged',
    'src/collections/books/hooks.ts': 'imports',
    'src/reports/index.ts': 'imports',
    'src/security/secrets/ours.ts': 'imports',
  });
  expect(outcomes.some(({ action }) => action === 'conflict')).toBe(false);
  expect(actions(outcomes)).not.toHaveProperty('test/ours.test.ts');
  expect(broken()).toEqual([]);
  expect(project.read(NOW)).toContain(`import { today } from '../http/values.ts';`);
  expect(project.read(NOW)).toContain('export const SINCE = today();');
  expect(project.read('src/collections/books/routes.ts')).toContain(
    `export { SINCE } from '../../platform/auth/passwords.ts';`,
  );
  // In the words and the style of the team.
  expect(project.read('src/reports/index.ts')).toBe(
    `import type { SINCE } from "../platform/auth/passwords.ts"\nexport const load = async () => import("../platform/auth/passwords.ts")\n`,
  );
  expect(project.read('src/security/secrets/ours.ts')).toContain(
    `'../../platform/auth/passwords.ts'`,
  );
  expect((await project.generate(STEPS)).changes).toEqual([]);
});

test('imports of a file that is part of another one now lead there', async () => {
  const merged = 'src/security/secrets/cache.ts';
  const text = 'export const CACHE = 1;\n';
  project.write(merged, text);
  project.write(`${BASE}${merged}.base`, text);
  const hash = createHash('sha256').update(text).digest('hex');
  project.edit('.create-service/manifest', (manifest) =>
    manifest.replace(
      /^(src\/security\/secrets\/)hashing\.ts( .* )\S+$/m,
      `$&\n$1cache.ts$2${hash}`,
    ),
  );
  project.write('src/reports.ts', `import { CACHE } from './security/secrets/cache.ts';\n`);
  const files = [{ version: '0.2.0', from: merged, to: NOW }, ...STEPS.files];
  const { outcomes } = await project.generate({ ...STEPS, files });
  expect(actions(outcomes)).toMatchObject({
    [merged]: 'removed',
    [NOW]: 'moved',
    'src/reports.ts': 'imports',
  });
  expect(project.read('src/reports.ts')).toBe(
    `import { CACHE } from './platform/auth/passwords.ts';\n`,
  );
});

test('a conflict in a file that moves leaves the edits where the file is now', async () => {
  project.edit(OLD, (text) =>
    text
      .replace(
        'import { hash,',
        "import { today } from '../../platform/http/values.ts';\nimport { hash,",
      )
      .replace(/^const MAX_QUEUED = .*$/m, 'const MAX_QUEUED = Number(today().slice(0, 4));'),
  );
  project.edit(`${BASE}${OLD}.base`, (text) =>
    text.replace(/^const MAX_QUEUED = .*$/m, 'const MAX_QUEUED = 7;'),
  );
  rehash(OLD, project.read(`${BASE}${OLD}.base`));
  const { outcomes } = await project.generate(STEPS);
  expect(actions(outcomes)).toMatchObject({ [NOW]: 'conflict' });
  expect(existsSync(path.join(project.folder, OLD))).toBe(false);
  expect(project.read(NOW)).toContain(`'../http/values.ts'`);
  expect(broken()).toEqual([]);
});

test('a file that is the team’s and unedited is known as unedited after its imports changed', async () => {
  const file = 'src/collections/books/hooks.ts';
  const imported = `import '../../security/secrets/hashing.ts';\n`;
  project.edit(file, (text) => imported + text);
  rehash(file, project.read(file));
  await project.generate(STEPS);
  expect(project.read(file)).toMatch(/^import '\.\.\/\.\.\/platform\/auth\/passwords\.ts';\n/);
  // Nothing yields it any more: what nobody edited goes.
  project.write('definitions/collections/books.yaml', undefined);
  project.write('definitions/collections/pages.yaml', 'fields:\n  name: { type: string }\n');
  const { outcomes } = await project.generate(STEPS);
  expect(actions(outcomes)).toMatchObject({ [file]: 'removed' });
});

test('a file that the team edited is known as edited after its imports changed', async () => {
  const file = 'src/collections/books/hooks.ts';
  project.edit(file, (text) => `import '../../security/secrets/hashing.ts';\n${text}`);
  await project.generate(STEPS);
  const text = project.read(file);
  expect(text).toMatch(/^import '\.\.\/\.\.\/platform\/auth\/passwords\.ts';\n/);
  project.write('definitions/collections/books.yaml', undefined);
  project.write('definitions/collections/pages.yaml', 'fields:\n  name: { type: string }\n');
  const { outcomes } = await project.generate(STEPS);
  expect(actions(outcomes)).toMatchObject({ [file]: 'left' });
  expect(project.read(file)).toBe(text);
});

test('an import with an escape in its path stays as it is written', async () => {
  const text = `import '../security/secrets/hash\\u0069ng.ts';\nexport const REPORTS = 1;\n`;
  project.write('src/reports/index.ts', text);
  await project.generate(STEPS);
  expect(project.read('src/reports/index.ts')).toBe(text);
});
