/** The command `npm run index-words` indexes rows that were written by SQL for `q` searches. */
import { loadConfig } from './config.ts';
import { indexWords } from './database/index-words.ts';
import { openDatabase } from './database/open.ts';
import { errorText } from './error-text.ts';

try {
  const database = await openDatabase(loadConfig());
  try {
    const count = await indexWords(database);
    console.log(count === 0 ? 'Nothing to index.' : `Indexed ${count} items.`);
  } finally {
    await database.close();
  }
} catch (error) {
  console.error(`Indexing failed. ${errorText(error)}`);
  process.exitCode = 1;
}
