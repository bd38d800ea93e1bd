/** Files of the platform that only some definitions need come and go with these definitions. */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { applyMigrations } from '../../../templates/service/src/platform/database/apply-migrations.ts';
import {
  inOrder,
  readMigrations,
} from '../../../templates/service/src/platform/database/migrations.ts';
import {
  createInMemory,
  overPglite,
} from '../../../templates/service/src/platform/database/pglite.ts';
import { check } from '../../../src/commands/check.ts';
import { filesIn } from '../cli/support.ts';
import { makeProject } from './support.ts';
import type { TestProject } from './support.ts';

const PLAIN = 'fields:\n  title: { type: string, required: true }\n';
const FULL = `${PLAIN}  price: { type: decimal, precision: 8, scale: 2 }
  tags: { type: list, of: { type: string } }
  original_id: { type: reference, to: books }
search: [title]
filter: [price]
include: [original_id]
`;
const BY_USE = [
  'src/collections/books/embedding.ts',
  'src/platform/database/background-indexing.ts',
  'src/platform/database/embed.ts',
  'src/platform/database/fill-words.ts',
  'src/platform/database/json.ts',
  'src/platform/http/exact-numbers.ts',
  'src/platform/http/include.ts',
  'src/platform/http/redis-counts.ts',
  'src/platform/http/redis-settings.ts',
  'src/platform/http/search-words.ts',
  'src/platform/http/search.ts',
  'src/platform/openapi/included.ts',
  'test/include.test.ts',
];
const SERVICE = 'definitions/service.yaml';
const BOOKS = 'definitions/collections/books.yaml';

let place = '';
let project: TestProject;

beforeAll(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
  project = await makeProject(path.join(place, 'shop'), {
    'service.yaml': 'name: shop\n',
    'collections/books.yaml': PLAIN,
  });
}, 60_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

const emitted = (): string[] => {
  const files = filesIn(project.folder);
  return BY_USE.filter((file) => file in files);
};

/** The relative imports that lead nowhere. */
function broken(): string[] {
  const files = Object.keys(filesIn(project.folder)).filter((file) =>
    /^(?:src|test)\/.*\.ts$/.test(file),
  );
  return files.flatMap((file) =>
    Array.from(
      project.read(file).matchAll(/(?:from |import\()'(\.[^']+)'/g),
      ([, target = '']) => target,
    )
      .filter((target) => !existsSync(path.join(project.folder, path.dirname(file), target)))
      .map((target) => `${file} imports ${target}`),
  );
}

test('files come with the definitions that need them, and go without them', async () => {
  expect(emitted()).toEqual([]);
  expect(broken()).toEqual([]);

  expect(project.read('package.json')).not.toContain('ioredis');

  project.write(BOOKS, FULL);
  project.write(SERVICE, 'name: shop\nredis: true\n');
  await project.generate();
  expect(emitted()).toEqual(BY_USE);
  expect(project.read('package.json')).toContain('ioredis');
  expect(broken()).toEqual([]);
  expect(project.read('src/platform/features.ts')).toContain(
    "import { FILLED_WORDS } from './database/fill-words.ts';",
  );

  // What code of the team imports stays, with its own imports.
  project.write('src/own.ts', `import { fillWords } from './platform/database/fill-words.ts';\n`);
  project.write(BOOKS, PLAIN);
  project.write(SERVICE, 'name: shop\n');
  const { outcomes } = await project.generate();
  expect(project.read('package.json')).not.toContain('ioredis');
  const kept = ['src/platform/database/fill-words.ts', 'src/platform/http/search-words.ts'];
  expect(emitted()).toEqual(kept);
  // These files are still generated: a newer version of the tool brings them up to date.
  expect(outcomes.filter(({ path: file }) => kept.includes(file))).toEqual([]);
  for (const file of kept) {
    expect(project.read('.create-service/manifest')).toContain(`\n${file} merged `);
  }
  expect(broken()).toEqual([]);
  expect((await project.generate()).outcomes).toEqual([]);

  // A new database applies the migrations of that time without what it needed then.
  const folder = pathToFileURL(`${path.join(project.folder, 'migrations')}/`);
  const migrations = inOrder(await readMigrations(folder));
  const filling = migrations.filter(({ text }) => /^-- fill words: /m.test(text));
  expect(filling.map(({ kind }) => kind)).toEqual(['batch']);
  const database = overPglite(await createInMemory(), () => {});
  try {
    expect((await applyMigrations(database, migrations)).applied).toHaveLength(migrations.length);
  } finally {
    await database.close();
  }
}, 60_000);

