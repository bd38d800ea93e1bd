/** An administrator of a service that exists as long as some work takes, with an access token. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';

import { quoted } from '../shared/sql.ts';
import type { DatabaseSession } from './session.ts';

/** Runs work in a transaction that is committed. */
type Write = <Result>(work: (session: DatabaseSession) => Promise<Result>) => Promise<Result>;

/** What the names of such users begin with. Two commands at once have users of different names. */
const PREFIX = 'create-service-verify-';
/** How long a token is valid if nobody removes it. */
const VALIDITY = '1 day';

/** The result of the work, and the user if it could not be removed. */
interface AdministratorResult<Result> {
  readonly result: Result;
  readonly notRemoved: { readonly username: string; readonly reason: string } | undefined;
}

/**
 * Creates an administrator without a password, and removes it when the work ends. Also removes users of killed commands
 * whose tokens have expired.
 * @param schema that of the service.
 * @param work gets the access token.
 */
export async function withAdministrator<Result>(
  write: Write,
  schema: string,
  work: (token: string) => Promise<Result>,
): Promise<AdministratorResult<Result>> {
  const place = `${quoted(schema)}.`;
  const id = randomUUID();
  const username = `${PREFIX}${id}`;
  const token = randomBytes(32).toString('base64url');
  await write(async ({ query }) => {
    await query(
      `delete from ${place}"users" where "username" like $1 and "password_hash" = '' and "created_at" < now() - $2::interval`,
      [`${PREFIX}%`, VALIDITY],
    );
    await query(
      `insert into ${place}"users" ("id", "username", "password_hash", "roles") values ($1, $2, '', '{admin}')`,
      [id, username],
    );
    await query(
      `insert into ${place}"tokens" ("id", "user_id", "hash", "expires_at")
        values ($1, $2, $3, now() + $4::interval)`,
      [randomUUID(), id, createHash('sha256').update(token).digest('hex'), VALIDITY],
    );
  });
  /** @returns why it could not be removed. */
  const remove = async (): Promise<string | undefined> => {
    try {
      await write(({ query }) => query(`delete from ${place}"users" where "id" = $1`, [id]));
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
  let result: Result;
  try {
    result = await work(token);
  } catch (error) {
    // Where the database is gone, the removal fails too; the first error says more.
    await remove();
    throw error;
  }
  const reason = await remove();
  return { result, notRemoved: reason === undefined ? undefined : { username, reason } };
}
