/** Deletes the rows of a test database between tests. */
import type { Database } from '../../src/platform/database/database.ts';

interface Table {
  /** Quoted, with its schema. */
  readonly name: string;
  /** Whether the service created it. */
  readonly isOwn: boolean;
  readonly group: 'first' | 'last' | null;
}

/** How often filled tables are looked for: triggers of deletions may fill some, and could do so without end. */
const ROUNDS = 3;

/**
 * Deletes all rows, tombstones included, except those of the kept tables. Jobs are deleted first, so
 * that running jobs store nothing any more. Rows of webhooks are locked in the order in which workers lock
 * them: in another order, each attempt of a failing webhook could be a deadlock.
 * @param existingSchemas the schemas of existing tables, which are emptied, too.
 */
export async function emptyTables(
  database: Database,
  kept: readonly string[],
  existingSchemas: readonly string[] = [],
): Promise<void> {
  const tables = await database.query<Table>(
    {
      prepared: true,
      text: `select format('%I.%I', schemaname, tablename) as "name",
          schemaname = current_schema() as "isOwn",
          case when schemaname <> current_schema() then null
            when tablename in ('jobs', '_webhook_cursor', 'webhooks') then 'first'
            when tablename like '%tombstones' then 'last' end as "group"
        from pg_tables
        where schemaname = any ($2) or schemaname = current_schema() and tablename <> all ($1)
        order by array_position(array['jobs', '_webhook_cursor', 'webhooks'], tablename::text)`,
    },
    [kept, existingSchemas],
  );
  const inGroup = (group: Table['group']) => tables.filter((table) => table.group === group);
  const others = inGroup(null);
  // Most tables are empty: finding the others is faster than a DELETE for each.
  const isFilled = others.map(({ name }) => `exists (select from ${name})`);
  const findFilled = `select ("at" - 1)::integer as "at"
    from unnest(array[${isFilled.join(', ')}]::boolean[]) with ordinality as "tables" ("is_filled", "at")
    where "is_filled"`;
  await database.transaction(async (transaction) => {
    await transaction.query({ text: emptying(inGroup('first')) });
    for (let round = 0; round < ROUNDS; round++) {
      const found = await transaction.query<{ at: number }>({ prepared: true, text: findFilled });
      if (found.length === 0) break;
      const filled = new Set(found.map(({ at }) => at));
      await transaction.query({ text: emptying(others.filter((_table, at) => filled.has(at))) });
    }
    // Deleted rows leave tombstones.
    await transaction.query({ text: emptying(inGroup('last')) });
  });
}

/** The statements that delete all rows of tables. Existing tables may refer to each other in any order. */
const emptying = (tables: readonly Table[]): string =>
  tables
    .map(({ name, isOwn }) => (isOwn ? `delete from ${name};` : `truncate ${name} cascade;`))
    .join(' ');
