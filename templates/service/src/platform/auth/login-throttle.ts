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

/** A limit of failed logins. */
interface LoginLimit {
  readonly name: string;
  readonly members: readonly (keyof Login)[];
  readonly logins: number;
  /** In seconds. */
  readonly window: number;
}

/**
 * The limits of an address, the narrowest first: a login that it refuses does not count towards the
 * wider ones, which the client shares with other users. So failures of one user never lock out another.
 */
const BY_ADDRESS: readonly LoginLimit[] = [
  { name: 'address and username', members: ['client', 'username'], logins: 10, window: 60 },
  {
    name: 'address and username, by the hour',
    members: ['client', 'username'],
    logins: 100,
    window: 3600,
  },
  { name: 'address', members: ['client'], logins: 100, window: 60 },
];

/** The limit for guesses from many addresses. No other limit refuses an address because of the failures of others. */
const BY_USERNAME: LoginLimit = {
  name: 'username',
  members: ['username'],
  logins: 100,
  window: 3600,
};

/** How many failures of one address count towards `BY_USERNAME`, so that a single address cannot lock a user out. */
const SHARE_OF_ADDRESS: LoginLimit = {
  name: 'share of the address',
  members: ['client', 'username'],
  logins: 10,
  window: 3600,
};

/** A login that was counted as failed, or refused. */
interface CountedLogin {
  /** The limit that refuses it; undefined where it was counted. */
  readonly refusal?: { readonly limit: string; readonly retryAfter: number };
  /** Takes the login back, because the password was right, or was not checked. */
  readonly takeBack: () => Promise<void>;
}

/**
 * Counts a login as failed before its password is checked, so that concurrent requests cannot try
 * more passwords than the limits allow.
 * @param isFamiliar whether the user has signed in from this address before: the limit by username
 * leaves such an address open.
 */
export async function countLogin(
  counts: LoginCounts,
  login: Login,
  isFamiliar: () => Promise<boolean>,
): Promise<CountedLogin> {
  const counted: string[] = [];
  const takeBack = async (): Promise<void> => {
    for (const key of counted) await counts.uncountLogin(key);
  };
  /** Counts the login towards a limit. @returns 0, or the seconds until it may be tried again. */
  const count = async (limit: LoginLimit): Promise<number> => {
    const key = keyOf(limit, login);
    const retryAfter = await counts.countLogin(key, limit.logins, limit.window);
    if (retryAfter === 0) counted.push(key);
    return retryAfter;
  };
  const refuse = async (limit: LoginLimit, retryAfter: number): Promise<CountedLogin> => {
    await takeBack();
    return { refusal: { limit: limit.name, retryAfter }, takeBack };
  };

  for (const limit of BY_ADDRESS) {
    const retryAfter = await count(limit);
    if (retryAfter > 0) return refuse(limit, retryAfter);
  }
  const isInShare = (await count(SHARE_OF_ADDRESS)) === 0;
  const key = keyOf(BY_USERNAME, login);
  const retryAfter = await counts.countLogin(key, BY_USERNAME.logins, BY_USERNAME.window);
  if (retryAfter > 0) {
    return (await isFamiliar()) ? { takeBack } : refuse(BY_USERNAME, retryAfter);
  }
  // Beyond its share, an address must keep the limit but does not add to the count.
  if (isInShare) counted.push(key);
  else await counts.uncountLogin(key);
  return { takeBack };
}

/** A digest, because a username has any length, and may be a password in the wrong place. */
const keyOf = ({ name, members }: LoginLimit, login: Login): string =>
  createHash('sha256')
    .update(JSON.stringify([name, ...members.map((member) => login[member])]))
    .digest('base64url');
