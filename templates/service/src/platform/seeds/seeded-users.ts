/** How seeds create users. */
import { hashed, USER_RESOURCE, userBodies, users } from '../auth/users.ts';
import type { UserValues } from '../auth/users.ts';
import { anySeeded } from './seeded-collection.ts';

/** A user who has the name of a seed takes its place. */
export const seededUsers = anySeeded<UserValues>({
  resource: USER_RESOURCE,
  references: {},
  read: (request) => userBodies.create(request),
  create: async (database, values, options) =>
    users.create(database, await hashed(values, 'seeds'), options),
  findSame: async (database, { username }) => {
    const statement = { text: 'select "id" from "users" where "username" = $1' };
    const [user] = await database.query<{ id: string }>(statement, [username]);
    return user?.id;
  },
});
