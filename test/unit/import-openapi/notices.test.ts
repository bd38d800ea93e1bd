/** What clients notice is told: of an operation that is the same nothing differs. */
import { describe, expect, test } from 'vitest';

import { openApiReportMarkdown } from '../../../src/commands/import/openapi-report-markdown.ts';
import { countOperations } from '../../../src/import-openapi/operations.ts';
import { readOpenApi } from '../../../src/import-openapi/read-openapi.ts';
import {
  answers,
  changesOf,
  definitionOf,
  documentOf,
  object,
  planOf,
  planText,
  takes,
} from './support.ts';

const STRING = { type: 'string' };
const INTEGER = { type: 'integer' };
const UUID = { type: 'string', format: 'uuid' };
const TIME = { type: 'string', format: 'date-time' };
const ID = { name: 'id', in: 'path', required: true, schema: UUID };
const SIGNED_IN = { openapi: '3.1.0', security: [{ token: [] }] };

const itemOf = (properties: object, required: readonly string[]): object =>
  object({ id: UUID, ...properties, created_at: TIME, updated_at: TIME }, [
    ...['id', 'created_at', 'updated_at'],
    ...required,
  ]);

const listOf = (items: object): object => ({ type: 'array', items });
const BOOK = { $ref: '#/components/schemas/Book' };

interface Parts {
  /** The members of a book. */
  readonly members?: object;
  readonly required?: readonly string[];
  /** The bodies of requests, if they are others. */
  readonly post?: object;
  readonly put?: object;
  readonly patch?: object;
  /** More keys of `GET /books`. */
  readonly list?: object;
  readonly paths?: object;
  readonly schemas?: object;
  readonly more?: object;
}

/** A document that is the same as the service that is made from it, but for the parts. */
function documentWith({ members = { title: STRING }, required = [], ...parts }: Parts): object {
  const sent = object(members, required);
  const body = answers(BOOK);
  return documentOf(
    {
      '/books': {
        get: { ...answers(listOf(BOOK)), ...parts.list },
        post: { ...takes(parts.post ?? sent), ...answers(BOOK, '201') },
      },
      '/books/{id}': {
        parameters: [ID],
        get: body,
        put: { ...takes(parts.put ?? sent), ...body },
        patch: { ...takes(parts.patch ?? object(members)), ...body },
        delete: { responses: { 204: {} } },
      },
      ...parts.paths,
    },
    {
      ...SIGNED_IN,
      components: {
        schemas: { Book: itemOf(members, required), ...parts.schemas },
        securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      },
      ...parts.more,
    },
  );
}

const planWith = async (parts: Parts) => planOf(documentWith(parts));

test('a document without other parts is the same', async () => {
  const plan = await planWith({});
  expect(plan.operations.map(({ result }) => result)).toEqual(Array(6).fill('same'));
  expect(plan.collections[0]?.differences).toEqual([]);
});

describe('members of objects', () => {
  const wayOf = (flags: object, others: object) =>
    planWith({
      members: { title: STRING, card: object({ pin: { ...STRING, ...flags }, ...others }) },
    });

  test('that are write-only are shown to nobody', async () => {
    const plan = await wayOf({ writeOnly: true }, { holder: STRING });
    expect(definitionOf(plan, 'books')).toContain(
      '  card: { type: object, properties: { holder: { type: string } } }\n',
    );
    const [change] = ['card is without its member pin, which is write-only'];
    expect(changesOf(plan, 'GET /books')).toEqual([`response: ${change}`]);
    expect(changesOf(plan, 'PATCH /books/{id}')).toContain(`request: ${change}`);
  });

  test('make the object write-only if all are', async () => {
    const plan = await wayOf({ writeOnly: true }, {});
    expect(definitionOf(plan, 'books')).toContain(
      '  card: { type: object, properties: { pin: { type: string } }, write_only: true }\n',
    );
    expect(changesOf(plan, 'GET /books')).toEqual([]);
  });

  test.each<[what: string, schema: object]>([
    ['a list of objects', listOf(object({ pin: { ...STRING, writeOnly: true } }))],
    [
      'an open object',
      { ...object({ a: STRING, pin: { ...STRING, writeOnly: true } }), additionalProperties: {} },
    ],
    ['several forms', { oneOf: [object({ pin: { $ref: '#/components/schemas/pin' } }), STRING] }],
    ['an object of objects', object({ a: object({ pin: { ...STRING, writeOnly: true } }) })],
  ])('that are write-only in %s leave it out', async (_what, card) => {
    const plan = await planWith({
      members: { title: STRING, card },
      schemas: { pin: { ...STRING, writeOnly: true } },
    });
    expect(definitionOf(plan, 'books')).not.toContain('card');
    expect(changesOf(plan, 'GET /books')).toEqual(['response: card is left out']);
  });

  test('that are read-only, or have a default, are told', async () => {
    const members = {
      title: STRING,
      card: object({ a: { ...STRING, readOnly: true }, b: STRING }),
    };
    expect(changesOf(await planWith({ members }), 'GET /books')).toEqual([
      'response: card has a member a that requests can change',
    ]);
    const plan = await planWith({
      members: { title: STRING, card: object({ a: { ...STRING, default: 'x' } }) },
    });
    expect(changesOf(plan, 'POST /books')).toEqual([
      'request: card has a member a that has no default',
    ]);
    expect(changesOf(plan, 'GET /books')).toEqual([]);
  });
});

