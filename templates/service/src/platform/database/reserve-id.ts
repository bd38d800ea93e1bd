/** Ids of items that are created later. */
import { newId } from '../http/uuid.ts';
import type { Resource } from './constraints.ts';
import type { Database } from './database.ts';

/** A new id for an item: a UUID, or the next number of the sequence. It is never handed out again. */
export async function reserveId(
  database: Database,
  { table, numericKey }: Pick<Resource, 'table' | 'numericKey'>,
): Promise<string> {
  if (numericKey === undefined) return newId();
  const text = `select nextval(pg_get_serial_sequence($1, 'id'))::text as "id"`;
  const [row] = await database.query<{ id: string }>({ text }, [table]);
  if (row === undefined) throw new Error(`${table} has no sequence`);
  return row.id;
}
