/** Closing the connections of a server that is stopping. */
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';

/** Milliseconds between two looks. */
const PAUSE = 50;

/** Counts the requests that are in flight; gives the count. */
export function countInFlight(app: FastifyInstance): () => number {
  let inFlight = 0;
  app.addHook('onRequest', async (_request, reply) => {
    inFlight++;
    // Also where the client breaks off: then there is no answer.
    reply.raw.once('close', () => inFlight--);
  });
  return () => inFlight;
}

/**
 * Waits until a server is closed. Connections on which nothing happens are closed at once, those
 * with a request as soon as it is answered; half a request does not hold the others up.
 */
export async function closeConnections(
  server: Server,
  closed: PromiseLike<void>,
  inFlight: () => number,
): Promise<void> {
  const done = Promise.resolve(closed).then(() => true);
  do {
    server.closeIdleConnections();
    if (inFlight() === 0) server.closeAllConnections();
  } while (!(await Promise.race([done, sleep(PAUSE, false)])));
}