describe('bodies', () => {
  const line = object({ sku: STRING });

  test('of requests with one list of objects are items', async () => {
    const plan = await planWith({ members: { customer: STRING, lines: listOf(line) } });
    expect(definitionOf(plan, 'books')).toContain(
      '  customer: { type: string }\n  lines: { type: json }\n',
    );
    expect(changesOf(plan, 'POST /books')).toContain(
      'request: lines has any form in the service: it is a list of other than scalars',
    );
  });

  test('with one object are items, unless all bodies are', async () => {
    const address = object({ street: STRING });
    const plan = await planWith({
      members: { title: STRING, address },
      patch: object({ address }),
    });
    expect(definitionOf(plan, 'books')).toBe(
      'fields:\n  title: { type: string }\n  address: { type: object, properties: { street: { type: string } } }\n',
    );
    expect(changesOf(plan, 'PATCH /books/{id}')).toEqual([]);
  });

  test('that all have one member are envelopes; those of JSON:API have others beside', async () => {
    const data = object({ title: STRING });
    const plan = await planOf(
      documentOf({
        '/books': { post: { ...takes(object({ data })), ...answers(object({ data }), '201') } },
        '/books/{id}': { get: answers(object({ data, included: listOf(line) })) },
      }),
    );
    expect(definitionOf(plan, 'books')).toBe('fields:\n  title: { type: string }\n');
    expect(changesOf(plan, 'GET /books/{id}')).toContain(
      'response: the item is the body itself, and not its member data',
    );
  });

  test('one alone with one member is an item', async () => {
    const plan = await planOf(documentOf({ '/books': { post: takes(object({ data: line })) } }));
    expect(definitionOf(plan, 'books')).toBe(
      'fields:\n  data: { type: object, properties: { sku: { type: string } } }\n',
    );
  });

  test('of PUT that lack members reset them', async () => {
    const members = { title: STRING, body: STRING, summary: STRING };
    expect(
      changesOf(await planWith({ members, put: object({ title: STRING }) }), 'PUT /books/{id}'),
    ).toEqual(['request: body and summary, which the document cannot send, are reset']);
    const plan = await planWith({ members, put: object({ title: STRING, body: STRING }) });
    expect(changesOf(plan, 'PUT /books/{id}')).toEqual([
      'request: summary, which the document cannot send, is reset',
    ]);
  });

  test('that create items say what may be null', async () => {
    const members = { title: STRING };
    const put = object({ title: { type: ['string', 'null'] } });
    const plan = await planWith({ members, required: ['title'], put });
    expect(definitionOf(plan, 'books')).toBe(
      'fields:\n  title: { type: string, required: true }\n',
    );
    expect(changesOf(plan, 'PUT /books/{id}')).toEqual([
      'request: title is required',
      'request: title may not be null',
    ]);
  });

  test.each<[value: object, changes: readonly string[]]>([
    [{}, ['request: value may not be null']],
    [{ description: 'any' }, ['request: value may not be null']],
    [object({ a: {} }, ['a']), ['request: value has a member a that may not be null']],
    [{ enum: [1, 2] }, []],
  ])('that demand a member of the schema %j', async (value, changes) => {
    const plan = await planWith({ members: { title: STRING, value }, required: ['value'] });
    expect(changesOf(plan, 'POST /books')).toEqual(changes);
    expect(changesOf(plan, 'GET /books')).toEqual([]);
  });

  test.each(['POST /books', 'PUT /books/{id}', 'PATCH /books/{id}'])(
    'that %s may leave out are required',
    async (operation) => {
      const text = JSON.stringify(documentWith({})).replaceAll(
        '"required":true,"content"',
        '"content"',
      );
      expect(changesOf(await planText(text), operation)).toEqual(['request: a body is required']);
    },
  );

  test.each([
    { additionalProperties: true },
    { additionalProperties: STRING },
    { patternProperties: { '^x-': STRING } },
  ])('with members beyond those of the document: %j', async (more) => {
    const book = { ...itemOf({ title: STRING }, []), ...more };
    const post = { ...object({ title: STRING }), ...more };
    const plan = await planWith({ post, schemas: { Book: book } });
    expect(changesOf(plan, 'GET /books')).toEqual([
      'response: members that the document does not list are left out',
    ]);
    expect(changesOf(plan, 'POST /books')).toEqual([
      'request: members that the document does not list are refused',
      'response: members that the document does not list are left out',
    ]);
    const closed = { ...itemOf({ title: STRING }, []), additionalProperties: false };
    expect(changesOf(await planWith({ schemas: { Book: closed } }), 'GET /books')).toEqual([]);
  });

  test('with forms that only demand members are read', async () => {
    const post = {
      ...object({ title: STRING }),
      anyOf: [{ required: ['title'] }, { required: ['x'] }],
    };
    const plan = await planWith({ post });
    expect(changesOf(plan, 'POST /books')).toEqual([]);
    expect(plan.collections[0]?.differences).toEqual([
      { kind: 'changed', members: [], text: 'a request is not checked for anyOf' },
    ]);
  });

  test.each<[post: object, why: string]>([
    [{ $ref: 'bodies.yaml#/book' }, 'refers to another document'],
    [{ oneOf: [object({ a: STRING }), object({ b: STRING })] }, 'has several forms'],
    [listOf(BOOK), 'is a list'],
    [STRING, 'is no object with properties'],
  ])('%j cannot be read', async (post, why) => {
    expect(changesOf(await planWith({ post }), 'POST /books')).toEqual([
      `request: the body is an item; that of the document ${why}`,
    ]);
  });

  test('of lists have one list of items', async () => {
    const page = object({ items: listOf(BOOK), others: listOf(BOOK) });
    expect(changesOf(await planWith({ list: answers(page) }), 'GET /books')).toEqual([
      'response: the body is a list of items; that of the document has no list of items, or several',
    ]);
  });

  test('of lists have items that cannot be read', async () => {
    const plan = await planWith({ list: answers(listOf({ $ref: '#/nowhere' })) });
    expect(changesOf(plan, 'GET /books')).toEqual([
      'response: the body is a list of items; that of the document has items of which the schema refers to something that the document does not have',
    ]);
    const tags = await planWith({ paths: { '/tags': { get: answers(listOf(STRING)) } } });
    expect(changesOf(tags, 'GET /tags')).toEqual([
      'not taken: a body has items that are no objects',
    ]);
  });

  test.each<[media: readonly string[], changes: readonly string[]]>([
    [['application/json', 'application/vnd.shop.v1+json'], []],
    [
      ['application/xml', 'application/json', 'text/csv'],
      ['response: the body is application/json, and not application/xml or text/csv'],
    ],
  ])('of %j', async (media, changes) => {
    const content = Object.fromEntries(media.map((one) => [one, { schema: listOf(BOOK) }]));
    const plan = await planWith({ list: { responses: { 200: { content } } } });
    expect(changesOf(plan, 'GET /books')).toEqual(changes);
  });

  test('of further statuses of success are told', async () => {
    const responses = {
      200: { content: { 'application/json': { schema: listOf(BOOK) } } },
      206: {},
    };
    expect(changesOf(await planWith({ list: { responses } }), 'GET /books')).toEqual([
      'status: answers 200, and not 206',
    ]);
  });

  test('of more members than a collection has fields lose the rest', async () => {
    const members = Object.fromEntries(Array.from({ length: 502 }, (_, n) => [`m${n}`, STRING]));
    const plan = await planWith({ members });
    expect(plan.collections[0]?.differences).toEqual(
      ['m500', 'm501'].map((name) => ({
        kind: 'lost',
        members: [name],
        text: 'is left out: a collection has at most 500 fields',
      })),
    );
    expect(changesOf(plan, 'GET /books')).toEqual([
      'response: m500 is left out',
      'response: m501 is left out',
    ]);
  });
});

