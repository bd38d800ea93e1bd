/** Closes the connections of an HTTP server that is shutting down. */
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two checks. */
const POLL_INTERVAL = 50;

/**
 * Waits until the server is closed. Idle connections are closed at once, and all others when no
 * request is in flight any more. `Server.close()` alone would wait for connections that have sent
 * only part of a request.
 * @param closed resolves when the server is closed.
 * @param inFlight returns the number of requests that are not answered yet.
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
  } while (!(await Promise.race([done, sleep(POLL_INTERVAL, false)])));
}
