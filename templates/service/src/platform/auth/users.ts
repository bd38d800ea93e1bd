/**
 * The endpoints of users. Administrators manage them; users may change their own password. Creating administrators and setting
 * passwords requires a username and password, so that a stolen token gives access only until it is revoked.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';

import type { Services } from '../services.ts';
import type { Resource } from '../database/constraints.ts';
import type { Database } from '../database/database.ts';
import { requireItem } from '../database/not-found.ts';
import type { ListTable } from '../database/pages.ts';
import { crudRepository } from '../database/repository.ts';
import type { SelectedColumns, WrittenColumns } from '../database/repository.ts';
import { bodyReader } from '../http/body.ts';
import { clientKey } from '../http/client-key.ts';
import { forbidden } from '../http/errors.ts';
import { byString } from '../http/filters.ts';
import { createOnce, idempotencyKeyOf } from '../http/idempotency.ts';
import { createdAnswer, idOf, sendItem, sendJson, sendUpdated } from '../http/item.ts';
import { readList } from '../http/list.ts';
import type { ListOptions } from '../http/list.ts';
import { sendPage } from '../http/page.ts';
import {
  checkPreconditions,
  entityTagOf,
  expectedRevision,
  isNotModified,
} from '../http/preconditions.ts';
import { refuseParameters } from '../http/query.ts';
import {
  defaulting,
  itemShape,
  list,
  object,
  oneOf,
  setExample,
  string,
  writeOnly,
} from '../http/shapes.ts';
import type { Complete } from '../http/shapes.ts';
import { validator } from '../http/validation.ts';
import { idempotencyKey, ifMatch, ifNoneMatch, listQuery } from '../openapi/parameters.ts';
import { noContent, pageOf, taken } from '../openapi/responses.ts';
import { ROLES, USER_READERS } from '../service.ts';
import { hashPassword } from './passwords.ts';
import { isAdmin } from './principal.ts';
import { allow, guard, mayActOnAll, requirePassword } from './permissions.ts';
import { logSecurityEvent } from '../http/request-log.ts';

/** The body of POST and PUT. */
export const UserBody = object({
  username: string({
    minLength: 1,
    maxLength: 100,
    pattern: '^[^:\\u0000-\\u001f\\u007f-\\u009f]*$',
  }),
  password: writeOnly(
    string({ minLength: 8, maxLength: 200, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' }),
  ),
  roles: defaulting(list(oneOf(ROLES), { uniqueItems: true }), []),
});

setExample(UserBody, { username: 'ada', password: 'a-long-one-of-your-own', roles: [] });

/** The values of a body with defaults filled in. */
export type UserValues = Complete<Static<typeof UserBody>>;

/** The values of a user with the password hashed. */
interface HashedUser extends Omit<UserValues, 'password'> {
  readonly hash: string;
}

/** A user as clients read it, without the password. */
interface User extends Omit<UserValues, 'password'> {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A user as clients read it. */
const UserShape = itemShape('User', 'Users, their passwords and their roles.', UserBody);

/** Reads bodies of users. */
export const userBodies = bodyReader(UserBody, UserShape);
const validate = validator(UserBody);

/** The problems of a username and a password, as messages. */
export const userProblems = (user: { username: string; password: string }): string[] =>
  validate(user).map(({ member, text }) => `${member} ${text}`);

/** What the list of users supports. */
export const USER_LISTS: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: Object.keys(UserShape.properties),
  sort: ['username', 'created_at'],
  filter: { username: byString() },
};

/** The same for callers who read the id and the username alone. */
const NAME_LISTS: ListOptions = { ...USER_LISTS, members: ['id', 'username'], sort: ['username'] };

export const USER_RESOURCE: Resource = {
  collection: 'users',
  item: 'user',
  anItem: 'a user',
  table: '"users"',
  unique: { users__username__key: ['username'] },
};

/** The values of written columns. */
const WRITTEN: WrittenColumns<HashedUser, 'hash'> = {
  username: ({ username }) => username,
  password_hash: ({ hash }) => hash,
  roles: ({ roles }) => roles,
};

const COLUMNS: SelectedColumns<User> = {
  id: '"users"."id"',
  username: '"users"."username"',
  roles: '"users"."roles"',
  created_at: '"users"."created_at"',
  updated_at: '"users"."updated_at"',
};
const TABLE: ListTable = {
  name: '"users"',
  members: COLUMNS,
  largest: 1_000 + 70 * ROLES.length,
  columns: {
    username: { name: '"users"."username"', type: 'text' },
    created_at: { name: '"users"."created_at"', type: 'timestamptz' },
  },
};
/** The repository of users. */
export const users = crudRepository<User, HashedUser, Pick<HashedUser, 'hash'>>({
  resource: USER_RESOURCE,
  lists: TABLE,
  written: WRITTEN,
  unreadable: { hash: '"users"."password_hash"' },
});

/** In the descriptions of operations. */
const ADMIN_NEEDS_PASSWORD =
  'Creating an administrator requires a username and password: an access token is 403.';
const PASSWORD_NEEDS_PASSWORD =
  'Setting a password, or making the user an administrator, requires a username and password: an access token is 403.';

/** Registers the endpoints below the base path of a version. */
export function usersRoutes(app: FastifyInstance, services: Services): void {
  const { database } = services;
  const administrators = allow(['admin']);
  /** Hooks for the user themselves and administrators. */
  const selfOrAdmin = [allow('authenticated'), requireUser(database, [])];
  const tags = ['Users'];

  app.get(
    '/users',
    {
      schema: {
        operationId: 'listUsers',
        tags,
        summary: 'List users',
        ...NAMES_ONLY,
        querystring: listQuery(USER_LISTS),
        response: { 200: pageOf(UserShape, USER_LISTS) },
      },
      onRequest: allow(['admin', ...USER_READERS]),
    },
    async (request, reply) => {
      const isWhole = isAdmin(request.principal);
      const query = readList(request, isWhole ? USER_LISTS : NAME_LISTS, services, 'users');
      const shown = isWhole ? query : { ...query, members: query.members ?? NAME_LISTS.members };
      const page = await users.list(database, shown);
      return sendPage(request, reply, shown, page, services);
    },
  );

  app.post(
    '/users',
    {
      schema: {
        operationId: 'createUser',
        tags,
        summary: 'Create a user',
        description: ADMIN_NEEDS_PASSWORD,
        headers: idempotencyKey,
        body: UserBody,
        response: { 201: UserShape, ...taken('username') },
      },
      onRequest: administrators,
    },
    async (request, reply) => {
      refuseParameters(request);
      idempotencyKeyOf(request);
      const body = userBodies.create(request);
      if (body.roles.includes('admin')) await requirePassword(request);
      // Outside of the transaction of createOnce, because hashing is slow.
      const values = await hashed(body, clientKey(request.ip));
      await request.routeOptions.config.checkRights?.(request);
      let user: User | undefined;
      const sent = await createOnce(request, reply, services, async (inside) => {
        user = await users.create(inside, values);
        return createdAnswer(request, 'users', user);
      });
      if (user !== undefined && user.roles.length > 0) logRoles(request, user, []);
      return sent;
    },
  );

  app.get(
    '/users/:id',
    {
      schema: {
        operationId: 'getUser',
        tags,
        summary: 'Get a user',
        ...NAMES_ONLY,
        headers: ifNoneMatch,
        response: {
          200: USER_READERS.length === 0 ? UserShape : pageOf(UserShape, USER_LISTS).items,
        },
      },
      onRequest: [allow('authenticated'), requireUser(database)],
    },
    async (request, reply) => {
      refuseParameters(request);
      const user = await users.find(database, idOf(request, USER_RESOURCE));
      const isOwn = request.principal?.userId === user.id;
      return isOwn || isAdmin(request.principal)
        ? sendItem(request, reply, user)
        : sendName(request, reply, user);
    },
  );

  app.put(
    '/users/:id',
    {
      schema: {
        operationId: 'replaceUser',
        tags,
        summary: 'Replace a user',
        description: PASSWORD_NEEDS_PASSWORD,
        headers: ifMatch,
        body: UserBody,
        response: { 200: UserShape, ...taken('username') },
      },
      onRequest: [...selfOrAdmin, checkPreconditions],
    },
    async (request, reply) => {
      refuseParameters(request);
      const user = await updateUser(database, request, (stored) =>
        userBodies.replace(request, { ...stored, password: '' }),
      );
      return sendUpdated(request, reply, user);
    },
  );

  app.patch(
    '/users/:id',
    {
      schema: {
        operationId: 'updateUser',
        tags,
        summary: 'Update a user',
        description: PASSWORD_NEEDS_PASSWORD,
        headers: ifMatch,
        body: UserBody,
        response: { 200: UserShape, ...taken('username') },
      },
      onRequest: [...selfOrAdmin, checkPreconditions],
    },
    async (request, reply) => {
      refuseParameters(request);
      const user = await updateUser(database, request, (stored) =>
        userBodies.patch(request, { ...stored, password: '' }),
      );
      return sendUpdated(request, reply, user);
    },
  );

  app.delete(
    '/users/:id',
    {
      schema: {
        operationId: 'deleteUser',
        tags,
        summary: 'Delete a user',
        headers: ifMatch,
        response: { 204: noContent },
      },
      onRequest: [administrators, requireItem(database, USER_RESOURCE), checkPreconditions],
    },
    async (request, reply) => {
      refuseParameters(request);
      await users.delete(database, idOf(request, USER_RESOURCE), expectedRevision(request));
      return reply.code(204).send();
    },
  );
}

/** For the schema of a route: what it answers to readers of users. */
const NAMES_ONLY =
  USER_READERS.length === 0
    ? {}
    : {
        description:
          `Callers with ${USER_READERS.length === 1 ? 'the role' : 'one of the roles'} ` +
          `${USER_READERS.map((role) => `\`${role}\``).join(', ')} get \`id\` and \`username\` alone.`,
      };