describe('paths', () => {
  const author = itemOf({ name: STRING }, []);
  const authors = {
    '/authors': { get: answers(listOf({ $ref: '#/components/schemas/Author' })) },
    '/authors/{id}': { parameters: [ID], get: answers({ $ref: '#/components/schemas/Author' }) },
  };

  test('that say a reference do not make it optional', async () => {
    const plan = await planWith({
      members: { title: STRING, author_id: UUID },
      required: ['author_id'],
      schemas: { Author: author },
      paths: {
        ...authors,
        '/authors/{id}/books': {
          parameters: [ID],
          post: { ...takes(object({ title: STRING })), ...answers(BOOK, '201') },
          get: answers(listOf(BOOK)),
        },
      },
    });
    expect(definitionOf(plan, 'books')).toContain(
      '  author_id: { type: reference, to: authors, required: true, nested: true }\n',
    );
    expect(plan.operations.filter(({ result }) => result !== 'same')).toEqual([]);
  });

  test('below an item make no reference that its items do not have', async () => {
    const plan = await planWith({
      members: { title: STRING, home_id: UUID },
      schemas: { Author: author },
      paths: {
        ...authors,
        '/authors/{id}/books': { parameters: [ID], get: answers(listOf(BOOK)) },
      },
    });
    expect(definitionOf(plan, 'books')).not.toContain('author_id');
    expect(changesOf(plan, 'GET /authors/{id}/books')).toEqual([
      'not taken: no member of its items refers to authors',
    ]);
  });

  test.each(['/bestsellers', '/admin/books', '/members/me/books', '/authors/{id}/publications'])(
    '%s lists items of another path',
    async (path) => {
      const plan = await planWith({
        schemas: { Author: author },
        paths: { [path]: { get: answers(listOf(BOOK)) }, ...authors },
      });
      expect(plan.collections.map(({ collection }) => collection)).toEqual(['books', 'authors']);
      expect(changesOf(plan, `GET ${path}`)).toEqual(['not taken: it lists the items of books']);
    },
  );

  test('with ids of parents that are none of the service', async () => {
    const slug = { name: 'slug', in: 'path', required: true, schema: STRING };
    const note = itemOf({ text: STRING }, []);
    const plan = await planWith({
      paths: { '/books/{slug}/notes': { parameters: [slug], get: answers(listOf(note)) } },
    });
    expect(changesOf(plan, 'GET /books/{slug}/notes')).toContain('key: slug is the id, a UUID');
  });

  test('that refer to a part of the document are read', async () => {
    const get = answers(listOf(BOOK));
    const plan = await planWith({
      paths: {
        '/books': { $ref: '#/components/pathItems/books' },
        '/shops': { $ref: 'shops.yaml' },
      },
      more: {
        components: {
          schemas: { Book: itemOf({ title: STRING }, []) },
          pathItems: { books: { get, query: {}, additionalOperations: { COPY: {} } } },
          securitySchemes: { token: { $ref: '#/x-token' } },
        },
        'x-token': { type: 'http', scheme: 'bearer' },
      },
    });
    expect(changesOf(plan, 'GET /books')).toEqual([]);
    expect(changesOf(plan, 'QUERY /books')).toEqual(['not taken: no service answers QUERY']);
    expect(changesOf(plan, 'COPY /books')).toEqual(['not taken: no service answers COPY']);
    expect(changesOf(plan, '* /shops')).toEqual([
      'not taken: the path refers to another document: join the files first, with npx @redocly/cli bundle',
    ]);
  });

  test('are counted as they are read', () => {
    const document = documentOf({
      '/a': { $ref: '#/components/pathItems/a' },
      '/b': { $ref: 'b.yaml' },
      '/c': { get: {}, additionalOperations: { COPY: {} } },
    });
    const components = { pathItems: { a: { get: {}, post: {} } } };
    const bytes = new TextEncoder().encode(JSON.stringify({ ...document, components }));
    expect(countOperations(readOpenApi(bytes, 'openapi.json'))).toBe(5);
  });

  test('with servers of their own have these', async () => {
    const plan = await planWith({
      list: { servers: [{ url: '/legacy' }] },
      paths: {
        '/notes': { servers: [{ url: '/old' }], get: answers(listOf(object({ a: STRING }))) },
      },
    });
    expect(changesOf(plan, 'GET /books')).toEqual(['base-path: /legacy is /api/v1']);
    expect(changesOf(plan, 'GET /notes')).toContain('base-path: /old is /api/v1');
  });

  test('have HEAD and OPTIONS', async () => {
    const paths = {
      '/books/{id}': {
        parameters: [ID],
        get: answers(BOOK),
        // The body of an answer to HEAD says nothing.
        head: answers(BOOK),
        options: { responses: { 204: {} }, security: [] },
      },
    };
    const plan = await planWith({ paths: { ...paths, '/status': { head: {} } } });
    expect(changesOf(plan, 'HEAD /books/{id}')).toEqual([]);
    expect(changesOf(plan, 'OPTIONS /books/{id}')).toEqual([]);
    expect(changesOf(plan, 'HEAD /status')).toEqual([
      'not taken: the service answers HEAD where it has the path',
    ]);
  });
});

