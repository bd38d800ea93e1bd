/** When a request is over, whichever way it ends. */
import type { Socket } from 'node:net';

import type { FastifyReply } from 'fastify';

/** What is to be told of requests that are not over, by the socket that they came on. */
const open = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls back once, when the answer of a request is sent or its connection is gone. Of several
 * requests on one connection only the first hears of its end by itself.
 */
export function onEnd({ request, raw }: FastifyReply, callback: () => void): void {
  const { socket } = request.raw;
  const known = open.get(socket);
  const pending = known ?? new Set();
  if (known === undefined) {
    open.set(socket, pending);
    socket.once('close', () => {
      for (const end of pending) end();
    });
  }
  const end = (): void => {
    if (pending.delete(end)) callback();
  };
  pending.add(end);
  raw.once('close', end);
}
