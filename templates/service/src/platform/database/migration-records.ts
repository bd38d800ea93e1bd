/** The table `_migrations`: which migrations were applied to the database, and which contracts have begun. */
import type { Session } from './database.ts';
import type { Migration } from './migrations.ts';
import { CREATE_PROCESSES } from './processes.ts';

/** Creates the tables of the runner. */
export const CREATE_TABLES = `create table if not exists "_migrations" (
    "name" text primary key,
    "hash" text not null,
    "applied_at" timestamptz not null default now(),
    "is_expand" boolean not null default false,
    "is_complete" boolean not null default true
  );
  create table if not exists "_migration_progress" (
    "name" text primary key,
    "last_id" text not null,
    "rows" bigint not null
  );
  ${CREATE_PROCESSES}`;

/**
 * When each migration was applied, by name; empty in a new database.
 * @throws if one has another text than its file, or has no file and is needed: after one of a newer version with
 * the line `-- expand`, this version goes on.
 */
export async function readApplied(
  session: Session,
  migrations: readonly Migration[],
): Promise<ReadonlyMap<string, string>> {
  if (!(await hasTable(session, '_migrations'))) return new Map();
  const rows = await session.query<AppliedRow>({
    text: `select "name", "hash", "applied_at", "is_expand" as "isExpand", "is_complete" as "isComplete"
      from "_migrations" order by "applied_at", "name"`,
  });
  for (const { name, hash, isExpand, isComplete } of rows) {
    const file = migrations.find((migration) => migration.name === name);
    if (file === undefined) {
      if (isExpand) continue;
      throw new Error(
        `The migration ${name} was ${isComplete ? 'applied to' : 'begun on'} this database, and is missing ` +
          'here. The database belongs to a newer version of the service, or to another branch: start that ' +
          'one, or restore the file.',
      );
    }
    if (isComplete && file.hash !== hash) {
      throw new Error(
        `The migration ${name} was changed after it was applied to this database. Restore ` +
          'the file, and put further changes into a new migration.',
      );
    }
  }
  const applied = rows.filter(({ isComplete }) => isComplete);
  return new Map(applied.map(({ name, applied_at }) => [name, applied_at]));
}

interface AppliedRow {
  readonly name: string;
  readonly hash: string;
  readonly applied_at: string;
  readonly isExpand: boolean;
  readonly isComplete: boolean;
}

export async function hasTable(session: Session, name: string): Promise<boolean> {
  const text = 'select where to_regclass($1) is not null';
  return (await session.query({ text }, [name])).length > 0;
}

/** The names of the migrations that this version needs and that are not applied: all but contracts. */
export async function readMissing(
  session: Session,
  migrations: readonly Migration[],
): Promise<string[]> {
  const applied = await readApplied(session, migrations);
  const missing = migrations.filter(({ name, isContract }) => !isContract && !applied.has(name));
  return missing.map(({ name }) => name);
}

/** Records that a migration was applied. */
export async function record(session: Session, { name, hash, isExpand }: Migration): Promise<void> {
  const text = `with "done" as (delete from "_migration_progress" where "name" = $1)
    insert into "_migrations" ("name", "hash", "is_expand") values ($1, $2, $3)
    on conflict ("name") do update set "hash" = $2, "applied_at" = now(), "is_complete" = true`;
  await session.query({ text }, [name, hash, isExpand]);
}

/**
 * Records that a contract has begun, unless a process of an older version has started meanwhile. Such a process
 * starts beside this one, without the lock. It writes its row and then reads `_migrations`; this one records the
 * contract and then reads the rows. So at least one of them sees the other: the process is refused, or the contract
 * is left for later, or both. The record stays if the contract is interrupted, because part of it may be done.
 */
export async function beginContract(
  session: Session,
  migration: Migration,
  isDeferred: (migration: Migration) => Promise<boolean>,
): Promise<boolean> {
  const text = `insert into "_migrations" ("name", "hash", "is_expand", "is_complete")
    values ($1, $2, $3, false) on conflict do nothing returning "name"`;
  const { name, hash, isExpand } = migration;
  const isNew = (await session.query({ text }, [name, hash, isExpand])).length > 0;
  let waits = true;
  try {
    waits = await isDeferred(migration);
  } finally {
    if (waits && isNew) await takeBack(session, migration);
  }
  return !waits;
}

/** Deletes the record of a contract of which nothing is done. */
export async function takeBack(session: Session, { name }: Migration): Promise<void> {
  const text = 'delete from "_migrations" where "name" = $1 and not "is_complete"';
  await session.query({ text }, [name]);
}