describe('HEAD and OPTIONS', () => {
  const changesWith = async (method: string, operation: object, get: object = {}) => {
    const book = { parameters: [ID], get: { ...answers(BOOK), ...get } };
    const plan = await planWith({ paths: { '/books/{id}': { ...book, [method]: operation } } });
    return changesOf(plan, `${method.toUpperCase()} /books/{id}`);
  };
  const header = { name: 'X-Tenant', in: 'header', required: true, schema: STRING };
  const flag = { name: 'force', in: 'query', required: true, schema: STRING };

  test.each<[what: string, head: object, changes: readonly string[]]>([
    ['another status', { responses: { 204: {} } }, ['status: answers 200, and not 204']],
    ['no status', {}, ['status: answers 200']],
    [
      'parameters',
      { responses: { 200: {} }, parameters: [header, flag] },
      [
        'parameters: the header X-Tenant is not read',
        'parameters: the parameter force is not offered',
      ],
    ],
    ['no credential', { responses: { 200: {} }, security: [] }, ['access: needs a credential']],
    [
      'another server',
      { responses: { 200: {} }, servers: [{ url: '/legacy' }] },
      ['base-path: /legacy is /api/v1'],
    ],
  ])('HEAD with %s', async (_what, head, changes) => {
    expect(await changesWith('head', head)).toEqual(changes);
  });

  test('HEAD has none of the changes of GET that it does not have itself', async () => {
    const head = { responses: { 200: {} } };
    expect(await changesWith('head', head, { parameters: [header] })).toEqual([]);
  });

  test.each<[what: string, options: object, changes: readonly string[]]>([
    ['another status', { responses: { 200: {} } }, ['status: answers 204, and not 200']],
    ['a body', answers(object({ allow: STRING }), '204'), ['response: the body is empty']],
    [
      'a header',
      { responses: { 204: {} }, parameters: [header] },
      ['parameters: the header X-Tenant is not read'],
    ],
  ])('OPTIONS with %s', async (_what, options, changes) => {
    expect(await changesWith('options', options)).toEqual(changes);
  });
});

