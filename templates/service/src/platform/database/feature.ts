/** `DatabaseFeature`: what a feature of the service adds when its database is opened and migrated. */
import type { MigrationOptions } from './apply-migrations.ts';
import type { Database, MigratedDatabase, Session } from './database.ts';
import type { Migration } from './migrations.ts';

/** What a feature adds. Each member is optional; features are applied in the order of `DATABASE_FEATURES`. */
export interface DatabaseFeature {
  /** The connection string of PostgreSQL with the settings that sessions need. */
  readonly connectionString?: (databaseUrl: string) => string;
  /**
   * Initializes a database that no other program uses: PGlite when it is opened, and databases of tests. It sets the
   * session that PGlite has, and creates what other programs have created on PostgreSQL.
   */
  readonly initialize?: (database: Database) => Promise<void>;
  /** Checks or creates what migrations need. @throws if the database cannot be migrated. */
  readonly beforeMigrations?: (database: Database) => Promise<void>;
  /** The database with sessions that migrations run in. */
  readonly forMigrations?: (database: MigratedDatabase) => MigratedDatabase;
  /** What lines of migrations call. */
  readonly migrationOptions?: Pick<MigrationOptions, 'fillWords' | 'recreateViews'>;
  /** Prepares what the feature keeps outside of migrations, once they are applied. */
  readonly afterMigrations?: (database: Database) => Promise<void>;
  readonly repeatable?: RepeatableMigration;
}

/** A file of SQL that is applied again whenever it has changed, after all migrations. */
export interface RepeatableMigration {
  /** The name of the file, in the log and in reports. */
  readonly name: string;
  /** The locks that it takes, in words. */
  readonly locks: readonly string[];
  /** Whether a migration applies the file within its own transaction. */
  readonly isPartOf: (migration: Migration) => boolean;
  /** Whether `update` would do anything. */
  readonly isOutdated: (session: Session, migrations: readonly Migration[]) => Promise<boolean>;
  /** Applies what has changed. @returns whether it did anything. */
  readonly update: (
    database: MigratedDatabase,
    migrations: readonly Migration[],
    options: MigrationOptions,
  ) => Promise<boolean>;
}
