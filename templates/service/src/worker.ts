/** The command `npm run worker` runs jobs and serves no HTTP. Any number of workers may run at once. */
import { works } from './collections/works.ts';
import { loadConfig } from './config.ts';
import type { Config } from './config.ts';
import { migrate } from './platform/database/migrate.ts';
import { openDatabase, waitForDatabase } from './platform/database/open.ts';
import { errorText, makeLog } from './platform/log.ts';
import { openQueue } from './platform/jobs/queue.ts';
import { graceOf, startWorker } from './platform/jobs/worker.ts';
import type { Worker } from './platform/jobs/worker.ts';

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
        'only, so with PGlite the service runs the jobs itself.',
    );
  }
  if (config.workers === 0) {
    throw new Error('WORKERS is 0, so this worker would run no jobs. Set it to 1 or more.');
  }
  const log = makeLog(config);
  const database = await openDatabase(config, (err, message) => {
    log.error({ err }, message);
  });

  let worker: Worker | undefined;
  let draining = false;
  const stop = async (signal: string): Promise<void> => {
    if (draining) return;
    draining = true;
    log.info(`${signal}: stopping`);
    setTimeout(() => {
      log.error('jobs could not be returned to the queue within the grace period');
      process.exit(1);
    }, config.shutdownGrace * 1000).unref();
    if (worker === undefined) process.exit(0);
    await worker.stop(graceOf(config));
    await database.close();
    process.exit(0);
  };
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));

  const jobs = await waitForDatabase(
    config,
    async () => {
      if (config.migrate) {
        for (const migration of await migrate(database))
          log.info({ migration }, 'migration applied');
      }
      return openQueue(database);
    },
    (line) => log.warn(line),
  );
  if (draining) return;
  worker = startWorker({ database, jobs, works, log }, config.workers);
  log.info(`running up to ${config.workers} jobs at a time`);
}
