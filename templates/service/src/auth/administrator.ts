/** The first administrator: no service begins with a password that somebody could guess. */
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { HttpError } from '../http/errors.ts';
import { newId } from '../http/uuid.ts';
import { hashPassword } from './passwords.ts';
import { userProblems } from './users.ts';

/** Makes the administrator of the configuration, where there is no administrator yet. */
export async function makeFirstAdministrator(
  database: Database,
  { administrator }: Config,
): Promise<void> {
  if (administrator === undefined) return;
  const administrators = await database.query({
    text: `select 1 from "users" where 'admin' = any("roles") limit 1`,
  });
  if (administrators.length > 0) return;
  await makeAdministrator(database, administrator.username, administrator.password);
}

/**
 * Makes a user an administrator with this password, be they there or not.
 * @throws where the username or the password is none.
 */
export async function makeAdministrator(
  database: Database,
  username: string,
  password: string,
): Promise<void> {
  const problems = userProblems({ username, password });
  if (problems.length > 0) throw new HttpError(422, `${problems.join('; ')}.`);
  await database.query(
    {
      text: `insert into "users" ("id", "username", "password_hash", "roles")
        values ($1, $2, $3, '{admin}')
        on conflict ("username") do update set
          "password_hash" = excluded."password_hash",
          "roles" = array(select distinct unnest("users"."roles" || excluded."roles"))`,
    },
    [newId(), username, await hashPassword(password)],
  );
}
