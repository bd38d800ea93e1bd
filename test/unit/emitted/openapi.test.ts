/** What OpenAPI documents of emitted services say of shapes and routes. */
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';

import {
  bigint,
  canonicalDecimal,
  decimal,
  isBigint,
} from '../../../templates/service/src/platform/http/exact-numbers.ts';
import {
  defaulting,
  immutable,
  integer,
  itemShape,
  object,
  optional,
  setExample,
  string,
  uuid,
  writeOnly,
} from '../../../templates/service/src/platform/http/shapes.ts';
import type { ShapeParts } from '../../../templates/service/src/platform/http/shapes.ts';
import {
  answerSchema,
  bodyBelow,
  bodySchema,
  patchSchema,
} from '../../../templates/service/src/platform/openapi/schemas.ts';

/** Modules that know the types of Fastify, which is not installed here. */
const FOLDER = '../../../templates/service/src/platform/openapi';
const { describeRoute } = (await import(`${FOLDER}/operation.ts`)) as {
  describeRoute: (route: object, context: object) => object;
};
const { refusal } = (await import(`${FOLDER}/responses.ts`)) as {
  refusal: (description: string) => object;
};

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
  const schemas: Record<string, object> = {};
  expect(answerSchema(item, schemas)).toEqual({ $ref: '#/components/schemas/Review' });
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
  const documented = (route: object, ends?: { sunset?: string }) => {
    const components = { schemas: {}, responses: {}, headers: {}, parameters: {} };
    const mediaTypes = ['application/json', 'application/vnd.shop.v1+json'];
    const operation = describeRoute(
      { url: '/api/v1/reports', method: 'GET', handler: () => {}, ...route },
      { components, mediaTypes, ends, tags: [] },
    ) as {
      readonly 'x-responses': Readonly<Record<string, { headers?: object; content?: object }>>;
    };
    return { operation, components, responses: operation['x-responses'] };
  };
  const allow = (permission: unknown) => Object.assign(() => {}, { permissions: [permission] });

  test('have what follows from their path', () => {
    const response = { 200: object({ count: integer() }) };
    const { operation, responses } = documented({
      url: '/api/v1/books/:id/report',
      schema: { response },
    });
    expect(Object.keys(responses)).toEqual([
      ...['200', '400', '401', '404', '406', '410', '429', '500', '503'],
    ]);
    expect(operation).toMatchObject({
      security: [{}, { accessToken: [] }, { usernameAndPassword: [] }],
      params: { properties: { id: { format: 'uuid' } } },
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
    const { operation, responses } = documented({ onRequest: [allow(permission)] });
    expect(operation).toMatchObject({
      security: [{ accessToken: [] }, { usernameAndPassword: [] }],
    });
    expect(Object.keys(responses).filter((status) => status === '403')).toEqual(statuses);
  });

  test('have what follows from their body and headers', () => {
    const headers = { type: 'object', properties: { 'If-Match': {} }, required: ['If-Match'] };
    const schema = { operationId: 'updateReview', body, headers, response: { 200: item } };
    const { operation, responses, components } = documented({ method: 'PATCH', schema });
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining(['409', '412', '413', '415', '422', '428']),
    );
    expect(responses['200']?.headers).toHaveProperty('ETag');
    expect(operation).toHaveProperty(['body', 'content', 'application/merge-patch+json']);
    expect(components.schemas).toHaveProperty(['updateReview.requestBody']);
  });

  test('keep a reason of their own', () => {
    const schema = { response: { 200: item, 404: refusal('There is no report.') } };
    const { responses } = documented({ schema });
    expect(responses['404']).toMatchObject({ description: 'There is no report.' });
  });

  test('are deprecated with their version', () => {
    const { operation, responses, components } = documented({ schema: {} }, { sunset: 'soon' });
    expect(operation).toMatchObject({ deprecated: true });
    expect(responses['400']).toEqual({ $ref: '#/components/responses/BadRequest' });
    expect(components.headers).toMatchObject({ Deprecation: {}, Sunset: {}, Link: {} });
    expect(documented({ schema: {} }).operation).not.toHaveProperty('deprecated');
  });

  test('outside of the API need no credential', () => {
    const { operation, responses } = documented({ url: '/health/live' });
    expect(operation).toMatchObject({ security: [{}] });
    expect(Object.keys(responses)).toEqual(['400', '500']);
  });
});

test('parameters of a query keep apart from keywords of JSON Schema', () => {
  const schema = {
    querystring: {
      type: 'object',
      properties: { definitions: { type: 'string' }, limit: { type: 'integer' } },
      required: ['definitions'],
    },
  };
  const components = { responses: {}, headers: {}, schemas: {}, parameters: {} };
  const context = { components, mediaTypes: [], tags: [] };
  expect(describeRoute({ method: 'GET', url: '/health/x', schema }, context)).toMatchObject({
    querystring: {
      properties: { ':definitions': { type: 'string' }, ':limit': { type: 'integer' } },
      required: [':definitions'],
    },
  });
});
