/** Which tables become collections, and the names of these. */
import type { DatabaseColumn, DatabaseTable } from '../database/database-schema.ts';
import { singularOf } from '../definition/collection-name.ts';
import { camelCase } from '../definition/names.ts';
import { hasDot } from './adopted-column-type.ts';
import { keyObstacle } from './adopted-key.ts';
import { tableLeftOut } from './difference.ts';
import type { Difference } from './difference.ts';
import type { NamedTable } from './propose-field.ts';
import { collectionNameForTable, withSingular, otherCollectionNames } from './propose-names.ts';
import type { ProposedName } from './propose-names.ts';

/** Tables that do not become collections, and why. */
export type LeftOutTables = Map<DatabaseTable, readonly Difference[]>;

interface NamedTables {
  readonly named: readonly NamedTable[];
  readonly leftOutTables: LeftOutTables;
}

/** The names that an earlier import and its definitions have already. They stay, whatever tables and columns come. */
export interface KnownNames {
  /** The name of the collection of a table; undefined if it has none. */
  readonly ofTable: (table: Pick<DatabaseTable, 'schema' | 'name'>) => string | undefined;
  /** Whether a column has a field. */
  readonly hasField: (
    table: Pick<DatabaseTable, 'schema' | 'name'>,
    column: Pick<DatabaseColumn, 'name'>,
  ) => boolean;
  /** Names that no other collection may get. */
  readonly taken: ReadonlySet<string>;
}

/** The names of a first import: none. */
export const NO_KNOWN_NAMES: KnownNames = {
  ofTable: () => undefined,
  hasField: () => false,
  taken: new Set(),
};

/**
 * Gives each table the name of a collection. If several tables would have one name, it goes to the one that is called so,
 * or else to the first in the order of `tables`. The others get names of their own.
 * @param isAdopted whether the definitions use the tables.
 */
export function nameTables(
  tables: readonly DatabaseTable[],
  isAdopted: boolean,
  known: KnownNames = NO_KNOWN_NAMES,
): NamedTables {
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
  const names = distinctNames(proposedTo, known);
  const named = [...names].map(([table, proposed]) => ({
    table,
    proposed,
    hasField: (column: DatabaseColumn) => known.hasField(table, column),
  }));
  return { named, leftOutTables };
}

/** A name for each table that no other one has, in the order of the tables. */
function distinctNames(
  proposedTo: ReadonlyMap<DatabaseTable, ProposedName>,
  { ofTable, taken }: KnownNames,
): ReadonlyMap<DatabaseTable, ProposedName> {
  const owners = new Map<string, DatabaseTable>();
  const names = new Map<DatabaseTable, ProposedName>();
  const takenInCode = new Set([...taken].map(camelCase));
  // The code has names in camelCase, also those of single items.
  const namesInCode = ({ name, singular = singularOf(name) ?? name }: ProposedName) =>
    [name, singular].map(camelCase);
  const isFree = (proposed: ProposedName): boolean =>
    !namesInCode(proposed).some((one) => owners.has(one) || takenInCode.has(one));
  const give = (table: DatabaseTable, proposed: ProposedName): void => {
    names.set(table, proposed);
    for (const one of namesInCode(proposed)) owners.set(one, table);
  };
  for (const [table, proposed] of proposedTo) {
    const name = ofTable(table);
    if (name === undefined) continue;
    give(table, proposed.name === name ? proposed : withSingular(name));
  }
  const inOrder = [...proposedTo].toSorted(
    ([one, { name }], [other, { name: otherName }]) =>
      Number(other.name === otherName) - Number(one.name === name),
  );
  for (const [table, proposed] of inOrder) {
    if (!names.has(table) && isFree(proposed)) give(table, proposed);
  }
  for (const [table, proposed] of proposedTo) {
    if (names.has(table)) continue;
    const owner = owners.get(camelCase(proposed.name));
    const hasOtherSchema = owner !== undefined && owner.schema !== table.schema;
    for (const other of otherCollectionNames(table, hasOtherSchema)) {
      if (!isFree(other)) continue;
      give(table, { ...other, takenName: proposed.name, ...(owner && { takenBy: owner }) });
      break;
    }
  }
  return new Map([...proposedTo.keys()].map((table) => [table, names.get(table)!]));
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
