/** Recognises a connection pooler in transaction mode, which the service refuses to use. */
import { randomUUID } from 'node:crypto';

import type { Client, ClientBase } from 'pg';

import { runStatement } from './connection.ts';
import { TransactionPooling } from './unavailable.ts';

/** The maximum number of connections that the probe opens, for about as many idle ones that a busy pooler has. */
const HOLDERS = 3;
/** Milliseconds that one of them may take: a pooler in session mode may have no more to give. */
const HOLDER_TIMEOUT = 1_000;

/** A setting without effect: the name is that of no extension, so that the server only stores it. */
const SETTING = 'create_service.probe';

/**
 * Probes whether a session keeps its settings. A server answers with the process id that it gave the client when it
 * connected, which costs one statement. Only behind a pooler, the id is another one. Then a setting of the client is
 * read again while other connections hold transactions open, since a pooler in transaction mode gives the client's
 * server connection to one of these.
 * @param client has connected, and its session is not configured yet: settings would leak to others.
 * @param create makes a client that is not connected yet.
 * @throws `TransactionPooling`
 */
export async function refuseTransactionMode(
  client: ClientBase,
  create: (timeout: number) => Client,
): Promise<void> {
  if (await isServer(client)) return;
  const value = randomUUID();
  await runStatement(client, { text: `set ${SETTING} = '${value}'` });
  const holders: Client[] = [];
  try {
    while ((await readSetting(client)) === value) {
      if (holders.length === HOLDERS) return;
      const holder = await openHolder(create);
      // No more connections can be had, which says nothing about the mode.
      if (holder === undefined) return;
      holders.push(holder.client);
      if (holder.setting === value) break;
    }
    throw new TransactionPooling();
  } finally {
    await Promise.all(holders.map(closeHolder));
  }
}

/** Whether the client talks to the server itself, possibly through a proxy for TCP. */
async function isServer(client: ClientBase & { readonly processID?: unknown }): Promise<boolean> {
  const [row] = await runStatement<{ pid: number }>(client, {
    text: 'select pg_backend_pid() as "pid"',
  });
  return row?.pid === client.processID;
}

async function readSetting(client: ClientBase): Promise<string | null | undefined> {
  const [row] = await runStatement<{ value: string | null }>(client, {
    text: `select current_setting('${SETTING}', true) as "value"`,
  });
  return row?.value;
}

/** How PgBouncer refuses `begin` in a mode in which even the statements of one transaction go to several connections. */
const STATEMENT_MODE = /statement pooling/i;

/** Opens a connection with a transaction, and reads the setting in it; undefined if there is no connection to be had. */
async function openHolder(
  create: (timeout: number) => Client,
): Promise<{ readonly client: Client; readonly setting: string | null | undefined } | undefined> {
  const client = create(HOLDER_TIMEOUT);
  // Without a listener, the error of a broken connection would end this process.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('begin');
    return { client, setting: await readSetting(client) };
  } catch (error) {
    client.end().catch(() => {});
    if (STATEMENT_MODE.test((error as Error).message)) throw new TransactionPooling(error);
    return undefined;
  }
}

async function closeHolder(client: Client): Promise<void> {
  // A pooler would close its server connection if the client left it in a transaction.
  await client.query('rollback').catch(() => {});
  await client.end().catch(() => {});
}
