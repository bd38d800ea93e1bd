/** Users with tokens, inserted by SQL. */
import { hashToken } from '../../src/platform/auth/authenticate.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { newId } from '../../src/platform/http/uuid.ts';

/** The token of the administrator who sends the requests of tests by default. */
export const TOKEN = 'administrator-of-the-tests';

/** A hash of `PASSWORD` in `items/users.ts` at the lowest cost, so that it is checked fast. The service hashes at a higher one. */
const PASSWORD_HASH =
  '$argon2id$v=19$m=8,t=1,p=1$AdbcKZAzKOXif51AqYuoYQ$yEMfhYYKOgnS5QYtxaREqN7PyaIDhl6Nalf1OKN1Zho';

/** Creates the administrator of a test database. */
export async function prepareUsers(database: Database): Promise<void> {
  await makeUser(database, 'administrator', ['admin'], TOKEN, PASSWORD_HASH);
}

/** Inserts a user with the password `PASSWORD`: the API hashes passwords, which is slow. */
export async function insertUser(database: Database): Promise<{ id: string; username: string }> {
  const username = `user-${newId()}`;
  const { id } = await makeUser(database, username, [], newId(), PASSWORD_HASH);
  return { id, username };
}

/** Creates a user, without a password by default. @returns their id and `Authorization` header. */
export async function makeUser(
  database: Database,
  username: string,
  roles: readonly string[],
  token: string = newId(),
  passwordHash = '',
): Promise<{ id: string; credential: string }> {
  const id = newId();
  await database.query(
    {
      text: `insert into "users" ("id", "username", "password_hash", "roles")
        values ($1, $2, $3, $4)`,
    },
    [id, username, passwordHash, roles],
  );
  await database.query(
    { text: 'insert into "tokens" ("id", "user_id", "hash") values ($1, $2, $3)' },
    [newId(), id, hashToken(token)],
  );
  return { id, credential: `Bearer ${token}` };
}

/** Replaces the roles of a user. */
export async function setRoles(
  database: Database,
  id: string,
  roles: readonly string[],
): Promise<void> {
  await database.query({ text: 'update "users" set "roles" = $2 where "id" = $1' }, [id, roles]);
}
