/** Counts of requests in the database, the same for all processes. */
import type { SharedCounts } from '../http/rate-limit.ts';
import type { Database } from './database.ts';
import { isUnavailable } from './unavailable.ts';

const ADD = {
  keep: true,
  text: `insert into "_requests" ("address", "minute", "requests") values ($1, $2, $3)
    on conflict ("address") do update set
      "minute" = excluded."minute",
      "requests" = excluded."requests" + case
        when "_requests"."minute" = excluded."minute" then "_requests"."requests" else 0 end
    returning "requests"`,
};

/** Keeps one row for each address; the rows of the past are swept away once a minute. */
export function databaseCounts(database: Database): SharedCounts {
  let swept = 0;
  return {
    async add(address, minute, requests) {
      try {
        if (swept !== minute) {
          swept = minute;
          await database.query({ text: 'delete from "_requests" where "minute" < $1' }, [
            minute - 1,
          ]);
        }
        const [row] = await database.query<{ requests: number }>(ADD, [address, minute, requests]);
        return row?.requests ?? requests;
      } catch (error) {
        // Without the database every request fails by itself: nothing is to be guarded.
        if (isUnavailable(error)) return 0;
        throw error;
      }
    },
  };
}
