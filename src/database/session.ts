/** Connections to a PostgreSQL server. */
import { createRequire } from 'node:module';
import path from 'node:path';

import { userError } from '../shared/errors.ts';
import { databaseError } from './database-error.ts';

/** Runs statements. */
export interface DatabaseSession {
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

/**
 * What a connection is for. `snapshot`: all statements see the same state. `latest`: each statement is a transaction of its
 * own, so that a command of hours holds no lock. `write`: the transaction is committed at its end.
 */
type Purpose = 'snapshot' | 'latest' | 'write';

interface TransactionSettings {
  readonly characteristics: string;
  /** Milliseconds. */
  readonly statementTimeout: number;
  readonly lockTimeout: number;
}

const SETTINGS: Readonly<Record<Purpose, TransactionSettings>> = {
  snapshot: {
    characteristics: 'isolation level repeatable read, read only',
    statementTimeout: 5_000,
    lockTimeout: 2_000,
  },
  // The order of a large table may have to be sorted.
  latest: {
    characteristics: 'isolation level read committed, read only',
    statementTimeout: 10 * 60_000,
    lockTimeout: 60_000,
  },
  write: {
    characteristics: 'isolation level read committed, read write',
    statementTimeout: 5_000,
    lockTimeout: 2_000,
  },
};

/** Values have the same text whatever the settings of the server are. */
const beginning = ({ characteristics, statementTimeout, lockTimeout }: TransactionSettings) =>
  `begin transaction ${characteristics};
  set local statement_timeout = ${statementTimeout}; set local lock_timeout = ${lockTimeout};
  set local idle_in_transaction_session_timeout = '30s';
  set local timezone = 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'iso_8601';
  set local extra_float_digits = 1`;

interface SessionOptions {
  /** The command, for `pg_stat_activity`. */
  readonly command: 'check' | 'explain' | 'import' | 'verify';
  /** Absent: `snapshot`. */
  readonly purpose?: Purpose;
  /** A folder that the driver `pg` can be required from. */
  readonly driverFolder: string;
  /** Closes the connection, and with it what runs. */
  readonly signal: AbortSignal;
}

/**
 * Runs work on a connection to a database, which is read only unless the purpose is to write, and ends the connection.
 * @throws UserError without the password of the URL.
 */
export async function withDatabase<Result>(
  url: string,
  { command, purpose = 'snapshot', driverFolder, signal }: SessionOptions,
  work: (session: DatabaseSession) => Promise<Result>,
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
      query_timeout: SETTINGS[purpose].statementTimeout + CONNECTION_TIMEOUT,
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
    const begin = beginning(SETTINGS[purpose]);
    if (purpose === 'latest') {
      // Rows that a policy hides from the role are an error, and not missing.
      await query('set row_security = off');
      return await work({ query: eachInTransaction(query, begin) });
    }
    await query(begin);
    const result = await work({ query });
    if (purpose === 'write') await query('commit');
    return result;
  } catch (error) {
    throw databaseError(error, client);
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}

/** Runs each statement in a transaction of its own. */
const eachInTransaction =
  (query: DatabaseSession['query'], begin: string): DatabaseSession['query'] =>
  async (text, values) => {
    await query(begin);
    try {
      return await query(text, values);
    } finally {
      await query('rollback');
    }
  };
