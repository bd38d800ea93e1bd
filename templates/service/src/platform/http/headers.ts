/** Detects repeated headers: `request.headers` keeps only the first of them, or joins them. */
import type { IncomingMessage } from 'node:http';

/** How often a header occurs. @param name in lower case. */
export function countHeader({ rawHeaders }: IncomingMessage, name: string): number {
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
