/** Access tokens: what a user shows in place of their password. A secret is shown once. */
import { randomBytes } from 'node:crypto';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Services } from '../app.ts';
import type { Database } from '../database/database.ts';
import { changedOrMissing, missing } from '../database/missing.ts';
import type { Kind } from '../database/missing.ts';
import { readPage } from '../database/pages.ts';
import type { ListTable } from '../database/pages.ts';
import { bodyReader } from '../http/body.ts';
import { forbidden, unprocessable } from '../http/errors.ts';
import { refuseKey } from '../http/idempotency.ts';
import { created, idOf, sendCreated, sendItem } from '../http/item.ts';
import { readList } from '../http/list.ts';
import type { ListOptions } from '../http/list.ts';
import { sendPage } from '../http/page.ts';
import { checkPreconditions, expectedRevision } from '../http/preconditions.ts';
import { refuseParameters } from '../http/query.ts';
import { object, optional, string, timestamp } from '../http/shapes.ts';
import { newId } from '../http/uuid.ts';
import { hashToken } from './authenticate.ts';
import { allow } from './permissions.ts';
import { isAdmin } from './principal.ts';

/** What a client sends of a token. */
export const TokenBody = object({
  name: optional(string({ minLength: 1, maxLength: 100 })),
  expires_at: optional(timestamp()),
});

const bodies = bodyReader(TokenBody);

/** A token as clients read it: without its secret. */
interface Token {
  readonly id: string;
  readonly name: string | null;
  readonly expires_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** What the list of tokens offers. */
export const TOKEN_LISTS: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: ['id', 'name', 'expires_at', 'created_at', 'updated_at'],
  sort: ['created_at'],
  filter: {},
  search: false,
};

const TOKEN_KIND: Kind = { collection: 'tokens', item: 'token', table: '"tokens"' };

const COLUMNS = '"id", "name", "expires_at", "tokens"."created_at", "tokens"."updated_at"';
const TABLE: ListTable = {
  name: '"tokens"',
  select: COLUMNS,
  columns: { created_at: { name: '"tokens"."created_at"', type: 'timestamptz' } },
};

/** Registers the endpoints of tokens, below the path of a version. */
export function tokensRoutes(app: FastifyInstance, services: Services): void {
  const { database, cursors } = services;
  const known = { onRequest: allow('authenticated') };
  const own = {
    onRequest: [
      known.onRequest,
      async (request: FastifyRequest) => refuseOthers(database, request),
    ],
  };

  app.get('/tokens', known, async (request, reply) => {
    const asked = readList(request, TOKEN_LISTS, cursors, `users/${userOf(request)}/tokens`);
    const scope = [{ column: '"tokens"."user_id"', id: userOf(request) }];
    const page = await readPage<Token>(database, TABLE, asked, scope);
    return sendPage(request, reply, 'tokens', asked, page, services);
  });

  app.post('/tokens', known, async (request, reply) => {
    refuseParameters(request);
    refuseKey(request);
    const { name, expires_at: expiresAt } = bodies.create(request);
    if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) {
      throw unprocessable('expires_at must lie ahead.');
    }
    const secret = randomBytes(32).toString('base64url');
    const [token] = await database.query<Token>(
      {
        keep: true,
        text: `insert into "tokens" ("id", "user_id", "name", "expires_at", "hash")
          values ($1, $2, $3, $4, $5) returning ${COLUMNS}`,
      },
      [newId(), userOf(request), name, expiresAt, hashToken(secret)],
    );
    if (token === undefined) throw new Error('the insert gave no row back');
    const shownOnce = { ...token, token: secret };
    reply.header('cache-control', 'no-store');
    return sendCreated(request, reply, created(request, 'tokens', shownOnce), services);
  });

  app.get('/tokens/:id', own, async (request, reply) => {
    refuseParameters(request);
    const id = idOf(request, TOKEN_KIND);
    const [token] = await database.query<Token>(
      { keep: true, text: `select ${COLUMNS} from "tokens" where "id" = $1` },
      [id],
    );
    if (token === undefined) throw await missing(database, TOKEN_KIND, id);
    return sendItem(request, reply, token);
  });

  app.delete(
    '/tokens/:id',
    { onRequest: [...own.onRequest, checkPreconditions] },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, TOKEN_KIND);
      const rows = await database.query(
        {
          keep: true,
          text: `delete from "tokens" where "id" = $1
          and ($2::timestamptz is null or "updated_at" = $2) returning "id"`,
        },
        [id, expectedRevision(request)],
      );
      if (rows.length === 0) throw await changedOrMissing(database, TOKEN_KIND, id);
      return reply.code(204).send();
    },
  );
}

/** The user whose credential a request carries; `allow` has seen to it that there is one. */
function userOf({ principal }: FastifyRequest): string {
  if (principal === undefined) throw new Error('a route for known callers let a stranger in');
  return principal.userId;
}

/** Another's token is nobody's affair but an administrator's. */
async function refuseOthers(database: Database, request: FastifyRequest): Promise<void> {
  const id = idOf(request, TOKEN_KIND);
  const [row] = await database.query<{ user_id: string; revision: string }>(
    {
      keep: true,
      text: 'select "user_id", "updated_at" as "revision" from "tokens" where "id" = $1',
    },
    [id],
  );
  if (row === undefined) throw await missing(database, TOKEN_KIND, id);
  request.revision = row.revision;
  if (isAdmin(request.principal) || row.user_id === userOf(request)) return;
  throw forbidden('This is the token of somebody else.');
}
