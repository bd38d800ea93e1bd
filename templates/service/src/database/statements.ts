/** Statements, and how one of them runs on a connection. */
import type { PoolClient } from 'pg';

import { ask, Batch } from './batch.ts';
import type { Asked } from './batch.ts';

export interface Statement {
  readonly text: string;
  /** Whether the server keeps it prepared: for texts of which there are few. */
  readonly keep?: boolean;
  /** Whether it is a kept one that reads in next to no time: it goes with others (`lanes.ts`). */
  readonly quick?: boolean;
  /** Milliseconds to wait for its end, where that is not as long as for others; not where it is kept. */
  readonly timeout?: number;
}

/** Runs a statement; gives its rows. */
export const run = (
  client: PoolClient,
  statement: Statement,
  values?: readonly unknown[],
): Promise<object[]> =>
  statement.keep === true
    ? runKept(client, ask(statement.text, values))
    : runText(client, statement, values);

/** Runs a statement that is kept prepared; gives its rows. */
export async function runKept(client: PoolClient, asked: Asked): Promise<object[]> {
  const batch = new Batch([asked]);
  await batch.run(client);
  return batch.rows[0] ?? [];
}

/** Runs a statement that is not kept prepared: several too, where there are no values. */
export async function runText(
  client: PoolClient,
  { text, timeout }: Statement,
  values: readonly unknown[] = [],
): Promise<object[]> {
  const { rows } = await client.query({
    text,
    values: [...values],
    ...(timeout !== undefined && { query_timeout: timeout }),
  });
  return rows as object[];
}
