/** Definitions for the paths of a document, and what becomes of each operation. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { openApiReportMarkdown } from '../../../src/commands/import/openapi-report-markdown.ts';
import {
  answers,
  booksWith,
  changesOf,
  definitionOf,
  documentOf,
  object,
  planOf,
  planText,
  takes,
} from './support.ts';

const STRING = { type: 'string' };
const BUILT_IN = {
  id: { type: 'string', format: 'uuid', readOnly: true },
  created_at: { type: 'string', format: 'date-time', readOnly: true },
  updated_at: { type: 'string', format: 'date-time', readOnly: true },
};
const ALWAYS = Object.keys(BUILT_IN);
const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } };

test('the document of the library', async () => {
  const text = readFileSync(path.join(import.meta.dirname, 'library.yaml'), 'utf8');
  const plan = await planText(text);
  const definitions = plan.files.map(
    ({ path: file, bytes }) => `# ${file}\n${new TextDecoder().decode(bytes)}`,
  );
  await expect(definitions.join('\n')).toMatchFileSnapshot('expected/definitions.yaml');
  await expect(openApiReportMarkdown(plan)).toMatchFileSnapshot('expected/report.md');
});

describe('the type of a member', () => {
  test.each<[schema: object, field: string]>([
    [STRING, '{ type: string }'],
    [
      { type: 'string', minLength: 1, maxLength: 9 },
      '{ type: string, min_length: 1, max_length: 9 }',
    ],
    [{ type: 'string', pattern: '^a' }, '{ type: string, pattern: ^a }'],
    [{ type: 'string', pattern: '(a+)+$' }, '{ type: string }'],
    [{ type: 'string', pattern: '(' }, '{ type: string }'],
    [{ type: 'string', format: 'email' }, '{ type: string, format: email }'],
    [{ type: 'string', format: 'url' }, '{ type: string, format: uri }'],
    [{ type: 'string', format: 'snowflake' }, '{ type: string }'],
    [{ type: 'string', format: 'uuid' }, '{ type: uuid }'],
    [{ type: 'string', format: 'date' }, '{ type: date }'],
    [{ type: 'string', format: 'date-time' }, '{ type: timestamp }'],
    [{ type: 'string', format: 'byte' }, '{ type: bytes }'],
    [{ type: 'string', enum: ['a', 'b'] }, '{ type: enum, values: [a, b] }'],
    [{ enum: ['a', null] }, '{ type: enum, values: [a] }'],
    [{ type: 'string', const: 'a' }, '{ type: enum, values: [a] }'],
    [{ oneOf: [{ const: 'a' }, { const: 'b' }] }, '{ type: enum, values: [a, b] }'],
    [{ type: 'integer' }, '{ type: integer }'],
    [{ type: 'integer', format: 'int64' }, '{ type: integer }'],
    [
      { type: 'integer', format: 'int32' },
      '{ type: integer, minimum: -2147483648, maximum: 2147483647 }',
    ],
    [{ type: 'integer', minimum: 1, maximum: 5 }, '{ type: integer, minimum: 1, maximum: 5 }'],
    [{ type: 'integer', minimum: 0, exclusiveMinimum: true }, '{ type: integer, minimum: 1 }'],
    [{ type: 'integer', exclusiveMaximum: 5 }, '{ type: integer, maximum: 4 }'],
    [{ type: 'integer', maximum: 2 ** 63 }, '{ type: integer }'],
    [{ type: 'number', minimum: 0.5 }, '{ type: number, minimum: 0.5 }'],
    [{ type: 'boolean' }, '{ type: boolean }'],
    [
      { type: 'array', items: STRING, maxItems: 3 },
      '{ type: list, of: { type: string }, max_items: 3 }',
    ],
    [{ type: 'array', items: object({ a: STRING }) }, '{ type: json }'],
    [{ type: 'array', items: { type: 'array', items: STRING } }, '{ type: json }'],
    [
      object({ zipCode: STRING }, ['zipCode']),
      '{ type: object, properties: { zip_code: { type: string, required: true } } }',
    ],
    [{ type: 'object' }, '{ type: json }'],
    [{ ...object({ a: STRING }), additionalProperties: true }, '{ type: json }'],
    [{ oneOf: [STRING, { type: 'integer' }] }, '{ type: json }'],
    [{}, '{ type: json }'],
    [{ anyOf: [STRING, { type: 'null' }] }, '{ type: string }'],
    [{ type: ['string', 'null'] }, '{ type: string }'],
    [{ allOf: [STRING, { maxLength: 5 }, { maxLength: 3 }] }, '{ type: string, max_length: 3 }'],
    [{ type: 'string', default: 'x', maxLength: 3 }, '{ type: string, max_length: 3, default: x }'],
    [{ type: 'string', default: 'longer', maxLength: 3 }, '{ type: string, max_length: 3 }'],
    [{ type: 'string', description: 'A\n  title' }, '{ type: string, description: A title }'],
  ])('%j', async (schema, field) => {
    const plan = await planOf(booksWith({ title: STRING, value: schema }));
    const line = definitionOf(plan, 'books')
      .split('\n')
      .find((one) => one.startsWith('  value:'));
    expect(line).toBe(`  value: ${field}`);
  });

  test.each<[schema: object, why: string]>([
    [{ type: 'string', format: 'binary' }, 'is left out: its values are no JSON'],
    [{ $ref: 'other.yaml#/a' }, 'is left out: it refers to another document'],
    [{ $ref: 'https://example.com/a.json' }, 'is left out: it refers to another document'],
    [{ $ref: '#/nowhere' }, 'is left out: it refers to something that the document does not have'],
    [
      { allOf: [STRING, { type: 'integer' }] },
      'is left out: it has an allOf that contradicts itself',
    ],
    [{ type: 'file' }, 'is left out: it has the type file'],
  ])('%j has none', async (schema, why) => {
    const plan = await planOf(booksWith({ title: STRING, value: schema }));
    expect(definitionOf(plan, 'books')).toBe('fields:\n  title: { type: string }\n');
    expect(plan.collections[0]?.differences).toEqual([
      { kind: 'lost', members: ['value'], text: why },
    ]);
    expect(changesOf(plan, 'POST /books')).toContain('request: value is not accepted');
    expect(changesOf(plan, 'GET /books')).toContain('response: value is left out');
  });

  test('a schema that refers to itself is any JSON', async () => {
    const document = booksWith({ title: STRING, parent: { $ref: '#/components/schemas/node' } });
    const node = object({ name: STRING, parent: { $ref: '#/components/schemas/node' } });
    const plan = await planOf({ ...document, components: { schemas: { node } } });
    expect(definitionOf(plan, 'books')).toContain(
      '  parent: { type: object, properties: { name: { type: string }, parent: { type: json } } }\n',
    );
  });

  test.each([
    [
      '#/components/schemas/a',
      { a: { $ref: '#/components/schemas/b' }, b: { $ref: '#/components/schemas/a' } },
    ],
    ['#/components/schemas/a', { a: { allOf: [{ $ref: '#/components/schemas/a' }] } }],
  ])('references in a circle end', async ($ref, schemas) => {
    const plan = await planOf({
      ...booksWith({ title: STRING, value: { $ref } }),
      components: { schemas },
    });
    expect(plan.collections.map(({ collection }) => collection)).toEqual(['books']);
  });
});

describe('members', () => {
  test('are read-only if only responses have them, and write-only if only requests do', async () => {
    const shown = object({ name: STRING, slug: STRING, secret: { ...STRING, writeOnly: true } }, [
      'slug',
    ]);
    const sent = object({ name: STRING, password: STRING, rank: { ...STRING, readOnly: true } }, [
      'name',
    ]);
    const plan = await planOf(
      documentOf({
        '/authors': {
          get: answers({ type: 'array', items: shown }),
          post: { ...takes(sent), ...answers(shown, '201') },
        },
      }),
    );
    expect(definitionOf(plan, 'authors')).toBe(
      [
        'fields:',
        '  name: { type: string, required: true }',
        '  slug: { type: string, read_only: true }',
        '  password: { type: string, write_only: true }\n',
      ].join('\n'),
    );
    expect(plan.collections[0]?.differences).toContainEqual({
      kind: 'changed',
      members: ['slug'],
      text: 'is null until a hook sets it',
    });
  });

  test('of different types in two bodies are left out', async () => {
    const plan = await planOf(
      documentOf({
        '/books': {
          get: answers({ type: 'array', items: object({ a: STRING, b: STRING }) }),
          post: takes(object({ a: STRING, b: { type: 'integer' } })),
        },
      }),
    );
    expect(definitionOf(plan, 'books')).toBe('fields:\n  a: { type: string }\n');
  });

  test('that would have one name are left out', async () => {
    const plan = await planOf(booksWith({ title: STRING, bookId: STRING, book_id: STRING }));
    expect(plan.collections[0]?.differences).toContainEqual({
      kind: 'lost',
      members: ['bookId', 'book_id'],
      text: 'are left out: both would be book_id',
    });
  });

  test('are required only if each body that creates an item has them', async () => {
    const plan = await planOf(
      booksWith({ a: STRING, b: { ...STRING, nullable: true } }, ['a', 'b']),
    );
    expect(definitionOf(plan, 'books')).toBe(
      'fields:\n  a: { type: string, required: true }\n  b: { type: string }\n',
    );
  });

  test.each([
    ['integer', { type: 'integer', format: 'int32' }],
    ['bigint', { type: 'integer', format: 'int64' }],
    ['bigint', { type: 'integer' }],
  ])('an id makes the key %s', async (key, id) => {
    const plan = await planOf(booksWith({ id: { ...id, readOnly: true }, title: STRING }));
    expect(definitionOf(plan, 'books')).toBe(`key: ${key}\nfields:\n  title: { type: string }\n`);
  });

  test('a member that paths name is unique, or is the id', async () => {
    const user = object({ handle: STRING, name: STRING });
    const device = object({ device_id: { ...STRING, readOnly: true }, name: STRING });
    const plan = await planOf(
      documentOf({
        '/members': { post: { ...takes(user), ...answers(user, '201') } },
        '/members/{handle}': { get: answers(user) },
        '/devices': { post: { ...takes(device), ...answers(device, '201') } },
        '/devices/{device_id}': { get: answers(device) },
      }),
    );
    expect(definitionOf(plan, 'members')).toContain('  handle: { type: string, unique: true }\n');
    expect(definitionOf(plan, 'devices')).toBe('fields:\n  name: { type: string }\n');
    expect(changesOf(plan, 'GET /devices/{device_id}')).toContain(
      'response: device_id is called id',
    );
  });
});

describe('paths', () => {
  const item = object({ title: STRING });
  const list = answers({ type: 'array', items: item });
  const collectionsOf = async (paths: object): Promise<readonly string[]> =>
    (await planOf(documentOf(paths))).collections.map(({ collection }) => collection);

  test.each<[what: string, paths: object, collections: readonly string[]]>([
    ['in kebab-case', { '/order-items': { get: list } }, ['order_items']],
    ['in camelCase', { '/orderItems': { get: list } }, ['order_items']],
    [
      'a singular with items',
      { '/pet': { post: takes(item) }, '/pet/{id}': { get: answers(item) } },
      ['pets'],
    ],
    ['a singular without items', { '/status': { get: answers(item) } }, []],
    ['an action', { '/books/search': { get: list }, '/get-books': { get: list } }, []],
    ['behind a version', { '/v1/books': { get: list } }, ['books']],
    [
      'behind a name',
      { '/admin/books': { get: list }, '/books': { get: list } },
      ['books', 'admin_books'],
    ],
    [
      'in an envelope',
      {
        '/books': {
          get: answers(
            object({ data: { type: 'array', items: item }, total: { type: 'integer' } }),
          ),
        },
      },
      ['books'],
    ],
    ['a list of texts', { '/tags': { get: answers({ type: 'array', items: STRING }) } }, []],
    ['of each service', { '/users': { get: list }, '/token': { post: takes(item) } }, []],
    ['of two parameters', { '/repos/{owner}/{name}': { get: answers(item) } }, []],
    ['with a suffix', { '/books/{id}.json': { get: answers(item) } }, []],
    ['a root', { '/': { get: list }, '/{id}': { get: answers(item) } }, []],
    ['__proto__', { '/__proto__': { get: list }, '/constructor': { get: list } }, []],
  ])('%s', async (_what, paths, collections) => {
    expect((await collectionsOf(paths)).toSorted()).toEqual(collections.toSorted());
  });

  test('of several versions, that with the most operations is read', async () => {
    const plan = await planOf(
      documentOf(
        { '/v2/books': { get: list, post: takes(item) }, '/v3/books': { get: list } },
        { servers: [] },
      ),
    );
    expect(plan).toMatchObject({ prefixes: ['/v2'], servicePrefix: '/api/v2' });
    expect(changesOf(plan, 'GET /v3/books')).toEqual([
      'not taken: it is of version 3, and version 2 is imported',
    ]);
  });

  test('below an item are references; the same items are one collection', async () => {
    const book = { $ref: '#/components/schemas/book' };
    const note = { $ref: '#/components/schemas/note' };
    const plan = await planOf(
      documentOf(
        {
          '/authors': { get: list },
          '/authors/{id}': { get: answers(item) },
          '/authors/{id}/books': { get: answers({ type: 'array', items: book }) },
          '/books': { get: answers({ type: 'array', items: book }), post: takes(book) },
          '/books/{id}': { get: answers(book) },
          '/authors/{id}/notes': {
            get: answers({ type: 'array', items: note }),
            post: takes(note),
          },
          '/books/{id}/notes': { get: answers({ type: 'array', items: note }) },
          '/nothing/{id}/pages': { get: list },
        },
        {
          components: {
            schemas: {
              book: object({ title: STRING, author_id: STRING }),
              note: object({ text: STRING }),
            },
          },
        },
      ),
    );
    expect(plan.collections.map(({ collection }) => collection)).toEqual([
      'authors',
      'books',
      'notes',
      'book_notes',
    ]);
    expect(definitionOf(plan, 'books')).toContain(
      '  author_id: { type: reference, to: authors, nested: true }\n',
    );
    expect(definitionOf(plan, 'notes')).toContain(
      '  author_id: { type: reference, to: authors, required: true, nested: true }\n',
    );
    expect(definitionOf(plan, 'book_notes')).toContain(
      '  book_id: { type: reference, to: books, required: true, nested: notes }\n',
    );
    expect(plan.operations.filter(({ offered }) => offered?.path.includes('/notes'))).toHaveLength(
      3,
    );
    expect(changesOf(plan, 'GET /nothing/{id}/pages')).toEqual([
      'not taken: nothing above it is not a collection',
    ]);
  });
});

describe('lists', () => {
  const item = object({
    ...BUILT_IN,
    status: STRING,
    title: STRING,
    secret: { ...STRING, writeOnly: true },
  });
  const listWith = (...parameters: readonly object[]): object =>
    documentOf({ '/books': { get: { parameters, ...answers({ type: 'array', items: item }) } } });
  const query = (name: string, schema: object = STRING): object => ({ name, in: 'query', schema });

  test('are filtered, sorted and paged by their parameters', async () => {
    const plan = await planOf(
      listWith(
        query('status'),
        query('title', { type: 'integer' }),
        query('sort', { type: 'string', enum: ['title', '-title', 'created_at'] }),
        query('limit', { type: 'integer', default: 10, maximum: 50 }),
        query('offset'),
        query('q'),
        { name: 'X-Tenant', in: 'header', schema: STRING },
        { name: 'accept', in: 'header', schema: STRING },
      ),
    );
    expect(definitionOf(plan, 'books')).toContain(
      'sort: [title, created_at]\nfilter: [status]\npages: { default: 10, maximum: 50 }\n',
    );
    expect(changesOf(plan, 'GET /books').filter((one) => one.startsWith('parameters'))).toEqual([
      'parameters: the parameter title is not offered',
      'parameters: offset is replaced by the links to pages',
      'parameters: the parameter q is not offered',
      'parameters: the header X-Tenant is not read',
    ]);
  });

  test.each<[name: string, schema: object, changes: readonly string[]]>([
    ['sort', { type: 'string', enum: ['title', '-title'] }, []],
    [
      'sort',
      { type: 'string', enum: ['title:asc'] },
      ['parameters: sort is sort, which takes title, with - in front to descend'],
    ],
    [
      'sort',
      { type: 'string', enum: ['title'], default: 'title' },
      ['parameters: sort is sort, which takes title, with - in front to descend'],
    ],
    ['limit', { type: 'integer', default: 50, maximum: 500 }, []],
    ['limit', { type: 'integer', maximum: 20 }, []],
    ['status', STRING, []],
  ])('%s as %j', async (name, schema, changes) => {
    const plan = await planOf(listWith(query(name, schema)));
    const found = changesOf(plan, 'GET /books').filter((one) => one.startsWith('parameters'));
    expect(found).toEqual(changes);
  });

  test('have one size of pages, and others in the document are told', async () => {
    const get = (limit: object): object => ({
      get: { parameters: [query('limit', limit)], ...answers({ type: 'array', items: item }) },
    });
    const items = { type: 'array', items: { $ref: '#/components/schemas/book' } };
    const nested = {
      parameters: [query('limit', { type: 'integer', default: 5 })],
      ...answers(items),
    };
    const plan = await planOf(
      documentOf(
        {
          '/authors': get({ type: 'integer' }),
          '/authors/{id}': { get: answers(item) },
          '/books': {
            get: { ...nested, parameters: [query('limit', { default: 7, maximum: 9 })] },
          },
          '/authors/{id}/books': { get: nested },
        },
        { components: { schemas: { book: { allOf: [item, object({ author_id: STRING })] } } } },
      ),
    );
    expect(changesOf(plan, 'GET /authors/{id}/books')).toContain(
      'parameters: limit is from 1 to 9, and 7 by default',
    );
  });

  test('have other names for some', async () => {
    const plan = await planOf(
      listWith(
        query('orderBy', { type: 'string', enum: ['title:asc', 'title:desc'] }),
        query('per_page', { type: 'integer', maximum: 50 }),
      ),
    );
    expect(changesOf(plan, 'GET /books').filter((one) => one.startsWith('parameters'))).toEqual([
      'parameters: orderBy is sort, which takes title, with - in front to descend',
      'parameters: per_page is called limit',
    ]);
  });
});

describe('operations', () => {
  const book = object({ ...BUILT_IN, title: STRING }, [...ALWAYS, 'title']);
  const list = answers({ type: 'array', items: book });
  const same = {
    '/books': { get: list, post: { ...takes(book), ...answers(book, '201') } },
    '/books/{id}': {
      parameters: [ID],
      get: answers(book),
      put: { ...takes(book), ...answers(book) },
      patch: { ...takes({ ...book, required: [] }), ...answers(book) },
      delete: { responses: { 204: {} } },
    },
  };

  test('are the same if nothing differs for clients', async () => {
    const plan = await planOf(documentOf(same, { security: [{ token: [] }] }));
    expect(plan.operations.map(({ result }) => result)).toEqual(Array(6).fill('same'));
  });

  test.each<[what: string, paths: object, operation: string, changes: readonly string[]]>([
    [
      'a status',
      { '/books': { ...same['/books'], post: { ...takes(book), ...answers(book) } } },
      'POST /books',
      ['status: answers 201, and not 200'],
    ],
    [
      'a form',
      {
        '/books': {
          ...same['/books'],
          post: {
            requestBody: { required: true, content: { 'multipart/form-data': { schema: book } } },
            ...answers(book, '201'),
          },
        },
      },
      'POST /books',
      ['request: the body is application/json, and not multipart/form-data'],
    ],
    [
      'an envelope',
      {
        '/books': {
          ...same['/books'],
          get: answers(object({ data: { type: 'array', items: book }, next: STRING })),
        },
      },
      'GET /books',
      ['response: the list is the body itself, and not its member data'],
    ],
    [
      'a method',
      {
        ...same,
        '/books/{id}': {
          parameters: [ID],
          get: answers(book),
          post: { ...takes(object({ title: STRING })), ...answers(book) },
        },
      },
      'POST /books/{id}',
      ['method: POST is PATCH'],
    ],
    [
      'no parameter',
      {
        ...same,
        '/books/{id}': {
          ...same['/books/{id}'],
          delete: { parameters: [{ name: 'force', in: 'query' }], responses: { 204: {} } },
        },
      },
      'DELETE /books/{id}',
      ['parameters: the parameter force is not offered'],
    ],
    [
      'a body',
      { ...same, '/books/{id}': { ...same['/books/{id}'], delete: { ...answers(book, '204') } } },
      'DELETE /books/{id}',
      ['response: the body is empty'],
    ],
    [
      'another id',
      { ...same, '/books/{id}': { get: answers(book), parameters: [{ ...ID, schema: STRING }] } },
      'GET /books/{id}',
      ['key: id is the id, a UUID'],
    ],
    [
      'no PUT of a collection',
      { ...same, '/books': { ...same['/books'], put: takes(book) } },
      'PUT /books',
      ['not taken: a collection has no PUT'],
    ],
  ])('change in %s', async (_what, paths, operation, changes) => {
    const plan = await planOf(documentOf(paths, { security: [{ token: [] }] }));
    expect(changesOf(plan, operation)).toEqual(changes);
  });

  test.each([
    ['', 'base-path: / is /api/v1'],
    ['/v1', 'base-path: /v1 is /api/v1'],
    ['https://{host}/v1?x', 'base-path: /v1 is /api/v1'],
  ])('below %j have another base path', async (url, change) => {
    const servers = [{ url }];
    const plan = await planOf(documentOf(same, { security: [{ token: [] }], servers }));
    expect(changesOf(plan, 'DELETE /books/{id}')).toEqual([change]);
    expect(openApiReportMarkdown(plan)).toContain(
      '- DELETE /books/{id} → DELETE /api/v1/books/{id}: changed, only in its base path',
    );
  });

  test.each([
    ['3.0.3', '{ type: string }'],
    ['3.1.0', '{ type: string, max_length: 5 }'],
  ])('keywords beside $ref count since 3.1: %s', async (openapi, field) => {
    const document = booksWith({ title: { $ref: '#/components/schemas/text', maxLength: 5 } });
    const plan = await planOf({ ...document, openapi, components: { schemas: { text: STRING } } });
    expect(definitionOf(plan, 'books')).toBe(`fields:\n  title: ${field}\n`);
  });

  test('of one body that demands a member make it optional if another does not', async () => {
    const note = { $ref: '#/components/schemas/note' };
    const plan = await planOf(
      documentOf(
        {
          '/authors': { get: list },
          '/authors/{id}': { get: answers(book) },
          '/notes': {
            get: answers({ type: 'array', items: note }),
            post: takes(object({ text: STRING })),
          },
          '/authors/{id}/notes': {
            get: answers({ type: 'array', items: note }),
            post: takes(object({ text: STRING }, ['text'])),
          },
        },
        { components: { schemas: { note: object({ text: STRING }, ['text']) } } },
      ),
    );
    expect(definitionOf(plan, 'notes')).toContain('  text: { type: string }\n');
    expect(changesOf(plan, 'GET /notes')).toContain('response: text can be null');
  });

  test.each<[scheme: object, changes: readonly string[]]>([
    [{ type: 'http', scheme: 'Basic' }, []],
    [{ type: 'oauth2' }, []],
    [
      { type: 'apiKey', in: 'header', name: 'X-Key' },
      ['access: takes an access token (Bearer) or a username and password (Basic)'],
    ],
  ])('with the credential %j', async (scheme, changes) => {
    const components = { securitySchemes: { key: scheme } };
    const plan = await planOf(documentOf(same, { security: [{ key: [] }], components }));
    expect(changesOf(plan, 'GET /books')).toEqual(changes);
  });

  test.each<[path: string, changes: readonly string[]]>([
    ['/books/', ['path: /books/ is /api/v1/books']],
    ['/Books', ['path: /Books is /api/v1/books']],
  ])('at %s have another path', async (of, changes) => {
    const plan = await planOf(documentOf({ [of]: { get: list } }, { security: [{ token: [] }] }));
    expect(changesOf(plan, `GET ${of}`)).toEqual(changes);
  });

  test('of which the service does not have a default say so', async () => {
    const sent = object({
      tags: { type: 'array', items: STRING, default: [] },
      rank: { type: 'integer', default: 3 },
    });
    const plan = await planOf(
      documentOf({ '/books': { post: { ...takes(sent), ...answers(book, '201') } } }),
    );
    expect(changesOf(plan, 'POST /books').filter((one) => one.includes('default'))).toEqual([
      'request: tags has no default',
    ]);
  });

  test('are public where the document says so', async () => {
    const open = { security: [] };
    const plan = await planOf(
      documentOf({
        '/books': { get: { ...list, ...open }, post: { ...takes(book), ...answers(book, '201') } },
        '/books/{id}': {
          parameters: [ID],
          get: { ...answers(book), security: [{}, { token: [] }] },
        },
      }),
    );
    expect(definitionOf(plan, 'books')).toContain('permissions:\n  read: public\n');
    expect(changesOf(plan, 'GET /books')).toEqual([]);
    expect(changesOf(plan, 'POST /books')).toEqual([
      'access: needs a credential, of which the document says nothing',
    ]);
  });
});
