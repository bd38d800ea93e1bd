/** Passwords: hashed with argon2id (RFC 9106), a few at a time, off the event loop. */
import { hash, verify } from '@node-rs/argon2';

import { unavailable } from '../http/errors.ts';

/**
 * 19 MiB, two passes, one lane: what OWASP's password storage cheat sheet asks for at least. The
 * algorithm of the package's default is argon2id.
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Hashes at once: each takes a thread and its memory. */
const MOST_AT_ONCE = 2;
/** Requests that wait for their turn; more are told to come again. */
const MOST_WAITING = 32;

let running = 0;
const waiting: (() => void)[] = [];
let nobody: Promise<string> | undefined;

/** The hash of a password, with its salt and its cost. */
export const hashPassword = (password: string): Promise<string> =>
  inTurn(() => hash(password, COST));

/**
 * Whether a password is the one of the hash. Without a hash (an unknown user, or one who has no
 * password) it takes as long as for a wrong password, so that the time does not tell who is a user.
 */
export async function isPassword(password: string, stored = ''): Promise<boolean> {
  nobody ??= hash('', COST);
  const against = stored === '' ? await nobody : stored;
  return (await inTurn(() => verify(against, password))) && stored !== '';
}

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= MOST_AT_ONCE) {
    if (waiting.length >= MOST_WAITING) {
      throw unavailable('Too many passwords are being checked: try again in a second.');
    }
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
  } else {
    running++;
  }
  try {
    return await work();
  } finally {
    // The turn goes over to the next one, or is given up.
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }
}
