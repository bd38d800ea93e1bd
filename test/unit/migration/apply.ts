/** Migrations of services, applied by the service's own code. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { nextMigration } from '../../../src/migration/chain.ts';
import type { MigrationFile } from '../../../src/migration/chain.ts';
import { planMigration } from '../../../src/migration/index.ts';
import type { Migration } from '../../../src/migration/index.ts';
import type { Model } from '../../../src/model/types.ts';
import type { Database } from '../../../templates/service/src/database/database.ts';
import { applyMigrations } from '../../../templates/service/src/database/apply-migrations.ts';
import { inOrder, readMigrations } from '../../../templates/service/src/database/migrations.ts';
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

/** Applies a case in schemas of its own. */
export async function play(database: Database, one: Case): Promise<Outcome> {
  const before = await modelOf(one.before, one.versions?.[0]);
  const now = await modelOf(one.now, one.versions?.[1]);
  const migration = planMigration(before, now);
  const first = { name: '0001_initial', text: await initialSql(before) };
  await inSchema(database, 'migrated');
  await apply(database, [first]);
  if (one.rows !== undefined) await database.query({ text: one.rows });
  const unchanged = await catalogOf(database);
  let refused: string | undefined;
  try {
    await apply(database, [first, ...next(first, migration)]);
  } catch (error) {
    refused = (error as Error).message;
  }
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

const next = (first: MigrationFile, migration: Migration | undefined): MigrationFile[] => {
  const file = nextMigration([first], migration);
  return file === undefined ? [] : [file];
};

/** The catalog of a new database of a model. */
export async function freshCatalog(database: Database, model: Model): Promise<string[]> {
  await inSchema(database, 'fresh');
  await apply(database, [{ name: '0001_initial', text: await initialSql(model) }]);
  return catalogOf(database);
}

/** An empty schema, which all that follows is about. */
export async function inSchema(database: Database, name: string): Promise<void> {
  await database.query({
    text: `drop schema if exists ${name} cascade; create schema ${name};
      set search_path = ${name}; set timezone = 'UTC'`,
  });
}

/** Applies the files that are missing, as a service does at its start. */
export async function apply(database: Database, files: readonly MigrationFile[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  try {
    for (const { name, text } of files) await writeFile(join(folder, `${name}.sql`), text);
    const migrations = await readMigrations(pathToFileURL(`${folder}/`));
    await applyMigrations(database, inOrder(migrations));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The rows of a query, each the JSON of its values. */
async function rowsOf(database: Database, query: string): Promise<string[]> {
  const rows = await database.query<{ row: unknown[] }>({
    text: `select (select jsonb_agg("value"::jsonb order by "place") from json_each("it"."row")
      with ordinality as "values" ("key", "value", "place")) as "row"
      from (select row_to_json("all") as "row" from (${query}) as "all") as "it"`,
  });
  return rows.map(({ row }) => JSON.stringify(row));
}
