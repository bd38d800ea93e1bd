/**
 * Statements that are sent together and answered together: the server does one after the other in
 * one transaction, unless one is open anyway. That takes one round trip instead of one for each, and
 * one commit. After an error the server skips what is left. (PostgreSQL's documentation, 54.2.3 and
 * 54.2.4: such a transaction ends with the Sync, of which there is one.)
 *
 * Nearly all are kept prepared, and what their rows look like is asked once for a connection; the `pg`
 * package by itself asks each time.
 */
import { createHash } from 'node:crypto';

import pg from 'pg';
import type { Connection, PoolClient, Submittable } from 'pg';

import { types } from './types.ts';
import { isOutdated } from './unavailable.ts';

type Value = string | Buffer | null;

/** A statement, and its values as they are sent. */
export interface Asked {
  readonly text: string;
  readonly values: readonly Value[];
  /** Whether it is prepared for this once: it gives no rows, and does not depend on what is kept. */
  readonly once?: boolean;
}

/** A statement that is to be sent, and who waits for its rows. */
export interface Waiting extends Asked {
  readonly resolve: (rows: object[] | Promise<object[]>) => void;
  readonly reject: (error: unknown) => void;
}

/** How the `pg` package writes a value; its types leave that out. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => Value } })
  .utils;

/** A statement to be sent. @throws where a value cannot be written. */
export const ask = (text: string, values: readonly unknown[] = []): Asked => ({
  text,
  values: values.map((value) => prepareValue(value)),
});

/** A statement without values and rows that works whatever became of what is kept prepared. */
export const askOnce = (text: string): Asked => ({ text, values: [], once: true });

/** What a connection keeps of a statement. */
interface Prepared {
  readonly name: string;
  columns: readonly Column[];
}

interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

/** What a statement that is prepared for once has: no name, and no rows. */
const ONCE: Prepared = { name: '', columns: [] };

/** Errors whose stack leads to the socket that they came from. */
const untraced = new WeakSet<object>();

/** Lets the stack of an error of the server lead to who asked. @returns the error */
export function traced(error: unknown): unknown {
  if (error instanceof Error && untraced.delete(error)) Error.captureStackTrace(error, traced);
  return error;
}

/** What each connection has prepared, by the text of the statement. */
const preparedOn = new WeakMap<Connection, Map<string, Prepared>>();
const names = new Map<string, string>();

/**
 * The name that a text is prepared under: one text has one, and two never share it, also where a pooler
 * gives one session of the server to several processes.
 */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = createHash('sha256').update(text).digest('base64');
  names.set(text, name);
  return name;
}

/** Statements on their way. A client of the `pg` package calls all of its methods but `run`. */
export class Batch implements Submittable {
  /** The rows of each statement that ended well, from the first one on. */
  readonly rows: object[][] = [];
  /** Called once at the end; the client puts what stops its clock before it. */
  callback: (error?: Error | null) => void = () => {};
  readonly #asked: readonly Asked[];
  readonly #sent: Prepared[] = [];
  #prepared = new Map<string, Prepared>();
  /** How many the server has done: more than have rows, where one had no good end. */
  #at = 0;
  /** The rows of the statement that the server is at. */
  #current: object[] = [];
  #failure: Error | undefined;

  constructor(asked: readonly Asked[]) {
    this.#asked = asked;
  }

  /** Sends them. @throws where one fails, which is the one after the last that has rows. */
  run(client: PoolClient): Promise<void> {
    return new Promise((resolve, reject) => {
      this.callback = (error) => (error == null ? resolve() : reject(error));
      client.query(this);
    });
  }

  submit = (connection: Connection): void => {
    const prepared = preparedOn.get(connection) ?? new Map<string, Prepared>();
    preparedOn.set(connection, prepared);
    this.#prepared = prepared;
    const added = new Map<string, Prepared>();
    // One packet for all. PGlite, which is within the process, has no such stream. The types of `pg`
    // want to know of each message but the last that more will come.
    const { stream } = connection as { stream: Partial<Connection['stream']> };
    stream.cork?.();
    for (const { text, values, once } of this.#asked) {
      let statement = once === true ? ONCE : (prepared.get(text) ?? added.get(text));
      if (statement === undefined) {
        const name = nameOf(text);
        statement = { name, columns: [] };
        added.set(text, statement);
        // To close what is not there is no error, so nobody needs to know how an earlier try ended.
        connection.close({ type: 'S', name }, true);
        connection.parse({ name, text, types: [] }, true);
        connection.describe({ type: 'S', name }, true);
      } else if (statement === ONCE) {
        connection.parse({ name: '', text, types: [] }, true);
      }
      this.#sent.push(statement);
      connection.bind({ statement: statement.name, values: values as Value[] }, true);
      connection.execute({}, true);
    }
    connection.sync();
    stream.uncork?.();
  };

  handleRowDescription({ fields }: { readonly fields: readonly pg.FieldDef[] }): void {
    const statement = this.#sent[this.#at];
    if (statement === undefined) return;
    statement.columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: types.getTypeParser(dataTypeID, 'text') as Column['parse'],
    }));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const columns = this.#sent[this.#at]?.columns ?? [];
    const row: Record<string, unknown> = {};
    try {
      for (const [at, { name, parse }] of columns.entries()) {
        const text = fields[at] ?? null;
        row[name] = text === null ? null : parse(text);
      }
    } catch (error) {
      // Thrown here it would end the process.
      this.#failure ??= error as Error;
    }
    this.#current.push(row);
  }

  handleCommandComplete({ text }: { readonly text?: string } = {}): void {
    const [asked, statement] = [this.#asked[this.#at], this.#sent[this.#at]];
    this.#at++;
    if (asked === undefined || statement === undefined) return;
    if (asked.once !== true) this.#prepared.set(asked.text, statement);
    // What failed before, and was not undone as a part, ends a transaction that way, without an error.
    if (asked.text === 'commit' && text === 'ROLLBACK') {
      this.#failure ??= new Error('the transaction was rolled back: a statement of it had failed');
    }
    if (this.#failure === undefined) this.rows.push(this.#current);
    this.#current = [];
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete();
  }

  /** The Sync that was sent counted as data to copy: it is sent again. */
  handleCopyInResponse(connection: Connection & { sendCopyFail(message: string): void }): void {
    connection.sendCopyFail('nothing is copied here');
    connection.sync();
  }

  handleCopyData(): void {}

  handleError(error: Error): void {
    untraced.add(error);
    if (isOutdated(error)) this.#prepared.clear();
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(this.#failure);
  }
}
