/** The login throttle: limits failed logins by address and by username, over all processes. */
import { createHash } from 'node:crypto';

/** The counters of logins that all processes share. */
export interface LoginCounts {
  /**
   * Counts a login, unless the limit is reached.
   * @param window seconds from the first login until the count starts again.
   * @returns 0 if the login was counted, else the seconds until the window ends.
   */
  countLogin(key: string, limit: number, window: number): Promise<number>;
  /** Takes back a login that did not fail. */
  uncountLogin(key: string): Promise<void>;
}

/** A login attempt. */
export interface Login {
  /** The client key of the address. */
  readonly client: string;
  readonly username: string;
}

/** A limit that a login exceeds. */
export interface LoginRefusal {
  readonly limit: string;
  readonly retryAfter: number;
}

interface LoginLimit {
  readonly name: string;
  readonly logins: number;
  /** In seconds. */
  readonly window: number;
  readonly of: (login: Login) => readonly string[];
}

/**
 * The limits, the narrowest first: a login that it refuses does not count towards the wider ones,
 * which the client shares with other users. So failures of one user never lock out another.
 */
const LIMITS: readonly LoginLimit[] = [
  {
    name: 'address and username',
    logins: 10,
    window: 60,
    of: ({ client, username }) => [client, username],
  },
  { name: 'address', logins: 100, window: 60, of: ({ client }) => [client] },
  { name: 'username', logins: 100, window: 3600, of: ({ username }) => [username] },
];

/**
 * Counts a login as failed before its password is checked, so that concurrent requests cannot try
 * more passwords than the limits allow.
 * @returns the limit that refuses the login, or undefined where it was counted.
 */
export async function countLogin(
  counts: LoginCounts,
  login: Login,
): Promise<LoginRefusal | undefined> {
  for (const [at, limit] of LIMITS.entries()) {
    const retryAfter = await counts.countLogin(keyOf(limit, login), limit.logins, limit.window);
    if (retryAfter === 0) continue;
    await uncount(counts, LIMITS.slice(0, at), login);
    return { limit: limit.name, retryAfter };
  }
  return undefined;
}

/** Takes back a counted login whose password was right, or was not checked. */
export const uncountLogin = (counts: LoginCounts, login: Login): Promise<void> =>
  uncount(counts, LIMITS, login);

async function uncount(
  counts: LoginCounts,
  limits: readonly LoginLimit[],
  login: Login,
): Promise<void> {
  for (const limit of limits) await counts.uncountLogin(keyOf(limit, login));
}

/** A digest, because a username has any length, and may be a password in the wrong place. */
const keyOf = ({ name, of }: LoginLimit, login: Login): string =>
  createHash('sha256')
    .update(JSON.stringify([name, ...of(login)]))
    .digest('base64url');
