/** The schema of PostgreSQL that the service has its own tables in. */
import type { Database, MigratedDatabase } from './database.ts';

/** The schemas in which sessions look up tables: that of the service comes first. */
const SEARCH_PATH = '"service","$user",public';

/** A connection string whose sessions have the search path. */
export function withSearchPath(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  const options = url.searchParams.get('options') ?? '';
  url.searchParams.set('options', `${options} -c search_path=${SEARCH_PATH}`.trim());
  return url.href;
}

/** Sets the search path of PGlite, which has one session. */
export async function setSearchPath(database: Database): Promise<void> {
  await database.query({ text: `set search_path = ${SEARCH_PATH}` });
}

/** Migrations look up tables in the schema of the service alone: `drop table if exists` must not find those of others. */
export const withinSchema = (database: MigratedDatabase): MigratedDatabase => ({
  ...database,
  session: (work) =>
    database.session(async (session) => {
      await session.query({ text: 'set search_path = "service"' });
      try {
        return await work(session);
      } finally {
        await session.query({ text: `set search_path = ${SEARCH_PATH}` }).catch(() => {});
      }
    }),
});

/** SQLSTATEs: a schema exists, also if another process has just created it. */
const EXISTS = new Set(['42P06', '23505']);

/** Creates the schema, if it is missing. @throws if it has tables of others. */
export async function createSchema(database: Database): Promise<void> {
  const [found] = await database.query<{ isOwn: boolean }>({
    text: `select to_regclass('"service"._secrets') is not null or not exists (
        select from pg_class where relnamespace = pg_namespace.oid and relname !~ '^_(migrations|migration_progress|processes)'
      ) as "isOwn" from pg_namespace where nspname = 'service'`,
  });
  if (found?.isOwn === false) {
    throw new Error(
      'The schema service has tables of others: write another schema into definitions/service.yaml.',
    );
  }
  if (found !== undefined) return;
  try {
    await database.query({ text: 'create schema "service"' });
  } catch (error) {
    if (!EXISTS.has(String((error as { code?: unknown }).code))) throw error;
  }
}
