/** Closing the connections of a server that is stopping. */
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two looks. */
const PAUSE = 50;

/**
 * Waits until a server is closed. Connections on which nothing happens are closed at once, those
 * with a request as soon as it is answered; half a request does not hold the others up.
 * @param inFlight how many requests are not answered yet.
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
