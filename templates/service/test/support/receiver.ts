/** A receiver of webhooks: an HTTP server that records what it gets. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the receiver got. */
export interface ReceivedRequest {
  readonly headers: Record<string, string>;
  /** The body as it was sent. */
  readonly text: string;
  readonly event: { id: string; type: string; timestamp: string; data: unknown };
}

/** How the receiver answers. */
export interface ReceiverReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: ReceivedRequest[];
  /** Answers the requests that come; 204 by default. */
  answer: (request: ReceivedRequest) => ReceiverReply | Promise<ReceiverReply>;
  stop(): Promise<void>;
}

/** Starts a receiver. @param port that of a receiver that was stopped; absent: a free one. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void (async () => {
        const text = Buffer.concat(chunks).toString();
        const headers = request.headers as Record<string, string>;
        const got = { headers, text, event: JSON.parse(text) as ReceivedRequest['event'] };
        received.push(got);
        const { status, headers: answered = {}, body } = await receiver.answer(got);
        response.writeHead(status, answered).end(body);
      })();
    });
  });
  await new Promise<void>((listening) => void server.listen(port, '127.0.0.1', listening));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    received,
    answer: () => ({ status: 204 }),
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => void server.close(closed));
    },
  };
  return receiver;
}
