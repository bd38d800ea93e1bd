/** Files of the platform that only some definitions need come and go with these definitions. */
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
  'src/platform/http/search-words.ts',
  'src/platform/openapi/included.ts',
  'test/include.test.ts',
];
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

  project.write(BOOKS, FULL);
  await project.generate();
  expect(emitted()).toEqual(BY_USE);
  expect(broken()).toEqual([]);
  expect(project.read('src/platform/features.ts')).toContain(
    "import { FILLED_WORDS } from './database/fill-words.ts';",
  );

  // What code of the team imports stays, with its own imports.
  project.write('src/own.ts', `import { fillWords } from './platform/database/fill-words.ts';\n`);
  project.write(BOOKS, PLAIN);
  const { outcomes } = await project.generate();
  const kept = ['src/platform/database/fill-words.ts', 'src/platform/http/search-words.ts'];
  expect(emitted()).toEqual(kept);
  expect(outcomes.flatMap(({ path: file, action }) => (action === 'left' ? file : []))).toEqual(
    kept,
  );
  expect(broken()).toEqual([]);

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
