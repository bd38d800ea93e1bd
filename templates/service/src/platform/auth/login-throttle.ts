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

/**
 * The limits, the narrowest first: a login that it refuses does not count towards the wider ones,
 * which the client shares with other users. So failures of one user never lock out another. Windows
 * are in seconds.
 */
const LIMITS = [
  { name: 'address and username', members: ['client', 'username'], logins: 10, window: 60 },
  { name: 'address', members: ['client'], logins: 100, window: 60 },
  { name: 'username', members: ['username'], logins: 100, window: 3600 },
] as const;
type LoginLimit = (typeof LIMITS)[number];

/**
 * Counts a login as failed before its password is checked, so that concurrent requests cannot try
 * more passwords than the limits allow.
 * @returns the limit that refuses the login, or undefined where it was counted.
 */
export async function countLogin(
  counts: LoginCounts,
  login: Login,
): Promise<{ readonly limit: string; readonly retryAfter: number } | undefined> {
  for (const [at, limit] of LIMITS.entries()) {
    const retryAfter = await counts.countLogin(keyOf(limit, login), limit.logins, limit.window);
    if (retryAfter === 0) continue;
    await uncountLogin(counts, login, LIMITS.slice(0, at));
    return { limit: limit.name, retryAfter };
  }
  return undefined;
}

/** Takes back a counted login whose password was right, or was not checked. */
export async function uncountLogin(
  counts: LoginCounts,
  login: Login,
  limits: readonly LoginLimit[] = LIMITS,
): Promise<void> {
  for (const limit of limits) await counts.uncountLogin(keyOf(limit, login));
}

/** A digest, because a username has any length, and may be a password in the wrong place. */
const keyOf = ({ name, members }: LoginLimit, login: Login): string =>
  createHash('sha256')
    .update(JSON.stringify([name, ...members.map((member) => login[member])]))
    .digest('base64url');
