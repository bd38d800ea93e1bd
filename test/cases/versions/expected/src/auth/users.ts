/** Users: who may show a password, and which roles that gives them. Administrators manage them. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';

import type { Services } from '../app.ts';
import { isBrokenReference, takenOr } from '../database/constraints.ts';
import type { Database } from '../database/database.ts';
import { changed, changedOrMissing, missing, requireItem } from '../database/missing.ts';
import type { Kind } from '../database/missing.ts';
import { readPage } from '../database/pages.ts';
import type { ListTable } from '../database/pages.ts';
import { bodyReader } from '../http/body.ts';
import { conflict, forbidden } from '../http/errors.ts';
import { byString } from '../http/filters.ts';
import { createOnce } from '../http/idempotency.ts';
import { created, idOf, sendItem, updated } from '../http/item.ts';
import { readList } from '../http/list.ts';
import type { ListOptions } from '../http/list.ts';
import { sendPage } from '../http/page.ts';
import { checkPreconditions, expectedRevision } from '../http/preconditions.ts';
import { refuseParameters } from '../http/query.ts';
import { defaulting, list, object, oneOf, string } from '../http/shapes.ts';
import type { Complete } from '../http/shapes.ts';
import { newId } from '../http/uuid.ts';
import { validator } from '../http/validation.ts';
import { hashPassword } from './passwords.ts';
import { allow } from './permissions.ts';
import { isAdmin } from './principal.ts';

/** The roles that a user can have. */
export const ROLES = ['admin', 'editor'] as const;

/** What a client sends of a user. */
export const UserBody = object({
  username: string({ minLength: 1, maxLength: 100, pattern: '^[^:\\p{Cc}]*$' }),
  password: string({ minLength: 8, maxLength: 200, pattern: '^\\P{Cc}*$' }),
  roles: defaulting(list(oneOf(ROLES), { uniqueItems: true }), []),
});

type UserValues = Complete<Static<typeof UserBody>>;

/** What is stored of a user. */
interface HashedUser extends Omit<UserValues, 'password'> {
  readonly hash: string;
}

/** A user as clients read it: without the password. */
interface User extends Omit<UserValues, 'password'> {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

const bodies = bodyReader(UserBody);
const validate = validator(UserBody);

/** What is wrong with a username and a password, in sentences. */
export const userProblems = (user: { username: string; password: string }): string[] =>
  validate(user).map(({ member, text }) => `${member} ${text}`);

/** What the list of users offers. */
export const USER_LISTS: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: ['id', 'username', 'roles', 'created_at', 'updated_at'],
  sort: ['username', 'created_at'],
  filter: { username: byString() },
  search: false,
};

export const USER_KIND: Kind = { collection: 'users', item: 'user', table: '"users"' };

const COLUMNS = '"id", "username", "roles", "users"."created_at", "users"."updated_at"';
const TABLE: ListTable = {
  name: '"users"',
  select: COLUMNS,
  columns: {
    username: { name: '"users"."username"', type: 'text' },
    created_at: { name: '"users"."created_at"', type: 'timestamptz' },
  },
};
const UPDATE = {
  keep: true,
  // Of two changes at once the second is tried again: it takes back no role that the first gave.
  text: `update "users" set "username" = $3, "roles" = $4,
    "password_hash" = coalesce($5, "password_hash")
    where "id" = $1 and "updated_at" = $2 returning ${COLUMNS}`,
};
const CONSTRAINTS = { item: 'a user', unique: { users__username__key: ['username'] } };

