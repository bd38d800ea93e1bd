/**
 * A short memory of passwords that were right, so that a client that sends one with every request
 * does not wait for a slow hash each time. It never stands in for the database: the hash that a
 * password was right for is compared with the one that is stored now, so that a change of the
 * password ends what is remembered at once, in every process.
 */
import { createHmac, randomBytes } from 'node:crypto';

/** Credentials that are remembered at once. */
const MOST = 1_000;
/** How long one is remembered, in milliseconds. */
const LIFETIME = 5 * 60_000;

/** Of this process alone: what is remembered tells nobody anything. */
const key = randomBytes(32);
const remembered = new Map<string, { readonly hash: string; readonly until: number }>();

/** Whether this password was right for this hash a short while ago. */
export function isRemembered(username: string, password: string, hash: string): boolean {
  const entry = remembered.get(digest(username, password));
  return entry !== undefined && entry.hash === hash && entry.until > Date.now();
}

/** Remembers that a password is right for a hash. */
export function remember(username: string, password: string, hash: string): void {
  const digested = digest(username, password);
  remembered.delete(digested);
  remembered.set(digested, { hash, until: Date.now() + LIFETIME });
  const [oldest] = remembered.keys();
  if (remembered.size > MOST && oldest !== undefined) remembered.delete(oldest);
}

const digest = (username: string, password: string): string =>
  createHmac('sha256', key)
    .update(JSON.stringify([username, password]))
    .digest('base64');
