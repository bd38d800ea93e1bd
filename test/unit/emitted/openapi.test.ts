/** What OpenAPI documents of emitted services say of shapes and routes. */
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';

import {
  bigint,
  byDecimal,
  canonicalDecimal,
  decimal,
  isBigint,
} from '../../../templates/service/src/platform/http/exact-numbers.ts';
import {
  date,
  defaulting,
  immutable,
  integer,
  itemShape,
  object,
  oneOf,
  optional,
  setExample,
  string,
  timestamp,
  uuid,
  writeOnly,
} from '../../../templates/service/src/platform/http/shapes.ts';
import type { ShapeParts } from '../../../templates/service/src/platform/http/shapes.ts';
import { canonicalTimestamp, isDate } from '../../../templates/service/src/platform/http/values.ts';
import {
  answerSchema,
  bodyBelow,
  bodySchema,
  escapeHtml,
  nameOperation,
  patchSchema,
  requestBodyOf,
} from '../../../templates/service/src/platform/openapi/schemas.ts';

/** Modules that know the types of Fastify, which is not installed here. */
const FOLDER = '../../../templates/service/src/platform/openapi';
const { refusal, responsesOf } = (await import(`${FOLDER}/responses.ts`)) as {
  refusal: (description: string) => object;
  responsesOf: (route: object, permissions: unknown[], context: object) => Responses;
};
const { ifMatch, listQuery, operationParameters, WORDS } = (await import(
  `${FOLDER}/parameters.ts`
)) as {
  ifMatch: object;
  listQuery: (lists: object) => object;
  WORDS: object;
  operationParameters: (url: string, schema: object, context: object) => Parameter[];
};

const { byEnum, byString, byUuid } = (await import(`${FOLDER}/../http/filters.ts`)) as {
  byEnum: (values: readonly string[]) => object;
  byString: () => object;
  byUuid: () => object;
};

type Responses = Readonly<Record<string, { headers?: object; content?: object }>>;

interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly explode?: boolean;
  readonly schema?: Readonly<Record<string, unknown>>;
}

const emptyComponents = () => ({ schemas: {}, responses: {}, headers: {}, parameters: {} });

interface Described {
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, { pattern: string; description?: string }>>;
}

/** The pattern that a document has for values of a shape. */
const patternOf = (shape: ReturnType<typeof string>): string =>
  (bodySchema({ properties: { value: shape as ShapeParts } }, 'POST') as unknown as Described)
    .properties['value']?.pattern ?? '';

describe('patterns accept what the service accepts, with the u flag and without', () => {
  const number = fc.stringMatching(/^[-+]?0?\d{0,5}(\.\d{0,4})?$/);

  test.each([
    [
      'decimal',
      decimal({ precision: 5, scale: 2 }),
      (text: string) => canonicalDecimal(text, 5, 2),
    ],
    ['bigint', bigint(), (text: string) => (isBigint(text) ? text : undefined)],
  ])('%s', (_name, shape, canonical) => {
    const pattern = patternOf(shape);
    const agrees = (text: string): void => {
      const isValue = canonical(text) !== undefined;
      expect(new RegExp(pattern).test(text), text).toBe(isValue);
      expect(new RegExp(pattern, 'u').test(text), text).toBe(isValue);
    };
    for (const text of ['0', '-0', '-0.00', '-0.5', '0.00', '1.500', '01', '+1', '.5', '1.']) {
      agrees(text);
    }
    fc.assert(fc.property(number, agrees));
  });

  test.each([
    ['dates', date(), isDate, ['2026-01-31', '0001-01-01'], ['0000-01-01']],
    [
      'times',
      timestamp(),
      (text: string) => canonicalTimestamp(text) !== undefined,
      ['2026-01-31T12:00:00Z', '2026-01-31t12:00:00.1234560-05:30'],
      ['2026-01-31T23:59:60Z', '2026-01-31T12:00:00.1234567Z', '0000-01-01T00:00:00Z'],
    ],
    ['texts', string(), (text: string) => !text.includes('\0'), ['', 'a\n👻'], ['\0', 'a\0b']],
  ])('%s', (_name, shape, accepts, valid, invalid) => {
    const texts = [...valid, ...invalid];
    expect(texts.filter((text) => accepts(text))).toEqual(valid);
    for (const flags of ['', 'u']) {
      const pattern = new RegExp(patternOf(shape), flags);
      expect(texts.filter((text) => pattern.test(text))).toEqual(valid);
    }
  });

  test('ranges of texts are in keywords', () => {
    const price = decimal({ precision: 5, scale: 2, minimum: '0' });
    expect(bodySchema(price as TSchema, 'POST')).toMatchObject({
      description: 'A value at least 0.',
      'x-minimum': '0',
    });
    expect(bodySchema(date({ maximum: '2026-12-31' }) as TSchema, 'POST')).toMatchObject({
      'x-maximum': '2026-12-31',
    });
  });

  test('an enum with null has two alternatives, and texts alone as its values', () => {
    expect(bodySchema(optional(oneOf(['a', 'b'])) as TSchema, 'POST')).toMatchObject({
      anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }],
    });
  });

  test('slug', () => {
    const pattern = new RegExp(patternOf(string({ format: 'slug' })));
    expect(['a-1', 'a', 'a--b', '-a', 'A'].map((text) => pattern.test(text))).toEqual([
      ...[true, true, false, false, false],
    ]);
  });
});

