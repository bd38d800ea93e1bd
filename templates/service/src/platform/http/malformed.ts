/** Refuses malformed requests that the HTTP parser of Node accepts. */
import type { IncomingMessage } from 'node:http';

import { badRequest } from './errors.ts';
import { countHeader } from './headers.ts';

/** A host and an optional port (RFC 3986, section 3.2), without user information. */
const HOST = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=%]*|\[[0-9A-Fa-f:.]+\])(?::\d*)?$/;

/** @throws 400 for HTTP versions other than 1.x, and a missing, repeated or malformed Host header. */
export function refuseMalformed(request: IncomingMessage): void {
  if (request.httpVersionMajor !== 1) throw badRequest('Only HTTP/1.0 and HTTP/1.1 are supported.');
  if (request.url?.includes('#') === true)
    throw badRequest('A request target must not have a fragment.');
  const hosts = countHeader(request, 'host');
  // HTTP/1.0 does not require Host (RFC 9112, section 3.2).
  if (hosts === 0 && request.httpVersionMinor === 0) return;
  if (hosts !== 1) throw badRequest('The request must have exactly one Host header.');
  if (!HOST.test(request.headers.host ?? ''))
    throw badRequest('The Host header is not well-formed.');
}
