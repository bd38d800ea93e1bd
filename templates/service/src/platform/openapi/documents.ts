/** The OpenAPI documents: one for each version and base path, made of the schemas of the routes. */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { formatParamUrl } from '@fastify/swagger';
import type { FastifyInstance, RouteOptions } from 'fastify';

import type { Permission } from '../auth/permissions.ts';
import {
  ACCEPTED,
  BASES,
  VERSION_IN_ACCEPT,
  VERSION_IN_PATH,
  vendorType,
} from '../http/versions.ts';
import {
  CHANGES,
  CONVENTIONS,
  DEPRECATED,
  DESCRIPTION,
  TITLE,
  VERSIONS,
  VERSIONS_DIFFER,
} from '../service.ts';
import { operationParameters } from './parameters.ts';
import { responsesOf } from './responses.ts';
import { nameOperation, requestBodyOf, withoutHtml } from './schemas.ts';
import type { DocumentContext, RouteSchema } from './schemas.ts';

/** All documents, each by the base path and version that it describes. */
export const DOCUMENTS = BASES.flatMap(({ path, version, isInAccept = false }) =>
  (isInAccept && !VERSIONS_DIFFER ? VERSIONS : [version]).map((served) => ({
    base: path,
    version: served,
  })),
);

/** Base paths, the longest first: `/api/v1` is below `/api`, too. */
const BASE_PATHS = [...new Set(DOCUMENTS.map(({ base }) => base))].toSorted(
  (one, other) => other.length - one.length,
);

const decoratorOf = (base: string, version: number): string => `openapi ${base} ${version}`;

/** The document of a version below a base path; the service must be ready. */
export const documentOf = (app: FastifyInstance, base: string, version: number): OpenapiDocument =>
  app.getDecorator<() => OpenapiDocument>(decoratorOf(base, version))();

/** Documents as they are sent. */
const SERIALIZED = new WeakMap<
  OpenapiDocument,
  { readonly bytes: Buffer; readonly etag: string }
>();

/** The bytes of a document, which are made once. */
export function serializedDocument(app: FastifyInstance, base: string, version: number) {
  const document = documentOf(app, base, version);
  const known = SERIALIZED.get(document);
  if (known !== undefined) return known;
  const bytes = Buffer.from(JSON.stringify(document));
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  SERIALIZED.set(document, { bytes, etag });
  return { bytes, etag };
}

/**
 * Makes the documents while the service waits for its database, so that no request waits for them.
 * @throws if two operations of a document give one name to different schemas.
 */
export async function makeDocumentsEarly(app: FastifyInstance): Promise<void> {
  for (const { base, version } of DOCUMENTS) {
    await nextTurn();
    serializedDocument(app, base, version);
  }
}

/** What documents say beside the routes. */
interface DocumentOptions {
  readonly publicUrl: string;
  /** Makes the `webhooks` of the document of a version. */
  readonly describeWebhooks?:
    ((version: number, context: DocumentContext) => Record<string, object>) | undefined;
}

/** Collects the routes that are registered after it; each document is made when it is first asked for. */
export function registerDocuments(app: FastifyInstance, options: DocumentOptions): void {
  // Schemas of routes document and do not validate: handlers validate, in the order of
  // precedence of errors, and send bodies that are JSON already.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    // Fastify adds these itself, beside each GET.
    if (route.method !== 'HEAD') routes.push(route);
  });
  for (const { base, version } of DOCUMENTS) {
    let document: OpenapiDocument | undefined;
    const make = (): OpenapiDocument => {
      const served = routes.filter((route) => isServed(route, base, version));
      return makeDocument(served, base, version, options);
    };
    app.decorate(decoratorOf(base, version), () => (document ??= make()));
  }
}

