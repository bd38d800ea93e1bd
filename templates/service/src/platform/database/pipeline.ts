/**
 * A few connections that are shared by all requests. `pg` pipelines the statements on them: it sends
 * each without waiting for the answers to those before it. Each statement has a Sync and an implicit
 * transaction of its own, so that one that fails does not affect the others.
 *
 * The server answers a connection's statements in order, so that a slow one delays those behind it.
 * That is why the timeouts here are short (`PIPELINE_TIMEOUTS`), and why a connection that has not
 * answered for a moment is not given more to do.
 */
import { Socket } from 'node:net';

import type { Client } from 'pg';

import type { Statement } from './database.ts';
import { runStatement } from './connection.ts';
import { isSessionFine } from './unavailable.ts';

/** How long a pipelined statement may wait for a lock, and take, in milliseconds. */
export const PIPELINE_TIMEOUTS = { lock: 50, statement: 250 };

/** Milliseconds without an answer after which a connection gets no more statements. */
const STALLED_AFTER = 50;

/**
 * The socket of a shared connection. It buffers writes until the end of the event loop turn, so that
 * pipelined statements share one system call, which is most of the cost of a short statement.
 */
export class BatchingSocket extends Socket {
  #isHeld = false;

  override cork(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    super.cork();
    setImmediate(() => {
      this.#isHeld = false;
      super.uncork();
    });
  }

  /** `pg` calls this after each statement; the buffer is flushed at the end of the turn instead. */
  override uncork(): void {}
}

/** How shared connections are made. */
interface PipelineOptions {
  /** Makes a client with `pipeline: true`, which is not connected yet. */
  readonly create: () => Client;
  /** Prepares the session of a client that has just connected. */
  readonly onConnect: (client: Client) => Promise<void>;
  /** Is called when a connection breaks that has no statements in flight. */
  readonly onLost: (error: Error) => void;
}

/** The connections that pipelined statements share. */
export class Pipeline {
  #connections: readonly SharedConnection[];

  constructor(size: number, options: PipelineOptions) {
    this.#connections = Array.from({ length: size }, () => new SharedConnection(options));
  }

  /** The connection with the fewest statements in flight; undefined if none is answering. */
  pick(): SharedConnection | undefined {
    let best: SharedConnection | undefined;
    for (const connection of this.#connections) {
      if (connection.inFlight === 0) return connection;
      if (connection.isStalled()) continue;
      if (best === undefined || connection.inFlight < best.inFlight) best = connection;
    }
    return best;
  }

  connectionStats(): { readonly used: number; readonly idle: number } {
    const open = this.#connections.filter(({ isOpen }) => isOpen);
    const used = open.filter(({ inFlight }) => inFlight > 0).length;
    return { used, idle: open.length - used };
  }

  /** Closes the connections, after all statements in flight are answered. */
  async close(): Promise<void> {
    const connections = this.#connections;
    this.#connections = [];
    await Promise.all(connections.map((connection) => connection.close()));
  }
}

interface Session {
  readonly client: Client;
  /** Settled when the session is ready for statements, or could not be opened. */
  readonly ready: Promise<void>;
}

/** One shared connection. When it breaks, its statements fail, and the next one opens another. */
class SharedConnection {
  inFlight = 0;
  readonly #options: PipelineOptions;
  #session: Session | undefined;
  #answeredAt = 0;

  constructor(options: PipelineOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#session !== undefined;
  }

  isStalled(): boolean {
    return this.inFlight > 0 && performance.now() - this.#answeredAt > STALLED_AFTER;
  }

  /** Runs a statement behind those in flight and returns its rows. */
  async run<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]> {
    if (this.inFlight === 0) this.#answeredAt = performance.now();
    this.inFlight++;
    const session = (this.#session ??= this.#open());
    try {
      await session.ready;
      return await runStatement<Row>(session.client, statement, values);
    } catch (error) {
      if (!isSessionFine(error)) this.#discard(session);
      throw error;
    } finally {
      this.inFlight--;
      this.#answeredAt = performance.now();
    }
  }

  async close(): Promise<void> {
    await this.#session?.ready.catch(() => {});
    await this.#session?.client.end();
  }

  #open(): Session {
    const { create, onConnect, onLost } = this.#options;
    const client = create();
    const session = { client, ready: client.connect().then(() => onConnect(client)) };
    // Without a listener, the error of a broken connection would end this process.
    client.on('error', (error) => {
      if (this.inFlight === 0) onLost(error);
      this.#discard(session);
    });
    return session;
  }

  /** Gives up a connection: statements in flight are answered, if that is still possible. */
  #discard(session: Session): void {
    if (this.#session !== session) return;
    this.#session = undefined;
    session.client.end().catch(() => {});
  }
}
