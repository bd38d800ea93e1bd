/** What the command `migrate` reports: what a run would do (`--plan`), and what was applied (`--status`). */
import { splitStatements, withoutComments } from './apply-migrations.ts';
import type { MigratedDatabase } from './database.ts';
import { hasTable, readApplied } from './migration-records.ts';
import type { Migration } from './migrations.ts';
import { findOutdated, locksOfRepeatable } from './repeatable-migrations.ts';
import { describeTables, formatCount, isQuick, measureTables } from './table-sizes.ts';
import type { TableSize } from './table-sizes.ts';

export interface PlannedMigration extends Pick<Migration, 'name' | 'kind' | 'isContract'> {
  readonly tables: readonly TableSize[];
  /** The locks that its statements take, in words. */
  readonly locks: readonly string[];
  /** Whether the start of the service applies it. */
  readonly isQuick: boolean;
}

/** Describes the migrations that are missing, without applying them. */
export async function planMigrations(
  database: MigratedDatabase,
  migrations: readonly Migration[],
): Promise<PlannedMigration[]> {
  const applied = await readApplied(database, migrations);
  const isUsed = database.isShared && applied.size > 0;
  const plan: PlannedMigration[] = [];
  const pending = migrations.filter(({ name }) => !applied.has(name));
  for (const migration of pending) {
    const { name, kind, isContract, text } = migration;
    const tables = await measureTables(database, migration.tables);
    plan.push({
      name,
      kind,
      isContract,
      tables,
      locks: [...locksOf(text), ...locksOfRepeatable(migration)],
      isQuick: !isUsed || isQuick(migration, tables),
    });
  }
  for (const { name, locks } of await findOutdated(database, migrations, pending)) {
    plan.push({ name, kind: 'transaction', isContract: false, tables: [], locks, isQuick: true });
  }
  return plan;
}

const KINDS: Readonly<Record<Migration['kind'], string>> = {
  transaction: 'one transaction',
  statements: 'a statement at a time',
  batch: 'by ranges of rows',
};

/** A plan as lines for a terminal. */
export const formatPlan = (plan: readonly PlannedMigration[]): string[] =>
  plan.flatMap(({ name, kind, isContract, tables, locks, ...one }) => [
    `${name}: ${KINDS[kind]}, ${one.isQuick ? 'quick' : 'may take long'}` +
      (isContract ? ', after the processes of older versions have stopped' : ''),
    ...(tables.length === 0 ? [] : [`  reads or writes all rows of ${describeTables(tables)}`]),
    ...locks.map((lock) => `  ${lock}`),
  ]);

export interface MigrationStatus {
  readonly applied: readonly { readonly name: string; readonly appliedAt: string }[];
  /** `rows`: how many rows a batch that was interrupted has done. */
  readonly pending: readonly { readonly name: string; readonly rows?: number }[];
}

export async function readStatus(
  database: MigratedDatabase,
  migrations: readonly Migration[],
): Promise<MigrationStatus> {
  const applied = await readApplied(database, migrations);
  const progress = (await hasTable(database, '_migration_progress'))
    ? await database.query<{ name: string; rows: number }>({
        text: 'select "name", "rows" from "_migration_progress"',
      })
    : [];
  const pending = migrations.filter(({ name }) => !applied.has(name));
  const outdated = await findOutdated(database, migrations, pending);
  return {
    applied: [...applied].map(([name, appliedAt]) => ({ name, appliedAt })),
    pending: [
      ...pending.map(({ name }) => progress.find((batch) => batch.name === name) ?? { name }),
      ...outdated.map(({ name }) => ({ name })),
    ],
  };
}

/** A status as lines for a terminal. */
export const formatStatus = ({ applied, pending }: MigrationStatus): string[] => [
  ...applied.map(({ name, appliedAt }) => `${name}: applied ${appliedAt}`),
  ...pending.map(
    ({ name, rows }) =>
      `${name}: pending${rows === undefined ? '' : `, ${formatCount(rows)} rows are done`}`,
  ),
];

/** Locks of tables by the form of a statement: the first that matches. */
const LOCKS: readonly (readonly [statement: RegExp, lock: string])[] = [
  [
    /^(?:create (?:unique )?index concurrently|drop index concurrently|alter table .* validate )/,
    'SHARE UPDATE EXCLUSIVE: reads and writes go on',
  ],
  [/^alter table .* drop constraint /, 'ACCESS EXCLUSIVE: reads and writes wait'],
  [
    /^(?:create (?:or replace )?(?:constraint )?trigger|alter table .* foreign key )/,
    'SHARE ROW EXCLUSIVE: reads go on, writes wait',
  ],
  [/^create (?:unique )?index/, 'SHARE: reads go on, writes wait'],
  [/^(?:alter table|drop (?!function))/, 'ACCESS EXCLUSIVE: reads and writes wait'],
  [
    /^(?:update|delete|insert|with|fill words)/,
    'row locks: reads go on, writes of these rows wait',
  ],
];
const LOCKED_TABLE =
  /(?:alter table|drop table|\bon|update|into|from|words:) (?:if exists )?(?:only )?("(?:[^"]|"")+")/;
/** The table that a foreign key refers to; adding the key locks it, too. */
const REFERENCED_TABLE = / references ("[^"]+"(?:\."[^"]+")?)/;
const REFERENCED_LOCK = 'SHARE ROW EXCLUSIVE: reads go on, writes wait';
const NEW_TABLE = /^create table (?:if not exists )?("(?:[^"]|"")+")/i;

/** The statement of a block `do` that names an existing table, which may be gone. */
const withoutCondition = (statement: string): string =>
  statement.startsWith('do ') ? (statement.split(') then ')[1] ?? '') : statement;

/** The locks of the statements of a migration on tables that it does not create itself, each once. */
function locksOf(text: string): string[] {
  const statements = splitStatements(text.replaceAll(/^-- (fill words:.*)$/gm, ';$1;')).map(
    (statement) => withoutCondition(withoutComments(statement).replaceAll(/\s+/g, ' ')),
  );
  const created = new Set(statements.map((one) => NEW_TABLE.exec(one)?.[1]));
  const locks = statements.flatMap((statement) => {
    const [, lock] = LOCKS.find(([form]) => form.test(statement.toLowerCase())) ?? [];
    const [, table = statement] = LOCKED_TABLE.exec(statement) ?? [];
    if (lock === undefined) return [];
    const [, referenced = ''] = REFERENCED_TABLE.exec(statement) ?? [];
    const locked = [[table, lock] as const, [referenced, REFERENCED_LOCK] as const];
    return locked
      .filter(([name]) => name !== '' && !created.has(name))
      .map(([name, how]) => `${name}: ${how}`);
  });
  return [...new Set(locks)];
}
