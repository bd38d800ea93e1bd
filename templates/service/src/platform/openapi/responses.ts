/** The responses and headers that operations share, and those in the schemas of routes. */
import { STATUS_CODES } from 'node:http';

import type { RouteOptions } from 'fastify';
import Type from 'typebox';
import type { TObject, TSchema } from 'typebox';

import type { Permission } from '../auth/permissions.ts';
import { errorPayload } from '../http/errors.ts';
import type { ListOptions } from '../http/list.ts';
import type { ShapeParts } from '../http/shapes.ts';
import { answerSchema, inEach, refer } from './schemas.ts';
import type { DocumentContext, Parameters, RouteResponse, RouteSchema } from './schemas.ts';

/** For `response` in the schema of a route: the response has no body. */
export const noContent = { type: 'null' };

/** For `response` in the schema of a route: an error, with a reason of this route's own. */
export const refusal = (description: string): { type: string; description: string } => ({
  type: 'object',
  description,
});

/** For `response` in the schema of a route: 409, where two items may not share these values. */
export const taken = (...members: readonly string[]): { 409?: object } =>
  members.length === 0
    ? {}
    : { 409: refusal(`Another item has the same value, which is unique: ${members.join(', ')}.`) };

/** For `response` in the schema of a list. Items have all members, unless `fields` names some. */
export const pageOf = (item: TObject, { pages }: ListOptions): ShapeParts => {
  const { $id, description = '', ...shape }: ShapeParts = item;
  return {
    type: 'array',
    description,
    items: { ...shape, description, $id: `${$id}.listed`, sparse: true },
    maxItems: pages.maximum,
  };
};

/** The one payload of all errors. */
const ErrorShape: TSchema = Type.Object(
  {
    status: Type.String({ description: 'The reason phrase of the HTTP status.' }),
    message: Type.String({ maxLength: 4000, description: 'What is wrong, and what to do.' }),
    request_id: Type.String({
      format: 'uuid',
      description: 'The identifier of the request, also in `X-Request-Id` and in the log.',
    }),
  },
  { $id: 'Error', description: 'The payload of every error.' },
);

/** The descriptions of successful responses. */
const SUCCESSES: Readonly<Record<number, string>> = {
  200: 'The request succeeded.',
  201: 'The item is created; `Location` is its URL.',
  202: 'The work is queued; `Location` is the URL of its job.',
  204: 'The request succeeded; the response has no body.',
  304: 'The client has the current representation.',
};

/** The errors that operations share. */
const ERRORS: Readonly<Record<number, string>> = {
  400: 'The query has an unknown or invalid parameter, or the body is not JSON.',
  401: 'The credential is missing, wrong, expired or revoked.',
  403: 'The caller does not have permission to do this.',
  404: 'There is no item with this id.',
  406: 'None of the media types in Accept is offered.',
  409: 'The request conflicts with another item, a database constraint, or a request with the same Idempotency-Key.',
  410: 'The item was deleted, and will not come back.',
  412: 'The item is not in the state that the request names.',
  413: 'The body is too large.',
  414: 'The query is too long.',
  415: 'The body is not in a media type that is accepted, or it is encoded.',
  422: 'Members of the body are invalid: the message names each, and says why.',
  428: 'If-Match is required.',
  429: 'Too many requests or failed logins: try again later.',
  500: 'An unexpected error; the log has it under the request_id.',
  503: 'The service is unavailable for the moment: try again later.',
};

