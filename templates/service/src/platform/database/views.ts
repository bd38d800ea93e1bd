/** Creates the views of views.sql, and recreates them when their text changes. A hash in the comment of a view tells its text. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { inTransaction, LOCK, untilUnlocked } from './apply-migrations.ts';
import type { MigrationOptions } from './apply-migrations.ts';
import type { MigratedDatabase, Session } from './database.ts';
import type { RepeatableMigration } from './feature.ts';
import { readApplied } from './migration-records.ts';
import type { Migration } from './migrations.ts';

/** The name of the file, in the log and in what `migrate` reports. */
const FILE_NAME = 'views.sql';
const FILE = new URL(`../../../${FILE_NAME}`, import.meta.url);
/** Milliseconds for which it is tried again while a view is locked. */
const PATIENCE = 5 * 60 * 1000;
const TABLES_ADVICE =
  ' The tables have to fit the definitions: comments of the migrations have the SQL for what is missing. On PGlite, delete its folder, and the tables are created anew.';
/** What to do, by SQLSTATE: something depends on the view; a column, a table, or a type does not exist. */
const ADVICE: Readonly<Record<string, string>> = {
  '2BP01': ' Drop what depends on it, and create that again afterwards.',
  '42703': TABLES_ADVICE,
  '42P01': TABLES_ADVICE,
  '42704': TABLES_ADVICE,
};

interface View {
  readonly name: string;
  readonly sql: string;
  /** The line of the file that it begins with. */
  readonly line: number;
  /** The comment that the view gets, with a hash of its text. */
  readonly comment: string;
}

/** A view or a table of the schema. */
interface Relation {
  readonly name: string;
  readonly isView: boolean;
  readonly comment: string | null;
  /** Statements that grant the same again. */
  readonly grants: string;
}

/** A view that has another text than the file, or is missing. */
interface OutdatedView {
  readonly view: View;
  /** What has its name now. */
  readonly former: Relation | undefined;
}

/** Recreates the views whose text has changed, in the transaction of a migration (`-- views`). */
export async function recreateViewsInMigration(session: Session, isLast: boolean): Promise<void> {
  const outdated = (await findOutdated(session)).filter(
    // A later migration renames or drops the table that has the name.
    ({ former }) => isLast || former?.isView !== false,
  );
  for (const one of outdated) await recreateView(session, one);
}

/**
 * Creates the views that are missing, and recreates those whose text has changed, unless a newer version has migrated.
 * @returns whether it did anything.
 */
async function updateViews(
  database: MigratedDatabase,
  migrations: readonly Migration[],
  options: MigrationOptions,
): Promise<boolean> {
  if ((await findViewsToUpdate(database, migrations)).length === 0) return false;
  return database.session((session) =>
    untilUnlocked(session, FILE_NAME, PATIENCE, options, (lockTimeout) =>
      inTransaction(session, async () => {
        await session.query({ text: `set local lock_timeout = ${lockTimeout}` });
        await session.query({ text: 'select pg_advisory_xact_lock($1)' }, [LOCK]);
        // Another process may have done it meanwhile.
        const outdated = await findViewsToUpdate(session, migrations);
        for (const one of outdated) await recreateView(session, one);
        return outdated.length > 0;
      }),
    ),
  );
}

/** Whether `updateViews` would do anything. */
const hasOutdatedViews = async (
  database: Session,
  migrations: readonly Migration[],
): Promise<boolean> => (await findViewsToUpdate(database, migrations)).length > 0;

/** The views, which are recreated whenever their text in the file has changed. */
export const VIEWS: RepeatableMigration = {
  name: FILE_NAME,
  locks: ['ACCESS EXCLUSIVE on the changed views: reads and writes wait'],
  isPartOf: ({ changesViews }) => changesViews,
  isOutdated: hasOutdatedViews,
  update: updateViews,
};

async function findViewsToUpdate(
  session: Session,
  migrations: readonly Migration[],
): Promise<OutdatedView[]> {
  const known = new Set(migrations.map(({ name }) => name));
  const applied = [...(await readApplied(session, migrations)).keys()];
  const isNewest = applied.every((name) => known.has(name));
  return (await findOutdated(session)).filter(({ former }) => isNewest || former === undefined);
}

async function findOutdated(session: Session): Promise<OutdatedView[]> {
  const views = await readViews();
  const relations = await readRelations(session, views);
  return views
    .map((view) => ({ view, former: relations.get(view.name) }))
    .filter(({ view, former }) => former?.comment !== view.comment);
}

async function readViews(): Promise<View[]> {
  const text = (await readFile(FILE, 'utf8')).replaceAll('\r\n', '\n');
  const parts = text.split(/^(?=create view "\w+" )/m);
  // Otherwise a view would be taken for a part of the one before it.
  if ((text.match(/^[ \t]*create[ \t]/gim) ?? []).length !== parts.length - 1) {
    throw new Error(
      `${FILE_NAME} has a statement that does not begin with: create view "<name>" as`,
    );
  }
  let line = 1;
  return parts.flatMap((sql) => {
    const [, name] = /^create view "(\w+)"/.exec(sql) ?? [];
    const begin = line;
    line += sql.split('\n').length - 1;
    if (name === undefined) return [];
    const comment = `${FILE_NAME} ${createHash('sha256').update(sql.trim()).digest('hex')}`;
    return [{ name, sql, line: begin, comment }];
  });
}

/** Reads what has the names of views. */
async function readRelations(
  session: Session,
  views: readonly View[],
): Promise<ReadonlyMap<string, Relation>> {
  const relations = await session.query<Relation>(
    {
      text: `select relname as "name", relkind = 'v' as "isView", obj_description(oid, 'pg_class') as "comment",
        coalesce((
          select string_agg(format(
            'grant %s on %s to %s%s;', privilege_type, oid::regclass,
            case grantee when 0 then 'public' else grantee::regrole::text end,
            case when is_grantable then ' with grant option' else '' end
          ), ' ')
          from aclexplode(relacl) where grantee <> relowner
        ), '') as "grants"
      from pg_class where relnamespace = current_schema()::regnamespace and relname = any ($1)`,
    },
    [views.map(({ name }) => name)],
  );
  return new Map(relations.map((one) => [one.name, one]));
}

/** Drops a view and creates it. Grants on the whole view are kept. */
async function recreateView(session: Session, { view, former }: OutdatedView): Promise<void> {
  const { name, sql, line, comment } = view;
  const drop = former === undefined ? '' : `drop view "${name}";\n`;
  const rest = `\ncomment on view "${name}" is '${comment}';\n${former?.grants ?? ''}`;
  try {
    await session.query({ text: `${drop}${sql}${rest}` });
  } catch (error) {
    const { code, message, position } = error as {
      code?: string;
      message: string;
      position?: string;
    };
    const before = sql.slice(0, Math.max(Number(position ?? 0) - drop.length, 0));
    const where = position === undefined ? '' : ` (line ${line + before.split('\n').length - 1})`;
    const advice = ADVICE[code ?? ''] ?? '';
    throw new Error(`${FILE_NAME} cannot be applied: ${message}${where}.${advice}`, {
      cause: error,
    });
  }
}
