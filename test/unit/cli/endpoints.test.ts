/** The statuses and permissions of endpoints, by what a definition says. */
import { expect, test } from 'vitest';

import { documentOf } from '../../../src/commands/explain/document.ts';
import { endpointAccess } from '../../../src/commands/explain/endpoints.ts';
import { tableOf } from '../../../src/commands/explain/table.ts';
import { diagramOf } from '../../../src/render/views/diagram.ts';
import { parseSingleFile } from '../../../src/definition/index.ts';
import { buildModel } from '../../../src/model/build.ts';
import type { Model } from '../../../src/model/types.ts';

async function modelOf(collections: string): Promise<Model> {
  const text = `name: shop\nroles: [editor, warden]\ncollections:\n${collections}`;
  const file = { path: 'shop.yaml', bytes: new TextEncoder().encode(text) };
  const result = await parseSingleFile(file, { fallbackName: 'shop' });
  if (!result.ok) throw new Error(result.issues.map(({ message }) => message).join('\n'));
  return buildModel(result.service);
}

/** `METHOD path` to statuses. */
async function statuses(collections: string): Promise<Record<string, string>> {
  const endpoints = endpointAccess(await modelOf(collections));
  return Object.fromEntries(
    endpoints.map(({ method, path, statuses: all }) => [`${method} ${path}`, all.join(' ')]),
  );
}

test('a collection for all who are known', async () => {
  expect(await statuses('  notes: { fields: { title: { type: string } } }\n')).toEqual({
    'GET /notes': '200 414',
    'POST /notes': '201 409 413 415 422',
    'GET /notes/{id}': '200 304 404 410 412',
    'PUT /notes/{id}': '200 404 410 412 413 415 422',
    'PATCH /notes/{id}': '200 404 410 412 413 415 422',
    'DELETE /notes/{id}': '204 404 410 412',
  });
});

test('for some, and unique', async () => {
  const found = await statuses(`
  notes:
    fields: { title: { type: string, unique: true } }
    permissions: { create: [editor], delete: [owner] }
`);
  expect(found).toMatchObject({
    'POST /notes': '201 403 409 413 415 422',
    'PATCH /notes/{id}': '200 404 409 410 412 413 415 422',
    'DELETE /notes/{id}': '204 403 404 410 412',
  });
});

test('If-Match may be demanded', async () => {
  const found = await statuses(
    '  notes: { fields: { title: { type: string } }, require_if_match: true }\n',
  );
  expect(found).toMatchObject({
    'GET /notes/{id}': '200 304 404 410 412',
    'PUT /notes/{id}': '200 404 410 412 413 415 422 428',
    'DELETE /notes/{id}': '204 404 410 412 428',
  });
});

test('made in the background: 202, and jobs to ask after', async () => {
  const found = await statuses(`
  authors: { fields: { name: { type: string } } }
  books:
    fields: { author_id: { type: reference, to: authors, nested: true } }
    create: background
`);
  expect(found).toMatchObject({
    'POST /authors': '201 409 413 415 422',
    'POST /books': '202 409 413 415 422',
    'POST /authors/{id}/books': '202 404 409 410 413 415 422',
    'GET /jobs/{id}': '200 304 403 404 410 412',
  });
  expect(await statuses('  authors: { fields: { name: { type: string } } }\n')).not.toHaveProperty(
    'GET /jobs/{id}',
  );
});

test('changes that write events: a list for administrators', async () => {
  const found = await statuses('  notes: { fields: { title: { type: string } }, events: true }\n');
  expect(found).toMatchObject({ 'GET /events': '200 403 410 414' });
  expect(await statuses('  notes: { fields: { title: { type: string } } }\n')).not.toHaveProperty(
    'GET /events',
  );
});

test('what goes with an item may be held by something else', async () => {
  const found = await statuses(`
  authors: { fields: { name: { type: string } } }
  books: { fields: { author_id: { type: reference, to: authors, on_delete: cascade } } }
  loans: { fields: { book_id: { type: reference, to: books, on_delete: refuse } } }
  notes: { fields: { loan_id: { type: reference, to: loans, on_delete: clear } } }
`);
  expect(found).toMatchObject({
    'DELETE /authors/{id}': '204 404 409 410 412',
    'DELETE /books/{id}': '204 404 409 410 412',
    'DELETE /loans/{id}': '204 404 410 412',
  });
});

test('nested lists: forbidden with their parents, and under users', async () => {
  const found = await statuses(`
  authors: { fields: { name: { type: string } }, permissions: { read: [editor] } }
  books:
    fields:
      author_id: { type: reference, to: authors, nested: true }
      reader_id: { type: reference, to: users, nested: true, required: true }
`);
  expect(found).toMatchObject({
    'GET /authors/{id}/books': '200 403 404 410 414',
    'POST /users/{id}/books': '201 403 404 409 410 413 415 422',
  });
});