const body = object({
  book_id: immutable(uuid()),
  title: string({ maxLength: 9 }),
  secret: writeOnly(string()),
  pages: optional(integer()),
  state: defaulting(string(), 'new'),
});
setExample(body, { book_id: '01890a5d-ac96-774b-bcce-b302099a8057', title: 'T', secret: 's' });
const item = itemShape('Review', 'Reviews.', body, {
  readOnly: object({ stars: integer() }),
});

describe('bodies', () => {
  test('PUT may leave an immutable member out, POST may not, and both describe it', () => {
    const [post, put] = ['POST', 'PUT'].map((method) => bodySchema(body as TSchema, method));
    expect(post).toMatchObject({ required: ['book_id', 'title', 'secret'] });
    expect(put).toMatchObject({ required: ['title', 'secret'] });
    for (const schema of [post, put]) {
      const { properties } = schema as unknown as Described;
      expect(properties['book_id']?.description).toContain('Immutable');
      expect(properties['book_id']).not.toHaveProperty('immutable');
    }
  });

  test('PATCH requires nothing, and its example changes what may change', () => {
    const schema = patchSchema(body as TSchema);
    expect(schema).not.toHaveProperty('required');
    expect(schema).toMatchObject({ examples: [{ title: 'T' }] });
    expect(JSON.stringify(schema)).not.toContain('"default"');
  });

  test('a POST below another item may leave the member out that the path sets', () => {
    const schema = bodySchema(bodyBelow(body, 'book_id'), 'POST');
    expect(schema).toMatchObject({
      required: ['title', 'secret'],
      examples: [{ title: 'T', secret: 's' }],
      properties: { book_id: { format: 'uuid', description: expect.stringContaining('path') } },
    });
  });
});

test('an item has all members but those that no client reads, by its name', () => {
  const components = emptyComponents();
  const schemas: Readonly<Record<string, object>> = components.schemas;
  expect(answerSchema(item, components)).toEqual({ $ref: '#/components/schemas/Review' });
  const members = ['id', 'book_id', 'title', 'pages', 'state', 'stars', 'created_at', 'updated_at'];
  expect(schemas['Review']).toMatchObject({
    required: members,
    properties: { id: { readOnly: true }, stars: { readOnly: true } },
    examples: [{ title: 'T', pages: null, state: 'new' }],
  });
  const { properties, examples } = schemas['Review'] as Described & { examples: object[] };
  expect(Object.keys(properties)).toEqual(members);
  expect(Object.keys(examples[0] ?? {})).toEqual(members);
});