describe('parameters', () => {
  const query = (name: string, schema: object, more: object = {}): object => ({
    ...{ name, in: 'query', schema },
    ...more,
  });
  const LISTED = { explode: false };
  const status = { type: 'string', enum: ['a', 'b'] };
  const members = { title: STRING, status, author_id: UUID };

  test.each<[parameter: object, changes: readonly string[]]>([
    [query('limit', { ...INTEGER, maximum: 50, default: 10, minimum: 1 }), []],
    [query('limit', INTEGER), ['limit is from 1 to 100, and 20 by default']],
    [
      query('limit', { ...INTEGER, maximum: 50, default: 10, minimum: 0 }),
      ['limit is from 1 to 50, and 10 by default'],
    ],
    [query('cursor', STRING), []],
    [query('count', { type: 'boolean', default: false }), []],
    [query('fields', listOf({ enum: ['id', 'title'] }), LISTED), []],
    [query('fields', listOf({ enum: ['id', 'title'] }), { ...LISTED, style: 'form' }), []],
    ...['pipeDelimited', 'spaceDelimited', 'deepObject'].map(
      (style): [parameter: object, changes: readonly string[]] => [
        query('fields', listOf({ enum: ['id', 'title'] }), { ...LISTED, style }),
        ['the parameter fields is not offered'],
      ],
    ),
    [query('fields', STRING), ['the parameter fields is not offered']],
    [query('sort', listOf({ enum: ['title', '-title'] }), LISTED), []],
    [
      query('sort', listOf({ enum: ['title', '-title'] })),
      ['sort is sort, which takes title, with - in front to descend'],
    ],
    [query('status', status), []],
    [query('status', { ...status, default: 'a' }), ['status has no default']],
    [query('status', { enum: ['a', 'z'] }), ['status does not take z']],
    [{ $ref: 'common.yaml#/x' }, ['a parameter refers to another document']],
  ])('%j', async (parameter, changes) => {
    const plan = await planWith({ members, list: { parameters: [parameter] } });
    expect(changesOf(plan, 'GET /books')).toEqual(changes.map((one) => `parameters: ${one}`));
  });

  test('that compare with several values have commas between them', async () => {
    const plan = await planWith({
      members,
      list: {
        parameters: [
          query('status', status),
          query('status[in]', listOf(status), { ...LISTED, style: 'pipeDelimited' }),
        ],
      },
    });
    expect(changesOf(plan, 'GET /books')).toEqual([
      'parameters: status[in] takes values of status with commas between them',
    ]);
  });

  test('that compare with a filter are those of the service', async () => {
    const plan = await planWith({
      members: { ...members, rank: INTEGER },
      list: {
        parameters: [
          ...[
            query('rank', INTEGER),
            query('rank[gte]', INTEGER),
            query('rank[null]', { type: 'boolean' }),
          ],
          query('rank[in]', listOf(INTEGER), LISTED),
          ...[query('rank[like]', STRING), query('title[ne]', STRING), query('rank[lt]', STRING)],
        ],
      },
    });
    expect(changesOf(plan, 'GET /books')).toEqual([
      'parameters: the parameter rank[like] is not offered',
      'parameters: the parameter title[ne] is not offered',
      'parameters: rank[lt] takes a integer',
    ]);
  });
});

