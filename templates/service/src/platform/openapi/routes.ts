/** `GET /openapi.json`: the document of a version, built by the first request for it. */
import { createHash } from 'node:crypto';

import type { FastifyInstance } from 'fastify';

import { isNotModified } from '../http/preconditions.ts';
import { refuseParameters } from '../http/query.ts';
import { ifNoneMatch } from './parameters.ts';
import { documentOf } from './register.ts';
import { noContent } from './responses.ts';

/** A document as it is sent. */
interface Sent {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** Registers the endpoint, below the path of a version. */
export function openapiRoutes(app: FastifyInstance): void {
  /** By base path and version. */
  const documents = new Map<string, Sent>();

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
    const key = `${base} ${version}`;
    const document = documents.get(key) ?? serialize(documentOf(app, base, version));
    documents.set(key, document);
    const { bytes, etag } = document;
    reply.headers({ etag, 'cache-control': 'no-cache' });
    if (isNotModified(request, etag)) return reply.code(304).send();
    return reply.header('content-type', mediaType).send(bytes);
  });
}

function serialize(document: object): Sent {
  const bytes = Buffer.from(JSON.stringify(document));
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
}
