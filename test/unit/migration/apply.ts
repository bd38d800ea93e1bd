/** Migrations of services, applied by the service's own code. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { nextMigrations } from '../../../src/migration/chain.ts';
import type { MigrationFile } from '../../../src/migration/chain.ts';
import { readHeaderLines } from '../../../src/migration/header-lines.ts';
import { createViews } from '../../../src/migration/existing-tables.ts';
import { planMigration } from '../../../src/migration/index.ts';
import { isExisting } from '../../../src/model/existing.ts';
import type { Model } from '../../../src/model/types.ts';
import type { MigratedDatabase } from '../../../templates/service/src/platform/database/database.ts';
import { fillWords } from '../../../templates/service/src/platform/database/fill-words.ts';
import { applyMigrations } from '../../../templates/service/src/platform/database/apply-migrations.ts';
import {
  inOrder,
  readMigrations,
} from '../../../templates/service/src/platform/database/migrations.ts';
import type { Case } from './cases.ts';
import { catalogOf, initialSql, modelOf } from './support.ts';

/** What one case came to. */
export interface Outcome {
  readonly losses: readonly string[];
  readonly issues: readonly string[];
  /** The catalog of the migrated database, and that of a new one. */
  readonly migrated: readonly string[];
  readonly fresh: readonly string[];
  /** The rows of the case's query, as JSON. */
  readonly kept: readonly string[];
  /** Why the migration was refused. */
  readonly refused: string | undefined;
  /** Whether a second migration would do anything. */
  readonly isDone: boolean;
}

/**
 * Applies a case in schemas of its own.
 * @param views whether those of existing tables are there before: a new database has none until all migrations are done.
 */
export async function play(database: MigratedDatabase, one: Case, views = true): Promise<Outcome> {
  const before = await modelOf(one.before, one.versions?.[0]);
  const now = await modelOf(one.now, one.versions?.[1]);
  const migration = planMigration(before, now);
  const first = { name: '0001_initial', text: await initialSql(before) };
  if (one.existing !== undefined) {
    const others = 'drop schema if exists others cascade; create schema others';
    await database.query({ text: `${others}; ${one.existing}` });
  }
  await inSchema(database, 'migrated');
  await apply(database, [first]);
  if (views) await makeViews(database, before);
  if (one.rows !== undefined) await database.query({ text: one.rows });
  const unchanged = await catalogOf(database);
  // No value depends on the time zone that the database is in.
  await database.query({ text: `set timezone = 'Asia/Kolkata'` });
  let refused: string | undefined;
  try {
    await applyTwice(database, [first, ...nextMigrations([first], migration)]);
  } catch (error) {
    refused = (error as Error).message;
  }
  await database.query({ text: `set timezone = 'UTC'` });
  if (refused === undefined) await makeViews(database, now);
  const migrated = await catalogOf(database);
  const kept = refused === undefined && one.kept ? await rowsOf(database, one.kept[0]) : [];
  return {
    losses: (migration?.losses ?? []).map(({ what }) => what),
    issues: (migration?.issues ?? []).map(({ message }) => message),
    migrated,
    fresh: refused === undefined ? await freshCatalog(database, now) : unchanged,
    kept,
    refused,
    isDone: planMigration(now, now) === undefined,
  };
}

/** Applies files one after the other; those that run outside of a transaction twice, as after kill -9 at their end. */
async function applyTwice(
  database: MigratedDatabase,
  files: readonly MigrationFile[],
): Promise<void> {
  for (const [at, { name, text }] of files.entries()) {
    await apply(database, files.slice(0, at + 1));
    if (readHeaderLines(text).kind === 'transaction') continue;
    await database.query({ text: 'delete from "_migrations" where "name" = $1' }, [name]);
    await apply(database, files.slice(0, at + 1));
  }
}

/** The catalog of a new database of a model. */
export async function freshCatalog(database: MigratedDatabase, model: Model): Promise<string[]> {
  await inSchema(database, 'fresh');
  await apply(database, [{ name: '0001_initial', text: await initialSql(model) }]);
  await makeViews(database, model);
  return catalogOf(database);
}

/** Makes the views of existing tables, as `views.ts` of a service does. */
async function makeViews(database: MigratedDatabase, model: Model): Promise<void> {
  const drops = model.collections
    .filter(isExisting)
    .map(({ table }) => `drop view if exists "${table.name}";`);
  await database.query({ text: [...drops, ...createViews(model)].join('\n') });
}

/** An empty schema, which all that follows is about: a run of migrations closes its connection. */
export async function inSchema(database: MigratedDatabase, name: string): Promise<void> {
  await database.query({
    text: `drop schema if exists ${name} cascade; create schema ${name};
      do $$ begin execute format('alter database %I set search_path = ${name}', current_database()); end $$;
      set search_path = ${name}; set timezone = 'UTC'`,
  });
}

/** Applies the files that are missing, as a service does at its start. */
export async function apply(
  database: MigratedDatabase,
  files: readonly MigrationFile[],
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  try {
    for (const { name, text } of files) await writeFile(join(folder, `${name}.sql`), text);
    const migrations = await readMigrations(pathToFileURL(`${folder}/`));
    await applyMigrations(database, inOrder(migrations), { fillWords });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The rows of a query, each the JSON of its values. */
async function rowsOf(database: MigratedDatabase, query: string): Promise<string[]> {
  const rows = await database.query<{ row: unknown[] }>({
    text: `select (select jsonb_agg("value"::jsonb order by "place") from json_each("it"."row")
      with ordinality as "values" ("key", "value", "place")) as "row"
      from (select row_to_json("all") as "row" from (${query}) as "all") as "it"`,
  });
  return rows.map(({ row }) => JSON.stringify(row));
}
