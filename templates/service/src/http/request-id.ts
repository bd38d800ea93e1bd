/** The identifier that a request has in the answer, in an error, and in the log. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { isUuid } from './uuid.ts';

const given = new WeakMap<IncomingMessage, string>();

/** The client's own `X-Request-Id` if that is a UUID, and a new UUID otherwise; each time the same. */
export function requestId(request: IncomingMessage): string {
  const own = request.headers['x-request-id'];
  if (typeof own === 'string' && isUuid(own)) return own;
  const id = given.get(request) ?? randomUUID();
  given.set(request, id);
  return id;
}
