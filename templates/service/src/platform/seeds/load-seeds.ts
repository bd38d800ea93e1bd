/** `loadSeeds` creates the items of seeds that are not there yet, all or none. */
import { findPrincipal } from '../auth/authenticate.ts';
import type { Database } from '../database/database.ts';
import { HttpError } from '../http/errors.ts';
import { checkSeeds, CREATOR } from './check-seeds.ts';
import type { CheckedSeed, SeedReference } from './check-seeds.ts';
import { InvalidSeeds } from './seed.ts';
import type { Seed, SeedProblem } from './seed.ts';
import type { AnySeeded } from './seeded-collection.ts';

/** The key of the advisory lock under which seeds are loaded by one process at a time; an arbitrary number. */
const LOCK = 7_355_608_301;
/** Milliseconds for the transaction and for waiting for the lock. */
const TIMEOUT = 600_000;

/** What a run did with the seeds of a collection. */
export interface SeedCounts {
  readonly created: number;
  /** Items that were there: they stay as they are. */
  readonly present: number;
  /** Items that were removed after an earlier run: they are not created again. */
  readonly removed: number;
}

type Collections = Readonly<Record<string, AnySeeded>>;

/**
 * Creates what is missing, with the hooks of each collection, in one transaction.
 * @returns counts by collection.
 * @throws `InvalidSeeds` with all problems; then nothing is stored.
 */
export async function loadSeeds(
  database: Database,
  seeds: readonly Seed[],
  collections: Collections,
): Promise<ReadonlyMap<string, SeedCounts>> {
  const checked = inOrder(checkSeeds(seeds, collections));
  return database.transaction(async (transaction) => {
    await transaction.query({
      text: 'set local statement_timeout = 0; set local lock_timeout = 0',
    });
    await transaction.query({ text: 'select pg_advisory_xact_lock($1)', timeout: TIMEOUT }, [LOCK]);
    const stored = await readStored(transaction, checked, collections);
    const missing = checked.filter(
      ({ seed }) => !stored.present.has(seed) && !stored.removed.has(seed),
    );
    await refuseMissingReferences(transaction, missing, stored, collections);
    const ids = new Map(stored.present);
    await reserveIds(transaction, missing, ids, collections);
    await createAll(deferringReferences(transaction), missing, ids, collections);
    await transaction.query({ text: 'set constraints all immediate' });
    return countsOf(seeds, stored, new Set(missing.map(({ seed }) => seed)));
  }, TIMEOUT);
}

/** Sorts seeds so that each follows those that it refers to, except in cycles. */
function inOrder(checked: readonly CheckedSeed[]): CheckedSeed[] {
  const bySeed = new Map(checked.map((one) => [one.seed, one]));
  const sorted = new Set<CheckedSeed>();
  const entered = new Set<CheckedSeed>();
  // A stack instead of recursion: a chain of references may be long.
  const stack = checked.toReversed();
  for (let next = stack.at(-1); next !== undefined; next = stack.at(-1)) {
    const before = entered.has(next)
      ? []
      : next.references.flatMap(({ seed }) => (seed && bySeed.get(seed)) ?? []);
    entered.add(next);
    const waiting = before.filter((one) => !entered.has(one));
    if (waiting.length === 0) sorted.add(stack.pop() ?? next);
    else stack.push(...waiting);
  }
  return [...sorted];
}

/** Which seeds have an item, or had one. */
interface Stored {
  /** The id of the item of each seed that has one. */
  readonly present: Map<Seed, string>;
  readonly removed: ReadonlySet<Seed>;
}

async function readStored(
  transaction: Database,
  checked: readonly CheckedSeed[],
  collections: Collections,
): Promise<Stored> {
  const present = new Map<Seed, string>();
  const removed = new Set<Seed>();
  for (const { seed, values } of checked) {
    const { resource, findSame, reserveId } = collections[seed.collection]!;
    if (reserveId !== undefined) {
      const [seeded] = await transaction.query<{ id: string; exists: boolean }>(
        {
          text: `select "item_id"::text as "id",
              exists (select from ${resource.table} where "id" = "item_id") as "exists"
            from "_seeds" where "seed_id" = $1`,
        },
        [seed.id],
      );
      if (seeded?.exists === true) present.set(seed, seeded.id);
      else if (seeded !== undefined) removed.add(seed);
      continue;
    }
    const [found] = await transaction.query<{ id: string }>(
      { text: `select "id" from ${resource.table} where "id" = $1` },
      [seed.id],
    );
    // Another program may have marked the row.
    const marked =
      resource.softDelete === undefined ? '' : ` union all select 1 ${resource.softDelete.removed}`;
    const [tombstone] = await transaction.query(
      { text: `select 1 from "_tombstones" where "id" = $1${marked}` },
      [seed.id],
    );
    const id = found?.id ?? (await findSame?.(transaction, values));
    if (id !== undefined) present.set(seed, id);
    else if (tombstone !== undefined) removed.add(seed);
  }
  return { present, removed };
}

