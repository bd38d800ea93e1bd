/**
 * Wrong credentials, counted for the client that they come from: who guesses is slowed, and the
 * owner of the account, elsewhere, is not. The count is in the database, the same for all processes.
 */
import type { Database } from '../database/database.ts';
import { HttpError } from '../http/errors.ts';

/** Wrong passwords that a client may send within the window. */
const MOST = 10;
/** Seconds after the last of them until a client begins anew. */
const WINDOW = 60;

/** @throws 429 where the client has sent too many wrong credentials. */
export async function refuseGuessing(database: Database, client: string): Promise<void> {
  const [row] = await database.query<{ seconds: number }>(
    {
      keep: true,
      text: `select ceil(extract(epoch from "until" - now()))::float8 as "seconds"
        from "_attempts" where "address" = $1 and "failures" >= $2 and "until" > now()`,
    },
    [client, MOST],
  );
  if (row === undefined) return;
  throw new HttpError(429, 'Too many wrong credentials came from this address: try again later.', {
    'retry-after': String(Math.max(1, row.seconds)),
  });
}

/** Counts a wrong credential, and forgets clients whose time is over. */
export async function countFailure(database: Database, client: string): Promise<void> {
  await database.query(
    {
      keep: true,
      text: `insert into "_attempts" ("address", "failures", "until")
        values ($1, 1, now() + make_interval(secs => $2))
        on conflict ("address") do update set
          "failures" = case when "_attempts"."until" < now() then 1
            else "_attempts"."failures" + 1 end,
          "until" = excluded."until"`,
    },
    [client, WINDOW],
  );
  // By itself: a statement that took rows of several clients could meet another in a deadlock.
  await database.query({ keep: true, text: 'delete from "_attempts" where "until" < now()' });
}
