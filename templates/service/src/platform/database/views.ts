/** The views of existing tables. They are in views.sql, and not in migrations, which stay as they are for years. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { inTransaction, untilUnlocked } from './apply-migrations.ts';
import type { MigrationOptions } from './apply-migrations.ts';
import type { MigratedDatabase, Session } from './database.ts';
import { readApplied } from './migration-records.ts';
import type { Migration } from './migrations.ts';

/** The name of the file, in the log and in what `migrate` reports. */
export const VIEWS = 'views.sql';
const FILE = new URL(`../../../${VIEWS}`, import.meta.url);
/** The key of the advisory lock under which processes make views. */
const LOCK = 7_305_012;
/** Milliseconds for which it is tried again while a view is locked. */
const PATIENCE = 5 * 60 * 1000;

interface Views {
  readonly sql: string;
  readonly names: readonly string[];
  /** The comment that each view gets: it says which text it was made by. */
  readonly comment: string;
}

/** Makes the views anew if the file has changed, or one is missing. @returns whether it did. */
export async function updateViews(
  database: MigratedDatabase,
  migrations: readonly Migration[],
  options: MigrationOptions = {},
): Promise<boolean> {
  const views = await readViews();
  if (!(await isOutdated(database, views, migrations))) return false;
  return database.session((session) =>
    untilUnlocked(session, VIEWS, PATIENCE, options, (lockTimeout) =>
      inTransaction(session, async () => {
        await session.query({ text: `set local lock_timeout = ${lockTimeout}` });
        await session.query({ text: 'select pg_advisory_xact_lock($1)' }, [LOCK]);
        // Another process may have made them meanwhile.
        if (!(await isOutdated(session, views, migrations))) return false;
        await createViews(session, views);
        return true;
      }),
    ),
  );
}

/** Whether `updateViews` would do anything. */
export const hasOutdatedViews = async (
  database: Session,
  migrations: readonly Migration[],
): Promise<boolean> => isOutdated(database, await readViews(), migrations);

async function readViews(): Promise<Views> {
  const sql = (await readFile(FILE, 'utf8')).replaceAll('\r\n', '\n');
  return {
    sql,
    names: Array.from(sql.matchAll(/^create view "(\w+)"/gm), ([, name = '']) => name),
    comment: `${VIEWS} ${createHash('sha256').update(sql).digest('hex')}`,
  };
}

async function isOutdated(
  session: Session,
  views: Views,
  migrations: readonly Migration[],
): Promise<boolean> {
  // Those of a newer version stay: this one goes on with them.
  const known = new Set(migrations.map(({ name }) => name));
  const applied = [...(await readApplied(session, migrations)).keys()];
  if (!applied.every((name) => known.has(name))) return false;
  const made = await session.query<{ name: string; comment: string | null }>({
    text: `select relname as "name", obj_description(oid, 'pg_class') as "comment" from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'v'`,
  });
  const comments = new Map(made.map(({ name, comment }) => [name, comment]));
  return !views.names.every((name) => comments.get(name) === views.comment);
}

/** Views that the file has no longer are dropped by a migration, once no process of an older version needs them. */
async function createViews(session: Session, { sql, names, comment }: Views): Promise<void> {
  const drops = names.map((name) => `drop view if exists "${name}";\n`).join('');
  const comments = names.map((name) => `comment on view "${name}" is '${comment}';`).join('\n');
  try {
    await session.query({ text: `${drops}${sql}${comments}` });
  } catch (error) {
    const { message, position } = error as { message: string; position?: string };
    const line = sql.slice(0, Number(position) - drops.length).split('\n').length;
    const where = position === undefined ? '' : ` (line ${line})`;
    throw new Error(
      `${VIEWS} cannot be applied: ${message}${where}. The tables have to fit the definitions; on PGlite, ` +
        'remove its folder, and they are made anew by existing-tables.sql.',
      { cause: error },
    );
  }
}
