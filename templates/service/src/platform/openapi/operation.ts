/** A route as an operation of a document: what its schema says, and what follows from the route. */
import type { FastifySchema, RouteOptions } from 'fastify';

import type { Permission } from '../auth/permissions.ts';
import type { ShapeParts } from '../http/shapes.ts';
import type { Parameters } from './parameters.ts';
import {
  ERROR_HEADERS,
  errorExample,
  ERRORS,
  ErrorShape,
  HEADERS,
  responseName,
  SUCCESSES,
} from './responses.ts';
import { answerSchema, bodySchema, patchSchema, withoutHtml } from './schemas.ts';
import type { Schema } from './schemas.ts';

/** What operations of a document refer to. */
export type Components = Record<
  'schemas' | 'responses' | 'headers' | 'parameters',
  Record<string, object>
>;

/** Where and how the operations of a document are served. */
export interface DocumentContext {
  readonly components: Components;
  /** The media types of bodies. */
  readonly mediaTypes: readonly string[];
  /** When the version was deprecated, and when it ends; absent where it is not deprecated. */
  readonly ends: { readonly sunset?: string } | undefined;
  /** Groups of operations, each described as what its first operation answers. */
  readonly tags: { name: string; description?: string }[];
}

/** A response in the schema of a route: a shape, or content by media type. */
type RouteResponse = ShapeParts & { readonly content?: object };

/** The schema of a route of this service. */
interface RouteSchema extends Omit<FastifySchema, 'body' | 'headers' | 'querystring' | 'response'> {
  readonly body?: ShapeParts;
  readonly headers?: Parameters;
  readonly querystring?: Parameters;
  readonly response?: Readonly<Record<number, RouteResponse>>;
}

/** What each method does to an item. */
const EFFECTS: Readonly<Record<string, string>> = {
  PUT: 'Members that are absent return to their default or null.',
  PATCH: 'A JSON Merge Patch (RFC 7396): members that are absent are kept, null clears one.',
  DELETE: 'Permanent: the path answers 410 from then on.',
};

const ID: Parameters = {
  type: 'object',
  properties: { id: { type: 'string', format: 'uuid', description: 'The id of the item.' } },
};

const REQUEST_ID: Schema = {
  type: 'string',
  format: 'uuid',
  description: 'An identifier for the request, used instead of one that the service makes.',
};

/**
 * The mark before the name of each parameter in a query, until the document is finished: without it
 * `@fastify/swagger` takes a parameter called `definitions` for the keyword of JSON Schema.
 */
export const NAME_MARK = ':';

const markNames = ({ properties, required, ...rest }: Parameters): object => ({
  ...rest,
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, parameter]) => [NAME_MARK + name, parameter]),
  ),
  ...(required !== undefined && { required: required.map((name) => NAME_MARK + name) }),
});

/** What `@fastify/swagger` makes an operation of; `x-responses` are its responses, finished. */
export function describeRoute(route: RouteOptions, context: DocumentContext): FastifySchema {
  const { body, headers, querystring, response, ...schema } = (route.schema ?? {}) as RouteSchema;
  const [description] = Object.values(response ?? {}).map((shape) => shape.description);
  for (const name of schema.tags ?? []) {
    if (context.tags.some((tag) => tag.name === name)) continue;
    context.tags.push({
      name,
      ...(description !== undefined && { description: withoutHtml(description) }),
    });
  }
  const permissions = permissionsOf(route);
  const access = isApi(route) ? permissions.map(accessInWords).join(' ') : '';
  return {
    ...schema,
    description: [access, schema.description ?? EFFECTS[String(route.method)]]
      .filter(Boolean)
      .join('\n\n'),
    security: schema.security ?? securityOf(route, permissions),
    ...(context.ends !== undefined && { deprecated: true }),
    ...(route.url.includes(':id') && { params: schema.params ?? ID }),
    ...(querystring !== undefined && { querystring: markNames(querystring) }),
    headers: {
      ...headers,
      type: 'object',
      properties: { ...headers?.properties, 'X-Request-Id': REQUEST_ID },
    },
    ...(body !== undefined && { body: { content: requestContent(route, body, context) } }),
    'x-responses': responsesOf(route, permissions, context),
  } as FastifySchema;
}

const isApi = ({ url }: RouteOptions): boolean => url.startsWith('/api/');

/** The permissions that the hooks of a route check. */
const permissionsOf = ({ onRequest = [] }: RouteOptions): readonly Permission[] =>
  [onRequest].flat().flatMap((hook) => (hook as { permissions?: Permission[] }).permissions ?? []);

