/** Creates administrators: the first one at start, and those of the command in `src/admin.ts`. */
import type { Database } from '../database/database.ts';
import { conflict, HttpError } from '../http/errors.ts';
import { newId } from '../http/uuid.ts';
import { hashPassword } from './passwords.ts';
import { revokeTokens, userProblems } from './users.ts';

/** The client key for hashing passwords outside of requests. */
const LOCAL_CLIENT = 'this process';

/** Creates the configured administrator if there is no administrator yet. */
export async function makeFirstAdministrator(
  database: Database,
  administrator: { readonly username: string; readonly password: string } | undefined,
): Promise<void> {
  if (administrator === undefined) return;
  const administrators = await database.query({
    text: `select 1 from "users" where 'admin' = any("roles") limit 1`,
  });
  if (administrators.length > 0) return;
  await makeAdministrator(database, administrator.username, administrator.password);
}

/**
 * Creates an administrator. An existing user becomes an administrator with the new password, and
 * their tokens are revoked.
 * @throws 422 for an invalid username or password, 409 for a username that only looks like another.
 */
export async function makeAdministrator(
  database: Database,
  username: string,
  password: string,
): Promise<void> {
  const problems = userProblems({ username, password });
  if (problems.length > 0) throw new HttpError(422, `${problems.join('; ')}.`);
  const hash = await hashPassword(password, LOCAL_CLIENT);
  await database.transaction(async (transaction) => {
    const inserted = await transaction.query(
      {
        text: `insert into "users" ("id", "username", "password_hash", "roles")
          values ($1, $2, $3, '{admin}') on conflict do nothing returning 1`,
      },
      [newId(), username, hash],
    );
    if (inserted.length > 0) return;
    const [user] = await transaction.query<{ id: string }>(
      {
        text: `update "users" set "password_hash" = $2,
            "roles" = array(select distinct unnest("roles" || '{admin}'))
          where "username" = $1 returning "id"`,
      },
      [username, hash],
    );
    if (user === undefined) {
      throw conflict(
        `Another user has a username that looks like ${username}. Use that username, or choose another.`,
      );
    }
    await revokeTokens(transaction, user.id);
  });
}
