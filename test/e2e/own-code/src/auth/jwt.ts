/** JWTs of an OpenID provider as Bearer tokens, beside passwords and access tokens. */
import { createPublicKey, verify } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';

import type { FastifyInstance } from 'fastify';

import { unauthorized } from '../platform/auth/authenticate.ts';
import type { Principal } from '../platform/auth/principal.ts';
import type { Database } from '../platform/database/database.ts';
import { unavailable } from '../platform/http/errors.ts';
import { isSingleHeader } from '../platform/http/request.ts';

/** The issuer, and this service as its tokens name it. */
export interface Provider {
  readonly issuer: string;
  readonly audience: string;
}

/** Three parts in base64url: access tokens have no dots. */
const JWT = /^Bearer +([\w-]+)\.([\w-]+)\.([\w-]+) *$/i;
/** Milliseconds for which the keys of the provider are kept. */
const KEYS_LIFETIME = 60_000;

/** Accepts JWTs, if there is a provider: `sub` is the username, and roles are those of the user here. */
export function acceptJwts(
  app: FastifyInstance,
  database: Database,
  provider: Provider | undefined,
): void {
  if (provider === undefined) return;
  const keyOf = providerKeys(provider);
  app.addHook('onRequest', async (request) => {
    const parts = JWT.exec(request.headers.authorization ?? '');
    // `authenticate` refuses several credentials.
    if (parts === null || !isSingleHeader(request.raw, 'authorization')) return;
    const [, header = '', claims = '', signature = ''] = parts;
    const { alg, kid } = decode(header);
    const key = await keyOf(kid);
    const bytes = Buffer.from(signature, 'base64url');
    const isSigned =
      alg === 'RS256' &&
      key !== undefined &&
      verify('RSA-SHA256', Buffer.from(`${header}.${claims}`), key, bytes);
    const { iss, aud, exp, sub } = isSigned ? decode(claims) : {};
    const isMeant = iss === provider.issuer && [aud].flat().includes(provider.audience);
    const isCurrent = typeof exp === 'number' && exp > Date.now() / 1000;
    const user = isMeant && isCurrent ? await findUser(database, sub) : undefined;
    if (user === undefined) throw unauthorized('The JWT is wrong, expired, or of an unknown user.');
    request.principal = user;
  });
}

async function findUser(database: Database, username: unknown): Promise<Principal | undefined> {
  const [user] = await database.query<{ id: string; username: string; roles: string[] }>(
    {
      prepared: true,
      pipelined: true,
      text: 'select "id", "username", "roles" from "users" where "username" = $1',
    },
    [username],
  );
  return user && { userId: user.id, username: user.username, roles: new Set(user.roles) };
}

/** The JSON of a part of a JWT. */
function decode(part: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
  } catch {
    throw unauthorized('The JWT is malformed.');
  }
}

/** Finds keys of the provider by their id. @throws 503 while the provider does not answer. */
function providerKeys({ issuer }: Provider): (id: unknown) => Promise<KeyObject | undefined> {
  let fetchedAt = -Infinity;
  let keys: ReturnType<typeof fetchKeys>;
  return async (id) => {
    if (performance.now() - fetchedAt > KEYS_LIFETIME) {
      fetchedAt = performance.now();
      keys = fetchKeys(issuer).catch(() => {
        fetchedAt = -Infinity;
        throw unavailable('The identity provider does not answer: try again in a second.');
      });
    }
    return (await keys).get(id);
  };
}

async function fetchKeys(issuer: string): Promise<ReadonlyMap<unknown, KeyObject>> {
  const { jwks_uri: url } = await fetchJson<{ jwks_uri: string }>(
    `${issuer}/.well-known/openid-configuration`,
  );
  const { keys } = await fetchJson<{ keys: JsonWebKey[] }>(url);
  return new Map(keys.map((key) => [key['kid'], createPublicKey({ key, format: 'jwk' })]));
}

async function fetchJson<Body>(url: string): Promise<Body> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return (await response.json()) as Body;
}
