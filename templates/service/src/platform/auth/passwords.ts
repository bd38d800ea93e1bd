/** Hashes and verifies passwords with argon2id (RFC 9106), with bounded concurrency and a cache. */
import { createHmac, randomBytes } from 'node:crypto';

import { hash, verify } from '@node-rs/argon2';

import { ClientShares } from '../http/client-shares.ts';
import { HttpError, unavailable } from '../http/errors.ts';
import type { Login } from './login-throttle.ts';

/**
 * 19 MiB, two passes, one lane: the minimum of OWASP's Password Storage Cheat Sheet. The package
 * defaults to argon2id.
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Concurrent hashes; each occupies a thread and 19 MiB. */
const MAX_CONCURRENT = 2;
/** The maximum length of the queue. */
const MAX_QUEUED = 128;
/** Queued and running hashes of one client, so that a few addresses cannot fill the queue. */
const MAX_PER_CLIENT = 8;

let running = 0;
/** Resolves the turn of each queued hash. */
const queue: (() => void)[] = [];
/** Queued and running hashes. */
const shares = new ClientShares(MAX_PER_CLIENT);
let dummy: Promise<string> | undefined;

/** Hashes a password. @param client the client key that the hash is counted towards. */
export const hashPassword = (password: string, client: string): Promise<string> =>
  inTurn(client, () => hash(password, COST));

/** A hash of argon2 as text, with its version, costs, salt and digest. */
const HASH = /^\$argon2(?:id|i|d)\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z\d+/]+\$[A-Za-z\d+/]+$/;

/**
 * Whether a password matches the stored hash. Without one (an unknown user, a user without a
 * password, or a text such as `!` that locks a user) it is verified against a dummy hash, so that timing
 * does not reveal which users exist.
 */
export async function isPassword(
  password: string,
  stored: string | undefined,
  client: string,
): Promise<boolean> {
  const isKnown = stored !== undefined && HASH.test(stored);
  dummy ??= hash('', COST);
  const hashed = isKnown ? stored : await dummy;
  return (await inTurn(client, () => verify(hashed, password))) && isKnown;
}

/**
 * Queues work until one of the two slots is free.
 * @param client the client key that the work is counted towards.
 * @throws 429 if the client has too much work in the queue, and 503 if the queue is full.
 */
export async function inTurn<Result>(client: string, work: () => Promise<Result>): Promise<Result> {
  if (queue.length >= MAX_QUEUED) {
    throw unavailable('Too many passwords are being checked: try again in a second.');
  }
  if (!shares.take(client)) {
    throw new HttpError(
      429,
      'Too many passwords from this address are being checked: try again in a second.',
      { 'retry-after': '1' },
    );
  }
  try {
    if (running < MAX_CONCURRENT) running++;
    else {
      await new Promise<void>((resolve) => {
        queue.push(resolve);
      });
    }
    return await work();
  } finally {
    // Passes the slot to the next in the queue, or frees it.
    const next = queue.shift();
    if (next === undefined) running--;
    else next();
    shares.release(client);
  }
}

/** The maximum number of cached passwords. */
const MAX_ENTRIES = 1_000;
/** Milliseconds until a cached password expires. */
const LIFETIME = 5 * 60_000;

/** A random HMAC key, so that passwords cannot be guessed from the digests in memory. */
const key = randomBytes(32);

interface Entry {
  /** The HMAC of the password. */
  readonly digest: string;
  /** The stored hash that the password was verified against. */
  readonly stored: string;
  readonly expires: number;
}

/** The last correct password of each client and username. */
const verified = new Map<string, Entry>();
/** The running checks, by client, username and password. */
const checks = new Map<string, Promise<boolean>>();

/**
 * Checks a password unless it is cached, so that clients that send a password with every request do not
 * wait for a slow hash each time. An entry is valid only for the stored hash that the password was
 * verified against, so a changed password invalidates it in every process.
 *
 * An entry is valid for one client address, and a failed login from there removes it. Otherwise a
 * client that the login throttle refuses could recognize the correct password by an answer other
 * than 429.
 *
 * Concurrent checks of one client with the same password run
 * one after the other, so that all but the first find a correct password in the cache. An error of a
 * check is thrown to all requests that wait for it.
 * @param stored the stored hash, or undefined for an unknown user, whose password is never cached.
 */
export async function checkCachedPassword(
  { client, username, password }: Login & { readonly password: string },
  stored: string | undefined,
  check: () => Promise<boolean>,
): Promise<boolean> {
  const login = JSON.stringify([client, username]);
  const digest = createHmac('sha256', key).update(password).digest('base64');
  const name = `${digest} ${login}`;
  while (!isCached(login, digest, stored)) {
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
      if (isCorrect && stored !== undefined) {
        addEntry(login, { digest, stored, expires: Date.now() + LIFETIME });
      }
      return isCorrect;
    } finally {
      checks.delete(name);
    }
  }
  return true;
}

function isCached(login: string, digest: string, stored: string | undefined): boolean {
  const entry = verified.get(login);
  return entry?.digest === digest && entry.stored === stored && entry.expires > Date.now();
}

function addEntry(login: string, entry: Entry): void {
  verified.set(login, entry);
  const [oldest] = verified.keys();
  if (verified.size > MAX_ENTRIES && oldest !== undefined) verified.delete(oldest);
}
