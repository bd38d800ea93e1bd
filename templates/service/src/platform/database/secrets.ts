/** Secrets that every process of the service shares, made by the first migration. */
import type { Database } from './database.ts';

/** SQLSTATE: a table is not there. */
const UNDEFINED_TABLE = '42P01';

/** Reads a secret. @throws where the migrations have not run. */
export async function readSecret(database: Database, name: string): Promise<string> {
  const statement = { text: 'select "value" from "_secrets" where "name" = $1' };
  try {
    const [row] = await database.query<{ value: string }>(statement, [name]);
    if (row !== undefined) return row.value;
  } catch (error) {
    if ((error as { code?: string }).code !== UNDEFINED_TABLE) throw error;
    throw new Error('The database has no schema yet: run `npm run migrate`.', { cause: error });
  }
  throw new Error(`The database holds no secret called ${name}.`);
}