function accessInWords(permission: Permission): string {
  if (permission === 'public') return '';
  if (permission === 'authenticated') return 'Requires a credential.';
  const roles = [...new Set([...permission.filter((role) => role !== 'owner'), 'admin'])];
  const owner = permission.includes('owner') ? 'the owner, or ' : '';
  return `Requires ${owner}one of the roles ${roles.map((role) => `\`${role}\``).join(', ')}.`;
}

function securityOf(route: RouteOptions, permissions: readonly Permission[]): object[] {
  if (!isApi(route)) return [{}];
  return [
    ...(permissions.length === 0 ? [{}] : []),
    { accessToken: [] },
    { usernameAndPassword: [] },
  ];
}

/** A request body in each media type. */
function requestContent(
  { method, schema }: RouteOptions,
  body: ShapeParts,
  { components, mediaTypes }: DocumentContext,
): object {
  // openapi-typescript makes a member with a default required, unless it is in a `requestBody`.
  const name = `${schema?.operationId}.requestBody`;
  components.schemas[name] =
    method === 'PATCH' ? patchSchema(body) : bodySchema(body, String(method));
  const types = method === 'PATCH' ? [...mediaTypes, 'application/merge-patch+json'] : mediaTypes;
  return inEach(types, { $ref: `#/components/schemas/${name}` });
}

const inEach = (types: readonly string[], schema: object): object =>
  Object.fromEntries(types.map((type) => [type, { schema }]));

/** The responses of the schema of a route, and those that follow from the rest of the route. */
function responsesOf(
  route: RouteOptions,
  permissions: readonly Permission[],
  context: DocumentContext,
): object {
  const { response = {} } = (route.schema ?? {}) as RouteSchema;
  const statuses = new Set([
    ...impliedStatuses(route, permissions),
    ...Object.keys(response).map(Number),
  ]);
  return Object.fromEntries(
    [...statuses].map((status) => [
      status,
      status < 400
        ? success(route, status, response[status], context)
        : error(status, response[status]?.description, context),
    ]),
  );
}

function impliedStatuses(route: RouteOptions, permissions: readonly Permission[]): number[] {
  const { method, url, schema } = route;
  const { body, querystring, headers } = (schema ?? {}) as RouteSchema;
  if (!isApi(route)) return [400, 500];
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

const hasMember = (parameters: Pick<Parameters, 'properties'> | undefined, name: string): boolean =>
  Object.hasOwn(parameters?.properties ?? {}, name);

function success(
  route: RouteOptions,
  status: number,
  shape: RouteResponse = { type: 'null' },
  { components, mediaTypes, ends }: DocumentContext,
): object {
  const { headers, querystring } = (route.schema ?? {}) as RouteSchema;
  const hasTag =
    hasMember(headers, 'If-None-Match') || hasMember(shape as Parameters, 'updated_at');
  return {
    description: SUCCESSES[status] ?? 'Success.',
    headers: headersOf(components, ends, [
      ...(status === 201 || status === 202 ? ['Location'] : []),
      ...(hasTag && status !== 202 ? ['ETag'] : []),
      ...(hasMember(headers, 'Idempotency-Key') ? ['Idempotency-Replayed'] : []),
      ...(hasMember(querystring, 'cursor') ? ['Link', 'Total-Count'] : []),
    ]),
    ...((shape as { type?: unknown }).type !== 'null' && {
      content:
        shape.content ??
        inEach(
          isApi(route) ? mediaTypes : ['application/json'],
          answerSchema(shape, components.schemas),
        ),
    }),
  };
}

/** An error: a component, unless the route gives a reason of its own. */
function error(
  status: number,
  reason: string | undefined,
  { components, ends }: DocumentContext,
): object {
  const description = reason ?? ERRORS[status] ?? responseName(status);
  const response = {
    description,
    headers: headersOf(components, ends, ERROR_HEADERS[status] ?? []),
    content: {
      'application/json': {
        schema: answerSchema(ErrorShape, components.schemas),
        example: errorExample(status, description),
      },
    },
  };
  if (reason !== undefined) return response;
  const name = responseName(status);
  components.responses[name] ??= response;
  return { $ref: `#/components/responses/${name}` };
}

function headersOf(
  components: Components,
  ends: DocumentContext['ends'],
  names: readonly string[],
): object {
  const all = new Set([
    'X-Request-Id',
    'Vary',
    'Cache-Control',
    ...(ends === undefined ? [] : ['Deprecation', 'Link']),
    ...(ends?.sunset === undefined ? [] : ['Sunset']),
    ...names,
  ]);
  return Object.fromEntries(
    [...all].map((name) => {
      components.headers[name] ??= HEADERS[name] ?? {};
      return [name, { $ref: `#/components/headers/${name}` }];
    }),
  );
}
