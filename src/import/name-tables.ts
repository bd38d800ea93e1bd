/** Which tables become collections, and the names of these. */
import type { DatabaseTable } from '../database/database-schema.ts';
import { hasDot } from './adopted-column-type.ts';
import { keyObstacle } from './adopted-key.ts';
import { tableLeftOut } from './difference.ts';
import type { Difference } from './difference.ts';
import type { NamedTable } from './propose-field.ts';
import { collectionNameForTable } from './propose-names.ts';
import type { ProposedName } from './propose-names.ts';

/** Tables that do not become collections, and why. */
export type LeftOutTables = Map<DatabaseTable, readonly Difference[]>;

interface NamedTables {
  readonly named: readonly NamedTable[];
  readonly leftOutTables: LeftOutTables;
}

/**
 * Gives each table the name of a collection. If two tables would have one name, the first by schema and name gets it.
 * @param isAdopted whether the definitions use the tables.
 * @param hasName whether an earlier import gave a table its name, which then keeps it.
 */
export function nameTables(
  tables: readonly DatabaseTable[],
  isAdopted: boolean,
  hasName: (table: DatabaseTable) => boolean = () => false,
): NamedTables {
  const named: NamedTable[] = [];
  const leftOutTables: LeftOutTables = new Map();
  const proposedTo = new Map<DatabaseTable, ProposedName>();
  for (const table of tables) {
    const proposed = collectionNameForTable(table.name);
    const obstacle =
      kindObstacle(table) ??
      (proposed === undefined ? NO_LETTER : undefined) ??
      (isAdopted ? adoptionObstacle(table) : undefined);
    if (obstacle !== undefined) leftOutTables.set(table, [obstacle]);
    else if (proposed !== undefined) proposedTo.set(table, proposed);
  }
  const tableByName = new Map<string, DatabaseTable>();
  const inOrder = [...proposedTo].toSorted(
    ([one], [other]) => Number(hasName(other)) - Number(hasName(one)),
  );
  for (const [table, { name }] of inOrder) if (!tableByName.has(name)) tableByName.set(name, table);
  for (const [table, proposed] of proposedTo) {
    const owner = tableByName.get(proposed.name);
    if (owner === undefined || owner === table) named.push({ table, proposed });
    else {
      const reason = `${owner.name} becomes the collection ${proposed.name} already`;
      leftOutTables.set(table, [tableLeftOut('name-taken', reason)]);
    }
  }
  return { named, leftOutTables };
}

function kindObstacle({ kind }: DatabaseTable): Difference | undefined {
  if (kind.endsWith('view')) return tableLeftOut('view', `it is a ${kind}`);
  if (kind !== 'foreign table') return undefined;
  return tableLeftOut('foreign-table', 'its rows are on another server');
}

const NO_LETTER = tableLeftOut('name-invalid', 'its name has no letter of a to z');

function adoptionObstacle(table: DatabaseTable): Difference | undefined {
  if (hasDot(table)) return tableLeftOut('name-with-dot', 'its name has a dot');
  if (table.kind === 'partitioned table') {
    return tableLeftOut(
      'partitions',
      'PostgreSQL does not return the revision (xmin) of a row inserted into a partitioned table',
    );
  }
  if (table.triggers.some(({ sql }) => sql.startsWith('CREATE RULE'))) {
    return tableLeftOut('trigger', 'it has a rule that rewrites statements');
  }
  if (table.isInherited) {
    const reason = 'other tables inherit from it, and their rows can have the same keys';
    return tableLeftOut('inherited', reason);
  }
  return keyObstacle(table);
}
