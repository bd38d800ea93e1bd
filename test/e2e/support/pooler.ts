/** A small connection pooler for PostgreSQL that behaves as PgBouncer does, in two of its modes. */
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

import pg from 'pg';

/** A connection to the server, which clients use in turn. */
interface ServerConnection {
  readonly socket: Socket;
  receive: (type: string, message: Buffer) => void;
}

/** What a client sends first, to start a session; other codes ask for TLS, or cancel a statement. */
const PROTOCOL_3 = 196_608;

/**
 * Starts a pooler in front of a database. Like PgBouncer, it makes up the process ids that clients get, and hands out the
 * server connection that was used last: for a session, or for each transaction.
 * @returns its connection string, and what stops it.
 */
export async function startPooler(
  databaseUrl: string,
  mode: 'session' | 'transaction',
): Promise<{ readonly url: string; readonly stop: () => void }> {
  const idle: ServerConnection[] = [];
  const sockets: Socket[] = [];
  const connect = async (): Promise<ServerConnection> => {
    const client = new pg.Client({ connectionString: databaseUrl });
    // Its socket is closed without its knowledge.
    client.on('error', () => {});
    await client.connect();
    // From here on its bytes are those of a client of the pooler.
    const { stream: socket } = (client as unknown as { connection: { stream: Socket } }).connection;
    socket.removeAllListeners('data');
    sockets.push(socket);
    const server: ServerConnection = { socket, receive: () => {} };
    socket.on(
      'data',
      reader((type, message) => server.receive(type, message)),
    );
    return server;
  };

  const serve = (client: Socket): void => {
    /** How many ReadyForQuery the server has yet to send. */
    let unanswered = 0;
    let server: ServerConnection | undefined;
    let taking: Promise<void> | undefined;
    const waiting: Buffer[] = [];
    const take = async (): Promise<void> => {
      server = idle.pop() ?? (await connect());
      server.receive = (type, message) => {
        client.write(message);
        if (type !== READY) return;
        unanswered--;
        const isIdle = unanswered === 0 && message.toString('latin1', 5) === 'I';
        if (mode === 'transaction' && isIdle) giveBack();
      };
      for (const message of waiting.splice(0)) server.socket.write(message);
    };
    const giveBack = (): void => {
      if (server !== undefined) idle.push(server);
      server = undefined;
    };
    const receive = reader((type, message) => {
      if (type === TERMINATE) {
        client.end();
        return;
      }
      if (type === QUERY || type === SYNC) unanswered++;
      if (server !== undefined) {
        server.socket.write(message);
        return;
      }
      waiting.push(message);
      taking ??= take().finally(() => (taking = undefined));
    });
    sockets.push(client);
    client.on('error', () => {});
    // Of a session, or of a transaction that the client has left open.
    client.on('close', () => server?.socket.destroy());
    client.once('data', (startup: Buffer) => {
      if (startup.readInt32BE(4) !== PROTOCOL_3) {
        client.end();
        return;
      }
      client.on('data', receive);
      client.write(GREETING);
    });
  };

  const pooler = createServer(serve);
  await new Promise<void>((resolve) => {
    pooler.listen(0, '127.0.0.1', resolve);
  });
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(pooler.address() as AddressInfo).port}`;
  return {
    url: url.href,
    stop() {
      pooler.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Splits bytes into messages: a letter, a length that counts itself, and the rest. */
function reader(onMessage: (type: string, message: Buffer) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const end = rest.length < 5 ? Number.POSITIVE_INFINITY : 1 + rest.readInt32BE(1);
      if (rest.length < end) return;
      const message = rest.subarray(0, end);
      rest = rest.subarray(end);
      onMessage(String.fromCharCode(message[0] ?? 0), message);
    }
  };
}

/** A message of numbers and text. */
function messageOf(type: string, ...parts: readonly (number | string)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : int32(part))),
  );
  return Buffer.concat([Buffer.from(type), int32(4 + body.length), body]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

const TERMINATE = 'X';
const QUERY = 'Q';
const SYNC = 'S';
const READY = 'Z';

/** The client is welcome without a password, has the process id -1, and may send statements. */
const GREETING = Buffer.concat([
  messageOf('R', 0),
  messageOf('S', 'client_encoding\0UTF8\0'),
  messageOf('K', -1, 0),
  messageOf(READY, 'I'),
]);
