/** `GET /openapi.json`: the document, put together when it is first asked for. */
import { createHash } from 'node:crypto';

import type { FastifyInstance } from 'fastify';

import type { Linking } from '../http/page.ts';
import { hasCurrent } from '../http/preconditions.ts';
import { refuseParameters } from '../http/query.ts';

/** A document as it is sent. */
interface Sent {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** Registers the endpoint, below the path of a version. */
export function openapiRoutes(app: FastifyInstance, { publicUrl }: Linking): void {
  /** By what paths begin with, and version. */
  const documents = new Map<string, Promise<Sent>>();

  app.get('/openapi.json', async (request, reply) => {
    refuseParameters(request);
    const { base, version, mediaType } = request.api;
    const key = `${base} ${version}`;
    const document = documents.get(key) ?? build(version, base, publicUrl);
    documents.set(key, document);
    const { bytes, etag } = await document;
    reply.headers({ etag, 'cache-control': 'no-cache' });
    if (hasCurrent(request, etag)) return reply.code(304).send();
    return reply.header('content-type', mediaType).send(bytes);
  });
}

/** What says all this is loaded with the first document: a service starts sooner without. */
async function build(version: number, base: string, publicUrl: string): Promise<Sent> {
  const { documentOf } = await import('./document.ts');
  const bytes = Buffer.from(JSON.stringify(documentOf({ version, base, publicUrl })));
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  return { bytes, etag };
}
