/**
 * A cache of verified passwords, so that clients that send a password with every request do not wait
 * for a slow hash each time. An entry is valid only for the stored hash that the password was verified
 * against, so a changed password invalidates it in every process.
 *
 * An entry is valid for one client address, and a failed login from there removes it. Otherwise a
 * client that the login throttle refuses could recognize the correct password by an answer other
 * than 429.
 */
import { createHmac, randomBytes } from 'node:crypto';

import type { Login } from './login-throttle.ts';

/** The maximum number of entries. */
const MAX_ENTRIES = 1_000;
/** Milliseconds until an entry expires. */
const LIFETIME = 5 * 60_000;

/** A random HMAC key, so that passwords cannot be guessed from the digests in memory. */
const key = randomBytes(32);

interface Entry {
  /** The HMAC of the password. */
  readonly digest: string;
  /** The stored hash that the password was verified against. */
  readonly hash: string;
  readonly expires: number;
}

/** The last correct password of each client and username. */
const verified = new Map<string, Entry>();
/** The running checks, by client, username and password. */
const checks = new Map<string, Promise<boolean>>();

/**
 * Checks a password unless it is cached. Concurrent checks of one client with the same password run
 * one after the other, so that all but the first find a correct password in the cache. An error of a
 * check is thrown to all requests that wait for it.
 * @param hash the stored hash, or undefined for an unknown user, whose password is never cached.
 */
export async function isVerified(
  { client, username, password }: Login & { readonly password: string },
  hash: string | undefined,
  check: () => Promise<boolean>,
): Promise<boolean> {
  const login = JSON.stringify([client, username]);
  const digest = createHmac('sha256', key).update(password).digest('base64');
  const name = `${digest} ${login}`;
  while (!isCached(login, digest, hash)) {
    const other = checks.get(name);
    if (other !== undefined) {
      await other;
      continue;
    }
    // No await between the lookup and `set`: two requests would both start a check.
    const checking = check();
    checks.set(name, checking);
    verified.delete(login);
    try {
      const isCorrect = await checking;
      if (isCorrect && hash !== undefined) {
        addEntry(login, { digest, hash, expires: Date.now() + LIFETIME });
      }
      return isCorrect;
    } finally {
      checks.delete(name);
    }
  }
  return true;
}

function isCached(login: string, digest: string, hash: string | undefined): boolean {
  const entry = verified.get(login);
  return entry?.digest === digest && entry.hash === hash && entry.expires > Date.now();
}

function addEntry(login: string, entry: Entry): void {
  verified.set(login, entry);
  const [oldest] = verified.keys();
  if (verified.size > MAX_ENTRIES && oldest !== undefined) verified.delete(oldest);
}
