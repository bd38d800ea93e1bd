/** Tests of every repository: concurrent changes of an item, and rules of the database. */
import { expect, test } from 'vitest';

import type { Database } from '../../src/platform/database/database.ts';
import { revisionOf } from '../../src/platform/http/preconditions.ts';
import type { Revised } from '../../src/platform/http/preconditions.ts';
import { A_TIME } from './expected.ts';
import { withRule } from './rules.ts';
import { makeUser } from './users.ts';

/** Runs work on a database, or in a transaction of it. */
export type Run = <Result>(work: (inside: Database) => Promise<Result>) => Promise<Result>;

/** Both ways to run changes, which must have the same effects. */
export const runsOf = (database: Database): [name: string, run: Run][] => [
  ['without a transaction', (work) => work(database)],
  ['in a transaction', (work) => database.transaction(work)],
];

/** The functions of a repository. */
interface Repository<Stored extends Revised, Values> {
  /** Creates an item. @returns its stored values. */
  readonly make: () => Promise<{ id: string; values: Values }>;
  /** Stores an item with these values. */
  readonly store: (database: Database, values: Values) => Promise<unknown>;
  readonly find: (database: Database, id: string) => Promise<Revised>;
  readonly update: (
    database: Database,
    id: string,
    revision: string | undefined,
    change: (stored: Stored) => Stored | Promise<Stored>,
    options?: { readonly ownedBy?: string },
  ) => Promise<Revised>;
  readonly remove: (
    database: Database,
    id: string,
    revision?: string,
    options?: { readonly ownedBy?: string },
  ) => Promise<void>;
}

/** Tests concurrent changes: one of two is refused, or both are applied one after the other. */
export function testRaces<Stored extends Revised, Values>(
  database: Database,
  { make, find, update, remove }: Repository<Stored, Values>,
): void {
  test('an update is retried after a concurrent update', async () => {
    const { id } = await make();
    const seen: string[] = [];
    const left: string[] = [];
    await update(database, id, undefined, async (stored) => {
      seen.push(revisionOf(stored));
      if (seen.length === 1) {
        left.push(revisionOf(await update(database, id, undefined, (same) => same)));
      }
      return stored;
    });
    expect(seen.slice(1)).toEqual(left);
  });

  test('an update with a revision is refused after a concurrent update (412)', async () => {
    const { id } = await make();
    const revision = revisionOf(await find(database, id));
    const late = update(database, id, revision, async (stored) => {
      await update(database, id, undefined, (same) => same);
      return stored;
    });
    await expect(late).rejects.toMatchObject({ statusCode: 412 });
  });

  test('an update is refused after a concurrent removal (410)', async () => {
    const { id } = await make();
    const late = update(database, id, undefined, async (stored) => {
      await remove(database, id);
      return stored;
    });
    await expect(late).rejects.toMatchObject({ statusCode: 410 });
  });

  test('a removal with a revision is refused after an update (412)', async () => {
    const { id } = await make();
    const revision = revisionOf(await find(database, id));
    const newer = await update(database, id, undefined, (stored) => stored);
    await expect(remove(database, id, revision)).rejects.toMatchObject({ statusCode: 412 });
    expect(await find(database, id)).toEqual(newer);
  });
}

/** Tests that the statements demand the owner. @param owning SQL that makes the user `$2` the owner of the item `$1`. */
export function testOwner<Stored extends Revised, Values>(
  database: Database,
  { make, update, remove }: Repository<Stored, Values>,
  owning: string,
): void {
  test('changes of an item that belongs to another user by then are refused (403)', async () => {
    const { id } = await make();
    const [owner, other] = [
      await makeUser(database, 'owner', []),
      await makeUser(database, 'other', []),
    ];
    await database.query({ text: owning }, [id, owner.id]);
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
    await database.query({ text: owning }, [id, other.id]);
    await update(database, id, undefined, (same) => same, { ownedBy: other.id });
    await remove(database, id, undefined, { ownedBy: other.id });
  });
}

/**
 * Tests times that are null in rows of other programs.
 * @param clear SQL that makes them null in the item `$1`.
 */
export function testNullableTimes<Stored extends Revised, Values>(
  database: Database,
  { make, find, update }: Repository<Stored, Values>,
  clear: string,
  times: readonly string[],
): void {
  const all = (time: unknown): object => Object.fromEntries(times.map((name) => [name, time]));

  test('a new item has its times; they are null in a row that another program inserted without them', async () => {
    const { id } = await make();
    expect(await find(database, id)).toMatchObject(all(A_TIME));
    await database.query({ text: clear }, [id]);
    expect(await find(database, id)).toMatchObject(all(null));
    const changed = await update(database, id, undefined, (same) => same);
    const updated = times.includes('updated_at') ? { updated_at: A_TIME } : {};
    expect(changed).toMatchObject({ ...all(null), ...updated });
  });
}

/** Tests changes that a trigger refuses. @param table the quoted table. */
export function testRule<Stored extends Revised, Values>(
  database: Database,
  { make, store, find, update, remove }: Repository<Stored, Values>,
  run: Run,
  table: string,
): void {
  test.each([
    ['by an error', 'P0001'],
    ['without an error', null],
  ])('changes that a trigger refuses %s are 422, removals 409', async (_how, code) => {
    const { id, values } = await make();
    const stored = await find(database, id);
    await withRule(database, table, code, () =>
      run(async (inside) => {
        await expect(store(inside, values)).rejects.toMatchObject({ statusCode: 422 });
        const same = update(inside, id, undefined, (one) => one);
        await expect(same).rejects.toMatchObject({ statusCode: 422 });
        await expect(remove(inside, id)).rejects.toMatchObject({ statusCode: 409 });
      }),
    );
    expect(await find(database, id)).toEqual(stored);
  });
}
