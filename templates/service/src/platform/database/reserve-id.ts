/** Ids of items that are created later. */
import { newId } from '../http/uuid.ts';
import { constraintError } from './constraints.ts';
import type { Resource } from './constraints.ts';
import type { Database } from './database.ts';

/** A new id for an item: a UUID, or the next number of the sequence. @throws 503 if there is none. */
export async function reserveId(database: Database, resource: Resource): Promise<string> {
  const { table, numericKey } = resource;
  if (numericKey === undefined) return newId();
  const text = `select nextval(pg_get_serial_sequence($1, 'id'))::text as "id"`;
  try {
    const [row] = await database.query<{ id: string | null }>({ text }, [table]);
    if (typeof row?.id !== 'string') throw new Error(`the column "id" of ${table} has no sequence`);
    return row.id;
  } catch (error) {
    throw await constraintError(database, error, resource);
  }
}
