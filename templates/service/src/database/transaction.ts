/**
 * Transactions on one connection. What a transaction asks for in one go, without waiting between, is
 * sent in one go, and its beginning goes with its first statement: each round trip that is saved is
 * time for which it holds neither locks nor the connection.
 */
import type { PoolClient } from 'pg';

import { ask, askOnce, Batch, traced } from './batch.ts';
import type { Asked, Waiting } from './batch.ts';
import { RolledBack } from './connections.ts';
import type { Transaction } from './database.ts';
import { runText } from './statements.ts';
import type { Statement } from './statements.ts';
import { DatabaseUnavailable, reasonOf } from './unavailable.ts';
import type { Reason } from './unavailable.ts';

const BEGIN = askOnce('begin');
const COMMIT = askOnce('commit');
const BEGIN_PART = askOnce('savepoint "part"');
const END_PART = [
  'set constraints all immediate',
  'set constraints all deferred',
  'release savepoint "part"',
].map(askOnce);
const UNDO_PART = ['rollback to savepoint "part"', 'release savepoint "part"'].map(askOnce);

/**
 * Runs some work as one transaction of a connection.
 * @param timeout milliseconds that it has.
 */
export async function inTransaction<Result>(
  client: PoolClient,
  work: (transaction: Transaction) => Promise<Result>,
  timeout: number,
): Promise<Result> {
  const session = new Session(client);
  try {
    const result = await inTime(
      work(within(session)),
      timeout,
      'busy',
      'a transaction takes too long',
    );
    await session.commit();
    return result;
  } catch (error) {
    session.end();
    // The connection goes, and its transaction with it.
    if (error instanceof DatabaseUnavailable || reasonOf(error) === 'away') throw error;
    await session.rollBack();
    throw new RolledBack('', { cause: error });
  }
}

/** Waits for a result. @throws `DatabaseUnavailable` where it takes longer than this. */
export const inTime = <Result>(
  result: Promise<Result>,
  timeout: number,
  reason: Reason,
  message: string,
): Promise<Result> =>
  new Promise((resolve, reject) => {
    const late = (): void => reject(new DatabaseUnavailable(reason, message));
    const timer = setTimeout(late, timeout).unref();
    void result.then(resolve, reject).finally(() => clearTimeout(timer));
  });

/** The database within a transaction; a transaction within it is the same one. */
function within(session: Session): Transaction {
  const query = <Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]> =>
    session.query(statement, values) as Promise<Row[]>;
  const database: Transaction = {
    query,
    insert: query,
    last: ({ text }, values) => session.announce(ask(text, values)),
    transaction: (work) => work(database),
    part: async (work) => {
      session.announce(BEGIN_PART);
      let isOver = false;
      const insert = async <Row>(statement: Statement, values?: readonly unknown[]) => {
        const [rows] = await Promise.all([query<Row>(statement, values), session.send(END_PART)]);
        isOver = true;
        return rows;
      };
      try {
        const result = await work({ ...database, insert });
        if (!isOver) await session.send(END_PART);
        return result;
      } catch (error) {
        if (!isOver) await session.send(UNDO_PART);
        throw error;
      }
    },
  };
  return database;
}

/** A transaction on its connection, with what is to be sent of it. */
class Session {
  readonly #client: PoolClient;
  #waiting: Waiting[] = [];
  #hasBegun = false;
  #hasEnded = false;

  constructor(client: PoolClient) {
    this.#client = client;
    this.announce(BEGIN);
  }

  /** Sends a statement together with the next one: nothing is to be learned from it. */
  announce(asked: Asked): void {
    this.#refuseLate();
    this.#waiting.push({ ...asked, resolve: () => {}, reject: () => {} });
  }

  /** Sends statements with whatever else is asked for in this turn. */
  async send(asked: readonly Asked[]): Promise<void> {
    await Promise.all(asked.map((one) => this.#ask(one)));
  }

  /** Runs a statement; gives its rows. */
  async query(statement: Statement, values?: readonly unknown[]): Promise<object[]> {
    try {
      if (statement.keep === true) return await this.#ask(ask(statement.text, values));
      this.#refuseLate();
      // It is none of a batch, and would be done even where the beginning of its transaction failed.
      await this.#flush();
      this.#refuseLate();
      return await runText(this.#client, statement, values);
    } catch (error) {
      throw traced(error);
    }
  }

  async commit(): Promise<void> {
    const isEmpty = !this.#hasBegun && this.#waiting.length === 1;
    const committed = isEmpty ? undefined : this.send([COMMIT]);
    this.#hasEnded = true;
    await committed;
  }

  async rollBack(): Promise<void> {
    if (this.#hasBegun) await this.#client.query('rollback');
  }

  /** Sends nothing any more: from now on the connection may be somebody else's. */
  end(): void {
    this.#hasEnded = true;
    for (const { reject } of this.#waiting.splice(0)) reject(tooLate());
  }

  async #ask(asked: Asked): Promise<object[]> {
    this.#refuseLate();
    queueMicrotask(() => this.#flush().catch(() => {}));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...asked, resolve, reject });
    });
  }

  #refuseLate(): void {
    if (this.#hasEnded) throw tooLate();
  }

  /** Sends what waits. @throws where a statement of it fails, as who waits for that is told too. */
  async #flush(): Promise<void> {
    if (this.#waiting.length === 0) return;
    this.#hasBegun = true;
    const sent = this.#waiting.splice(0);
    const batch = new Batch(sent);
    try {
      await batch.run(this.#client);
      for (const [at, { resolve }] of sent.entries()) resolve(batch.rows[at] ?? []);
    } catch (error) {
      for (const [at, { resolve, reject }] of sent.entries()) {
        const rows = batch.rows[at];
        if (rows === undefined) reject(error);
        else resolve(rows);
      }
      throw error;
    }
  }
}

const tooLate = (): Error => new Error('the transaction of this statement is over');