/**
 * Sends the id and the username of a user. The tag is not that of the whole user, which the same client may
 * get once it has another role.
 */
function sendName(request: FastifyRequest, reply: FastifyReply, user: User): FastifyReply {
  const tag = `${entityTagOf(request, user).slice(0, -1)}-name"`;
  reply.header('etag', tag);
  if (isNotModified(request, tag)) return reply.code(304).send();
  return sendJson(request, reply, { id: user.id, username: user.username });
}

/**
 * An `onRequest` hook for routes of a user: that user, an administrator or a role that may read users; 404 or 410
 * if there is no such user.
 */
export function requireUser(
  database: Database,
  readers: readonly string[] = USER_READERS,
): (request: FastifyRequest) => Promise<void> {
  const present = requireItem(database, USER_RESOURCE);
  return guard([['owner', ...readers]], async (request) => {
    await present(request);
    if (!mayActOnAll(request.principal, readers)) await refuseOthers(request);
  });
}

async function refuseOthers(request: FastifyRequest): Promise<void> {
  const { principal } = request;
  if (isAdmin(principal) || principal?.userId === idOf(request, USER_RESOURCE)) return;
  throw forbidden('Only the user and administrators may access this user.');
}

/** Hashes the password; outside of any transaction, because it is slow. */
export const hashed = async (
  { password, ...values }: UserValues,
  client: string,
): Promise<HashedUser> => ({
  ...values,
  hash: await hashPassword(password, client),
});

