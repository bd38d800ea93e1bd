/** The request ID in `X-Request-Id`, in error payloads and in the log. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { isUuid } from './uuid.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** Set by the first call of `requestId`. */
    requestId?: string;
  }
}

/** The `X-Request-Id` of the client if it is a UUID, else a new UUID. Repeated calls return the same. */
export function requestId(request: IncomingMessage): string {
  if (request.requestId === undefined) {
    const own = request.headers['x-request-id'];
    request.requestId = typeof own === 'string' && isUuid(own) ? own : randomUUID();
  }
  return request.requestId;
}