/** Headers that belong to the status of an error. */
const ERROR_HEADERS: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  415: ['Accept', 'Accept-Patch'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const text = { type: 'string' };

const HEADERS: Readonly<Record<string, object>> = {
  Accept: { description: 'The media types that a request body may have.', schema: text },
  'Accept-Patch': { description: 'The media types that a PATCH may have.', schema: text },
  'Cache-Control': { description: 'How the response may be cached (RFC 9111).', schema: text },
  Deprecation: { description: 'When this version was deprecated (RFC 9745).', schema: text },
  ETag: { description: 'The revision of the item, for `If-Match`.', schema: text },
  'Idempotency-Replayed': {
    description: 'Present if this is the stored response to an earlier request.',
    schema: { type: 'string', const: 'true' },
  },
  Link: { description: 'Related pages and versions (RFC 8288).', schema: text },
  Location: { description: 'The URL.', schema: { type: 'string', format: 'uri-reference' } },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
  Sunset: { description: 'When this version ends (RFC 8594).', schema: text },
  'Total-Count': {
    description: 'The number of items in the whole list, with `count=true`.',
    schema: { type: 'integer', minimum: 0 },
  },
  Vary: { description: 'The request headers that select the response.', schema: text },
  'WWW-Authenticate': { description: 'The accepted schemes (RFC 9110).', schema: text },
  'X-Request-Id': {
    description: "The identifier of the request: the client's own if it sent a UUID.",
    schema: { type: 'string', format: 'uuid' },
  },
};

/** The name of a shared response, such as `NotFound`. */
const responseName = (status: number): string =>
  (STATUS_CODES[status] ?? '').replaceAll(/[^A-Za-z]/g, '');

/** The responses of the schema of a route, and those that follow from the rest of the route. */
export function responsesOf(
  route: RouteOptions,
  permissions: readonly Permission[],
  context: DocumentContext,
): object {
  const schema = (route.schema ?? {}) as RouteSchema;
  const { response = {} } = schema;
  const statuses = new Set([
    ...impliedStatuses(route, schema, permissions),
    ...Object.keys(response).map(Number),
  ]);
  return Object.fromEntries(
    [...statuses].map((status) => [
      status,
      status < 400
        ? success(status, response[status], schema, context)
        : errorResponse(status, response[status]?.description, context),
    ]),
  );
}

function impliedStatuses(
  { method, url }: RouteOptions,
  { body, querystring, headers }: RouteSchema,
  permissions: readonly Permission[],
): number[] {
  if (!url.startsWith('/api/')) return [400, 500];
  const isLimited = permissions.some((permission) => Array.isArray(permission));
  return [
    ...(hasMember(headers, 'If-None-Match') ? [304] : []),
    400,
    401,
    ...(isLimited ? [403] : []),
    ...(url.includes('/:') ? [404, 410] : []),
    406,
    ...(method === 'GET' ? [] : [409, 413, 415]),
    ...(hasMember(headers, 'If-Match') ? [412] : []),
    ...(querystring === undefined ? [] : [414]),
    ...(body === undefined ? [] : [422]),
    ...(headers?.required?.includes('If-Match') === true ? [428] : []),
    429,
    500,
    503,
  ];
}

const hasMember = (parts: Pick<Parameters, 'properties'> | undefined, name: string): boolean =>
  Object.hasOwn(parts?.properties ?? {}, name);

function success(
  status: number,
  shape: RouteResponse = noContent,
  { headers, querystring }: RouteSchema,
  context: DocumentContext,
): object {
  const hasTag =
    status === 201 ||
    hasMember(headers, 'If-None-Match') ||
    hasMember(shape as Parameters, 'updated_at') ||
    (hasMember(headers, 'If-Match') && shape.type !== 'null');
  return {
    description: SUCCESSES[status] ?? 'Success.',
    headers: headersOf(context, [
      ...(status === 201 || status === 202 ? ['Location'] : []),
      ...(hasTag && status !== 202 ? ['ETag'] : []),
      ...(hasMember(headers, 'Idempotency-Key') ? ['Idempotency-Replayed'] : []),
      ...(hasMember(querystring, 'cursor') ? ['Link', 'Total-Count'] : []),
    ]),
    ...(shape.type !== 'null' && {
      content: shape.content ?? inEach(context.mediaTypes, answerSchema(shape, context.components)),
    }),
  };
}

/** An error: a component, unless the route gives a reason of its own. */
function errorResponse(
  status: number,
  reason: string | undefined,
  context: DocumentContext,
): object {
  const response = (description: string): object => ({
    description,
    headers: headersOf(context, ERROR_HEADERS[status] ?? []),
    content: {
      'application/json': {
        schema: answerSchema(ErrorShape, context.components),
        example: errorPayload(status, description, '5f0c6ee2-1d0f-4c6e-9a61-3f1f3f0a2b77'),
      },
    },
  });
  if (reason !== undefined) return response(reason);
  const name = responseName(status);
  return refer(context.components, 'responses', name, () => response(ERRORS[status] ?? name));
}

const headersOf = ({ components, ends }: DocumentContext, names: readonly string[]): object =>
  Object.fromEntries(
    [
      'X-Request-Id',
      'Vary',
      'Cache-Control',
      ...(ends === undefined ? [] : ['Deprecation', 'Link']),
      ...(ends?.sunset === undefined ? [] : ['Sunset']),
      ...names,
    ].map((name) => [name, refer(components, 'headers', name, () => HEADERS[name] ?? {})]),
  );
