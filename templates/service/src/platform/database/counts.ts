/** The shared counters of the rate limit and the login throttle, in the database. */
import type { LoginCounts } from '../auth/login-throttle.ts';
import type { SharedCounts } from '../http/limits.ts';
import type { Database } from './database.ts';
import { isUnavailable } from './unavailable.ts';

const ADD = {
  prepared: true,
  text: `insert into "_requests" ("address", "minute", "requests") values ($1, $2, $3)
    on conflict ("address") do update set
      "minute" = excluded."minute",
      "requests" = excluded."requests" + case
        when "_requests"."minute" = excluded."minute" then "_requests"."requests" else 0 end
    returning "requests"`,
};

// At the limit no row is updated: a refused login neither counts nor extends the window.
const COUNT_LOGIN = {
  prepared: true,
  text: `insert into "_logins" ("key", "logins", "until")
    values ($1, 1, now() + make_interval(secs => $3))
    on conflict ("key") do update set
      "logins" = case when "_logins"."until" <= now() then 1 else "_logins"."logins" + 1 end,
      "until" = case when "_logins"."until" <= now() then excluded."until"
        else "_logins"."until" end
    where "_logins"."until" <= now() or "_logins"."logins" < $2
    returning "logins"`,
};
const SECONDS_LEFT = {
  prepared: true,
  text: `select ceil(extract(epoch from "until" - now()))::float8 as "seconds"
    from "_logins" where "key" = $1`,
};
const UNCOUNT_LOGIN = {
  prepared: true,
  text: 'update "_logins" set "logins" = "logins" - 1 where "key" = $1 and "logins" > 0',
};

/** One row for each address, and for each window of logins. Expired rows are deleted once a minute. */
export function databaseCounts(database: Database): SharedCounts & LoginCounts {
  let swept = 0;
  const sweep = async (minute: number): Promise<void> => {
    if (swept === minute) return;
    swept = minute;
    await database.query({ text: 'delete from "_requests" where "minute" < $1' }, [minute - 1]);
    await database.query({ text: 'delete from "_logins" where "until" <= now()' });
  };
  return {
    async add(address, minute, requests) {
      try {
        await sweep(minute);
        const [row] = await database.query<{ requests: number }>(ADD, [address, minute, requests]);
        return row?.requests ?? requests;
      } catch (error) {
        // While the database is unreachable, requests fail by themselves.
        if (isUnavailable(error)) return undefined;
        throw error;
      }
    },
    async countLogin(key, limit, window) {
      await sweep(Math.floor(Date.now() / 60_000));
      const counted = await database.query(COUNT_LOGIN, [key, limit, window]);
      if (counted.length > 0) return 0;
      const [row] = await database.query<{ seconds: number }>(SECONDS_LEFT, [key]);
      return Math.max(1, row?.seconds ?? 1);
    },
    async uncountLogin(key) {
      await database.query(UNCOUNT_LOGIN, [key]);
    },
  };
}
