/** Records the processes that use a database: a migration with the line `-- contract` waits for older ones. */
import { randomUUID } from 'node:crypto';

import type { MigratedDatabase, OnError, Session } from './database.ts';
import type { Migration } from './migrations.ts';

/** Milliseconds between two updates of the row of a process. */
const INTERVAL = 10_000;
/** A process whose row is older has ended without deleting it. */
const IS_ALIVE = `"seen_at" > now() - interval '60 seconds'`;

const FAILURE =
  'the row of this process in "_processes" cannot be written: after 60 seconds a migration with ' +
  '"-- contract" no longer waits for this process';

/** Creates the table, in which a row has the last migration that its process knows. */
export const CREATE_PROCESSES = `create table if not exists "_processes" (
  "id" uuid primary key,
  "migration" text not null,
  "seen_at" timestamptz not null default now()
)`;

/** The row of this process. */
export interface Heartbeat {
  /** Writes the row now, and then every 10 seconds. @returns whether it is written: the next time may succeed. */
  readonly beat: (session?: Session) => Promise<boolean>;
  /** Deletes the row. */
  readonly stop: () => Promise<void>;
}

/**
 * Makes the heartbeat of a process.
 * @param migrations those of its version.
 * @param onError is called when the row cannot be written, once until it is written again.
 */
export function makeHeartbeat(
  database: MigratedDatabase,
  migrations: readonly Migration[],
  onError: OnError,
): Heartbeat {
  const id = randomUUID();
  let timer: NodeJS.Timeout | undefined;
  let written: Promise<unknown> = Promise.resolve();
  let isFailing = false;
  const beat = async (session: Session = database): Promise<boolean> => {
    if (!database.isShared) return true;
    timer ??= setInterval(() => void beat(), INTERVAL).unref();
    const text = `with "ended" as (delete from "_processes" where not ${IS_ALIVE} and "id" <> $1)
      insert into "_processes" ("id", "migration") values ($1, $2)
      on conflict ("id") do update set "seen_at" = now()`;
    written = session.query({ text }, [id, migrations.at(-1)?.name]).then(
      () => (isFailing = false),
      (error: unknown) => {
        if (!isFailing) onError(error, FAILURE);
        isFailing = true;
      },
    );
    await written;
    return !isFailing;
  };
  const stop = async (): Promise<void> => {
    if (timer === undefined) return;
    clearInterval(timer);
    await written;
    const text = 'delete from "_processes" where "id" = $1';
    await database.query({ text }, [id]).catch(() => {});
  };
  return { beat, stop };
}

/** Counts the processes that run and whose last migration is one of these. */
export async function countProcesses(
  session: Session,
  migrations: readonly string[],
): Promise<number> {
  const text = `select from "_processes" where "migration" = any($1) and ${IS_ALIVE}`;
  return (await session.query({ text }, [migrations])).length;
}
