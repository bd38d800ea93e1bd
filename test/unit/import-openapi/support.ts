/** Plans the import of a document that a test gives as a value. */
import { endpointAccess } from '../../../src/commands/explain/endpoints.ts';
import { planOpenApiImport } from '../../../src/import-openapi/plan-openapi-import.ts';
import type { OpenApiImportPlan } from '../../../src/import-openapi/plan-openapi-import.ts';
import { readOpenApi } from '../../../src/import-openapi/read-openapi.ts';

export const planOf = async (document: unknown): Promise<OpenApiImportPlan> =>
  planText(JSON.stringify(document));

export const planText = async (text: string): Promise<OpenApiImportPlan> =>
  planOpenApiImport(readOpenApi(new TextEncoder().encode(text), 'openapi.json'), {
    service: 'shop',
    endpointsOf: endpointAccess,
    checkpoint: async () => Promise.resolve(),
  });

/** A document whose base path is that of the service. */
export const documentOf = (paths: object, more: object = {}): object => ({
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://api.example.com/api/v1' }],
  paths,
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  ...more,
});

/** A response with a body. */
export const answers = (schema: object, status = '200'): object => ({
  responses: { [status]: { content: { 'application/json': { schema } } } },
});

export const takes = (schema: object): object => ({
  requestBody: { required: true, content: { 'application/json': { schema } } },
});

export const object = (properties: object, required: readonly string[] = []): object => ({
  type: 'object',
  properties,
  required,
});

/** `GET /books` and `GET /books/{id}` for items with these members. */
export const booksWith = (properties: object, required: readonly string[] = []): object => {
  const book = object(properties, required);
  return documentOf({
    '/books': {
      get: answers({ type: 'array', items: book }),
      post: { ...takes(book), ...answers(book, '201') },
    },
    '/books/{id}': { get: answers(book) },
  });
};

/** The definition of a collection. */
export function definitionOf(plan: OpenApiImportPlan, collection: string): string {
  const found = plan.collections.find((one) => one.collection === collection);
  return found?.definition ?? `no ${collection}`;
}

/** The changes of an operation, as lines. */
export function changesOf(plan: OpenApiImportPlan, operation: string): readonly string[] {
  const found = plan.operations.find(({ method, path }) => `${method} ${path}` === operation);
  if (found === undefined) return [`no ${operation}`];
  return found.reason === null
    ? found.changes.map(({ code, text }) => `${code}: ${text}`)
    : [`not taken: ${found.reason}`];
}
