/** Any document: the import never throws, its definitions are valid, and its time is bounded. */
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { openApiReportJson } from '../../../src/commands/import/openapi-report-json.ts';
import { openApiReportMarkdown } from '../../../src/commands/import/openapi-report-markdown.ts';
import { parseFolder } from '../../../src/definition/index.ts';
import type { OpenApiImportPlan } from '../../../src/import-openapi/plan-openapi-import.ts';
import { UserError } from '../../../src/shared/errors.ts';
import { planOf, planText } from './support.ts';

const NAMES = [
  ...['id', 'created_at', 'createdAt', 'users', 'tokens', 'title', 'Title', 'bookId', 'book_id'],
  ...['books', 'book', 'order-items', '__proto__', 'constructor', 'toString', 'limit', 'sort', 'q'],
  ...[
    'xmin',
    'null',
    '',
    '1a',
    'é',
    'a: b',
    "'",
    '"',
    '#',
    '-',
    '空',
    'x'.repeat(80),
    'name',
    'v1',
  ],
  ...[
    'create',
    'delete_book',
    'status',
    'author',
    'authors',
    'api',
    '\u0000',
    '\ud800',
    '$ref',
    '<<',
  ],
];
const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NAMES) },
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const KEYWORDS = [
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['minItems', 'maxItems', 'uniqueItems', 'multipleOf', 'nullable', 'readOnly', 'writeOnly'],
  ...['default', 'description', 'pattern', 'const', 'deprecated', 'example', 'format'],
];
const value = fc.oneof(
  fc.constantFrom(
    0,
    1,
    -1,
    1.5,
    5,
    1e21,
    2 ** 53,
    true,
    false,
    null,
    '',
    'a',
    '(a+)+$',
    '[',
    'uuid',
  ),
  fc.constantFrom(
    '2026-01-31',
    '2026-02-30',
    'now',
    'email',
    'int32',
    'int64',
    'date-time',
    'byte',
  ),
  fc.string({ unit: 'binary', maxLength: 5 }),
  fc.constant({}),
  fc.constant([]),
);

/** Schemas that refer to components, also to themselves. */
const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<unknown>(
      ...[
        { $ref: '#/components/schemas/a' },
        { $ref: '#/components/schemas/b' },
        { $ref: 'other.yaml#/a' },
        { $ref: '#/nowhere' },
        { type: 'string' },
        { type: 'string', format: 'uuid' },
        { type: 'integer', format: 'int64' },
        true,
        null,
        5,
        [],
      ],
    ),
    fc
      .tuple(
        fc.constantFrom(
          'string',
          'integer',
          'number',
          'boolean',
          'array',
          'object',
          'null',
          'x',
          5,
        ),
        fc.dictionary(fc.constantFrom(...KEYWORDS), value, { maxKeys: 3 }),
      )
      .map(([type, keywords]) => ({ type, ...keywords })),
    fc.record({ enum: fc.array(value, { maxLength: 4 }) }),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc
      .tuple(
        fc.dictionary(name, tie('schema'), { maxKeys: 5 }),
        fc.array(name, { maxLength: 3 }),
        fc.constantFrom('object', undefined),
      )
      .map(([properties, required, type]) => ({ type, properties, required })),
    fc
      .tuple(fc.constantFrom('allOf', 'oneOf', 'anyOf'), fc.array(tie('schema'), { maxLength: 3 }))
      .map(([key, parts]) => ({ [key]: parts })),
  ),
}));

