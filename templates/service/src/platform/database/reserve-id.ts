/** Ids of items that are created later. */
import { constraintError } from './constraints.ts';
import type { Resource } from './constraints.ts';
import type { Database } from './database.ts';

/** The next number of the sequence that assigns ids. @throws 503 if there is none left. */
export async function reserveId(database: Database, resource: Resource): Promise<string> {
  const { table = resource.table, column = 'id' } = resource.id?.sequence ?? {};
  const text = 'select nextval(pg_get_serial_sequence($1, $2))::text as "id"';
  try {
    const [row] = await database.query<{ id: string | null }>({ text }, [table, column]);
    if (typeof row?.id !== 'string') {
      throw new Error(`the column "${column}" of ${table} has no sequence of its own`);
    }
    return row.id;
  } catch (error) {
    throw await constraintError(database, error, resource);
  }
}
