/** The identifier that a request has in the answer, in an error, and in the log. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { isUuid } from './uuid.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** The identifier, once it was asked for. */
    requestId?: string;
  }
}

/** The client's own `X-Request-Id` if that is a UUID, and a new UUID otherwise; each time the same. */
export function requestId(request: IncomingMessage): string {
  if (request.requestId === undefined) {
    const own = request.headers['x-request-id'];
    request.requestId = typeof own === 'string' && isUuid(own) ? own : randomUUID();
  }
  return request.requestId;
}
