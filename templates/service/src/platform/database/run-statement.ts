/** Runs one statement on a connection, with a name if it is to stay prepared. */
import { createHash, randomUUID } from 'node:crypto';

import type { ClientBase } from 'pg';

import type { Statement } from './database.ts';
import { isOutdated } from './unavailable.ts';

/** The names of the prepared statements, by text. */
const names = new Map<string, string>();

/** Runs a statement on a connection and returns its rows. */
export async function runStatement(
  client: ClientBase,
  { text, prepared, timeout }: Statement,
  values: readonly unknown[] = [],
): Promise<object[]> {
  const name = prepared === true ? nameOf(text) : undefined;
  try {
    const { rows } = await client.query<object>({
      text,
      values: [...values],
      ...(name !== undefined && { name }),
      ...(timeout !== undefined && { query_timeout: timeout }),
    });
    return rows;
  } catch (error) {
    // `pg` goes on to use what it has prepared once. Another name makes it prepare the text anew.
    if (isOutdated(error) && names.get(text) === name) names.set(text, randomUUID());
    throw error;
  }
}

/** A digest: behind a connection pooler, one name must mean the same statement in all processes. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64');
    names.set(text, name);
  }
  return name;
}
