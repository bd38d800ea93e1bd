/** The identifier that a request has in the answer, in an error, and in the log. */
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import { isUuid } from './uuid.ts';

/** The client's own `X-Request-Id` if that is a UUID, and a new UUID otherwise. */
export function requestId(headers: IncomingHttpHeaders): string {
  const own = headers['x-request-id'];
  return typeof own === 'string' && isUuid(own) ? own : randomUUID();
}
