/** Triggers that refuse changes, as a migration by hand may add them. */
import type { Database } from '../../src/platform/database/database.ts';

/** The message of the trigger, which must not reach clients. */
export const RULE_WORDS = 'the words of the database';

/**
 * Runs work while a trigger refuses all changes of a table.
 * @param table the quoted table.
 * @param code the SQLSTATE that the trigger raises; null: it raises none, and nothing is stored.
 */
export async function withRule(
  database: Database,
  table: string,
  code: string | null,
  work: () => Promise<void>,
): Promise<void> {
  await addRule(database, table, code);
  try {
    await work();
  } finally {
    await dropRule(database);
  }
}

/** Adds the trigger. */
export async function addRule(
  database: Database,
  table: string,
  code: string | null,
): Promise<void> {
  const refusal =
    code === null ? 'return null' : `raise exception '${RULE_WORDS}' using errcode = '${code}'`;
  await database.query({
    text: `create function "_refuse"() returns trigger language plpgsql as $$
      begin ${refusal}; end $$;
      create trigger "_refuse" before insert or update or delete on ${table}
        for each row execute function "_refuse"()`,
  });
}

/** Removes the trigger. */
export async function dropRule(database: Database): Promise<void> {
  await database.query({ text: 'drop function if exists "_refuse"() cascade' });
}
