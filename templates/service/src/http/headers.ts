/** Headers that must not stand twice: of several Node keeps one, or joins them. */
import type { IncomingMessage } from 'node:http';

/** How often a header stands. @param name in lower case. */
export function countHeader({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  // Names and values in turn. `headersDistinct` would first copy all of them.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at];
    if (given?.length === name.length && given.toLowerCase() === name) count++;
  }
  return count;
}

/** Whether a header stands once. @param name in lower case. */
export const isSingle = (request: IncomingMessage, name: string): boolean =>
  countHeader(request, name) === 1;
