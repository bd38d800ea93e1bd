/** Tests of a repository whose items belong to users. */
import { expect, test } from 'vitest';

import type { Revised } from '../../src/platform/http/preconditions.ts';
import type { TestedRepository } from './repository-tests.ts';
import type { Item } from './service.ts';
import { makeUser } from './users.ts';

/** Tests that the statements demand the owner. */
export function repositoryOwnerTests<Stored extends Item & Revised>({
  database,
  table,
  make,
  update,
  remove,
}: TestedRepository<Stored>): void {
  const setOwner = (id: string, userId: string): Promise<unknown> =>
    database.query({ text: `update ${table} set "_owner_id" = $2 where "id" = $1` }, [id, userId]);

  test('changes of an item that belongs to another user by then are refused (403)', async () => {
    const { id } = await make();
    const [owner, other] = [
      await makeUser(database, 'owner', []),
      await makeUser(database, 'other', []),
    ];
    await setOwner(id, owner.id);
    const late = update(
      database,
      id,
      undefined,
      async (stored) => {
        // The item belongs to nobody then, and keeps its revision.
        await database.query({ text: 'delete from "users" where "id" = $1' }, [owner.id]);
        return stored;
      },
      { ownedBy: owner.id },
    );
    await expect(late).rejects.toMatchObject({ statusCode: 403 });
    const removal = remove(database, id, undefined, { ownedBy: owner.id });
    await expect(removal).rejects.toMatchObject({ statusCode: 403 });
    await setOwner(id, other.id);
    await update(database, id, undefined, (same) => same, { ownedBy: other.id });
    await remove(database, id, undefined, { ownedBy: other.id });
  });
}