/** Registers the endpoints of users, below the path of a version. */
export function usersRoutes(app: FastifyInstance, services: Services): void {
  const { database, cursors } = services;
  const administrators = { onRequest: allow(['admin']) };
  /** The user themselves, or an administrator. */
  const themselves = [allow('authenticated'), requireUser(database)];
  const change = { onRequest: [...themselves, checkPreconditions] };
  const remove = {
    onRequest: [administrators.onRequest, requireItem(database, USER_KIND), checkPreconditions],
  };

  app.get('/users', administrators, async (request, reply) => {
    const asked = readList(request, USER_LISTS, cursors, 'users');
    const page = await readPage<User>(database, TABLE, asked, []);
    return sendPage(request, reply, 'users', asked, page, services);
  });

  app.post('/users', administrators, async (request, reply) => {
    refuseParameters(request);
    return createOnce(request, reply, services, {
      read: () => hashed(bodies.create(request)),
      create: async (inside, values) => created(request, 'users', await createUser(inside, values)),
    });
  });

  app.get('/users/:id', { onRequest: themselves }, async (request, reply) => {
    refuseParameters(request);
    return sendItem(request, reply, await findUser(database, idOf(request, USER_KIND)));
  });

  app.put('/users/:id', change, async (request, reply) => {
    refuseParameters(request);
    const user = await updateUser(database, request, (stored) =>
      bodies.replace(request, { ...stored, password: '' }),
    );
    return updated(request, reply, user);
  });

  app.patch('/users/:id', change, async (request, reply) => {
    refuseParameters(request);
    const user = await updateUser(database, request, (stored) =>
      bodies.patch(request, { ...stored, password: '' }),
    );
    return updated(request, reply, user);
  });

  app.delete('/users/:id', remove, async (request, reply) => {
    refuseParameters(request);
    await deleteUser(database, idOf(request, USER_KIND), expectedRevision(request));
    return reply.code(204).send();
  });
}

/** A hook for routes below a user: their own, or an administrator's. */
export function requireUser(database: Database): (request: FastifyRequest) => Promise<void> {
  const present = requireItem(database, USER_KIND);
  return async (request) => {
    await present(request);
    await refuseOthers(request);
  };
}

/** Another's user is nobody's affair but an administrator's. */
async function refuseOthers(request: FastifyRequest): Promise<void> {
  const { principal } = request;
  if (isAdmin(principal) || principal?.userId === idOf(request, USER_KIND)) return;
  throw forbidden('This is the user of somebody else.');
}

/** A user with the hash of the password in its place: it takes long, and no transaction waits for it. */
const hashed = async ({ password, ...values }: UserValues): Promise<HashedUser> => ({
  ...values,
  hash: await hashPassword(password),
});

/** Stores a new user. @throws 409 where the username is taken. */
async function createUser(
  database: Database,
  { username, hash, roles }: HashedUser,
): Promise<User> {
  try {
    const [user] = await database.query<User>(
      {
        keep: true,
        text: `insert into "users" ("id", "username", "password_hash", "roles")
          values ($1, $2, $3, $4) returning ${COLUMNS}`,
      },
      [newId(), username, hash, roles],
    );
    if (user === undefined) throw new Error('the insert gave no row back');
    return user;
  } catch (error) {
    throw takenOr(error, CONSTRAINTS);
  }
}

/**
 * Removes a user for good, in any state or in one alone.
 * @throws 404, 410, 412, and 409 where items refer to them.
 */
async function deleteUser(database: Database, id: string, revision?: string): Promise<void> {
  let rows: unknown[];
  try {
    rows = await database.query(
      {
        keep: true,
        text: `delete from "users" where "id" = $1
          and ($2::timestamptz is null or "updated_at" = $2) returning "id"`,
      },
      [id, revision],
    );
  } catch (error) {
    if (!isBrokenReference(error)) throw error;
    throw conflict('Others still refer to this user: remove them first.');
  }
  if (rows.length === 0) throw await changedOrMissing(database, USER_KIND, id);
}

async function findUser(database: Database, id: string): Promise<User> {
  const [user] = await database.query<User>(
    { keep: true, text: `select ${COLUMNS} from "users" where "id" = $1` },
    [id],
  );
  if (user === undefined) throw await missing(database, USER_KIND, id);
  return user;
}

/** Changes a user. `change` says what they become; an empty password is the one that is there. */
async function updateUser(
  database: Database,
  request: FastifyRequest,
  change: (stored: User) => UserValues,
): Promise<User> {
  const revision = expectedRevision(request);
  for (;;) {
    const stored = await findUser(database, idOf(request, USER_KIND));
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(USER_KIND);
    const { username, password, roles } = change(stored);
    const isSame = username === stored.username && sameRoles(roles, stored.roles);
    if (!isAdmin(request.principal) && !isSame) {
      throw forbidden('Only an administrator changes a username or roles.');
    }
    const hash = password === '' ? null : await hashPassword(password);
    try {
      const [user] = await database.query<User>(UPDATE, [
        stored.id,
        stored.updated_at,
        username,
        roles,
        hash,
      ]);
      if (user !== undefined) return user;
    } catch (error) {
      throw takenOr(error, CONSTRAINTS);
    }
  }
}

const sameRoles = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((role) => other.includes(role));
