/** A table of a database → the definition of a collection, and how the table that it makes differs. */
import type { DatabaseColumn, DatabaseTable } from '../database/database-schema.ts';
import { builtInColumns, builtInDifferences, proposedKey } from './built-in-columns.ts';
import { columnLeftOut, tableDifference } from './difference.ts';
import type { Difference } from './difference.ts';
import { descriptionOf, foreignKeyDifferences, proposeField } from './propose-field.ts';
import type { CollectionOf, FieldProposal, NamedTable, ProposedField } from './propose-field.ts';
import type { ProposedName } from './propose-names.ts';
import { proposeChecks, proposeIndexes, proposeUnique } from './propose-rules.ts';

/** A column, and the member of the items that has its values. */
export interface ColumnMapping {
  readonly column: string;
  /** Null if it is left out. */
  readonly member: string | null;
}

export interface ProposedCollection {
  readonly name: string;
  /** As it is written. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** The constraint or index of each entry of `unique`. */
  readonly uniqueKeys: readonly string[];
  readonly columns: readonly ColumnMapping[];
  readonly differences: readonly Difference[];
  /** Why the table cannot be a collection after all; absent or none: it can. */
  readonly obstacles?: readonly Difference[];
}

/** What the parser refused in earlier proposals for a table: this one leaves it out. */
export interface Rejections {
  /** Messages, by the name of the field. */
  readonly fields: ReadonlyMap<string, string>;
  /** Messages, by the name of the check. */
  readonly checks: ReadonlyMap<string, string>;
  /** Messages, by the name of the constraint or index. */
  readonly unique: ReadonlyMap<string, string>;
  /** Messages, by the name of the field: its default is left out. */
  readonly defaults: ReadonlyMap<string, string>;
  /** Messages, by the name of the key: `sort`, `filter`, `indexes`. */
  readonly keys: ReadonlyMap<string, string>;
  /** The fields whose collections would need each other if they were required. */
  readonly cycles: ReadonlySet<string>;
}

/** Proposes a collection for a table. */
export function proposeCollection(
  { table, proposed }: NamedTable,
  collectionOf: CollectionOf,
  rejections: Rejections,
): ProposedCollection {
  const builtIn = builtInColumns(table);
  const { fields, differences: fieldDifferences } = collectFields(
    table.columns.filter((column) => !Object.values(builtIn).includes(column)),
    (column) => proposeField(column, table, collectionOf, rejections),
    rejections.fields,
  );
  const unique = proposeUnique(table, fields, rejections.unique);
  const checks = proposeChecks(table, fields, rejections.checks);
  const idType = proposedKey(table);
  const { filter, sort, indexes, differences: indexDifferences } = proposeIndexes(table, fields);
  const lists = Object.entries({
    sort,
    filter,
    indexes,
    unique: unique.groups.map(({ rule }) => rule),
  }).filter(([key, list]) => list.length > 0 && !rejections.keys.has(key));
  return {
    name: proposed.name,
    definition: {
      ...(proposed.singular !== undefined && { singular: proposed.singular }),
      ...descriptionOf(table.comment),
      ...(idType !== 'uuid' && { key: idType }),
      fields: fieldsDefinition(fields, unique.columns),
      ...Object.fromEntries(lists),
      ...checksDefinition(checks.checks),
    },
    uniqueKeys: unique.groups.map(({ key }) => key),
    columns: columnMappings(table, builtIn, fields),
    differences: [
      ...nameDifferences(table, proposed),
      ...builtInDifferences(table),
      ...fieldDifferences,
      ...foreignKeyDifferences(table, collectionOf),
      ...unique.differences,
      ...checks.differences,
      ...indexDifferences,
      ...rejectedKeys(rejections),
      ...tableDifferences(table),
    ],
  };
}

/** `fields` as it is written. @param unique the columns that are unique by themselves. */
export const fieldsDefinition = (
  fields: readonly ProposedField[],
  unique: ReadonlySet<string>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    fields.map(({ name, definition, column, isSequence }) => [
      name,
      unique.has(column.name) && !isSequence ? { ...definition, unique: true } : definition,
    ]),
  );

