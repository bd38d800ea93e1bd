/** Brings the database up to date and ends: for a deployment that migrates before it starts. */
import { loadConfig } from './config.ts';
import { migrate } from './database/migrate.ts';
import { openDatabase } from './database/open.ts';
import { failureText } from './failure.ts';

try {
  const database = await openDatabase(loadConfig());
  try {
    const applied = await migrate(database);
    console.log(applied.length === 0 ? 'Nothing to migrate.' : `Applied ${applied.join(', ')}.`);
  } finally {
    await database.close();
  }
} catch (error) {
  console.error(`The migration failed. ${failureText(error)}`);
  process.exitCode = 1;
}