/**
 * Updates a user and logs what has changed. A new password revokes their tokens.
 * @param change computes the new values; an empty password leaves it as it is.
 */
async function updateUser(
  database: Database,
  request: FastifyRequest,
  change: (stored: User) => UserValues,
): Promise<User> {
  const id = idOf(request, USER_RESOURCE);
  let before: readonly string[] = [];
  let isNewPassword = false;
  let revoked: string[] = [];
  const hashedChange = async (stored: User & Pick<HashedUser, 'hash'>): Promise<HashedUser> => {
    const { password, ...values } = change(stored);
    const { username, roles } = values;
    const isSame = username === stored.username && sameRoles(roles, stored.roles);
    if (!isAdmin(request.principal) && !isSame) {
      throw forbidden('Only administrators may change a username or roles.');
    }
    before = stored.roles;
    isNewPassword = password !== '';
    const becomesAdmin = roles.includes('admin') && !stored.roles.includes('admin');
    if (isNewPassword || becomesAdmin) await requirePassword(request);
    if (!isNewPassword) return { ...values, hash: stored.hash };
    const hash = await hashPassword(password, clientKey(request.ip));
    await request.routeOptions.config.checkRights?.(request);
    return { ...values, hash };
  };
  const user = await users.update(database, id, expectedRevision(request), hashedChange, {
    finish: async (transaction) => {
      revoked = isNewPassword ? await revokeTokens(transaction, id) : [];
    },
  });
  if (isNewPassword) logSecurityEvent(request, 'password changed', user.username);
  for (const token of revoked) {
    logSecurityEvent(request, 'token revoked', user.username, { token });
  }
  if (!sameRoles(user.roles, before)) logRoles(request, user, before);
  return user;
}

/**
 * Revokes the tokens of a user. It runs in the transaction that changes the password, whose row lock
 * makes concurrent creations of tokens wait.
 * @returns the ids of the tokens.
 */
export async function revokeTokens(
  transaction: Database,
  userId: string | undefined,
): Promise<string[]> {
  const tokens = await transaction.query<{ id: string }>(
    { text: 'delete from "tokens" where "user_id" = $1 returning "id"' },
    [userId],
  );
  return tokens.map(({ id }) => id);
}

const logRoles = (request: FastifyRequest, { username, roles }: User, before: readonly string[]) =>
  logSecurityEvent(request, 'roles changed', username, { before, roles });

const sameRoles = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((role) => other.includes(role));
