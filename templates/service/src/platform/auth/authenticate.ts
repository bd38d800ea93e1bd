/** Authentication: verifies the credential of each request and sets `request.principal`. */
import { createHash, timingSafeEqual } from 'node:crypto';

import type { FastifyInstance, FastifyRequest, preHandlerHookHandler } from 'fastify';

import type { Database } from '../database/database.ts';
import { clientKey } from '../http/client-key.ts';
import { HttpError } from '../http/errors.ts';
import { logSecurityEvent } from '../http/request-log.ts';
import { isSingleHeader } from '../http/request.ts';
import { NAME } from '../service.ts';
import { countLogin } from './login-throttle.ts';
import type { LoginCounts } from './login-throttle.ts';
import { checkCachedPassword, isPassword } from './passwords.ts';
import { isRightsHook } from './rights.ts';
import { signIns } from './sign-ins.ts';
import type { SignIns } from './sign-ins.ts';
import type { Principal } from './principal.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined if the request has no credential. */
    principal: Principal | undefined;
    /**
     * The user whose items alone the caller may change; undefined if all. `requireOwnItem` sets it, and the statement
     * that writes demands it, because the item may be handed over in between.
     */
    ownedBy: string | undefined;
  }
  interface FastifyContextConfig {
    /** Looks the credential up again, and checks the rights of the route, before a write that comes later. */
    checkRights?: (request: FastifyRequest) => Promise<void>;
  }
}

interface UserRow {
  readonly id: string;
  readonly username: string;
  readonly roles: readonly string[];
}

interface PasswordRow extends UserRow {
  readonly password_hash: string;
}

const CHALLENGE = `Bearer, Basic realm="${NAME}", charset="UTF-8"`;

/** Used for unknown users too, so that the message does not reveal which usernames exist. */
export const WRONG_PASSWORD = 'The username or the password is wrong.';

/** 401 with `WWW-Authenticate` (RFC 9110, section 11.6.1). */
export const unauthorized = (message: string): HttpError =>
  new HttpError(401, message, { 'www-authenticate': CHALLENGE });

/**
 * Authenticates all requests of this context. A wrong credential is refused (401) even on public
 * routes. A hook that is registered before may set `request.principal` for another kind of credential.
 *
 * A body may arrive much later than the headers. Then the credential and the rights of the route are
 * checked again before its handler runs, so that nobody writes with rights that they have lost meanwhile.
 * @param secret a secret that all processes share.
 */
export function authenticate(
  app: FastifyInstance,
  database: Database,
  counts: LoginCounts,
  secret: () => string,
): void {
  const logins: Logins = { counts, addresses: signIns(database, secret) };
  app.decorateRequest('principal');
  app.decorateRequest('ownedBy');
  /** The requests whose principal comes from their `Authorization` header. */
  const identified = new WeakSet<FastifyRequest>();
  const identify = async (request: FastifyRequest, authorization: string): Promise<void> => {
    request.principal = await principalOf(database, logins, request, authorization);
    identified.add(request);
  };
  app.addHook('onRequest', (request, _reply, done) => {
    const { authorization } = request.headers;
    if (authorization !== undefined && request.principal === undefined) {
      return identify(request, authorization);
    }
    done();
    return undefined;
  });
  app.addHook('onRoute', (route) => {
    if ([route.method].flat().every((method) => method === 'GET' || method === 'HEAD')) return;
    const rights = [route.onRequest ?? []].flat().filter(isRightsHook);
    const checkAgain = async (request: FastifyRequest): Promise<void> => {
      const { authorization } = request.headers;
      if (authorization !== undefined && identified.has(request)) {
        await identify(request, authorization);
      }
      for (const check of rights) await check(request);
    };
    const checkLate: preHandlerHookHandler = (request, _reply, done) => {
      if (request.isBodyLate) return checkAgain(request);
      done();
      return undefined;
    };
    route.config = { ...route.config, checkRights: checkAgain };
    route.preHandler = [checkLate, ...[route.preHandler ?? []].flat()];
  });
}

/** What the checks of passwords share. */
interface Logins {
  readonly counts: LoginCounts;
  readonly addresses: SignIns;
}