describe('members', () => {
  const differencesOf = async (member: object): Promise<readonly string[]> => {
    const plan = await planWith({ members: { title: STRING, value: member } });
    return plan.collections[0]?.differences.map(({ text }) => text) ?? [];
  };

  test.each<[schema: object, notes: readonly string[]]>([
    [{ ...STRING, enum: [1, 2] }, ['is not checked for enum']],
    [
      { ...STRING, enum: Array.from({ length: 501 }, (_, n) => `v${n}`) },
      ['is not checked for enum'],
    ],
    [{ type: 'boolean', const: true }, ['is not checked for const']],
    [{ ...STRING, not: { const: 'x' } }, ['is not checked for not']],
    [{ ...STRING, maxLength: 0 }, ['is not checked for maxLength']],
    [{ ...STRING, minLength: 0 }, []],
    [{ ...TIME, pattern: 'Z$' }, ['is not checked for pattern']],
    [{ ...object({ a: STRING }), minProperties: 1 }, ['is not checked for minProperties']],
    [
      { ...object({ a: STRING }), patternProperties: { '^x': {} } },
      ['is not checked for patternProperties'],
    ],
    [{ type: 'object', maxProperties: 3 }, ['is not checked for maxProperties']],
  ])('of %j are not checked', async (schema, notes) => {
    expect(await differencesOf(schema)).toEqual(notes);
  });

  test.each<[schema: object, field: string]>([
    [{ ...INTEGER, minimum: 5, exclusiveMinimum: 0 }, '{ type: integer, minimum: 5 }'],
    [{ ...INTEGER, minimum: 0, exclusiveMinimum: 5 }, '{ type: integer, minimum: 6 }'],
    [{ ...INTEGER, maximum: 5, exclusiveMaximum: 9 }, '{ type: integer, maximum: 5 }'],
    [
      { $ref: '#/components/schemas/text', description: 'mine' },
      '{ type: string, description: mine }',
    ],
    [
      { ...STRING, description: 'x'.repeat(5000) },
      `{ type: string, description: ${'x'.repeat(1000)}… }`,
    ],
  ])('of %j', async (schema, field) => {
    const plan = await planWith({
      members: { title: STRING, value: schema },
      schemas: { text: { ...STRING, description: 'theirs' } },
    });
    expect(definitionOf(plan, 'books')).toContain(`  value: ${field}\n`);
  });

  const INT64 = { ...INTEGER, format: 'int64' };

  test.each<[value: object, type: string]>([
    [{ ...INT64, maximum: 2 ** 63 }, '{ type: integer }'],
    [INT64, '{ type: integer }'],
    [{ ...INT64, minimum: 0 }, '{ type: integer, minimum: 0 }'],
    [listOf(INT64), '{ type: list, of: { type: integer } }'],
  ])('of %j are refused beyond the exact numbers of JSON', async (value, type) => {
    const plan = await planWith({ members: { title: STRING, value } });
    expect(definitionOf(plan, 'books')).toContain(`  value: ${type}\n`);
    expect(changesOf(plan, 'POST /books')).toEqual([
      'request: value is refused beyond 9007199254740991',
    ]);
    expect(changesOf(plan, 'GET /books')).toEqual([]);
  });

  test('of int64 with both bounds are the same', async () => {
    const value = { ...INT64, minimum: 0, maximum: 9 };
    const plan = await planWith({ members: { title: STRING, value } });
    expect(changesOf(plan, 'POST /books')).toEqual([]);
  });

  test('that only responses have are null', async () => {
    const members = { title: STRING, total: { type: 'number', readOnly: true } };
    const plan = await planWith({ members });
    expect(plan.collections[0]?.differences.map(({ text }) => text)).toEqual([
      'is null until a hook sets it',
    ]);
  });

  test('have the default of the body that creates an item', async () => {
    const members = { title: STRING, rank: INTEGER };
    const withDefault = object({ title: STRING, rank: { ...INTEGER, default: 3 } });
    const plan = await planWith({ members, patch: withDefault });
    expect(definitionOf(plan, 'books')).toContain('  rank: { type: integer }\n');
    const other = await planWith({ members, post: withDefault });
    expect(changesOf(other, 'POST /books')).toEqual([]);
    expect(changesOf(other, 'PUT /books/{id}')).toEqual(['request: rank has the default 3']);
  });

  test('of other types are told by what differs', async () => {
    const values = Array.from({ length: 100 }, (_, n) => `value_${n}`);
    const status = { type: 'string', enum: values };
    const plan = await planWith({
      members: { title: STRING, status, size: object({ a: INTEGER, b: STRING }) },
      post: object({
        title: STRING,
        status: { ...status, enum: [...values, 'other'] },
        size: object({ a: INTEGER, b: { ...STRING, maxLength: 5 } }),
      }),
    });
    expect(changesOf(plan, 'GET /books')).toEqual([
      'response: status can be other',
      'response: size.b is { type: string, max_length: 5 }, and not { type: string }',
    ]);
    expect(openApiReportMarkdown(plan)).not.toContain('…');
  });
});

test('a credential of another kind beside one of the service is told', async () => {
  const securitySchemes = {
    token: { type: 'http', scheme: 'bearer' },
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  };
  const plan = await planWith({
    list: { security: [{ key: [] }, { token: [] }] },
    more: { components: { schemas: { Book: itemOf({ title: STRING }, []) }, securitySchemes } },
  });
  expect(changesOf(plan, 'GET /books')).toEqual([
    'access: takes an access token (Bearer) or a username and password (Basic), and no other credential',
  ]);
});

test.each<[text: string, message: string]>([
  [
    'openapi: 3.0.3\nx-a: &a { get: {} }\npaths:\n  /books:\n    <<: *a\n',
    'line 5 has a merge key of YAML (<<): expand merge keys first',
  ],
  ['{"openapi":["3.1.0"]}', 'openapi.json is of the OpenAPI version "[\\"3.1.0\\"]"'],
])('%j is refused', async (text, message) => {
  await expect(planText(text)).rejects.toThrow(message);
});