describe('routes', () => {
  const documented = (route: { schema?: object }, permissions: unknown[] = [], ends?: object) => {
    const components = emptyComponents();
    const mediaTypes = ['application/json', 'application/vnd.shop.v1+json'];
    const full = { url: '/api/v1/reports', method: 'GET', ...route };
    const context = { components, mediaTypes, ends };
    const responses = responsesOf(full, permissions, context);
    return {
      responses,
      components,
      parameters: operationParameters(full.url, full.schema ?? {}, context),
    };
  };

  test('have what follows from their path', () => {
    const response = { 200: object({ count: integer() }) };
    const route = { url: '/api/v1/books/:id/report', schema: { response } };
    const { responses, parameters, components } = documented(route);
    expect(Object.keys(responses)).toEqual([
      ...['200', '400', '401', '404', '406', '410', '429', '500', '503'],
    ]);
    expect(parameters[0]).toEqual({ $ref: '#/components/parameters/id' });
    expect(components.parameters).toMatchObject({
      id: { in: 'path', required: true, schema: { format: 'uuid' } },
    });
    expect(Object.keys(responses['200']?.content ?? {})).toEqual([
      ...['application/json', 'application/vnd.shop.v1+json'],
    ]);
    expect(responses['404']).toEqual({ $ref: '#/components/responses/NotFound' });
  });

  test.each([
    ['authenticated', []],
    [['editor'], ['403']],
    [['owner'], ['403']],
  ])('have what follows from a hook that allows %j', (permission, statuses) => {
    const { responses } = documented({}, [permission]);
    expect(Object.keys(responses).filter((status) => status === '403')).toEqual(statuses);
  });

  test('have what follows from their body and headers', () => {
    const headers = { type: 'object', properties: { 'If-Match': {} }, required: ['If-Match'] };
    const schema = { operationId: 'updateReview', body, headers, response: { 200: item } };
    const { responses, parameters } = documented({ method: 'PATCH', schema } as object);
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining(['409', '412', '413', '415', '422', '428']),
    );
    expect(responses['200']?.headers).toHaveProperty('ETag');
    expect(parameters[0]).toMatchObject({ in: 'header', name: 'If-Match', required: true });
    const components = emptyComponents();
    const context = { components, mediaTypes: ['application/json'], ends: undefined };
    const described = { operationId: 'updateReview', body: body as TSchema };
    expect(requestBodyOf('PATCH', described, context)).toMatchObject({
      required: true,
      content: { 'application/merge-patch+json': {} },
    });
    expect(components.schemas).toHaveProperty(['updateReview.requestBody']);
  });

  test('have one schema of a name: another one is an error that names both operations', () => {
    const components = emptyComponents();
    const context = { components, mediaTypes: ['application/json'], ends: undefined };
    const order = (member: string): ShapeParts =>
      itemShape('Order', 'Orders.', object({ [member]: integer() }));
    nameOperation(context, 'GET /api/v1/orders');
    answerSchema(order('total'), components);
    nameOperation(context, 'POST /api/v1/checkouts');
    // Equal schemas of two shapes are one schema.
    expect(answerSchema(order('total'), components)).toEqual({
      $ref: '#/components/schemas/Order',
    });
    expect(() => answerSchema(order('amount'), components)).toThrow(
      /^GET \/api\/v1\/orders and POST \/api\/v1\/checkouts have different schemas of the name "Order"/,
    );
    const sent = (member: string) => ({ operationId: 'send', body: order(member) });
    requestBodyOf('POST', sent('total'), context);
    expect(() => requestBodyOf('POST', sent('amount'), context)).toThrow('"send.requestBody"');
  });

  test('keep a reason of their own', () => {
    const schema = { response: { 200: item, 404: refusal('There is no report.') } };
    const { responses } = documented({ schema });
    expect(responses['404']).toMatchObject({ description: 'There is no report.' });
  });

  test('describe the headers of a deprecated version', () => {
    const { responses, components } = documented({}, [], { sunset: 'soon' });
    expect(responses['400']).toEqual({ $ref: '#/components/responses/BadRequest' });
    expect(components.headers).toMatchObject({ Deprecation: {}, Sunset: {}, Link: {} });
    expect(documented({}).components.headers).not.toHaveProperty('Deprecation');
  });

  test('outside of the API have no version', () => {
    expect(Object.keys(documented({ url: '/health/live' } as object).responses)).toEqual([
      ...['400', '500'],
    ]);
  });

  test('have parameters with the names of keywords of JSON Schema', () => {
    const properties = { definitions: { type: 'string' }, properties: { type: 'integer' } };
    const querystring = { type: 'object', properties, required: ['definitions'] };
    expect(documented({ schema: { querystring } }).parameters).toMatchObject([
      { name: 'definitions', required: true, schema: { type: 'string' } },
      { name: 'properties', required: false, schema: { type: 'integer' } },
      { $ref: '#/components/parameters/X-Request-Id' },
    ]);
  });
});

