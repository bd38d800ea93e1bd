/**
 * Applies all migrations of a project to an empty PGlite, and compares the schema with that of its
 * definitions from scratch. What is found right is remembered in `node_modules/.cache`, by the hash of
 * all that it depends on: there is nothing to replay until that changes.
 */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';

import { createEmptyPglite } from '../../templates/service/src/platform/database/empty-pglite.ts';
import { realFileSystem as fs } from '../disk/file-system.ts';
import { packageVersion } from '../disk/package.ts';
import { CATALOG_SQL, catalogOf, changedIn, schemaDifferences } from '../migration/catalog.ts';
import type { Catalog, CatalogRow } from '../migration/catalog.ts';
import { inChainOrder } from '../migration/chain.ts';
import type { ChainEntry, MigrationFile } from '../migration/chain.ts';
import { readHeaderLines } from '../migration/header-lines.ts';
import { EXISTING_TABLES, migrationPath, VIEWS_FILE } from '../shared/files.ts';
import { splitStatements } from '../migration/split-statements.ts';
import { recordLines } from '../migration/recorded-definitions.ts';

/** What became of a comparison. */
export type Replay =
  | { readonly kind: 'agrees' }
  | { readonly kind: 'differs'; readonly differences: readonly string[] }
  | {
      readonly kind: 'failed';
      /** A migration, or the views. */
      readonly file: string;
      readonly message: string;
      /** Of a migration: who wrote it, as its text has it. */
      readonly author?: 'team' | 'create-service';
      /** Of a migration: one of another branch that is applied before it. */
      readonly concurrent?: string;
    }
  | { readonly kind: 'skipped'; readonly reason: string };

export interface ReplayRequest {
  /** The project, absolute. */
  readonly folder: string;
  readonly migrations: readonly MigrationFile[];
  /** The SQL of existing tables, and of the views over them; undefined without any. */
  readonly existingTables: string | undefined;
  readonly views: string | undefined;
  /** Stands for the definitions. */
  readonly fingerprint: string;
  /** Gives the first migration of a new project of the same definitions. */
  readonly fresh: () => Promise<string>;
}

/** What is used of PGlite. */
interface Pglite {
  readonly exec: (sql: string) => Promise<unknown>;
  readonly query: (sql: string) => Promise<{ readonly rows: readonly CatalogRow[] }>;
  readonly close: () => Promise<void>;
  readonly dumpDataDir: (compression: 'none') => Promise<Blob>;
}

interface PgliteModule {
  readonly PGlite: {
    readonly create: (options?: { readonly loadDataDir: Blob }) => Promise<Pglite>;
  };
}

/** Compares the schema of the migrations with that of the definitions. */
export async function replayMigrations(request: ReplayRequest): Promise<Replay> {
  const key = keyOf(request);
  if (isKnownGood(request.folder, key)) return { kind: 'agrees' };
  const database = await openPglite(request.folder);
  if (database === undefined) {
    return {
      kind: 'skipped',
      reason: '@electric-sql/pglite is not installed in this project',
    };
  }
  try {
    const replay = await compare(database, request);
    if (replay.kind === 'agrees') remember(request.folder, key);
    return replay;
  } finally {
    await database.close();
  }
}

async function compare(database: Pglite, request: ReplayRequest): Promise<Replay> {
  const { migrations, fresh, existingTables, views } = request;
  const catalog = async (schema = MIGRATED): Promise<Catalog> =>
    catalogOf((await database.query(CATALOG_SQL)).rows, schema);
  if (existingTables !== undefined) {
    try {
      // Lines that begin with a backslash are for psql. A dump changes settings of the session.
      await database.exec(existingTables.replaceAll(/^\\.*$/gm, ''));
      await database.exec('reset all');
    } catch (error) {
      const { message } = error as { message: string };
      return { kind: 'skipped', reason: `PGlite cannot apply ${EXISTING_TABLES}: ${message}` };
    }
  }
  await database.exec(`create schema ${MIGRATED}; set search_path = ${MIGRATED};`);
  const ofTeam = new Set<string>();
  const made: string[] = [];
  const applied: ChainEntry[] = [];
  for (const entry of inChainOrder(migrations)) {
    const { file } = entry;
    // What a migration of the team makes is the team's: no definition asks for it.
    const isOfTeam = recordLines([file]) === '';
    const before = isOfTeam ? await catalog() : undefined;
    try {
      for (const text of stepsOf(file.text)) await database.exec(text);
    } catch (error) {
      const { code = '', message } = error as { code?: string; message: string };
      if (isExhausted(error) || (isOfTeam && UNSUPPORTED.has(code))) {
        return { kind: 'skipped', reason: `PGlite cannot apply ${file.name}: ${message}` };
      }
      const concurrent = applied.findLast((one) => !entry.isAfter(one))?.file.name;
      return {
        ...{ kind: 'failed', file: migrationPath(file.name), message },
        author: isOfTeam ? 'team' : 'create-service',
        ...(concurrent !== undefined && { concurrent: migrationPath(concurrent) }),
      };
    }
    applied.push(entry);
    if (readHeaderLines(file.text).changesViews) {
      try {
        made.push(...(await createViews(database, views)));
      } catch (error) {
        return { kind: 'failed', file: VIEWS_FILE, message: (error as Error).message };
      }
    }
    if (before === undefined) continue;
    const after = await catalog();
    for (const name of changedIn(before, after)) ofTeam.add(after.get(name)?.id ?? name);
  }
  // They are in no first migration, with which this is compared; views of the team may depend on them.
  for (const name of made) await database.exec(`drop view if exists "${name}" cascade`);
  const migrated = await catalog();
  // Beside the other: to drop thousands of tables at once takes more locks than there are.
  await database.exec(`create schema ${DEFINED}; set search_path = ${DEFINED};`);
  try {
    await database.exec(await fresh());
  } catch (error) {
    if (!isExhausted(error)) throw error;
    return { kind: 'skipped', reason: 'the definitions are too many for PGlite' };
  }
  const differences = schemaDifferences(migrated, await catalog(DEFINED), (name, id) =>
    ofTeam.has(id ?? name),
  );
  return differences.length === 0 ? { kind: 'agrees' } : { kind: 'differs', differences };
}

