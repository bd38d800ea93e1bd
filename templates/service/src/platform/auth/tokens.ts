/** The endpoints of access tokens. The secret of a token is shown once, when it is created. */
import { randomBytes } from 'node:crypto';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Services } from '../services.ts';
import type { Resource } from '../database/constraints.ts';
import type { Database } from '../database/database.ts';
import { notFoundError, undeletedError } from '../database/not-found.ts';
import { selectList } from '../database/pages.ts';
import type { ListTable } from '../database/pages.ts';
import { crudRepository } from '../database/repository.ts';
import type { SelectedColumns } from '../database/repository.ts';
import { bodyReader } from '../http/body.ts';
import { forbidden, unprocessable } from '../http/errors.ts';
import { byUuid } from '../http/filters.ts';
import { refuseKey } from '../http/idempotency.ts';
import { createdAnswer, idOf, sendCreated, sendItem } from '../http/item.ts';
import { readList } from '../http/list.ts';
import type { ListOptions } from '../http/list.ts';
import { sendPage } from '../http/page.ts';
import { checkPreconditions, expectedRevision } from '../http/preconditions.ts';
import { refuseParameters } from '../http/query.ts';
import {
  described,
  itemShape,
  object,
  optional,
  setExample,
  string,
  timestamp,
} from '../http/shapes.ts';
import { newId } from '../http/uuid.ts';
import { ifMatch, ifNoneMatch, listQuery } from '../openapi/parameters.ts';
import { noContent, pageOf, refusal } from '../openapi/responses.ts';
import { hashToken, unauthorized, WRONG_PASSWORD } from './authenticate.ts';
import { isAdmin } from './principal.ts';
import type { Principal } from './principal.ts';
import { allow, guard, requirePassword } from './permissions.ts';
import { logSecurityEvent } from '../http/request-log.ts';

/** The body of `POST /tokens`. */
export const TokenBody = object({
  name: optional(string({ minLength: 1, maxLength: 100 })),
  expires_at: optional(timestamp()),
});

setExample(TokenBody, { name: 'My laptop', expires_at: null });

/** A token as clients read it. */
const TokenShape = itemShape(
  'Token',
  'Access tokens of users. The secret is shown once.',
  TokenBody,
);

/** What only the answer to a creation has. */
const Secret = object({ token: described('The secret, for `Authorization: Bearer`.', string()) });

setExample(Secret, { token: '…' });

const NewToken = itemShape('Token.created', 'A new token, with its secret.', TokenBody, {
  readOnly: Secret,
});

const bodies = bodyReader(TokenBody, TokenShape);

/** A token as clients read it, without its secret. */
interface Token {
  readonly id: string;
  readonly name: string | null;
  readonly expires_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** What the list of tokens supports. */
export const TOKEN_LISTS: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: Object.keys(TokenShape.properties),
  sort: ['created_at'],
  filter: { user_id: byUuid() },
};

const TOKEN_RESOURCE: Resource = {
  collection: 'tokens',
  item: 'token',
  anItem: 'a token',
  table: '"tokens"',
  unique: {},
};

const COLUMNS: SelectedColumns<Token> = {
  id: '"tokens"."id"',
  name: '"tokens"."name"',
  expires_at: '"tokens"."expires_at"',
  created_at: '"tokens"."created_at"',
  updated_at: '"tokens"."updated_at"',
};
const TABLE: ListTable = {
  name: '"tokens"',
  members: COLUMNS,
  largest: 1_000,
  columns: {
    created_at: { name: '"tokens"."created_at"', type: 'timestamptz' },
    user_id: { name: '"tokens"."user_id"', type: 'uuid' },
  },
};

const tokens = crudRepository<Token, object>({
  resource: TOKEN_RESOURCE,
  lists: TABLE,
  written: {},
});