test('included references: forbidden to callers who may not read what they lead to', async () => {
  const found = await statuses(`
  countries: { fields: { name: { type: string } }, permissions: { read: [editor] } }
  authors:
    fields: { country_id: { type: reference, to: countries } }
    permissions: { read: public }
    include: [country_id]
  books:
    fields: { author_id: { type: reference, to: authors, nested: true } }
    permissions: { read: public }
    include: [author_id]
  loans:
    fields: { book_id: { type: reference, to: books } }
    permissions: { read: public }
    include: [book_id]
`);
  expect(found).toMatchObject({
    'GET /authors': '200 403 414',
    'GET /books/{id}': '200 304 403 404 410 412',
    'GET /authors/{id}/books': '200 403 404 410 414',
    'GET /loans': '200 414',
  });
});

test('who may: administrators wherever roles are given', async () => {
  const model = await modelOf(`
  notes:
    fields: { title: { type: string } }
    permissions: { read: public, create: [editor], update: [editor, owner], delete: owner }
`);
  const who = endpointAccess(model).map(({ method, permission }) => [method, permission.join(' ')]);
  expect(Object.fromEntries(who)).toEqual({
    GET: 'public',
    POST: 'admin editor',
    PUT: 'admin editor owner',
    PATCH: 'admin editor owner',
    DELETE: 'admin owner',
  });
});

test('what is nested is for those who may read the parent', async () => {
  const model = await modelOf(`
  members: { fields: { name: { type: string } }, permissions: { read: authenticated } }
  clubs: { fields: { name: { type: string } }, permissions: { read: [editor] } }
  diaries: { fields: { name: { type: string } }, permissions: { read: owner } }
  ascents:
    fields:
      member_id: { type: reference, to: members, nested: true, required: true }
      club_id: { type: reference, to: clubs, nested: true, required: true }
      diary_id: { type: reference, to: diaries, nested: true, required: true }
      user_id: { type: reference, to: users, nested: true, required: true }
    permissions: { read: public, create: [warden] }
  notes:
    fields:
      club_id: { type: reference, to: clubs, nested: true, required: true }
      diary_id: { type: reference, to: diaries, nested: true, required: true }
    permissions: { read: [warden, editor, owner], create: [warden, editor] }
`);
  const endpoints = endpointAccess(model);
  const lines = tableOf(model.service, endpoints).split('\n');
  const who = (path: string): string[] =>
    lines
      .filter((line) => line.split(/ +/)[1] === path)
      .map((line) => line.replace(/^\S+ +\S+ +(.*?) {2,}.*$/, '$1'));
  expect(who('/ascents')).toEqual(['public', 'admin, warden']);
  expect(who('/members/{id}/ascents')).toEqual(['authenticated', 'admin, warden']);
  expect(who('/clubs/{id}/ascents')).toEqual(['admin, editor', 'admin']);
  expect(who('/diaries/{id}/ascents')).toEqual([
    'admin, owner of diaries',
    'admin, warden + read of diaries',
  ]);
  expect(who('/users/{id}/ascents')).toEqual([
    'admin, owner of users',
    'admin, warden + read of users',
  ]);
  expect(who('/clubs/{id}/notes')).toEqual([
    'admin, editor, warden, owner + read of clubs',
    'admin, editor',
  ]);
  const legend = lines.find((line) => line.startsWith('"+ read of":')) ?? '';
  expect(legend.length).toBeLessThanOrEqual(80);
  expect(documentOf(model.service, endpoints, [])).toMatchObject({
    endpoints: expect.arrayContaining([
      expect.objectContaining({ path: '/diaries/{id}/notes', needsReadOf: 'diaries' }),
    ]) as unknown,
  });
});

test('a change needs what reading needs, too', async () => {
  const model = await modelOf(`
  letters:
    fields: { title: { type: string } }
    permissions: { read: owner, update: authenticated }
  notes:
    fields: { title: { type: string } }
    permissions: { read: public, update: [editor] }
`);
  const endpoints = endpointAccess(model);
  const changes = endpoints.filter(({ needsRead }) => needsRead);
  expect(changes.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'PUT /letters/{id}',
    'PATCH /letters/{id}',
  ]);
  expect(changes[0]?.statuses).toContain(403);
  const lines = tableOf(model.service, endpoints).split('\n');
  expect(lines).toContain(
    'PUT     /letters/{id}  authenticated + read  200 403 404 410 412 413 415 422',
  );
  expect(lines).toContain(
    '"+ read": a change answers the item, so it is for those of them who may read it.',
  );
});

test('a diagram: keys, comments and how many', async () => {
  const model = await modelOf(`
  books:
    fields:
      isbn: { type: string, unique: true, description: "The \\"number\\"\\n of it" }
      twin_id: { type: reference, to: books, unique: true }
      reader_id: { type: reference, to: users, required: true }
`);
  expect(diagramOf(model)).toBe(`erDiagram
  users {
    uuid id PK
  }
  books {
    uuid id PK
    string isbn UK "The #34;number#34; of it"
    uuid twin_id FK, UK
    uuid reader_id FK
    timestamp created_at
    timestamp updated_at
  }
  books |o--o| books : twin_id
  users ||--o{ books : reader_id
`);
});
