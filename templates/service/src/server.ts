/** Starts the service, and stops it. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';

import { buildApp } from './app.ts';
import { makeFirstAdministrator } from './auth/administrator.ts';
import { loadConfig } from './config.ts';
import type { Config } from './config.ts';
import type { OpenDatabase } from './database/database.ts';
import { migrate } from './database/migrate.ts';
import { openDatabase } from './database/open.ts';
import { closeConnections } from './drain.ts';
import { watchEventLoop } from './event-loop.ts';
import { failureText } from './failure.ts';
import { makeLog } from './log.ts';

/** Milliseconds between the signal and the closing of connections. */
const NOTICE = 250;
/** Milliseconds in which a second signal is still the first: npm hands on what a terminal sent too. */
const ECHO = 1_000;

/** Whether this process is stopping, and since when. */
let stopping: number | undefined;
/** Stops what runs; before anything does there is nothing to finish. */
let stop = async (): Promise<number> => 0;

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (stopping === undefined) {
      stopping = performance.now();
      void stop().then((status) => process.exit(status));
    } else if (performance.now() - stopping > ECHO) {
      process.exit(1);
    }
  });
}

try {
  await start(loadConfig());
} catch (error) {
  console.error(`The service did not start. ${failureText(error)}`);
  process.exit(1);
}

async function start(config: Config): Promise<void> {
  const log = makeLog(config);
  const database = await openDatabase(config, (err, what) => log.warn({ err }, what));
  if (config.migrate) {
    for (const migration of await migrate(database)) log.info({ migration }, 'migration applied');
  }
  await makeFirstAdministrator(database, config);
  const app = await buildApp(config, database, {
    log,
    isDraining: () => stopping !== undefined,
    isLate: watchEventLoop(),
  });
  await app.listen({ host: config.host, port: config.port });
  stop = () => drain(app, database, config.shutdownGrace);
}

/** Finishes what is in flight. @returns the exit status: 1 where the grace period was too short. */
async function drain(app: FastifyInstance, database: OpenDatabase, grace: number): Promise<number> {
  app.log.info('stopping');
  const finish = async (): Promise<number> => {
    // What clients have sent by now is still to be read, and they are to see that we are not ready.
    await sleep(NOTICE);
    await closeConnections(app.server, app.close(), app.inFlight);
    await database.close();
    return 0;
  };
  const end = async (): Promise<number> => {
    await sleep(grace * 1000);
    const cut = app.inFlight();
    if (cut > 0) app.log.error({ requests: cut }, 'requests were still in flight at the end');
    return cut > 0 ? 1 : 0;
  };
  return Promise.race([finish(), end()]);
}
