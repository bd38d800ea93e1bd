/** The documents as clients get them: `/openapi.json` of each version, and the page at `/docs`. */
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { parseAccept, weightOf } from '../http/accept.ts';
import { notAcceptable } from '../http/errors.ts';
import { isNotModified } from '../http/preconditions.ts';
import { refuseParameters } from '../http/query.ts';
import { VERSION_IN_PATH } from '../http/versions.ts';
import { CURRENT_VERSION, TITLE, VERSIONS } from '../service.ts';
import { documentOf, serializedDocument } from './documents.ts';
import { ifNoneMatch } from './parameters.ts';
import { noContent } from './responses.ts';
import { escapeHtml } from './schemas.ts';

/** Registers `GET /openapi.json` below the base path of a version. */
export function openapiRoutes(app: FastifyInstance): void {
  const schema = {
    operationId: 'getOpenapi',
    tags: ['Service'],
    summary: 'Get this document',
    headers: ifNoneMatch,
    response: {
      200: { type: 'object', description: 'An OpenAPI 3.1 document.' },
      304: noContent,
    },
  };
  app.get('/openapi.json', { schema }, async (request, reply) => {
    refuseParameters(request);
    const { base, version, mediaType } = request.api;
    const { bytes, etag } = serializedDocument(app, base, version);
    const isKnown = isNotModified(request, etag);
    reply.headers({ etag, 'cache-control': 'no-cache' });
    if (isKnown) return reply.code(304).send();
    return reply.header('content-type', mediaType).send(bytes);
  });
}

/**
 * What the page may load: its own files and this service's answers. The hash is that of the one
 * inline style of Swagger UI; no inline script runs.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Wide tables scroll by themselves, so that the page fits a phone. */
const NARROW = '.swagger-ui .opblock-body { overflow-x: auto; }';

/** Registers `/docs`, Swagger UI, in a context of its own: it has other headers than the API. */
export function docsRoutes(app: FastifyInstance): void {
  void app.register(async (docs) => {
    docs.addHook('onRequest', (request, _reply, done) => {
      refuseParameters(request);
      refuseOtherTypes(request);
      done();
    });
    // Without a version in the path, `GET /api/openapi.json` needs a header, which the page does not send.
    if (!VERSION_IN_PATH) {
      for (const version of VERSIONS) {
        docs.get(documentUrl(version), { schema: { hide: true } }, async () =>
          documentOf(app, '/api', version),
        );
      }
    }
    await docs.register(swagger);
    await docs.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: CONTENT_SECURITY_POLICY,
      // The plugin writes the title into the page as HTML.
      theme: { title: escapeHtml(TITLE), css: [{ filename: 'narrow.css', content: NARROW }] },
      uiConfig: {
        urls: VERSIONS.toReversed().map((version) => ({
          name: `Version ${version}`,
          url: documentUrl(version),
        })),
      },
      // What the page offers for download is the document of the current version.
      transformSpecification: () =>
        documentOf(app, VERSION_IN_PATH ? `/api/v${CURRENT_VERSION}` : '/api', CURRENT_VERSION),
    });
  });
}

/** Where the page gets the document of a version. */
const documentUrl = (version: number): string =>
  VERSION_IN_PATH ? `/api/v${version}/openapi.json` : `/docs/v${version}.json`;

/** @throws 406 for `/docs` if the client does not accept HTML. */
function refuseOtherTypes({ url, headers }: FastifyRequest): void {
  const html = weightOf(parseAccept(headers.accept), 'text/html', new Map([['charset', 'utf-8']]));
  if (url === '/docs' && html === 0) {
    throw notAcceptable('This path answers text/html: name it in Accept.');
  }
}
