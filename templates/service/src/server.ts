/** The entry point: starts the service, and shuts it down gracefully on SIGTERM or SIGINT. */
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';

import { buildClosedApp } from './app.ts';
import { loadConfig } from './config.ts';
import type { Config } from './config.ts';
import { makeFirstAdministrator } from './platform/auth/administrator.ts';
import type { OpenDatabase } from './platform/database/database.ts';
import { loadMigrations, migrateAtStart } from './platform/database/migrate.ts';
import { openDatabase, waitForDatabase } from './platform/database/open.ts';
import { makeHeartbeat } from './platform/database/processes.ts';
import type { Heartbeat } from './platform/database/processes.ts';
import { watchEventLoop } from './platform/http/limits.ts';
import { errorText, makeLog } from './platform/log.ts';
import { makeDocumentsEarly } from './platform/openapi/documents.ts';

/** Milliseconds before connections are closed, in which requests that are already in the socket buffers are read. */
const READ_TIME = 250;
/** Milliseconds in which requests are still answered (503) after the database has broken. */
const BREAK_TIME = 1_000;
/** Milliseconds of the grace period that are reserved for closing connections and the database. */
const CLOSE_TIME = 500;
/** Milliseconds between two checks of whether connections can be closed. */
const POLL_INTERVAL = 50;
/**
 * Milliseconds in which a second signal counts as a duplicate: on Ctrl-C, a process gets SIGINT from
 * the terminal, and again from the package manager that started it.
 */
const DUPLICATE_SIGNAL_WINDOW = 1_000;

/** When the first signal arrived; undefined while the process is not stopping. */
let stoppingSince: number | undefined;
/** Shuts down and returns the exit status. `start` replaces it once the server listens. */
let stop = async (): Promise<number> => 0;

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (stoppingSince === undefined) {
      stoppingSince = performance.now();
      void stop().then((status) => process.exit(status));
    } else if (performance.now() - stoppingSince > DUPLICATE_SIGNAL_WINDOW) {
      process.exit(1);
    }
  });
}

try {
  await start(loadConfig());
} catch (error) {
  // When a signal interrupts the start, `stop` ends the process.
  if (stoppingSince === undefined) {
    const isTaken = (error as { code?: unknown }).code === 'EADDRINUSE';
    const advice = isTaken ? '. Stop the process that listens there, or set PORT.' : '';
    console.error(`The service did not start. ${errorText(error)}${advice}`);
    process.exit(1);
  }
}

/**
 * Listens before the database is available, so that health probes are answered; all other requests
 * get 503 until the database is migrated.
 */
async function start(config: Config): Promise<void> {
  const log = makeLog(config);
  const database = await openDatabase(config, (err, message) => {
    log.error({ err }, message);
  });
  database.broken?.addEventListener('abort', () => {
    const err: unknown = database.broken?.reason;
    log.fatal({ err }, 'the database is broken for this process: start it again');
    setTimeout(() => process.exit(1), BREAK_TIME);
  });
  const heartbeat = makeHeartbeat(database, await loadMigrations(), (err, message) => {
    log.warn({ err }, message);
  });
  const app = await buildClosedApp(config, database, {
    log,
    isDraining: () => stoppingSince !== undefined,
    isOverloaded: watchEventLoop(),
  });
  await app.listen({
    host: config.host,
    port: config.port,
    listenTextResolver: (address) => `listening at ${address}, documentation at ${address}/docs`,
  });
  const close = async (): Promise<void> => {
    await heartbeat.stop();
    await database.close();
  };
  stop = () => drain(app, close, config);
  await Promise.all([
    makeDocumentsEarly(app),
    waitForDatabase(
      config,
      () => open(app, database, config, heartbeat),
      (line) => log.warn(line),
    ),
  ]);
}

async function open(
  app: FastifyInstance,
  database: OpenDatabase,
  config: Config,
  heartbeat: Heartbeat,
): Promise<void> {
  await migrateAtStart(database, config.migrate, heartbeat, app.log);
  await makeFirstAdministrator(database, config.administrator);
  if (stoppingSince === undefined) await app.open();
}

/**
 * Serves for `shutdownDelay` seconds more, while `/health/ready` answers 503: a balancer sends requests
 * until its probe has failed. Then waits for requests in flight, and closes the connections and the
 * database. Near the end of the grace period, requests whose body has not fully arrived are dropped.
 * @returns the exit status: 1 if a fully received request was not answered in time, else 0.
 */
async function drain(
  app: FastifyInstance,
  closeDatabase: () => Promise<void>,
  { shutdownDelay, shutdownGrace: grace }: Config,
): Promise<number> {
  app.log.info({ delay: shutdownDelay, grace }, 'stopping');
  await sleep(shutdownDelay * 1000);
  const deadline = performance.now() + grace * 1000;
  const unfinished = (): number => app.inFlight() - app.arriving();
  const finish = async (): Promise<number> => {
    await sleep(READ_TIME);
    await closeConnections(app.server, app.close(), () =>
      performance.now() < deadline - CLOSE_TIME ? app.inFlight() : unfinished(),
    );
    await closeDatabase();
    return 0;
  };
  const timeOut = async (): Promise<number> => {
    await sleep(grace * 1000);
    const requests = unfinished();
    if (requests === 0) return 0;
    app.log.error({ requests }, 'requests were still in flight when the grace period ended');
    return 1;
  };
  return Promise.race([finish(), timeOut()]);
}

/**
 * Waits until the server is closed. Idle connections are closed at once, and all others when no
 * request is in flight any more. `Server.close()` alone would wait for connections that have sent
 * only part of a request.
 * @param closed resolves when the server is closed.
 * @param inFlight returns the number of requests that are not answered yet.
 */
async function closeConnections(
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
