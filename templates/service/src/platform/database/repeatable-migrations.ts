/** The repeatable migrations of all features: which are outdated, and their updates. */
import { DATABASE_FEATURES } from '../features.ts';
import type { MigrationOptions } from './apply-migrations.ts';
import type { MigratedDatabase, Session } from './database.ts';
import type { RepeatableMigration } from './feature.ts';
import type { Migration } from './migrations.ts';

const ALL = DATABASE_FEATURES.flatMap(({ repeatable }) => repeatable ?? []);

/** The locks that a migration takes because it applies files of repeatable migrations. */
export const locksOfRepeatable = (migration: Migration): string[] =>
  ALL.filter(({ isPartOf }) => isPartOf(migration)).flatMap(({ locks }) => locks);

/** The repeatable migrations that are outdated, except those that a pending migration applies. */
export async function findOutdated(
  session: Session,
  migrations: readonly Migration[],
  pending: readonly Migration[],
): Promise<RepeatableMigration[]> {
  const outdated: RepeatableMigration[] = [];
  for (const one of ALL) {
    if (!pending.some(one.isPartOf) && (await one.isOutdated(session, migrations))) {
      outdated.push(one);
    }
  }
  return outdated;
}

/** Applies those that are outdated. @returns their names. */
export async function updateRepeatable(
  database: MigratedDatabase,
  migrations: readonly Migration[],
  options: MigrationOptions,
): Promise<string[]> {
  const updated: string[] = [];
  for (const { name, update } of ALL) {
    if (await update(database, migrations, options)) updated.push(name);
  }
  return updated;
}