describe('the parameters of a list', () => {
  const lists = {
    pages: { default: 20, maximum: 100 },
    members: ['id', 'title'],
    sort: ['title'],
    filter: {
      title: byString(),
      price: byDecimal(5, 2),
      state: byEnum(['new', 'old']),
      label: byEnum(['a,b', 'c']),
      book_id: byUuid(),
    },
    parameters: {
      q: { read: () => ({}), schema: WORDS },
      free: { read: () => ({}), schema: { type: 'boolean' } },
    },
  };
  const components = emptyComponents();
  const context = { components, mediaTypes: [], ends: undefined };
  const parameters = operationParameters(
    '/api/v1/books',
    { querystring: listQuery(lists) },
    context,
  );
  const named = (name: string) => parameters.find((parameter) => parameter.name === name);

  test.each([
    ['price', { format: 'decimal', pattern: expect.stringContaining('{1,2}') }],
    ['price[gte]', { format: 'decimal', pattern: expect.stringContaining('{1,2}') }],
    ['state', { type: 'string', enum: ['new', 'old'] }],
    ['book_id[ne]', { type: 'string', format: 'uuid' }],
    ['title[null]', { type: 'boolean' }],
    ['free', { type: 'boolean' }],
    ['limit', { type: 'integer', minimum: 1, maximum: 100, default: 20 }],
  ])('%s has the type of its member', (name, schema) => {
    expect(named(name)?.schema).toMatchObject(schema);
  });

  test.each([
    ['sort', { enum: ['title', '-title'] }],
    ['fields', { enum: ['id', 'title'] }],
    ['price[in]', { format: 'decimal' }],
    ['state[in]', { enum: ['new', 'old'] }],
    ['book_id[in]', { format: 'uuid' }],
  ])('%s is an array, separated by commas', (name, items) => {
    expect(named(name)).toMatchObject({ explode: false, schema: { type: 'array', items } });
  });

  test.each([
    ['title[in]', ['a', '', '"a,b",c', '"a ""b""",']],
    ['label[in]', ['"a,b",c']],
  ])('%s is a text, as its values may have commas', (name, valid) => {
    const { schema = {}, explode } = named(name) ?? {};
    expect([schema['type'], explode]).toEqual(['string', undefined]);
    const pattern = new RegExp(String(schema['pattern']), 'u');
    const texts = ['a', '', '"a,b",c', '"a ""b""",', '"', 'a"', '"a"b', 'a\0'];
    expect(texts.filter((text) => pattern.test(text))).toEqual(valid);
  });

  test('words have a letter or a digit', () => {
    const { q } = components.parameters as { q?: Parameter };
    const texts = ['a', '  7', 'ß', '日本', '👻', '', ' -"', '_', 'a\0'];
    for (const flags of ['', 'u']) {
      const pattern = new RegExp(String(q?.schema?.['pattern']), flags);
      expect(texts.filter((text) => pattern.test(text))).toEqual(texts.slice(0, 5));
    }
  });

  test('entity tags are as HTTP has them', () => {
    const query = { type: 'object', properties: {}, required: [] };
    operationParameters('/api/v1/books/:id', { querystring: query, headers: ifMatch }, context);
    const { 'If-Match': header } = components.parameters as Record<string, Parameter>;
    const pattern = new RegExp(String(header?.schema?.['pattern']));
    const texts = ['*', '"a"', '"a", W/"b"', 'a', '', '"a" "b"', '*, "a"'];
    expect(texts.filter((text) => pattern.test(text))).toEqual(texts.slice(0, 3));
  });
});

test('a text in HTML is the text', () => {
  const text = `</title><script>alert("1")</script> & 'l\u2019\u00e9t\u00e9' &amp;`;
  const html = escapeHtml(text);
  expect(html).not.toMatch(/[<>"']|&(?!#\d+;)/);
  expect(html.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))).toBe(text);
  expect(escapeHtml('Books of 2026')).toBe('Books of 2026');
});
