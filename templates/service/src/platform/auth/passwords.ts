/** Hashes and verifies passwords with argon2id (RFC 9106), with bounded concurrency. */
import { hash, verify } from '@node-rs/argon2';

import { HttpError, unavailable } from '../http/errors.ts';

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
/** Queued and running hashes, by client. */
const clients = new Map<string, number>();
let dummy: Promise<string> | undefined;

/** Hashes a password. @param client the client key that the hash is counted towards. */
export const hashPassword = (password: string, client: string): Promise<string> =>
  inTurn(client, () => hash(password, COST));

/**
 * Whether a password matches the stored hash. Without one (an unknown user, or a user without a
 * password) it is verified against a dummy hash, so that timing does not reveal which users exist.
 */
export async function isPassword(
  password: string,
  stored: string | undefined,
  client: string,
): Promise<boolean> {
  const isKnown = stored !== undefined && stored !== '';
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
  const active = clients.get(client) ?? 0;
  if (active >= MAX_PER_CLIENT) {
    throw new HttpError(
      429,
      'Too many passwords from this address are being checked: try again in a second.',
      { 'retry-after': '1' },
    );
  }
  if (queue.length >= MAX_QUEUED) {
    throw unavailable('Too many passwords are being checked: try again in a second.');
  }
  clients.set(client, active + 1);
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
    const left = (clients.get(client) ?? 1) - 1;
    if (left === 0) clients.delete(client);
    else clients.set(client, left);
  }
}
