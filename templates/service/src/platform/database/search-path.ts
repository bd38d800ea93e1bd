/** `ownSchema`: the schema of PostgreSQL that the service has its own tables in. */
import type { Database, MigratedDatabase, Session } from './database.ts';
import type { DatabaseFeature } from './feature.ts';

export const ownSchema = (schema: string): DatabaseFeature => {
  /** The schemas in which sessions look up tables: that of the service comes first. */
  const searchPath = `"${schema}","$user",public`;
  return {
    connectionString: (databaseUrl) => withSearchPath(databaseUrl, searchPath),
    // PGlite has one session.
    initialize: (database) => setSearchPath(database, searchPath),
    beforeMigrations: (database) => createSchema(database, schema),
    forMigrations: (database) => withinSchema(database, schema, searchPath),
  };
};

/** A connection string whose sessions have the search path. */
function withSearchPath(databaseUrl: string, searchPath: string): string {
  const url = new URL(databaseUrl);
  const options = url.searchParams.get('options') ?? '';
  url.searchParams.set('options', `${options} -c search_path=${searchPath}`.trim());
  return url.href;
}

async function setSearchPath(database: Session, searchPath: string): Promise<void> {
  await database.query({ text: `set search_path = ${searchPath}` });
}

/** Migrations look up tables in the schema of the service alone: `drop table if exists` must not find those of others. */
const withinSchema = (
  database: MigratedDatabase,
  schema: string,
  searchPath: string,
): MigratedDatabase => ({
  ...database,
  session: (work) =>
    database.session(async (session) => {
      await setSearchPath(session, `"${schema}"`);
      try {
        return await work(session);
      } finally {
        await setSearchPath(session, searchPath).catch(() => {});
      }
    }),
});

/** SQLSTATEs: a schema exists, also if another process has just created it. */
const EXISTS = new Set(['42P06', '23505']);

/** Creates the schema, if it is missing. @throws if it has tables of others. */
async function createSchema(database: Database, schema: string): Promise<void> {
  const [found] = await database.query<{ isOwn: boolean }>({
    text: `select to_regclass('"${schema}"._secrets') is not null or not exists (
        select from pg_class where relnamespace = pg_namespace.oid and relname !~ '^_(migrations|migration_progress|processes)'
      ) as "isOwn" from pg_namespace where nspname = '${schema}'`,
  });
  if (found?.isOwn === false) {
    throw new Error(
      `The schema ${schema} has tables of others: write another schema into definitions/service.yaml.`,
    );
  }
  if (found !== undefined) return;
  try {
    await database.query({ text: `create schema "${schema}"` });
  } catch (error) {
    if (!EXISTS.has(String((error as { code?: unknown }).code))) throw error;
  }
}
