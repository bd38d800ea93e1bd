/** The database as the rest of the service sees it: statements and transactions. */

/** A statement of SQL. Its values are parameters: `$1`, `$2`, … */
export interface Statement {
  readonly text: string;
  /** Whether it stays prepared on each connection: for texts of which there are few. */
  readonly prepared?: boolean;
  /**
   * Whether it may be pipelined with statements of other requests on a shared connection
   * (`pipeline.ts`): for prepared reads that take a few milliseconds. `overflow` is for inserts: only
   * while the pool has no free connection, because reads behind an insert wait for its commit.
   * Within a transaction this has no effect.
   */
  readonly pipelined?: boolean | 'overflow';
  /** Milliseconds that it may take, if other than `STATEMENT_TIMEOUT`. */
  readonly timeout?: number;
}

/** Runs statements. All methods throw `DatabaseUnavailable` if it is unreachable or busy. */
export interface Database {
  /** Runs a statement and returns its rows. */
  query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
  /**
   * Runs the work in a transaction, which is rolled back if the work throws. The work runs again
   * after a deadlock or a serialization failure.
   * @param timeout milliseconds for all of the work, which keeps a connection and perhaps locks.
   */
  transaction<Result>(
    work: (transaction: Database) => Promise<Result>,
    timeout?: number,
  ): Promise<Result>;
  /**
   * Within a transaction, runs the work in a savepoint: deferred constraints are checked at its end,
   * and if it throws, only its own changes are rolled back. Outside of a transaction it just runs the
   * work. Savepoints of one transaction may be nested, but not run at the same time.
   */
  savepoint<Result>(work: (database: Database) => Promise<Result>): Promise<Result>;
  /**
   * Runs the work once after the commit, and never for what is rolled back. `transaction` resolves after
   * the work; an error is only logged. Outside of a transaction the work runs at once.
   */
  afterCommit(work: () => void | Promise<void>): void;
}

/** A connection, in a transaction or not. */
export type Session = Pick<Database, 'query'>;

/** Receives errors that no caller can handle, with a message for the log. */
export type OnError = (error: unknown, message: string) => void;

/** How many connections are in use and idle, and how many requests wait for one. */
export interface ConnectionStats {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}

/** A database that can be migrated. */
export interface MigratedDatabase extends Database {
  /** Whether other processes can use it at the same time: not with PGlite. */
  readonly isShared: boolean;
  /**
   * Runs the work on one connection without a transaction, and closes the connection: for settings of a
   * session, and for statements that no transaction may contain.
   */
  session<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;
}

/** A database with its connections. */
export interface OpenDatabase extends MigratedDatabase {
  /** @throws `DatabaseUnavailable` if the database does not answer within this many milliseconds. */
  ping(timeout: number): Promise<void>;
  connectionStats(): ConnectionStats;
  /** Aborts when no statement can succeed in this process any more; absent if the database reconnects. */
  readonly broken?: AbortSignal;
  close(): Promise<void>;
}

/** How long the database may take, in milliseconds. */
export interface Timeouts {
  /** For one statement. On PostgreSQL only. */
  readonly statement: number;
  /** For waiting for a lock. On PostgreSQL only. */
  readonly lock: number;
  /** For all work of a transaction, which keeps a connection, and perhaps locks, from others. */
  readonly transaction: number;
}

/** The default timeouts. */
export const TIMEOUTS: Timeouts = { statement: 10_000, lock: 5_000, transaction: 15_000 };
