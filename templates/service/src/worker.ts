/** A process that runs jobs and answers no requests: `npm run worker`. Several may run at once. */
import { loadConfig } from './config.ts';
import type { Config } from './config.ts';
import { migrate } from './database/migrate.ts';
import { openDatabase } from './database/open.ts';
import { failureText } from './failure.ts';
import { openQueue } from './jobs/queue.ts';
import { graceOf, startWorker } from './jobs/worker.ts';
import { makeLog } from './log.ts';

try {
  await start(loadConfig());
} catch (error) {
  console.error(`The worker did not start. ${failureText(error)}`);
  process.exit(1);
}

async function start(config: Config): Promise<void> {
  if (config.databaseUrl === undefined) {
    throw new Error(
      'PGlite is for one process, and the service runs the jobs itself there: a worker of its own ' +
        'needs a PostgreSQL in DATABASE_URL.',
    );
  }
  if (config.workers === 0) throw new Error('WORKERS is 0: it would run no job.');
  const log = makeLog(config);
  const database = await openDatabase(config, (err, what) => log.warn({ err }, what));
  if (config.migrate) {
    for (const migration of await migrate(database)) log.info({ migration }, 'migration applied');
  }
  const jobs = await openQueue(database);
  const worker = startWorker({ database, jobs, log }, config.workers);
  log.info(`running up to ${config.workers} jobs at a time`);

  let draining = false;
  const stop = async (signal: string): Promise<void> => {
    if (draining) return;
    draining = true;
    log.info(`${signal}: stopping`);
    setTimeout(() => {
      log.error('jobs could not be given back within the grace period');
      process.exit(1);
    }, config.shutdownGrace * 1000).unref();
    await worker.stop(graceOf(config));
    await database.close();
    process.exit(0);
  };
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));
}
