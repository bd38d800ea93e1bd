/** Starts the service, and stops it. */
import { setTimeout as sleep } from 'node:timers/promises';

import { buildApp } from './app.ts';
import { makeFirstAdministrator } from './auth/administrator.ts';
import { loadConfig } from './config.ts';
import type { Config } from './config.ts';
import { migrate } from './database/migrate.ts';
import { openDatabase } from './database/open.ts';
import { closeConnections, countInFlight } from './drain.ts';
import { failureText } from './failure.ts';

/** Milliseconds between the signal and the closing of connections. */
const NOTICE = 250;

try {
  await start(loadConfig());
} catch (error) {
  console.error(`The service did not start. ${failureText(error)}`);
  process.exit(1);
}

async function start(config: Config): Promise<void> {
  const database = await openDatabase(config);
  if (config.migrate) {
    for (const name of await migrate(database)) console.error(`Applied migration ${name}.`);
  }
  await makeFirstAdministrator(database, config);
  let draining = false;
  const app = await buildApp(config, database, () => draining);
  const inFlight = countInFlight(app);
  await app.listen({ host: config.host, port: config.port });

  const stop = async (signal: string): Promise<void> => {
    if (draining) return;
    draining = true;
    app.log.info(`${signal}: stopping`);
    setTimeout(() => {
      app.log.error('requests were still in flight when the grace period ended');
      process.exit(1);
    }, config.shutdownGrace * 1000).unref();
    // What clients have sent by now is still to be read, and they are to see that we are not ready.
    await sleep(NOTICE);
    const closed = app.close();
    await closeConnections(app.server, closed, inFlight);
    await database.close();
    process.exit(0);
  };
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));
}
