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
/** SQLSTATE: something else depends on what is to be dropped. */
const DEPENDED_ON = '2BP01';

interface View {
  readonly name: string;
  readonly sql: string;
  /** The line of the file that it begins with. */
  readonly line: number;
  /** The comment that the view gets: it says which text it was made by. */
  readonly comment: string;
}

/** A view or a table of the schema. */
interface Relation {
  readonly name: string;
  readonly isView: boolean;
  readonly comment: string | null;
  /** Statements that grant what others may do with it. */
  readonly grants: string;
}

/** Makes the views that have another text than in the file, in the transaction of a migration (`-- views`). */
export async function makeViews(session: Session, isLast: boolean): Promise<void> {
  const relations = await readRelations(session);
  const outdated = (await readViews()).filter((view) => {
    const found = relations.get(view.name);
    // A later migration renames or drops the table that has the name.
    return found?.isView === false ? isLast : found?.comment !== view.comment;
  });
  for (const view of outdated) await makeView(session, view, relations.get(view.name));
}

/**
 * Makes the views that are missing, and those that have another text than in the file, unless a newer version has
 * made these. @returns whether it made any.
 */
export async function updateViews(
  database: MigratedDatabase,
  migrations: readonly Migration[],
  options: MigrationOptions = {},
): Promise<boolean> {
  if ((await findOutdated(database, migrations)).length === 0) return false;
  return database.session((session) =>
    untilUnlocked(session, VIEWS, PATIENCE, options, (lockTimeout) =>
      inTransaction(session, async () => {
        await session.query({ text: `set local lock_timeout = ${lockTimeout}` });
        await session.query({ text: 'select pg_advisory_xact_lock($1)' }, [LOCK]);
        // Another process may have made them meanwhile.
        const outdated = await findOutdated(session, migrations);
        const relations = await readRelations(session);
        for (const view of outdated) await makeView(session, view, relations.get(view.name));
        return outdated.length > 0;
      }),
    ),
  );
}

/** Whether `updateViews` would do anything. */
export const hasOutdatedViews = async (
  database: Session,
  migrations: readonly Migration[],
): Promise<boolean> => (await findOutdated(database, migrations)).length > 0;

async function findOutdated(session: Session, migrations: readonly Migration[]): Promise<View[]> {
  const relations = await readRelations(session);
  const known = new Set(migrations.map(({ name }) => name));
  const applied = [...(await readApplied(session, migrations)).keys()];
  const isNewest = applied.every((name) => known.has(name));
  return (await readViews()).filter(({ name, comment }) => {
    const found = relations.get(name);
    return found === undefined || (isNewest && found.comment !== comment);
  });
}

async function readViews(): Promise<View[]> {
  const text = (await readFile(FILE, 'utf8')).replaceAll('\r\n', '\n');
  const parts = text.split(/^(?=create view ")/m);
  let line = 1;
  return parts.flatMap((sql) => {
    const [, name] = /^create view "(\w+)"/.exec(sql) ?? [];
    const begin = line;
    line += sql.split('\n').length - 1;
    if (name === undefined) return [];
    const comment = `${VIEWS} ${createHash('sha256').update(sql.trim()).digest('hex')}`;
    return [{ name, sql, line: begin, comment }];
  });
}

async function readRelations(session: Session): Promise<ReadonlyMap<string, Relation>> {
  const relations = await session.query<Relation>({
    text: `select relname as "name", relkind = 'v' as "isView", obj_description(oid, 'pg_class') as "comment",
        coalesce((
          select string_agg(format(
            'grant %s on %s to %s%s;', privilege_type, oid::regclass,
            case grantee when 0 then 'public' else grantee::regrole::text end,
            case when is_grantable then ' with grant option' else '' end
          ), ' ')
          from aclexplode(relacl) where grantee <> relowner
        ), '') as "grants"
      from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'v', 'm', 'p')`,
  });
  return new Map(relations.map((one) => [one.name, one]));
}

/** Makes a view anew. What others may do with it stays as it was. */
async function makeView(
  session: Session,
  { name, sql, line, comment }: View,
  former: Relation | undefined,
): Promise<void> {
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
    const advice =
      code === DEPENDED_ON
        ? 'Drop what depends on it, and create that again afterwards.'
        : 'The tables have to fit the definitions; on PGlite, remove its folder, and they are made anew.';
    throw new Error(`${VIEWS} cannot be applied: ${message}${where}. ${advice}`, { cause: error });
  }
}