/** Reserves the ids of seeds that are numbers, because seeds may refer to each other in cycles. */
async function reserveIds(
  transaction: Database,
  missing: readonly CheckedSeed[],
  ids: Map<Seed, string>,
  collections: Collections,
): Promise<void> {
  for (const { seed } of missing) {
    const { reserveId } = collections[seed.collection]!;
    if (reserveId === undefined) continue;
    const id = await reserveId(transaction);
    const text = 'insert into "_seeds" ("seed_id", "collection", "item_id") values ($1, $2, $3)';
    await transaction.query({ text }, [seed.id, seed.collection, id]);
    ids.set(seed, id);
  }
}

/** @throws `InvalidSeeds` for references to items that are not in the database and are not created. */
async function refuseMissingReferences(
  transaction: Database,
  missing: readonly CheckedSeed[],
  { removed }: Stored,
  collections: Collections,
): Promise<void> {
  const problems: SeedProblem[] = [];
  for (const { seed, references } of missing) {
    for (const { member, collection, id, seed: target } of references) {
      const place = seed.placeOf(member);
      if (target !== undefined) {
        if (!removed.has(target)) continue;
        const text = `${member} refers to "${target.name}" of ${target.place.file}, which was removed from this database. Refer to another item, or begin with an empty database.`;
        problems.push({ place, text });
        continue;
      }
      const { table } = collections[collection]!.resource;
      const found = await transaction.query({ text: `select 1 from ${table} where "id" = $1` }, [
        id,
      ]);
      if (found.length > 0) continue;
      problems.push({
        place,
        text: `${member} refers to an item that does not exist. Write the name of a seed, or another id.`,
      });
    }
  }
  if (problems.length > 0) throw new InvalidSeeds(problems);
}

async function createAll(
  transaction: Database,
  missing: readonly CheckedSeed[],
  ids: Map<Seed, string>,
  collections: Collections,
): Promise<void> {
  const problems: SeedProblem[] = [];
  const failed = new Set<Seed>();
  const idOf = ({ id, seed }: SeedReference): string => (seed && ids.get(seed)) ?? id;
  for (const { seed, values, references } of missing) {
    // What refers to an item that could not be created would fail for that reason alone.
    if (references.some((reference) => reference.seed && failed.has(reference.seed))) {
      failed.add(seed);
      continue;
    }
    const creator = references.find(({ member }) => member === CREATOR);
    const members = references.filter((reference) => reference !== creator);
    const referring = Object.fromEntries(members.map((one) => [one.member, idOf(one)]));
    const principal = await findPrincipal(
      transaction,
      creator === undefined ? null : idOf(creator),
    );
    try {
      const { create } = collections[seed.collection]!;
      await create(
        transaction,
        { ...values, ...referring },
        { id: ids.get(seed) ?? seed.id, principal },
      );
    } catch (error) {
      if (!(error instanceof HttpError) || error.statusCode >= 500) throw error;
      failed.add(seed);
      problems.push({ place: seed.place, text: `"${seed.name}" was refused: ${error.message}` });
    }
  }
  if (problems.length > 0) throw new InvalidSeeds(problems);
}

/**
 * The transaction with savepoints that do not check references, because seeds may refer to each other
 * in a circle. The end of the transaction checks them.
 */
function deferringReferences(transaction: Database): Database {
  const deferring: Database = {
    query: (statement, values) => transaction.query(statement, values),
    transaction: (work) => work(deferring),
    afterCommit: (work) => transaction.afterCommit(work),
    async savepoint(work) {
      await transaction.query({ text: 'savepoint "seed"' });
      try {
        const result = await work(deferring);
        await transaction.query({ text: 'release savepoint "seed"' });
        return result;
      } catch (error) {
        await transaction.query({ text: 'rollback to savepoint "seed"; release savepoint "seed"' });
        throw error;
      }
    },
  };
  return deferring;
}

function countsOf(
  seeds: readonly Seed[],
  { present, removed }: Stored,
  created: ReadonlySet<Seed>,
): ReadonlyMap<string, SeedCounts> {
  const names = [...new Set(seeds.map(({ collection }) => collection))];
  return new Map(
    names.map((name) => {
      const own = seeds.filter(({ collection }) => collection === name);
      const count = (within: { has: (seed: Seed) => boolean }): number =>
        own.filter((seed) => within.has(seed)).length;
      return [name, { created: count(created), present: count(present), removed: count(removed) }];
    }),
  );
}