async function principalOf(
  database: Database,
  logins: Logins,
  request: FastifyRequest,
  authorization: string,
): Promise<Principal> {
  // Node keeps only the first of several headers; ambiguous credentials are refused.
  const credential = isSingleHeader(request.raw, 'authorization')
    ? parseAuthorization(authorization)
    : undefined;
  if (credential === undefined) {
    throw unauthorized('Authorization must hold one credential: "Bearer <token>" or Basic.');
  }
  if (credential.kind === 'token') {
    const user = await userOfToken(database, credential.token);
    if (user === undefined) throw unauthorized('The token is wrong, expired or revoked.');
    return principalFrom(user);
  }
  const user = await userOfPassword(database, logins, request, credential);
  if (user === undefined) throw unauthorized(WRONG_PASSWORD);
  return { ...principalFrom(user), passwordHash: user.password_hash };
}

const principalFrom = ({ id, username, roles }: UserRow): Principal => ({
  userId: id,
  username,
  roles: new Set(roles),
});

/** The user with an id; undefined for none, as if they were removed. */
export async function findPrincipal(
  database: Database,
  id: string | null,
): Promise<Principal | undefined> {
  const [user] = await database.query<UserRow>(
    { prepared: true, text: 'select "id", "username", "roles" from "users" where "id" = $1' },
    [id],
  );
  return user === undefined ? undefined : principalFrom(user);
}

async function userOfToken(database: Database, token: string): Promise<UserRow | undefined> {
  const hash = hashToken(token);
  const [row] = await database.query<UserRow & { readonly hash: string }>(
    {
      prepared: true,
      pipelined: true,
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

/** The stored digest of a token. Tokens are random, so the digest needs no salt. */
export const hashToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex');

async function userOfPassword(
  database: Database,
  { counts, addresses }: Logins,
  request: FastifyRequest,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<PasswordRow | undefined> {
  const [user] = await database.query<PasswordRow>(
    {
      prepared: true,
      pipelined: true,
      text: 'select "id", "username", "password_hash", "roles" from "users" where "username" = $1',
    },
    [username],
  );
  const login = { client: clientKey(request.ip), username };
  const check = async (): Promise<boolean> => {
    const { refusal, takeBack } = await countLogin(
      counts,
      login,
      async () => user !== undefined && (await addresses.includes(user.id, login.client)),
    );
    if (refusal !== undefined) {
      const { limit, retryAfter } = refusal;
      logSecurityEvent(request, 'login refused', username, { limit });
      throw new HttpError(429, `Too many logins have failed: try again in ${retryAfter} s.`, {
        'retry-after': String(retryAfter),
      });
    }
    let isWrong = false;
    try {
      isWrong = !(await isPassword(password, user?.password_hash, login.client));
    } finally {
      // Also when the check threw: only wrong passwords count.
      if (!isWrong) await takeBack();
    }
    if (isWrong) logSecurityEvent(request, 'login failed', username);
    else if (user !== undefined) await addresses.remember(user.id, login.client);
    return !isWrong;
  };
  const isCorrect = await checkCachedPassword({ ...login, password }, user?.password_hash, check);
  return isCorrect ? user : undefined;
}

type Credential =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'password'; readonly username: string; readonly password: string };

/** Longer `Authorization` headers are refused, so that clients cannot make the service hash large inputs. */
const MAX_AUTHORIZATION_LENGTH = 4_096;

/**
 * Parses `Authorization` (RFC 9110, section 11.6.2); schemes are case-insensitive.
 * @returns undefined for anything but a Bearer token or a username and password.
 */
function parseAuthorization(header: string): Credential | undefined {
  const match =
    header.length > MAX_AUTHORIZATION_LENGTH ? null : /^([A-Za-z]+) +([^\s]+) *$/.exec(header);
  if (match === null) return undefined;
  const [, scheme = '', value = ''] = match;
  if (scheme.toLowerCase() === 'bearer') return { kind: 'token', token: value };
  return scheme.toLowerCase() === 'basic' ? parseBasic(value) : undefined;
}

/** Username and password in UTF-8 (RFC 7617, section 2.1). A password may contain colons. */
function parseBasic(value: string): Credential | undefined {
  const bytes = Buffer.from(value, 'base64');
  // Padding may be left out.
  const padded = value.padEnd(Math.ceil(value.length / 4) * 4, '=');
  if (bytes.toString('base64') !== padded) return undefined;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
  const colon = text.indexOf(':');
  // Usernames and passwords have no control characters, and PostgreSQL refuses NUL.
  if (colon < 0 || /\p{Cc}/u.test(text)) return undefined;
  return { kind: 'password', username: text.slice(0, colon), password: text.slice(colon + 1) };
}
