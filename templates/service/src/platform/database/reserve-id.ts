/** Ids of items that are created later. */
import { newId } from '../http/uuid.ts';
import { constraintError } from './constraints.ts';
import type { Resource } from './constraints.ts';
import type { Database } from './database.ts';

/** A new id for an item: the next number of the sequence, or a UUID. @throws 503 if there is no number left. */
export async function reserveId(database: Database, resource: Resource): Promise<string> {
  const sequence = resource.id?.sequence;
  if (sequence === undefined) return newId();
  const { table = resource.table, column = 'id' } = sequence;
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
