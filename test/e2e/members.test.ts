/** Members whose values come from code of the team: computed by SQL, or set by background work. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { execa } from 'execa';
import { expect, test } from 'vitest';

import { edit } from './support/own-changes.ts';
import { makeProject, runScript } from './support/project.ts';

/** Runs the tests whose files match one of the filters. */
const runTests = (project: string, ...filters: string[]) =>
  execa('npx', ['vitest', 'run', ...filters], { cwd: project, all: true, reject: false });

const SCHEMA = 'src/collections/books/schema.ts';
const REPOSITORY = 'src/collections/books/repository.ts';

/** Of other members, of the time of a change, of another collection, and of the same one. */
const COMPUTED = `  label: \`"books"."title" || coalesce("books"."genre", '')\`,
  is_edited: '"books"."updated_at" > "books"."created_at"',
  review_count: '(select count(*) from "reviews" where "book_id" = "books"."id")',
  sibling_count: \`(select count(*) + 1 from "books" as "other"
    where "other"."person_id" = "books"."person_id" and "other"."id" <> "books"."id")\`,
`;

const VERSIONS = `import { expect, test } from 'vitest';

import { createBook } from './support/items/books.ts';
import { createReview } from './support/items/reviews.ts';
import { startService } from './support/service.ts';

const service = await startService();

test.each([1, 2, 3])('version %i has computed members', async (version) => {
  const { id, title } = await createBook(service);
  const own = service.in(version);
  const path = \`/books/\${id}\`;
  const before = await own.get(path);
  const computed = { label: title, is_edited: false, review_count: 0, sibling_count: 1 };
  expect(before.body).toMatchObject(computed);
  await createReview(service, { book_id: id });
  const after = await own.get(path);
  expect(after.body).toMatchObject({ ...computed, review_count: 1 });
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
  expect((await own.patch(path, {})).body).toMatchObject({ is_edited: true, review_count: 1 });
  expect((await own.get('/books')).body).toContainEqual((await own.get(path)).body);
  const some = await own.get('/books?fields=review_count');
  expect(some.body).toContainEqual({ id, review_count: 1 });
  const sent = await own.patch(path, { review_count: 7 });
  expect(sent.body).toMatchObject({ message: 'review_count is read-only.' });
  const { body } = await own.get<{ components: { schemas: { Book: object } } }>('/openapi.json');
  expect(body.components.schemas.Book).toMatchObject({
    properties: { review_count: { type: 'integer', readOnly: true } },
    required: expect.arrayContaining(Object.keys(computed)),
  });
});
`;

test('all versions have computed members, and no emitted test needs an edit', async () => {
  const project = await makeProject('computed', 'test/cases/versions/definitions.yaml');
  edit(project, [
    SCHEMA,
    'BookComputed = object({})',
    `BookComputed = object({
  label: string(),
  is_edited: boolean(),
  review_count: integer(),
  sibling_count: integer(),
})`,
  ]);
  edit(project, [SCHEMA, '  itemShape,\n', '  boolean,\n  itemShape,\n']);
  const last = `  updated_at: '"books"."updated_at"',\n`;
  edit(project, [REPOSITORY, last, last + COMPUTED]);
  writeFileSync(join(project, 'test/computed.test.ts'), VERSIONS);
  expect((await runScript(project, 'types')).output).not.toContain('error');
  expect(await runTests(project, 'books', 'computed')).toMatchObject({ exitCode: 0 });

  // An older version can leave one out.
  const older = 'src/collections/books/v1.ts';
  const whole = 'BookV1Computed = BookComputed';
  const some = `BookV1Computed = Type.Omit(BookComputed, ['label'])`;
  edit(project, [older, whole, some]);
  edit(project, [
    older,
    'import type { Static }',
    `import Type from 'typebox';\nimport type { Static }`,
  ]);
  expect((await runScript(project, 'types')).output).not.toContain('error');
  const files = ['v1/books', 'versions/books'];
  expect(await runTests(project, ...files)).toMatchObject({ exitCode: 0 });

  // Version 1 calls the field isbn so.
  edit(project, [SCHEMA, '  label: string(),', '  ean: string(),']);
  edit(project, [REPOSITORY, '  label: ', '  ean: ']);
  edit(project, [older, some, whole]);
  const { output } = await runScript(project, 'types');
  expect(output).toContain(older);
  expect(output).toContain(`'ean' is specified more than once`);
  const { all: refused } = await runTests(project, 'versions/books');
  expect(refused).toContain('ean of Book is a field and a computed member: rename one of them.');
});

test('background work sets read-only members, and no emitted test needs an edit', async () => {
  const project = await makeProject('processed', 'examples/scans.yaml');
  const hooks = 'src/collections/scans/hooks.ts';
  edit(project, [hooks, 'return values;', `return { ...values, text: findScan.name && 'Read.' };`]);
  // Hooks may use the functions of their own repository, whichever of the two modules is evaluated first.
  const imported = 'import type { Scan,';
  edit(project, [hooks, imported, `import { findScan } from './repository.ts';\n${imported}`]);
  expect(await runTests(project, 'scans')).toMatchObject({ exitCode: 0 });
  await runScript(project, 'build');
  const first = ['--input-type=module', '-e', `await import('./dist/collections/scans/hooks.js')`];
  await execa(process.execPath, first, { cwd: project });
});
