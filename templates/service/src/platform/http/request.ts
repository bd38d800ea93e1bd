/** What all requests have in common before they are routed: id, address, `Host`, and security headers. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Socket } from 'node:net';

import type { FastifyInstance, FastifyReply } from 'fastify';

import { badRequest, HttpError } from './errors.ts';
import { isUuid } from './uuid.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** Set by the first call of `requestId`. */
    requestId?: string;
  }
}

/** A host and an optional port (RFC 3986, section 3.2), without user information. */
const HOST = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=%]*|\[[0-9A-Fa-f:.]+\])(?::\d*)?$/;

/**
 * Adds the headers of all responses, and refuses malformed requests. The security headers forbid
 * browsers to frame a response, to load it from other origins, and to run anything in it. `/docs` sets
 * its own Content-Security-Policy.
 */
export function prepareRequests(
  app: FastifyInstance,
  { hstsSubdomains }: { readonly hstsSubdomains: boolean },
): void {
  const securityHeaders = {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'strict-transport-security': `max-age=31536000${hstsSubdomains ? '; includeSubDomains' : ''}`,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeaders).header('x-request-id', request.id).header('vary', 'Accept');
    if (request.headers.authorization !== undefined) {
      reply.header('cache-control', 'private, no-cache');
    }
    refuseMalformed(request.raw);
    sanitizeForwardedFor(request.raw);
    done();
  });
}

/** The `X-Request-Id` of the client if it is a UUID, else a new UUID. Repeated calls return the same. */
export function requestId(request: IncomingMessage): string {
  if (request.requestId === undefined) {
    const own = request.headers['x-request-id'];
    request.requestId = typeof own === 'string' && isUuid(own) ? own : randomUUID();
  }
  return request.requestId;
}

/** The path and query of a request target, which may be an absolute URL (RFC 9112, section 3.2.2). */
export function originForm(target: string): string {
  const authority = /^https?:\/\/[^/?#]*/i.exec(target)?.[0];
  if (authority === undefined) return target;
  const path = target.slice(authority.length);
  return path.startsWith('/') ? path : `/${path}`;
}

/** Whether a request is for `/health/` or `/metrics`, which are exempt from all limits. */
export const isOperational = (target: string): boolean =>
  /^\/(?:health\/|metrics(?:\?|$))/.test(target);

/**
 * @throws 400 for HTTP versions other than 1.x, and a missing, repeated or malformed Host header; 417 for an
 * expectation other than 100-continue (RFC 9110, section 10.1.1), whose client may not send the body.
 */
function refuseMalformed(request: IncomingMessage): void {
  if (request.httpVersionMajor !== 1) throw badRequest('Only HTTP/1.0 and HTTP/1.1 are supported.');
  if (request.url?.includes('#') === true)
    throw badRequest('A request target must not have a fragment.');
  if (!/(?:^|\W)100-continue(?:$|\W)/i.test(request.headers.expect ?? '100-continue')) {
    throw new HttpError(417, 'The only supported expectation is 100-continue.', {
      connection: 'close',
    });
  }
  const hosts = countHeader(request, 'host');
  // HTTP/1.0 does not require Host (RFC 9112, section 3.2).
  if (hosts === 0 && request.httpVersionMinor === 0) return;
  if (hosts !== 1) throw badRequest('The request must have exactly one Host header.');
  if (!HOST.test(request.headers.host ?? ''))
    throw badRequest('The Host header is not well-formed.');
}

/**
 * Removes everything in `X-Forwarded-For` up to the last entry that is not an IP address; Fastify takes
 * `request.ip` from the rest. Each proxy appends the address of its peer, so entries to the left of a
 * malformed one come from whoever sent that.
 */
function sanitizeForwardedFor({ headers }: IncomingMessage): void {
  const { 'x-forwarded-for': forwarded } = headers;
  if (forwarded === undefined) return;
  const parts = [forwarded]
    .flat()
    .join(',')
    .split(',')
    .map((part) => part.trim());
  const addresses = parts.slice(parts.findLastIndex((part) => isIP(part) === 0) + 1);
  if (addresses.length > 0) headers['x-forwarded-for'] = addresses.join(', ');
  else delete headers['x-forwarded-for'];
}

/**
 * How often a header occurs: `request.headers` keeps only the first of several, or joins them.
 * @param name in lower case.
 */
function countHeader({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  // `rawHeaders` alternates names and values. `headersDistinct` would copy all headers.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at];
    if (header?.length === name.length && header.toLowerCase() === name) count++;
  }
  return count;
}

/** Whether a header occurs exactly once. @param name in lower case. */
export const isSingleHeader = (request: IncomingMessage, name: string): boolean =>
  countHeader(request, name) === 1;

/** Whether a request announces a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Whether the whole body has arrived. All bytes may be there before the parser calls the message complete, because Node runs
 * callbacks in between.
 */
export const hasWholeBody = ({ complete, headers, readableLength }: IncomingMessage): boolean =>
  complete || readableLength === Number(headers['content-length']);

/** The callbacks of unfinished requests, by socket. */
const pendingBySocket = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls back once, when the response is sent or its connection is closed. The `close` event of the
 * response is not enough: of several pipelined requests, Node emits it only for the first when the
 * connection is lost.
 */
export function onResponseEnd({ request, raw }: FastifyReply, callback: () => void): void {
  const { socket } = request.raw;
  const registered = pendingBySocket.get(socket);
  const pending = registered ?? new Set();
  if (registered === undefined) {
    pendingBySocket.set(socket, pending);
    socket.once('close', () => {
      for (const end of pending) end();
    });
  }
  const end = (): void => {
    if (pending.delete(end)) callback();
  };
  pending.add(end);
  raw.once('close', end);
}
