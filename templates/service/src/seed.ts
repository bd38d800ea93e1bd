/**
 * The command `npm run seed` creates the items of `seeds/<collection>.yaml` that are not there yet. It is
 * refused with NODE_ENV=production unless it gets `--force`, because seeds have known passwords.
 */
import { seeded } from './collections/seeded.ts';
import { loadConfig } from './config.ts';
import { migrateForCommand } from './platform/database/migrate.ts';
import { openDatabase, PATIENCE, waitForDatabase } from './platform/database/open.ts';
import { errorText } from './platform/log.ts';
import { loadSeeds } from './platform/seeds/load-seeds.ts';
import { readSeeds } from './platform/seeds/read-seeds.ts';
import { InvalidSeeds } from './platform/seeds/seed.ts';

const FOLDER = 'seeds';

try {
  const options = process.argv.slice(2);
  // Some package managers pass on the `--` before options.
  const unknown = options.find((option) => !['--', '--force'].includes(option));
  if (unknown !== undefined) {
    throw new Error(`There is no option ${unknown}: the only one is --force.`);
  }
  const config = loadConfig();
  if (config.production && !options.includes('--force')) {
    throw new Error(
      'NODE_ENV is production, and seeds are made for development: their passwords stand in files. ' +
        'Add --force to load them all the same: npm run seed -- --force',
    );
  }
  const seeds = await readSeeds(FOLDER, Object.keys(seeded));
  if (seeds.length === 0) {
    throw new Error(
      `There are no seeds: write a file such as ${FOLDER}/${Object.keys(seeded)[1]}.yaml.`,
    );
  }
  const database = await openDatabase(config);
  try {
    const counts = await waitForDatabase(
      config,
      async () => {
        await migrateForCommand(database, config.migrate);
        return loadSeeds(database, seeds, seeded);
      },
      console.error,
      PATIENCE,
    );
    for (const [collection, { created, present, removed }] of counts) {
      const left = removed === 0 ? '' : `, ${removed} removed before and left out`;
      console.log(`${collection}: ${created} created, ${present} already there${left}`);
    }
  } finally {
    await database.close();
  }
} catch (error) {
  const reason = error instanceof InvalidSeeds ? `\n${error.message}` : ` ${errorText(error)}`;
  console.error(`No seeds were loaded.${reason}`);
  process.exitCode = 1;
}