/** Registers the endpoints below the base path of a version. */
export function tokensRoutes(app: FastifyInstance, services: Services): void {
  const { database } = services;
  const authenticated = allow('authenticated');
  const own = [
    authenticated,
    guard([['owner']], async (request) => requireOwnToken(database, request)),
  ];
  const tags = ['Tokens'];

  app.get(
    '/tokens',
    {
      schema: {
        operationId: 'listTokens',
        tags,
        summary: 'List tokens',
        description: 'Those of the caller. An administrator names another user by `user_id`.',
        querystring: listQuery(TOKEN_LISTS),
        response: {
          200: pageOf(TokenShape, TOKEN_LISTS),
          403: refusal('Only an administrator lists the tokens of other users.'),
        },
      },
      onRequest: authenticated,
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const list = readList(request, TOKEN_LISTS, services, `users/${caller.userId}/tokens`);
      const isOwn = list.filters.every(
        ({ operator, value }) =>
          (operator === 'eq' || operator === 'in') &&
          [value].flat().every((id) => id === caller.userId),
      );
      if (!isOwn && !isAdmin(caller)) {
        throw forbidden('Only an administrator lists the tokens of other users.');
      }
      const fixedFilters = isOwn ? [{ column: '"tokens"."user_id"', id: caller.userId }] : [];
      const page = await tokens.list(database, list, fixedFilters);
      return sendPage(request, reply, { ...list, path: 'tokens' }, page, services);
    },
  );

  app.post(
    '/tokens',
    {
      schema: {
        operationId: 'createToken',
        tags,
        summary: 'Create a token',
        description: 'Requires a username and password: an access token is 403.',
        security: [{ usernameAndPassword: [] }],
        body: TokenBody,
        response: {
          201: NewToken,
          403: refusal('A username and password are required: an access token is not enough.'),
        },
      },
      onRequest: [authenticated, requirePassword],
    },
    async (request, reply) => {
      refuseParameters(request);
      refuseKey(request);
      const { name, expires_at: expiresAt } = bodies.create(request);
      if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) {
        throw unprocessable('expires_at must be in the future.');
      }
      const { userId, username, passwordHash } = callerOf(request);
      const secret = randomBytes(32).toString('base64url');
      const [token] = await database.query<Token>(
        {
          prepared: true,
          // `for share` makes a concurrent change of the password wait, which then revokes this token too.
          text: `insert into "tokens" ("id", "user_id", "name", "expires_at", "hash")
          select $1, "users"."id", $3, $4, $5 from "users"
          where "users"."id" = $2 and "password_hash" = $6 for share
          returning ${selectList(COLUMNS)}`,
        },
        [newId(), userId, name, expiresAt, hashToken(secret), passwordHash],
      );
      if (token === undefined) throw unauthorized(WRONG_PASSWORD);
      logSecurityEvent(request, 'token created', username, { token: token.id });
      const shownOnce = { ...token, token: secret };
      reply.header('cache-control', 'no-store');
      return sendCreated(request, reply, createdAnswer(request, 'tokens', shownOnce), services);
    },
  );

  app.get(
    '/tokens/:id',
    {
      schema: {
        operationId: 'getToken',
        tags,
        summary: 'Get a token',
        headers: ifNoneMatch,
        response: { 200: TokenShape },
      },
      onRequest: own,
    },
    async (request, reply) => {
      refuseParameters(request);
      return sendItem(request, reply, await tokens.find(database, idOf(request, TOKEN_RESOURCE)));
    },
  );

  app.delete(
    '/tokens/:id',
    {
      schema: {
        operationId: 'deleteToken',
        tags,
        summary: 'Delete a token',
        description: 'Revokes it at once.',
        headers: ifMatch,
        response: { 204: noContent },
      },
      onRequest: [...own, checkPreconditions],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, TOKEN_RESOURCE);
      const revision = expectedRevision(request);
      const [revoked] = await database.query<{ username: string }>(
        {
          prepared: true,
          text: `delete from "tokens" using "users"
          where "tokens"."id" = $1 and "users"."id" = "tokens"."user_id"
          and ($2::timestamptz is null or "tokens"."updated_at" = $2)
          returning "users"."username"`,
        },
        [id, revision],
      );
      if (revoked === undefined) throw await undeletedError(database, TOKEN_RESOURCE, id, revision);
      logSecurityEvent(request, 'token revoked', revoked.username, { token: id });
      return reply.code(204).send();
    },
  );
}

/** The principal of a request that passed `allow`. */
function callerOf({ principal }: FastifyRequest): Principal {
  if (principal === undefined) throw new Error('the route has no authentication hook');
  return principal;
}

/** An `onRequest` hook: only the owner of a token and administrators may access it. */
async function requireOwnToken(database: Database, request: FastifyRequest): Promise<void> {
  const id = idOf(request, TOKEN_RESOURCE);
  const [row] = await database.query<{ user_id: string; revision: string }>(
    {
      prepared: true,
      text: 'select "user_id", "updated_at" as "revision" from "tokens" where "id" = $1',
    },
    [id],
  );
  if (row === undefined) throw await notFoundError(database, TOKEN_RESOURCE, id);
  request.revision = row.revision;
  if (isAdmin(request.principal) || row.user_id === callerOf(request).userId) return;
  throw forbidden('This token belongs to another user.');
}
