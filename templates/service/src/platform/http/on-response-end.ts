/** `onResponseEnd` runs a callback when a response has ended, also if the connection was lost. */
import type { Socket } from 'node:net';

import type { FastifyReply } from 'fastify';

/** The callbacks of unfinished requests, by socket. */
const pendingBySocket = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls back once, when the response is sent or its connection is closed. The `close` event of the
 * response is not enough: of several pipelined requests, Node emits it only for the first when the
 * connection is lost.
 */
export function onResponseEnd({ request, raw }: FastifyReply, callback: () => void): void {
  const { socket } = request.raw;
  const registered = pendingBySocket.get(socket);
  const pending = registered ?? new Set();
  if (registered === undefined) {
    pendingBySocket.set(socket, pending);
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