/** A whole document. */
export interface OpenapiDocument {
  readonly openapi: string;
  readonly info: object;
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly object[];
  /** The operations of each path, by the method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly webhooks?: object;
  readonly components: object;
}

function makeDocument(
  routes: readonly RouteOptions[],
  base: string,
  version: number,
  { publicUrl, describeWebhooks }: DocumentOptions,
): OpenapiDocument {
  const context: DocumentContext = {
    mediaTypes: [...(base === '/api' ? [] : ['application/json']), vendorType(version)],
    components: { schemas: {}, responses: {}, headers: {}, parameters: {} },
    ends: DEPRECATED[version],
  };
  const webhooks = describeWebhooks?.(version, context);
  const tags = new Map<string, object>();
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const schema = (route.schema ?? {}) as RouteSchema;
    for (const name of schema.tags ?? []) {
      if (!tags.has(name)) tags.set(name, describeTag(name, schema));
    }
    const path = (paths[formatParamUrl(route.url)] ??= {});
    for (const method of [route.method].flat()) {
      path[method.toLowerCase()] = describeRoute(route, method, schema, context);
    }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: TITLE,
      version: String(version),
      description: [withoutHtml(DESCRIPTION), CHANGES[version] ?? '', conventions(version)]
        .filter((part) => part !== '')
        .join('\n\n'),
      // The terms of use of the API; edit them here.
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: publicUrl === '' ? '/' : publicUrl, description: withoutHtml(TITLE) }],
    tags: [...tags.values()],
    paths,
    ...(webhooks !== undefined && { webhooks }),
    components: { securitySchemes: SECURITY_SCHEMES, ...context.components },
  };
}

/** Whether a document has a route: one of its version below its base path, or below none, as `/health/live`. */
function isServed(
  { url, schema = {}, constraints = {} }: RouteOptions,
  base: string,
  version: number,
): boolean {
  if (schema.hide === true) return false;
  const own = BASE_PATHS.find((path) => url.startsWith(`${path}/`));
  if (own === undefined) return true;
  return own === base && (constraints[ACCEPTED] ?? String(version)) === String(version);
}

/** A group of operations, described as what its first operation answers. */
function describeTag(name: string, { response = {} }: RouteSchema): object {
  const [description] = Object.values(response).map((shape) => shape.description);
  return { name, ...(description !== undefined && { description: withoutHtml(description) }) };
}

/** A route as an operation, with references to components. */
function describeRoute(
  route: RouteOptions,
  method: string,
  schema: RouteSchema,
  context: DocumentContext,
): object {
  const { operationId, tags, summary } = schema;
  nameOperation(context, `${method} ${route.url}`);
  const permissions = permissionsOf(route);
  const isApi = route.url.startsWith('/api/');
  const mediaTypes = isApi ? context.mediaTypes : ['application/json'];
  return {
    operationId,
    tags,
    summary,
    description: [
      ...(isApi ? [permissions.map(accessInWords).join(' ')] : []),
      schema.description ?? EFFECTS[method],
    ]
      .filter(Boolean)
      .join('\n\n'),
    security: schema.security ?? [
      ...(isApi && permissions.length > 0 ? [] : [{}]),
      ...(isApi ? [{ accessToken: [] }, { usernameAndPassword: [] }] : []),
    ],
    ...(context.ends !== undefined && { deprecated: true }),
    parameters: operationParameters(route.url, schema, context),
    ...(schema.body !== undefined && {
      requestBody: requestBodyOf(method, schema, context),
    }),
    responses: responsesOf(route, permissions, { ...context, mediaTypes }),
  };
}

/** What each method does to an item. */
const EFFECTS: Readonly<Record<string, string>> = {
  PUT: 'Members that are absent return to their default or null.',
  PATCH: 'A JSON Merge Patch (RFC 7396): members that are absent are kept, null clears one.',
  DELETE: 'Permanent: the path answers 410 from then on.',
};

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

const SECURITY_SCHEMES = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token, made by `POST /tokens`.',
  },
  usernameAndPassword: {
    type: 'http',
    scheme: 'basic',
    description: 'A username and a password.',
  },
} as const;

/** How requests name the version. */
function versionInWords(version: number): string {
  if (!VERSION_IN_PATH) {
    return `This is version ${version}: requests name it by \`Accept: ${vendorType(version)}\`. There is no default.`;
  }
  const inAccept = VERSION_IN_ACCEPT ? ' `/api/…` with the latter in `Accept` is the same.' : '';
  return `This is version ${version}: its paths begin with \`/api/v${version}\`, its media types are \`application/json\`
and \`${vendorType(version)}\`.${inAccept}`;
}

/** A convention that not all services have, in Markdown. */
const ifServed = (name: keyof typeof CONVENTIONS, text: string): string =>
  CONVENTIONS[name] ? text : '';

const INCLUDE = ifServed(
  'include',
  '\n`include` embeds items that others refer to; `fields` does not apply to these.',
);
const JOBS = ifServed(
  'jobs',
  ' Where the work is done in the background it returns 202, and\n`Location` is the URL of a job.',
);
const REQUIRED_IF_MATCH = ifServed('requiredIfMatch', ' Some items require\n`If-Match` (428).');
const INCLUDED_ETAG = ifServed(
  'include',
  '\nWith `include`, the `ETag` covers the embedded items. In `If-Match` of a change it names the revision of the\n' +
    'item alone.',
);

/** What holds for every operation, in Markdown: the beginning of a document. */
const conventions = (version: number): string => `## Versions

${versionInWords(version)}

## Formats

Bodies are JSON in UTF-8, without NUL characters. Decimals and 64-bit integers are strings. Timestamps
are RFC 3339, and are returned in UTC. Values are never converted: \`"5"\` is not an integer. Unknown
members are 422, unknown query parameters 400.

## Authentication

\`Authorization\` has an access token (\`Bearer\`) or a username and password (\`Basic\`). A missing or
invalid credential is 401, also where none is required if one is sent; a forbidden action is 403.
Failed logins are rate-limited by address and by username: 429.

## Lists

A list is divided into pages of \`limit\` items or, where items are large, fewer. \`Link\` has the URLs
of the next, previous, and first page. Items that exist throughout are returned exactly once.
Filters: \`name=value\`, \`name[gte]=value\`, \`name[in]=a,b\`, \`name[null]=true\`.
\`sort\` and \`fields\` may be sent several times, other parameters once.${INCLUDE}

## Changes

POST returns 201 and \`Location\`.${JOBS} PUT replaces an item: absent members return to their default or
null. PATCH is JSON Merge Patch (RFC 7396). DELETE is permanent: the path answers 410 from then on.

An item has an \`ETag\`. With \`If-Match\` it is changed only in that revision (412).${REQUIRED_IF_MATCH} With \`If-None-Match\` a GET of the same revision is 304.${INCLUDED_ETAG}

A POST with an \`Idempotency-Key\` is safe to repeat for 24 hours: it is done once, and the first
response is sent again. The same key with another body is 422; while the first request runs, 409.

## Errors

Every error has a JSON payload of \`status\`, \`message\` and \`request_id\`. Besides the errors of each
operation, any request may be answered 404 (unknown path), 405, 408, 415 (a body, even that of a GET, that
is not JSON or has a Content-Encoding), 417 or 431.
HEAD answers like GET without the body. OPTIONS returns the methods of a path in \`Allow\`.`;
