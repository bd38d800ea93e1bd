/** Applies pending migrations and exits, for deployments that set MIGRATE=false. */
import { loadConfig } from './config.ts';
import { migrate } from './database/migrate.ts';
import { openDatabase } from './database/open.ts';
import { PATIENCE, waitForDatabase } from './database/wait.ts';
import { errorText } from './error-text.ts';

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
