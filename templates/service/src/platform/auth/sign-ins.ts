/** Stores the addresses from which users have signed in; the login throttle does not lock them out there. */
import { createHmac } from 'node:crypto';

import type { Database } from '../database/database.ts';

/** Days that a sign-in is remembered. */
const LIFETIME = 30;

const INCLUDES = {
  prepared: true,
  text: `select 1 from "_sign_ins"
    where "user_id" = $1 and "address" = $2 and "at" > now() - make_interval(days => ${LIFETIME})`,
};
// A daily update is enough for an address that is in constant use. The lock waits for a removal of the user: without it,
// the foreign key would refuse the row.
const REMEMBER = {
  prepared: true,
  text: `insert into "_sign_ins" ("user_id", "address")
    select "id", $2 from "users" where "id" = $1 for key share
    on conflict ("user_id", "address") do update set "at" = now()
    where "_sign_ins"."at" < now() - interval '1 day'
    returning 1`,
};
const SWEEP = {
  text: `delete from "_sign_ins" where "at" < now() - make_interval(days => ${LIFETIME})`,
};

/** The addresses from which users have signed in. They are removed with the user. */
export interface SignIns {
  /** Stores that a user has signed in from an address. @param client the client key of the address. */
  remember(userId: string, client: string): Promise<void>;
  /** Whether the user has signed in from this address within 30 days. */
  includes(userId: string, client: string): Promise<boolean>;
}

/** @param secret the key of the digests, so that a stolen table does not reveal addresses. */
export function signIns(database: Database, secret: () => string): SignIns {
  const digest = (userId: string, client: string): string =>
    createHmac('sha256', secret())
      .update(JSON.stringify(['sign-in', userId, client]))
      .digest('base64url');
  return {
    async remember(userId, client) {
      const written = await database.query(REMEMBER, [userId, digest(userId, client)]);
      if (written.length > 0) await database.query(SWEEP);
    },
    async includes(userId, client) {
      const found = await database.query(INCLUDES, [userId, digest(userId, client)]);
      return found.length > 0;
    },
  };
}
