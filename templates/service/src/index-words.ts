/** The command `npm run index-words` indexes rows that were written by SQL for `q` searches. */
import { searchedTables } from './collections/searched-tables.ts';
import { loadConfig } from './config.ts';
import { indexWords } from './platform/database/fill-words.ts';
import { openDatabase } from './platform/database/open.ts';
import { errorText } from './platform/log.ts';

try {
  const database = await openDatabase(loadConfig());
  try {
    const count = await indexWords(database, searchedTables);
    console.log(count === 0 ? 'Nothing to index.' : `Indexed ${count} items.`);
  } finally {
    await database.close();
  }
} catch (error) {
  console.error(`Indexing failed. ${errorText(error)}`);
  process.exitCode = 1;
}
