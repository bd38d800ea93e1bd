/** Connections to a PostgreSQL server. */
import { createRequire } from 'node:module';
import path from 'node:path';

import { userError } from '../shared/errors.ts';
import { databaseError } from './database-error.ts';

/** Runs statements in one transaction. */
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
 * What a transaction is for. `read`: statements see one snapshot. `follow`: each statement sees what is committed then,
 * so that a transaction of hours keeps the server from no work. `write`: it is committed at its end.
 */
type Purpose = 'read' | 'follow' | 'write';

const CHARACTERISTICS: Readonly<Record<Purpose, string>> = {
  read: 'isolation level repeatable read, read only',
  follow: 'isolation level read committed, read only',
  write: 'isolation level read committed, read write',
};

/** Milliseconds that a statement takes at most: those of a command that follows a database may sort large tables. */
const STATEMENT_TIMEOUTS: Readonly<Record<Purpose, number>> = {
  read: 5_000,
  follow: 10 * 60_000,
  write: 5_000,
};

/** Values have the same text whatever the settings of the server are. */
const beginning = (purpose: Purpose): string => `begin transaction ${CHARACTERISTICS[purpose]};
  set local statement_timeout = ${STATEMENT_TIMEOUTS[purpose]}; set local lock_timeout = '2s';
  set local idle_in_transaction_session_timeout = ${purpose === 'follow' ? "'15min'" : "'30s'"};
  set local timezone = 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'iso_8601';
  set local extra_float_digits = 1`;

interface SessionOptions {
  /** The command, for `pg_stat_activity`. */
  readonly command: 'check' | 'explain' | 'import' | 'verify';
  /** Absent: read. */
  readonly purpose?: Purpose;
  /** A folder that the driver `pg` can be required from. */
  readonly driverFolder: string;
  /** Closes the connection, and with it what runs. */
  readonly signal: AbortSignal;
}

/**
 * Runs work in a transaction of a database, which is read only unless the purpose is to write, and ends the connection.
 * @throws UserError without the password of the URL.
 */
export async function withDatabase<Result>(
  url: string,
  { command, purpose = 'read', driverFolder, signal }: SessionOptions,
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
      query_timeout: STATEMENT_TIMEOUTS[purpose] + CONNECTION_TIMEOUT,
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
    await query(beginning(purpose));
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
