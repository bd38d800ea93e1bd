/** The command `npm run worker` does the work of features, and serves no HTTP. Any number of workers may run at once. */
import { loadConfig } from './config.ts';
import type { Config } from './config.ts';
import { FEATURES } from './features.ts';
import { graceOf } from './platform/background-worker.ts';
import { loadMigrations, migrateAtStart } from './platform/database/migrate.ts';
import { openDatabase, waitForDatabase } from './platform/database/open.ts';
import { makeHeartbeat } from './platform/database/processes.ts';
import type { BackgroundWorker } from './platform/feature.ts';
import { errorText, makeLog } from './platform/log.ts';

try {
  await start(loadConfig());
} catch (error) {
  console.error(`The worker did not start. ${errorText(error)}`);
  process.exit(1);
}

async function start(config: Config): Promise<void> {
  if (config.databaseUrl === undefined) {
    throw new Error(
      'A separate worker needs PostgreSQL: set DATABASE_URL. PGlite can be opened by one process ' +
        'only, so with PGlite the service does the work itself.',
    );
  }
  if (config.workers === 0) {
    throw new Error('WORKERS is 0, so this worker would do nothing. Set it to 1 or more.');
  }
  const log = makeLog(config);
  const database = await openDatabase(config, (err, message) => {
    log.error({ err }, message);
  });
  const heartbeat = makeHeartbeat(database, await loadMigrations(), (err, message) => {
    log.warn({ err }, message);
  });

  const workers: BackgroundWorker[] = [];
  let draining = false;
  const stop = async (signal: string): Promise<void> => {
    if (draining) return;
    draining = true;
    log.info(`${signal}: stopping`);
    setTimeout(() => {
      log.error('what was unfinished could not be given back within the grace period');
      process.exit(1);
    }, config.shutdownGrace * 1000).unref();
    if (workers.length === 0) process.exit(0);
    await Promise.all(workers.map((worker) => worker.stop(graceOf(config))));
    await heartbeat.stop();
    await database.close();
    process.exit(0);
  };
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));

  const prepared = await waitForDatabase(
    config,
    async () => {
      await migrateAtStart(database, config.migrate, heartbeat, log);
      const ready: (() => BackgroundWorker)[] = [];
      for (const { prepareWork } of FEATURES) {
        const begin = await prepareWork?.(database, config, log);
        if (begin !== undefined) ready.push(begin);
      }
      return ready;
    },
    (line) => log.warn(line),
  );
  if (draining) return;
  for (const begin of prepared) workers.push(begin());
}
