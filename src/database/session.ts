/** A connection to a PostgreSQL server that reads only. */
import { createRequire } from 'node:module';
import path from 'node:path';

import { userError } from '../shared/errors.ts';
import { databaseError } from './database-error.ts';

/** Runs statements in one transaction that cannot write. */
export interface ReadOnlySession {
  readonly query: <Row>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;
}

/** What is used of `pg`. */
interface Client {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly password: string | null;
  readonly on: (event: 'error', listener: () => void) => void;
  readonly connect: () => Promise<unknown>;
  readonly query: (
    text: string,
    values?: readonly unknown[],
  ) => Promise<{ readonly rows: readonly unknown[] }>;
  readonly end: () => Promise<void>;
}

interface Driver {
  readonly Client: new (config: object) => Client;
}

/** Milliseconds. */
const CONNECTION_TIMEOUT = 5_000;

/** Statements see one snapshot, and values have the same text whatever the settings of the server are. */
const BEGIN = `begin transaction isolation level repeatable read, read only;
  set local statement_timeout = '5s'; set local lock_timeout = '2s';
  set local idle_in_transaction_session_timeout = '30s';
  set local timezone = 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'iso_8601';
  set local extra_float_digits = 1`;

interface SessionOptions {
  /** The command, for `pg_stat_activity`. */
  readonly command: 'check' | 'explain' | 'import';
  /** A folder that the driver `pg` can be required from. */
  readonly driverFolder: string;
  /** Closes the connection, and with it what runs. */
  readonly signal: AbortSignal;
}

/**
 * Runs work in a transaction of a database that is read only, and ends the connection.
 * @throws UserError without the password of the URL.
 */
export async function withDatabase<Result>(
  url: string,
  { command, driverFolder, signal }: SessionOptions,
  work: (session: ReadOnlySession) => Promise<Result>,
): Promise<Result> {
  const isUrl = URL.canParse(url) && /^postgres(?:ql)?:$/.test(new URL(url).protocol);
  if (!isUrl) throw userError('database-url', {});
  const require = createRequire(path.join(driverFolder, 'package.json'));
  const { Client: PgClient } = require('pg') as Driver;
  let client: Client;
  try {
    client = new PgClient({
      connectionString: url,
      application_name: `create-service ${command}`,
      connectionTimeoutMillis: CONNECTION_TIMEOUT,
      // The server ends a statement by itself; this is for one that does not answer.
      query_timeout: 2 * CONNECTION_TIMEOUT,
    });
  } catch (error) {
    // A file that the URL names, such as sslrootcert, is read here.
    const { code, path: file } = error as NodeJS.ErrnoException;
    if (code === undefined || file === undefined) throw userError('database-url', {});
    throw userError('database-file', { file, code });
  }
  // A connection that breaks fails the statement that runs.
  client.on('error', () => undefined);
  const close = (): void => void client.end().catch(() => undefined);
  signal.addEventListener('abort', close, { once: true });
  try {
    await client.connect();
    const query = async <Row>(text: string, values?: readonly unknown[]): Promise<Row[]> =>
      (await client.query(text, values)).rows as Row[];
    const [server] = await query<{ version: string }>('select version() as "version"');
    if (server?.version.startsWith('PostgreSQL') !== true) {
      throw new Error(`it is not PostgreSQL: ${server?.version ?? 'it has no version'}`);
    }
    await query(BEGIN);
    return await work({ query });
  } catch (error) {
    throw databaseError(error, client);
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}
