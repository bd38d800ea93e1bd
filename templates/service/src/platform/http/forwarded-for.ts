/** Sanitizes `X-Forwarded-For`, from which Fastify takes `request.ip` (TRUST_PROXY). */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * Removes everything up to the last entry that is not an IP address. Each proxy appends the address
 * of its peer, so entries to the left of a malformed one come from whoever sent that.
 */
export function sanitizeForwardedFor({ headers }: IncomingMessage): void {
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
