/** The command `npm run index-words` indexes rows that were written by SQL for `q` searches. */
import { searched } from './collections/searched.ts';
import { loadConfig } from './config.ts';
import { indexWords } from './platform/database/index-words.ts';
import { openDatabase } from './platform/database/open.ts';
import { errorText } from './platform/log.ts';

try {
  const database = await openDatabase(loadConfig());
  try {
    const count = await indexWords(database, searched);
    console.log(count === 0 ? 'Nothing to index.' : `Indexed ${count} items.`);
  } finally {
    await database.close();
  }
} catch (error) {
  console.error(`Indexing failed. ${errorText(error)}`);
  process.exitCode = 1;
}