test('files come and go with the imports of the team, also where nothing else has changed', async () => {
  const shop = await makeProject(path.join(place, 'own'), {
    'service.yaml': 'name: shop\n',
    'collections/books.yaml': PLAIN,
  });
  const ran = async (): Promise<readonly string[]> =>
    (await shop.generate()).outcomes.map(({ path: file, action }) => `${action} ${file}`);
  const checked = async (): Promise<readonly string[]> => {
    const owner = { pid: process.pid, host: 'here', random: '0a1b2c3d' };
    const result = await check({ cwd: shop.folder, owner, isAlive: () => false });
    return result.ok ? result.findings.map(({ code }) => code) : ['issues'];
  };
  const words = 'src/platform/http/search-words.ts';
  expect(await ran()).toEqual([]);

  shop.write('src/own.ts', `// import './platform/http/search-words.ts';\n`);
  expect(await ran()).toEqual([]);
  shop.write('src/own.ts', `import './platform/http/errors.ts';\n`);
  expect(await ran()).toEqual([]);

  expect(await checked()).toEqual([]);
  shop.write('test/own.test.ts', `import '../${words}';\n`);
  expect(await checked()).not.toEqual([]);
  expect(await ran()).toEqual([`added ${words}`]);
  expect(await ran()).toEqual([]);
  shop.write('test/own.test.ts', undefined);
  expect(await ran()).toEqual([`removed ${words}`]);

  // In a file that is generated, too; what was generated there is no import of the team.
  const hooks = 'src/collections/books/hooks.ts';
  const routes = 'src/collections/books/routes.ts';
  for (const file of [routes, hooks]) {
    const before = shop.read(file);
    shop.edit(file, (text) => `import '../../platform/http/search-words.ts';\n${text}`);
    expect(await ran()).toContain(`added ${words}`);
    shop.write(file, before);
    expect(await ran()).toEqual([`removed ${words}`]);
  }

  // A file of which the team has edited the text is not removed.
  shop.write('src/own.ts', `import './platform/database/fill-words.ts';\n`);
  const filling = 'src/platform/database/fill-words.ts';
  expect(await ran()).toEqual([`added ${filling}`, `added ${words}`]);
  shop.edit(filling, (text) => `${text}\nexport const OWN = 1;\n`);
  shop.write('src/own.ts', undefined);
  expect(await ran()).toEqual([`left ${filling}`]);
  expect(await ran()).toEqual([]);
  expect(shop.read(words)).toContain('export');
}, 60_000);

test('a file that a newer version of the tool no longer has is left to a team that imports it', async () => {
  const shop = await makeProject(path.join(place, 'gone'), {
    'service.yaml': 'name: shop\n',
    'collections/books.yaml': PLAIN,
  });
  const words = 'src/platform/http/search-words.ts';
  const texts = {
    'src/platform/first.ts': `export * from './second.ts';\n`,
    'src/platform/second.ts': `export * from './http/search-words.ts';\n`,
    'src/platform/third.ts': 'export const third = 3;\n',
  };
  const lines = Object.entries(texts).map(([file, text]) => {
    shop.write(file, text);
    shop.write(`.create-service/base/${file}.base`, text);
    return `${file} merged ${createHash('sha256').update(text).digest('hex')}\n`;
  });
  shop.edit('.create-service/manifest', (text) => text + lines.join(''));
  shop.write('src/own.ts', `import './platform/first.ts';\n`);
  const { outcomes } = await shop.generate();
  expect(outcomes.map(({ path: file, action }) => `${action} ${file}`)).toEqual([
    'left src/platform/first.ts',
    `added ${words}`,
    'left src/platform/second.ts',
    'removed src/platform/third.ts',
  ]);
  expect((await shop.generate()).outcomes).toEqual([]);
}, 60_000);

test('what an edited file had of the definitions goes with them', async () => {
  const shop = await makeProject(path.join(place, 'edited'), {
    'service.yaml': 'name: shop\n',
    'collections/books.yaml': FULL,
  });
  const features = 'src/platform/features.ts';
  expect(shop.read(features)).toContain('./database/fill-words.ts');
  shop.edit(features, (text) => `${text}\nexport const OWN = 1;\n`);
  shop.write(BOOKS, PLAIN);
  const { outcomes } = await shop.generate();
  const actions = new Map(outcomes.map(({ path: file, action }) => [file, action]));
  expect(actions.get(features)).toBe('merged');
  expect(actions.get('src/platform/database/fill-words.ts')).toBe('removed');
}, 60_000);