/**
 * Creates the views of existing tables whose names are free: a later migration renames or drops a table.
 * @returns their names.
 */
async function createViews(database: Pglite, text = ''): Promise<string[]> {
  const made: string[] = [];
  const parts = text.split(/^(?=create view "\w+" )/m);
  // The service refuses it, too.
  if ((text.match(/^[ \t]*create[ \t]/gim) ?? []).length !== parts.length - 1) {
    throw new Error('a statement does not begin with: create view "<name>" as');
  }
  for (const sql of parts) {
    const [, name] = /^create view "(\w+)"/.exec(sql) ?? [];
    if (name === undefined) continue;
    try {
      await database.exec(sql);
      made.push(name);
    } catch (error) {
      if ((error as { code?: string }).code !== DUPLICATE_TABLE) throw error;
    }
  }
  return made;
}

/** SQLSTATE: a table or view of that name is there. */
const DUPLICATE_TABLE = '42P07';

/** What is applied at a time: a whole file, or each statement of one with the line `-- no transaction`. */
function stepsOf(text: string): readonly string[] {
  const { kind } = readHeaderLines(text);
  // There are no rows to fill.
  if (kind === 'batch') return [];
  return kind === 'statements' ? splitStatements(text) : [`begin;\n${text}\n;commit;`];
}

/** SQLSTATEs of what a server has and PGlite may not: extensions, and features of other builds. */
const UNSUPPORTED: ReadonlySet<string> = new Set(['0A000', '58P01', '42704', '42883']);

/** Whether PGlite has no room for so much (SQLSTATE class 53). */
const isExhausted = (error: unknown): boolean =>
  (error as { code?: string }).code?.startsWith('53') === true;

/** The schemas of what migrations make, and of the definitions from scratch. */
const MIGRATED = '_migrated';
const DEFINED = '_defined';

/** The PGlite that the project itself runs on. */
async function openPglite(folder: string): Promise<Pglite | undefined> {
  const require = createRequire(path.join(folder, 'package.json'));
  let entry: string;
  try {
    entry = require.resolve('@electric-sql/pglite');
  } catch {
    return undefined;
  }
  const { PGlite } = require(entry) as PgliteModule;
  return createEmptyPglite((options) => PGlite.create(options), entry);
}

/** All that the outcome depends on. */
function keyOf({
  migrations,
  fingerprint,
  existingTables = '',
  views = '',
}: ReplayRequest): string {
  const hash = createHash('sha256').update(
    `${packageVersion()}\n${fingerprint}\n${existingTables.length} ${existingTables}\n${views.length} ${views}`,
  );
  for (const { name, text } of migrations) hash.update(`\n${name} ${text.length} ${text}`);
  return hash.digest('hex');
}

const cacheOf = (folder: string): string =>
  path.join(folder, 'node_modules/.cache/create-service/schema');

function isKnownGood(folder: string, key: string): boolean {
  try {
    return fs.readFileSync(cacheOf(folder), 'utf8') === key;
  } catch {
    return false;
  }
}

/** Where it cannot be remembered, the next run replays again. */
function remember(folder: string, key: string): void {
  const file = cacheOf(folder);
  try {
    if (fs.statSync(path.join(folder, 'node_modules')).isDirectory()) {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, key);
    }
  } catch {
    // A read-only installation, as in an image.
  }
}
