/** Tests of a repository: concurrent changes, and the same changes with and without a transaction around them. */
import { beforeEach, describe, expect, test } from 'vitest';

import type { Database } from '../../src/platform/database/database.ts';
import { REVISION, revisionOf } from '../../src/platform/http/preconditions.ts';
import type { Revised } from '../../src/platform/http/preconditions.ts';
import { assignedIn } from './assigned.ts';
import type { Assigned } from './assigned.ts';
import { withRule } from './rules.ts';
import type { Item, TestService } from './service.ts';
import { prepare } from './test-items.ts';
import type { TestItems } from './test-items.ts';

interface ChangeOptions {
  readonly ownedBy?: string;
}

/** The functions of a repository. */
export interface Repository<Stored extends Item & Revised> {
  readonly create: (database: Database, values: Stored) => Promise<Item>;
  readonly find: (database: Database, id: string) => Promise<Revised>;
  readonly update: (
    database: Database,
    id: string,
    revision: string | undefined,
    change: (stored: Stored) => Stored | Promise<Stored>,
    options?: ChangeOptions,
  ) => Promise<Revised>;
  readonly remove: (
    database: Database,
    id: string,
    revision?: string,
    options?: ChangeOptions,
  ) => Promise<void>;
}

/** What the definition of a collection has; what is absent, it has not. */
export interface RepositoryOptions extends Assigned {
  /** The table that the service changes, quoted; a view if the rows are in another program's table. */
  readonly table: string;
  /** The table of the other program, quoted. */
  readonly existing?: string;
  /** Whether clients choose ids. */
  readonly choosesIds?: boolean;
  /** Whether a removed row stays, and its id consists of members: then no other item can have the same ones. */
  readonly keepsRemovedIds?: boolean;
  /** Members that refer to other items, each with an id that no item has. */
  readonly references?: Readonly<Record<string, string>>;
  /** Whether an item with the same members is refused. */
  readonly isUnique?: boolean;
  /** Removes an item that a member refers to, which is refused as long as the reference is there. */
  readonly parents?: Readonly<Record<string, (database: Database, id: string) => Promise<void>>>;
}

/** A repository under test. */
export interface TestedRepository<Stored extends Item & Revised> extends Pick<
  Repository<Stored>,
  'find' | 'update' | 'remove'
> {
  readonly database: Database;
  readonly table: string;
  /** Creates an item that can be removed. @returns its id and stored values. */
  readonly make: () => Promise<{ id: string; values: Stored }>;
  /** Inserts an item that can be removed. @returns its id. */
  readonly store: (database: Database, values: Stored) => Promise<string>;
}

/** Runs work on a database, or in a transaction of it. */
type Run = <Result>(work: (inside: Database) => Promise<Result>) => Promise<Result>;

/** Both ways to run changes, which must have the same effects. */
const runsOf = (database: Database): [name: string, run: Run][] => [
  ['without a transaction', (work) => work(database)],
  ['in a transaction', (work) => database.transaction(work)],
];

/** Tests a repository. @returns it, for tests of what only some collections have. */
export function repositoryTests<Stored extends Item & Revised>(
  service: TestService,
  items: TestItems,
  { create, find, update, remove }: Repository<Stored>,
  options: RepositoryOptions,
): TestedRepository<Stored> {
  const { database } = service;
  const { table, existing } = options;
  const removable = async (inside: Database, item: Item): Promise<string> => {
    await prepare(service, items, item, 'removal', inside);
    return item.id;
  };
  const tested: TestedRepository<Stored> = {
    database,
    table,
    find,
    update,
    remove,

    async make() {
      const id = await removable(database, await items.create(service));
      // Updates read members that clients cannot.
      const seen: Stored[] = [];
      await update(database, id, undefined, (stored) => {
        seen.push(stored);
        return stored;
      });
      const [values] = seen;
      if (values === undefined) throw new Error(`no update has read ${id}`);
      return { id, values };
    },

    store: async (inside, values) => removable(inside, await create(inside, values)),
  };
  const { make, store } = tested;
  /** The values of another item: with an id of their own if clients choose it. */
  const differing = (values: Stored): Stored =>
    options.choosesIds === true
      ? { ...values, id: (items.fixture.another() as Partial<Item>).id }
      : values;

  beforeEach(() => service.clear());

  concurrencyTests(tested);

  describe.each(runsOf(database))('%s', (_name, run) => {
    triggerTests(tested, existing ?? table, run);

    test('inserts, updates and deletes', async () => {
      const { id: first, values } = await make();
      let removed = first;
      if (options.keepsRemovedIds === true) {
        await database.query({ text: `delete from ${table} where "id" = $1` }, [first]);
        removed = (await make()).id;
      }
      await run(async (inside) => {
        await remove(inside, removed);
        const id = await store(inside, differing(values));
        const stored = await find(inside, id);
        const changed = await update(inside, id, revisionOf(stored), (same) => same);
        expect(changed).toEqual({
          ...stored,
          updated_at: changed.updated_at,
          ...(existing !== undefined && { [REVISION]: revisionOf(changed) }),
          ...assignedIn(changed, options),
        });
        // In another program's table, two changes may have the same time.
        const before = existing === undefined ? [stored.updated_at] : [];
        expect(before).not.toContain(changed.updated_at);
        await remove(inside, id, revisionOf(changed));
        await expect(find(inside, id)).rejects.toMatchObject({ statusCode: 410 });
      });
    });

    test('a refused change throws its HTTP error, and keeps the changes before it', async () => {
      const { id, values } = await make();
      const revision = revisionOf(await find(database, id));
      const kept = await run(async (inside) => {
        const changed = await update(inside, id, undefined, (stored) => stored);
        for (const [member, absent] of Object.entries(options.references ?? {})) {
          const broken = { ...values, [member]: absent };
          const refusal = refusalOf(member);
          await expect(store(inside, broken)).rejects.toMatchObject(refusal);
          await expect(update(inside, id, undefined, () => broken)).rejects.toMatchObject(refusal);
        }
        for (const taken of options.isUnique === true ? [values] : []) {
          await expect(store(inside, taken)).rejects.toMatchObject({ statusCode: 409 });
        }
        for (const [member, removeParent] of Object.entries(options.parents ?? {})) {
          const parent = String(values[member as keyof Stored]);
          await expect(removeParent(inside, parent)).rejects.toMatchObject({ statusCode: 409 });
        }
        await expect(remove(inside, id, revision)).rejects.toMatchObject({ statusCode: 412 });
        return changed;
      });
      expect(await find(database, id)).toEqual(kept);
    });
  });

  return tested;
}

/** The error for a reference to an item that does not exist: it comes before that of a hook. */
const refusalOf = (member: string): object => ({
  statusCode: 422,
  message: `${member} refers to an item that does not exist.`,
});

/** Tests concurrent changes: one of two is refused, or both are applied one after the other. */
function concurrencyTests<Stored extends Item & Revised>({
  database,
  make,
  find,
  update,
  remove,
}: TestedRepository<Stored>): void {
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

/** Tests changes that a trigger refuses. @param rows the quoted table of the trigger. */
function triggerTests<Stored extends Item & Revised>(
  { database, make, store, find, update, remove }: TestedRepository<Stored>,
  rows: string,
  run: Run,
): void {
  test.each([
    ['by an error', 'P0001'],
    ['without an error', null],
  ])('changes that a trigger refuses %s are 422, removals 409', async (_how, code) => {
    const { id, values } = await make();
    const stored = await find(database, id);
    await withRule(database, rows, code, () =>
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
