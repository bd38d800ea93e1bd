/** Applies pending migrations and exits, for deployments that set MIGRATE=false. */
import { loadConfig } from './config.ts';
import { migrate } from './platform/database/migrate.ts';
import { openDatabase, PATIENCE, waitForDatabase } from './platform/database/open.ts';
import { errorText } from './platform/log.ts';

try {
  const config = loadConfig();
  const database = await openDatabase(config);
  try {
    const applied = await waitForDatabase(config, () => migrate(database), console.error, PATIENCE);
    console.log(applied.length === 0 ? 'Nothing to migrate.' : `Applied ${applied.join(', ')}.`);
  } finally {
    await database.close();
  }
} catch (error) {
  console.error(`The migration failed. ${errorText(error)}`);
  process.exitCode = 1;
}
