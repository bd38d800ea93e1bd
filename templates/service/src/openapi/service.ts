/** What the OpenAPI document says of paths that belong to no version and no collection. */
import { security } from './access.ts';
import { refer } from './draft.ts';
import type { Draft } from './draft.ts';
import { ifMatch, ifNoneMatch, requestParameters } from './parameters.ts';
import { errors, headers } from './responses.ts';
import type { Operation, Paths, Schema } from './types.ts';

const TAG = 'Service';

/** Whether the process lives and can work, and this document. */
export function servicePaths(draft: Draft): Paths {
  draft.tags.push({ name: TAG, description: 'The service itself, for those who run it.' });
  return {
    '/health/live': {
      parameters: requestParameters(draft),
      get: health(draft, 'getLiveness', 'Tells whether the process lives', 'live'),
    },
    '/health/ready': {
      parameters: requestParameters(draft),
      get: health(draft, 'getReadiness', 'Tells whether the service can do its work', 'ready'),
    },
    '/metrics': {
      parameters: requestParameters(draft),
      get: {
        operationId: 'getMetrics',
        tags: [TAG],
        summary: 'Reads the figures of this process',
        description: 'For everybody; a credential is not looked at.',
        security: [{}],
        responses: {
          200: {
            description: 'The text format of Prometheus.',
            headers: headers(draft),
            content: { 'text/plain': { schema: { type: 'string' } } },
          },
          ...errors(draft, 'badRequest', 'unforeseen'),
        },
      },
    },
  };
}

function health(draft: Draft, operationId: string, summary: string, status: string): Operation {
  const schema: Schema = {
    type: 'object',
    properties: { status: { type: 'string', const: status } },
    required: ['status'],
  };
  return {
    operationId,
    tags: [TAG],
    summary,
    description: 'For everybody; a credential is not looked at.',
    security: [{}],
    responses: {
      200: {
        description: 'It does.',
        headers: headers(draft),
        content: { 'application/json': { schema, example: { status } } },
      },
      ...errors(
        draft,
        'badRequest',
        'unforeseen',
        ...(status === 'ready' ? (['unavailable'] as const) : []),
      ),
    },
  };
}

/** The document itself, in each version. */
export const documentPaths = (draft: Draft): Paths => ({
  '/openapi.json': {
    get: {
      operationId: 'getOpenapi',
      tags: [TAG],
      summary: 'Reads this document',
      description: 'For everybody.',
      security: security('public'),
      parameters: [ifNoneMatch(draft), ifMatch(draft, false)],
      responses: {
        200: {
          description: 'An OpenAPI 3.1 document.',
          headers: headers(draft, 'ETag', 'Cache-Control'),
          content: Object.fromEntries(
            draft.mediaTypes.map((type) => [
              type,
              { schema: refer(draft, 'schemas', 'Openapi', () => ({ type: 'object' })) },
            ]),
          ),
        },
        304: {
          description: 'It is still the one that the client has.',
          headers: headers(draft, 'ETag'),
        },
        ...errors(
          draft,
          'badRequest',
          'credentialWrong',
          'notAcceptable',
          'preconditionFailed',
          'tooMany',
          'unforeseen',
          'unavailable',
        ),
      },
    },
  },
});
