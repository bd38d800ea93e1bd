/** Values that are unique among some items: hooks, concurrent requests, deletions, older versions and jobs keep them so. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { execa } from 'execa';
import { expect, test } from 'vitest';

import { makeDatabase, makeProject } from './support/project.ts';

const TESTS = `import { afterEach, expect, test } from 'vitest';

import { articleHooks } from '../src/collections/articles/hooks.ts';
import { articleBody, createArticle } from './support/items/articles.ts';
import { createAuthor } from './support/items/authors.ts';
import { API, startService } from './support/service.ts';

const service = await startService();
afterEach(() => Object.assign(articleHooks, { beforeCreate: undefined, beforeUpdate: undefined }));

const SLUG = 'Another article where archived = false already has this slug.';

test('a hook that brings an item into the rule is refused', async () => {
  await createArticle(service, { slug: 'hooked' });
  const other = await createArticle(service, { slug: 'hooked', archived: true });
  const body = { ...(await articleBody(service)), slug: 'hooked', archived: true };
  const inside = async (values: object) => ({ ...values, archived: false });
  Object.assign(articleHooks, { beforeCreate: inside, beforeUpdate: inside });
  for (const answer of [
    await service.post('/articles', body),
    await service.request('POST', \`\${API}/articles\`, { headers: { 'idempotency-key': 'h' }, body }),
    await service.put(\`/articles/\${other.id}\`, body),
    await service.patch(\`/articles/\${other.id}\`, { rank: 1 }),
  ]) {
    expect(answer).toBeError(409);
    expect(answer.body).toMatchObject({ message: SLUG });
  }
});

test('of concurrent requests into the rule, one succeeds', async () => {
  const made = await Promise.all(
    Array.from({ length: 8 }, () => createArticle(service, { slug: 'race', archived: true })),
  );
  const answers = await Promise.all(
    made.map(({ id }) => service.patch(\`/articles/\${id}\`, { archived: false })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)]);
});

test('null in the rule leaves an item out of it', async () => {
  for (const _ of [1, 2]) await createArticle(service, { slug: 'null', archived: null });
  await createArticle(service, { slug: 'null', archived: false });
  expect(
    await service.post('/articles', { slug: 'null', archived: false }),
  ).toBeError(409, 'slug', 'where archived = false');
});

test('a removed item no longer counts', async () => {
  const item = await createArticle(service, { slug: 'removed' });
  await service.delete(\`/articles/\${item.id}\`);
  await createArticle(service, { slug: 'removed' });
});

test('a deletion that clears a reference into the rule is refused', async () => {
  const { id } = await createAuthor(service);
  const other = await createAuthor(service);
  await createArticle(service, { slug: 'cleared', rank: 7, author_id: id });
  await createArticle(service, { slug: 'cleared', rank: 7, author_id: other.id, archived: true });
  expect(await service.delete(\`/authors/\${id}\`)).toHaveStatus(204);
  expect(await service.delete(\`/authors/\${other.id}\`)).toBeError(409);
  expect(await service.get(\`/authors/\${other.id}\`)).toHaveStatus(200);
});

test('version 1 is told the rule in its words, or none', async () => {
  const post = (body: object) => service.request('POST', '/api/v1/articles', { body });
  expect(await post({ path: 'old' })).toHaveStatus(201);
  const taken = await post({ path: 'old' });
  expect(taken).toBeError(409);
  expect(taken.body).toMatchObject({
    message: 'Another article where hidden = false already has this path.',
  });
  expect(await post({ path: 'old', hidden: true })).toHaveStatus(201);
  const shown = await createArticle(service, { slug: 'older', archived: true, rank: 3, featured: false });
  const twin = await createArticle(service, { slug: 'older', archived: true, rank: 3, featured: true });
  const both = await service.request('PATCH', \`/api/v1/articles/\${twin.id}\`, {
    body: { featured: shown.featured },
  });
  expect(both).toBeError(409);
  expect(both.body).toMatchObject({ message: 'Another article already has this path and featured.' });
});

test('a background creation is refused at once, and outside of the rule it is not', async () => {
  const create = (body: object) => service.post('/imports', body);
  await service.create('/imports', { key: 'k' });
  const taken = await create({ key: 'k' });
  expect(taken).toBeError(409);
  expect(taken.body).toMatchObject({ message: 'Another import where open = true already has this key.' });
  await service.create('/imports', { key: 'k', open: false });
  await service.create('/imports', { key: 'k', open: null });
});

test('the database has one partial index, and lists use others', async () => {
  const rows = await service.database.query<{ indexdef: string }>({
    text: \`select indexdef from pg_indexes where indexname = 'articles__slug__where__archived__key'\`,
  });
  expect(rows[0]?.indexdef).toMatch(/UNIQUE.*WHERE \\(archived = false\\)/);
});

test('the document names the rule', async () => {
  const { body } = await service.get<object>('/openapi.json');
  expect(JSON.stringify(body)).toContain('slug where archived = false');
});
`;

test('values are unique among the items that a rule is true for, on both databases', async () => {
  const project = await makeProject('unique-where', 'test/e2e/definitions/unique-where.yaml');
  writeFileSync(join(project, 'test/unique-where.test.ts'), TESTS);
  // What is emitted for each collection runs on one of them.
  for (const [env, files] of [
    [{}, ['unique-where']],
    [
      { DATABASE_URL: await makeDatabase('unique_where') },
      ['unique-where', 'articles', 'imports', 'repairs'],
    ],
  ] as const) {
    const run = await execa('npx', ['vitest', 'run', ...files], {
      cwd: project,
      env,
      all: true,
      reject: false,
    });
    expect(run, run.all).toMatchObject({ exitCode: 0 });
  }
});
