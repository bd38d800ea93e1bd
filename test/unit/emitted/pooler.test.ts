/** Connection poolers in transaction mode, as far as it takes no database: `test/e2e/faults.test.ts` has the rest. */
import { EventEmitter } from 'node:events';

import type { ClientBase, Pool } from 'pg';
import { expect, test } from 'vitest';

import { openPool } from '../../../templates/service/src/platform/database/pool.ts';
import { refuseTransactionMode } from '../../../templates/service/src/platform/database/pooler.ts';

test('a server is known by one statement, and by no other connection', async () => {
  const texts: string[] = [];
  const query = async ({ text }: { text: string }): Promise<object> => {
    texts.push(text);
    return { rows: [{ pid: 4711 }] };
  };
  const client = { processID: 4711, query } as unknown as ClientBase;
  await refuseTransactionMode(client, () => {
    throw new Error('a second connection');
  });
  expect(texts).toEqual(['select pg_backend_pid() as "pid"']);
});

test.each([
  ['26000', 'does not exist'],
  ['42P05', 'already exists'],
])('prepared statements that are lost again and again (%s) are named as such', async (code, is) => {
  const lost = Object.assign(new Error(`prepared statement "x" ${is}`), { code });
  const client = { query: () => Promise.reject(lost), release: () => {} };
  const pool = Object.assign(new EventEmitter(), {
    options: { max: 2 },
    waitingCount: 0,
    connect: () => Promise.resolve(client),
  }) as unknown as Pool;
  const database = openPool(
    pool,
    async () => {},
    1_000,
    () => {},
  );
  await expect(database.query({ text: 'select 1', prepared: true })).rejects.toMatchObject({
    name: 'DatabaseUnavailable',
    message: expect.stringContaining('a connection pooler in transaction mode') as string,
    cause: lost,
  });
});