const content = schema.map((one) => ({ content: { 'application/json': { schema: one } } }));
const parameter = fc.record({
  name,
  in: fc.constantFrom('query', 'path', 'header', 'cookie', 5),
  schema,
});
const operation = fc.record(
  {
    parameters: fc.oneof(fc.array(parameter, { maxLength: 3 }), fc.constant('x')),
    requestBody: fc.oneof(content, fc.constant(null)),
    responses: fc.dictionary(fc.constantFrom('200', '201', '204', '2XX', 'default', 'x'), content, {
      maxKeys: 2,
    }),
    security: fc.constantFrom([], [{}], [{ key: [] }], 'x', undefined),
  },
  { requiredKeys: [] },
);
const segment = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('books', 'authors', '{id}', '{book_id}', 'order-items') },
  fc.constantFrom('{id}.json', 'v2', 'api', '{}', '{', 'get_books', 'users', 'book'),
  name.map((one) => one.replaceAll('/', '')),
);
const path = fc.array(segment, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`);
const item = fc.dictionary(
  fc.constantFrom('get', 'post', 'put', 'patch', 'delete', 'head', 'parameters', '$ref', 'x-a'),
  fc.oneof({ weight: 9, arbitrary: operation }, fc.constantFrom<unknown>(null, 5, '#/paths/x')),
  { maxKeys: 4 },
);
/** The paths of a collection, with items that have any members. */
const resource = fc
  .tuple(
    fc.constantFrom(
      ...['/books', '/authors', '/order-items', '/book', '/admin/books', '/v1/people', '/users'],
      ...['/authors/{id}/books', '/books/{book_id}/reviews', '/books/{id}/books', '/news'],
    ),
    fc.dictionary(name, schema, { minKeys: 1, maxKeys: 6 }),
    fc.dictionary(name, schema, { maxKeys: 3 }),
    fc.array(name, { maxLength: 3 }),
    fc.array(parameter, { maxLength: 3 }),
    fc.constantFrom([], undefined),
  )
  .map(([of, properties, others, required, parameters, security]) => {
    const shown = { type: 'object', properties, required };
    const sent = { type: 'object', properties: { ...properties, ...others }, required };
    const body = (one: object): object => ({ content: { 'application/json': { schema: one } } });
    const requestBody = body(sent);
    const list = { type: 'array', items: shown };
    return {
      [of]: {
        get: { parameters, security, responses: { 200: body(list) } },
        post: { security, requestBody, responses: { 201: body(shown) } },
      },
      [`${of}/{id}`]: {
        get: { responses: { 200: body(shown) } },
        put: { requestBody, responses: { 200: body(shown) } },
        delete: { responses: { 204: {} } },
      },
    };
  });

const paths = fc
  .tuple(fc.array(resource, { maxLength: 4 }), fc.dictionary(path, item, { maxKeys: 6 }))
  .map(([resources, others]) => Object.assign({}, others, ...resources) as object);

const document = fc.record({
  openapi: fc.constantFrom('3.0.3', '3.1.0', 3.1),
  info: fc.oneof(fc.record({ title: name, description: name }), fc.constant(null)),
  servers: fc.constantFrom<unknown>([], [{ url: '/api/v2' }], [{ url: 'x://y/{z}' }], null, 'x'),
  paths: fc.oneof({ weight: 20, arbitrary: paths }, fc.constant([])),
  components: fc.record({ schemas: fc.record({ a: schema, b: schema }) }),
});

test('any document yields valid definitions, and a result for each operation', async () => {
  let collections = 0;
  await fc.assert(
    fc.asyncProperty(document, async (one) => {
      const plan = await planOf(one);
      collections += plan.collections.length;
      expect(await issuesOf(plan)).toEqual([]);
      for (const { result, reason, offered, changes } of plan.operations) {
        expect({ result, isTaken: offered !== null, hasReason: reason !== null }).toEqual({
          result: reason !== null ? 'not-taken' : changes.length > 0 ? 'changed' : 'same',
          isTaken: reason === null,
          hasReason: reason !== null,
        });
      }
      isPrintable(plan);
    }),
    { numRuns: 1000 },
  );
  expect(collections).toBeGreaterThan(1000);
});

async function issuesOf({ files }: OpenApiImportPlan): Promise<readonly unknown[]> {
  if (files.length === 0) return [];
  const parsed = await parseFolder(files, { fallbackName: 'shop' });
  return parsed.ok ? [] : parsed.issues;
}

function isPrintable(plan: OpenApiImportPlan): void {
  expect(openApiReportMarkdown(plan)).not.toMatch(/[^\P{Cc}\n]/u);
  expect(() => JSON.stringify(openApiReportJson(plan))).not.toThrow();
}

test('any text is a document or is refused in a sentence', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: fc.constantFrom(...'openapi: 3.0\n[]{}&*-!|>%"\'#?,x '.split('')) }),
        fc.json(),
      ),
      async (text) => {
        for (const one of [text, `openapi: 3.0.0\npaths:\n ${text}`]) {
          const error = await planText(one).then(
            () => undefined,
            (thrown: unknown) => thrown,
          );
          expect(error instanceof UserError ? undefined : error).toBeUndefined();
        }
      },
    ),
    { numRuns: 500 },
  );
});
