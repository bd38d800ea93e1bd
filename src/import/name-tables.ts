/** Which tables become collections, and the names of these. */
import type { DatabaseTable } from '../database/database-schema.ts';
import { hasDot } from './adopted-column-type.ts';
import { keyObstacle } from './adopted-key.ts';
import { ofTable } from './difference.ts';
import type { Difference } from './difference.ts';
import type { NamedTable } from './propose-field.ts';
import { collectionNameFor } from './propose-names.ts';

/** Tables that are no collections, and why. */
export type LeftOut = Map<DatabaseTable, readonly Difference[]>;

interface NamedTables {
  readonly named: readonly NamedTable[];
  readonly leftOut: LeftOut;
}

/**
 * Gives each table the name of a collection; of two tables with one name the first by schema and name has it.
 * @param isInPlace whether the definitions use the tables.
 */
export function nameTables(tables: readonly DatabaseTable[], isInPlace: boolean): NamedTables {
  const named: NamedTable[] = [];
  const leftOut: LeftOut = new Map();
  const taken = new Map<string, string>();
  for (const table of tables) {
    const proposed = collectionNameFor(table.name);
    const other = taken.get(proposed?.name ?? '');
    const obstacle =
      kindObstacle(table) ??
      (proposed === undefined ? nameObstacle(table) : undefined) ??
      (isInPlace ? obstacleInPlace(table) : undefined);
    if (obstacle !== undefined) leftOut.set(table, [obstacle]);
    else if (proposed === undefined) continue;
    else if (other !== undefined) {
      const text = `is left out: ${other} becomes the collection ${proposed.name} already`;
      leftOut.set(table, [ofTable('name-taken', text)]);
    } else {
      taken.set(proposed.name, table.name);
      named.push({ table, proposed });
    }
  }
  return { named, leftOut };
}

function kindObstacle({ kind }: DatabaseTable): Difference | undefined {
  if (kind.endsWith('view')) return ofTable('view', `is left out: it is a ${kind}`);
  if (kind !== 'foreign table') return undefined;
  return ofTable('foreign-table', 'is left out: its rows are on another server');
}

/** Why a table has a name that no collection can have. */
const nameObstacle = ({ name }: DatabaseTable): Difference =>
  /[a-z]/i.test(name)
    ? ofTable('name-taken', 'is left out: each service has a collection of that name itself')
    : ofTable('name-invalid', 'is left out: its name has no letter of a to z');

function obstacleInPlace(table: DatabaseTable): Difference | undefined {
  if (hasDot(table)) return ofTable('name-with-dot', 'is left out: its name has a dot');
  if (table.kind === 'partitioned table') {
    return ofTable('partitions', 'is left out: a partitioned table tells no revision of a new row');
  }
  if (table.triggers.some(({ sql }) => sql.startsWith('CREATE RULE'))) {
    return ofTable('trigger', 'is left out: it has a rule that rewrites statements');
  }
  if (table.isInherited) {
    const text = 'is left out: other tables inherit from it, and their rows can have the same keys';
    return ofTable('inherited', text);
  }
  return keyObstacle(table);
}
