/** `/docs`: a page to read the OpenAPI document and to try it. Its files are in `public/docs`. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { parseAccept, weightOf } from '../http/accept.ts';
import { notAcceptable } from '../http/errors.ts';
import { hasCurrent } from '../http/preconditions.ts';
import { refuseParameters } from '../http/query.ts';
import { VERSIONS } from '../http/versions.ts';

const FOLDER = new URL('../../public/docs/', import.meta.url);

/** The files by their path. */
const FILES = [
  ['/docs', 'index.html', 'text/html'],
  ['/docs/style.css', 'style.css', 'text/css'],
  ['/docs/main.js', 'main.js', 'text/javascript'],
  ['/docs/answer.js', 'answer.js', 'text/javascript'],
  ['/docs/documents.js', 'documents.js', 'text/javascript'],
  ['/docs/dom.js', 'dom.js', 'text/javascript'],
  ['/docs/markdown.js', 'markdown.js', 'text/javascript'],
  ['/docs/operation.js', 'operation.js', 'text/javascript'],
  ['/docs/request.js', 'request.js', 'text/javascript'],
  ['/docs/schema.js', 'schema.js', 'text/javascript'],
  ['/docs/session.js', 'session.js', 'text/javascript'],
] as const;

/** Where the page finds each document, the current one first. */
const DOCUMENTS = VERSIONS.toReversed().map((version) => ({
  name: `Version ${version}`,
  href: `/api/v${version}/openapi.json`,
  accept: 'application/json',
}));

/** What the page may load: its own files, and this service's answers. Nothing runs in the HTML. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Registers the page. Its files are read when they are first asked for. */
export function docsRoutes(app: FastifyInstance): void {
  for (const [path, name, type] of FILES) {
    let file: Promise<Buffer> | undefined;
    app.get(path, async (request, reply) => {
      refuseParameters(request);
      file ??= readFile(new URL(name, FOLDER));
      return send(request, reply, type, await file);
    });
  }
  const versions = Buffer.from(JSON.stringify(DOCUMENTS));
  app.get('/docs/versions.json', async (request, reply) => {
    refuseParameters(request);
    return send(request, reply, 'application/json', versions);
  });
}

/** Answers a file, or 304 where the client has it already. */
function send(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  bytes: Buffer,
): FastifyReply {
  if (weightOf(parseAccept(request.headers.accept), type, new Map([['charset', 'utf-8']])) === 0) {
    throw notAcceptable(`This path answers ${type}: name it in Accept.`);
  }
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  reply.headers({
    etag,
    'cache-control': 'no-cache',
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'cross-origin-opener-policy': 'same-origin',
  });
  if (hasCurrent(request, etag)) return reply.code(304).send();
  return reply.header('content-type', `${type}; charset=utf-8`).send(bytes);
}