/** `checks` as it is written; none if there are no checks. */
export const checksDefinition = (
  checks: Readonly<Record<string, unknown>>,
): { readonly checks?: unknown } => (Object.keys(checks).length > 0 ? { checks } : {});

/** The keys of a collection that the parser refused. */
export const rejectedKeys = ({ keys }: Rejections): readonly Difference[] =>
  Array.from(keys, ([key, message]) =>
    tableDifference('invalid-definition', `${key} is left out: ${message}`),
  );

/**
 * Proposes fields for columns. If two columns would have one name, the first gets it.
 * @param rejected what the parser refused, by the name of the field.
 */
export function collectFields(
  columns: readonly DatabaseColumn[],
  propose: (column: DatabaseColumn) => FieldProposal,
  rejected: Rejections['fields'],
): { readonly fields: readonly ProposedField[]; readonly differences: readonly Difference[] } {
  const fields: ProposedField[] = [];
  const differences: Difference[] = [];
  for (const column of columns) {
    const proposal = propose(column);
    const { field } = proposal;
    if (field === undefined) {
      differences.push(...proposal.differences);
      continue;
    }
    const message = rejected.get(field.name);
    const clash = fields.find(({ name }) => name === field.name);
    if (message !== undefined) {
      differences.push(columnLeftOut(column, 'invalid-definition', message));
    } else if (clash !== undefined) {
      const reason = `the column ${clash.column.name} becomes ${field.name} already`;
      differences.push(columnLeftOut(column, 'column-name', reason));
    } else {
      fields.push(field);
      differences.push(...proposal.differences);
    }
  }
  return { fields, differences };
}

/** The member that each column of a table becomes. @param builtIn the columns of the built-in members. */
export function columnMappings(
  table: DatabaseTable,
  builtIn: object,
  fields: readonly ProposedField[],
): readonly ColumnMapping[] {
  return table.columns.map((column) => {
    const [member] = Object.entries(builtIn).find(([, one]) => one === column) ?? [];
    const field = fields.find((one) => one.column === column);
    return { column: column.name, member: member ?? field?.name ?? null };
  });
}

/** That a collection has another name than the rules give, because a built-in collection has that. */
export function builtInNameDifferences({ name, builtInName }: ProposedName): readonly Difference[] {
  if (builtInName === undefined) return [];
  const text = `becomes ${name}, because ${builtInName} is a built-in collection`;
  return [tableDifference('name-built-in', text)];
}

function nameDifferences({ name }: DatabaseTable, proposed: ProposedName): readonly Difference[] {
  if (proposed.builtInName !== undefined) return builtInNameDifferences(proposed);
  if (name === proposed.name) return [];
  return [tableDifference('table-name', `is called ${name}, and ${proposed.name} in the service`)];
}

/** What a table has that no definition says. */
function tableDifferences(table: DatabaseTable): readonly Difference[] {
  const { constraintStates, exclusions, triggers, hasRowSecurity, parents, kind } = table;
  return [
    ...constraintStates.map(({ name, state }) =>
      tableDifference(
        'constraint-state',
        `${name} is ${state}; the service enforces it immediately and for all rows`,
      ),
    ),
    ...exclusions.map(({ name, sql }) =>
      tableDifference('exclusion', `${name} is left out: ${sql}`),
    ),
    ...triggers.map(({ name, sql }) => tableDifference('trigger', `${name} is left out: ${sql}`)),
    ...(hasRowSecurity ? [tableDifference('row-security', 'its policies are left out')] : []),
    ...(parents.length > 0
      ? [tableDifference('inheritance', `inherits from ${parents.join(', ')}`)]
      : []),
    ...(kind === 'partitioned table'
      ? [
          tableDifference(
            'partitions',
            'is one table in the service; constraints that single partitions have are left out',
          ),
        ]
      : []),
  ];
}
