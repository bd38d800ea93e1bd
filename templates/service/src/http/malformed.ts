/** Requests that Node's parser lets through and HTTP does not. */
import type { IncomingMessage } from 'node:http';

import { badRequest } from './errors.ts';
import { countHeader } from './headers.ts';

/** A name or address, and a port (RFC 3986, section 3.2, without user information). */
const HOST = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=%]*|\[[0-9A-Fa-f:.]+\])(?::\d*)?$/;

/** @throws 400 for another version of HTTP, and for a missing, double or malformed Host. */
export function refuseMalformed(request: IncomingMessage): void {
  if (request.httpVersionMajor !== 1)
    throw badRequest('Only HTTP/1.0 and HTTP/1.1 are spoken here.');
  if (request.url?.includes('#') === true) throw badRequest('A request target has no fragment.');
  const hosts = countHeader(request, 'host');
  // RFC 9112, section 3.2.
  if (hosts === 0 && request.httpVersionMinor === 0) return;
  if (hosts !== 1) throw badRequest('The request must have one Host header.');
  if (!HOST.test(request.headers.host ?? ''))
    throw badRequest('The Host header is not well-formed.');
}
