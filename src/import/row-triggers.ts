/** Triggers that may set columns of rows. */
import type { DatabaseTable } from '../database/database-schema.ts';

/** The names of the triggers that run for each row before it is inserted or updated. */
export const rowTriggers = (
  { triggers }: DatabaseTable,
  event: 'INSERT' | 'UPDATE',
): readonly string[] =>
  triggers
    .filter(({ sql }) => {
      // As `pg_get_triggerdef` writes it: CREATE TRIGGER name BEFORE INSERT OR UPDATE ON table FOR EACH ROW …
      const [, events = ''] = sql.split(' BEFORE ');
      return events.split(' ON ')[0]?.includes(event) === true && sql.includes(' FOR EACH ROW ');
    })
    .map(({ name }) => name);
