/** From the credential of a request to its principal. */
import { createHash, timingSafeEqual } from 'node:crypto';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Database } from '../database/database.ts';
import { clientOf } from '../http/client.ts';
import { HttpError } from '../http/errors.ts';
import { isSingle } from '../http/headers.ts';
import { countFailure, refuseGuessing } from './attempts.ts';
import { parseAuthorization } from './credentials.ts';
import { isPassword } from './passwords.ts';
import type { Principal } from './principal.ts';
import { isRemembered, remember } from './verified.ts';

interface UserRow {
  readonly id: string;
  readonly username: string;
  readonly password_hash: string;
  readonly roles: readonly string[];
}

const CHALLENGE = 'Bearer, Basic realm="library", charset="UTF-8"';

/** 401, with what is asked for (RFC 9110, section 11.6.1). */
export const unauthorized = (message: string): HttpError =>
  new HttpError(401, message, { 'www-authenticate': CHALLENGE });

/**
 * Finds out who makes each request of this context. A credential that is wrong is refused even
 * where none is needed.
 */
export function authenticate(app: FastifyInstance, database: Database): void {
  app.decorateRequest('principal');
  const identify = async (request: FastifyRequest, authorization: string): Promise<void> => {
    request.principal = await principalOf(database, request, authorization);
  };
  app.addHook('onRequest', (request, _reply, done) => {
    const { authorization } = request.headers;
    if (authorization !== undefined) return identify(request, authorization);
    done();
    return undefined;
  });
}

async function principalOf(
  database: Database,
  request: FastifyRequest,
  authorization: string,
): Promise<Principal> {
  // Node keeps the first of several; a request that shows two faces shows none.
  const credential = isSingle(request.raw, 'authorization')
    ? parseAuthorization(authorization)
    : undefined;
  if (credential === undefined) {
    throw unauthorized('Authorization must hold one credential: "Bearer <token>" or Basic.');
  }
  const user =
    credential.kind === 'token'
      ? await userOfToken(database, credential.token)
      : await userOfPassword(
          database,
          clientOf(request.ip),
          credential.username,
          credential.password,
        );
  if (user === undefined) {
    throw unauthorized(
      credential.kind === 'token'
        ? 'The token is wrong, expired or revoked.'
        : 'The username or the password is wrong.',
    );
  }
  return { userId: user.id, username: user.username, roles: new Set(user.roles) };
}

async function userOfToken(database: Database, token: string): Promise<UserRow | undefined> {
  const hash = hashToken(token);
  const [row] = await database.query<UserRow & { readonly hash: string }>(
    {
      keep: true,
      quick: true,
      text: `select "users"."id", "users"."username", "users"."roles", "tokens"."hash"
        from "tokens" join "users" on "users"."id" = "tokens"."user_id"
        where "tokens"."hash" = $1 and ("expires_at" is null or "expires_at" > now())`,
    },
    [hash],
  );
  return row !== undefined && timingSafeEqual(Buffer.from(row.hash), Buffer.from(hash))
    ? row
    : undefined;
}

/** The digest that is stored of a token; a token is random, so that no salt is needed. */
export const hashToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex');

async function userOfPassword(
  database: Database,
  client: string,
  username: string,
  password: string,
): Promise<UserRow | undefined> {
  const [user] = await database.query<UserRow>(
    {
      keep: true,
      quick: true,
      text: 'select "id", "username", "password_hash", "roles" from "users" where "username" = $1',
    },
    [username],
  );
  if (user !== undefined && isRemembered(username, password, user.password_hash)) return user;
  await refuseGuessing(database, client);
  if (await isPassword(password, user?.password_hash)) {
    if (user !== undefined) remember(username, password, user.password_hash);
    return user;
  }
  await countFailure(database, client);
  return undefined;
}
