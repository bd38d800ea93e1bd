/** A table of a database → the definition of a collection, and how the table that it makes differs. */
import type { DatabaseColumn, DatabaseTable } from '../database/database-schema.ts';
import { camelCase } from '../definition/names.ts';
import { builtInColumns, builtInDifferences, proposedKey } from './built-in-columns.ts';
import { columnLeftOut, tableDifference } from './difference.ts';
import type { Difference } from './difference.ts';
import { descriptionOf, foreignKeyDifferences, proposeField } from './propose-field.ts';
import type {
  CollectionOf,
  FieldProposal,
  FreeName,
  NamedTable,
  ProposedField,
} from './propose-field.ts';
import { otherFieldNames } from './propose-names.ts';
import type { ProposedName } from './propose-names.ts';
import { proposeChecks, proposeIndexes, proposeUnique } from './propose-rules.ts';

/** A column, and the member of the items that has its values. */
export interface ColumnMapping {
  /** The number and the type of the column in the catalog. */
  readonly number: number;
  readonly type: string;
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
  /** The columns whose collections would need each other if they were required. */
  readonly cycles: ReadonlySet<string>;
}

/** Proposes a collection for a table. */
export function proposeCollection(
  { table, proposed, hasField }: NamedTable,
  collectionOf: CollectionOf,
  rejections: Rejections,
): ProposedCollection {
  const builtIn = builtInColumns(table);
  const { fields, differences: fieldDifferences } = collectFields(
    table.columns.filter((column) => !Object.values(builtIn).includes(column)),
    (column, freeName) => proposeField(column, table, collectionOf, rejections, freeName),
    { rejected: rejections.fields, hasField },
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

type Propose = (column: DatabaseColumn, freeName: FreeName) => FieldProposal;

/** What an earlier proposal or import said of the fields of a table. */
interface EarlierFields extends Pick<NamedTable, 'hasField'> {
  /** What the parser refused, by the name of the field. */
  readonly rejected: Rejections['fields'];
}

/** Proposes fields for columns, each with a name that no other one has. */
export function collectFields(
  columns: readonly DatabaseColumn[],
  propose: Propose,
  { rejected, hasField }: EarlierFields,
): { readonly fields: readonly ProposedField[]; readonly differences: readonly Difference[] } {
  const proposals = distinctFields(columns, propose, hasField);
  const fields: ProposedField[] = [];
  const differences: Difference[] = [];
  for (const column of columns) {
    const proposal = proposals.get(column);
    const field = proposal?.field;
    const message = field && rejected.get(field.name);
    if (message !== undefined) {
      differences.push(columnLeftOut(column, 'invalid-definition', message));
      continue;
    }
    if (field !== undefined) fields.push(field);
    differences.push(...(proposal?.differences ?? []));
  }
  return { fields, differences };
}

/**
 * Gives each field a name of its own. If several would have one name, it goes to the one of an earlier import, or else to
 * the one whose column is called so, or else to the first.
 */
function distinctFields(
  columns: readonly DatabaseColumn[],
  propose: Propose,
  hasField: NamedTable['hasField'],
): ReadonlyMap<DatabaseColumn, FieldProposal> {
  const first = new Map(columns.map((column) => [column, propose(column, (name) => name)]));
  const nameOf = (column: DatabaseColumn): string | undefined => first.get(column)?.field?.name;
  const taken = new Set<string>();
  const freeName: FreeName = (name, isReference) => {
    if (!taken.has(camelCase(name))) return name;
    for (const other of otherFieldNames(name, isReference)) {
      if (!taken.has(camelCase(other))) return other;
    }
    return name;
  };
  const rank = (column: DatabaseColumn): number =>
    hasField(column) ? 0 : nameOf(column) === column.name ? 1 : 2;
  const proposals = new Map<DatabaseColumn, FieldProposal>();
  for (const column of columns.toSorted((one, other) => rank(one) - rank(other))) {
    const name = nameOf(column);
    const proposal =
      name !== undefined && taken.has(camelCase(name))
        ? propose(column, freeName)
        : first.get(column)!;
    proposals.set(column, proposal);
    if (proposal.field !== undefined) taken.add(camelCase(proposal.field.name));
  }
  return proposals;
}

/** What becomes of a column. */
export const mappingOf = (
  { name, number, definition }: DatabaseColumn,
  member: string | null,
): ColumnMapping => ({ column: name, number, type: definition, member });

/** The member that each column of a table becomes. @param builtIn the columns of the built-in members. */
export function columnMappings(
  table: DatabaseTable,
  builtIn: object,
  fields: readonly ProposedField[],
): readonly ColumnMapping[] {
  return table.columns.map((column) => {
    const [member] = Object.entries(builtIn).find(([, one]) => one === column) ?? [];
    const field = fields.find((one) => one.column === column);
    return mappingOf(column, member ?? field?.name ?? null);
  });
}

/** That a collection has another name than the rules give, because that name is in use, or no collection can have it. */
export function otherNameDifferences(
  { name, builtInName, actionName, takenName, takenBy }: ProposedName,
  { schema }: Pick<DatabaseTable, 'schema'>,
): readonly Difference[] {
  if (takenName !== undefined) {
    const owner = takenBy && tableNameBeside(takenBy, schema);
    const why =
      owner === undefined
        ? `there is a collection ${takenName}`
        : `the table ${owner} becomes ${takenName}`;
    return [tableDifference('name-taken', `becomes ${name}, because ${why}`)];
  }
  if (actionName !== undefined) {
    const text = `becomes ${name}, because ${actionName} is an action: paths name things, and the HTTP method says what is done`;
    return [tableDifference('name-action', text)];
  }
  if (builtInName === undefined) return [];
  const text = `becomes ${name}, because ${builtInName} is a built-in collection`;
  return [tableDifference('name-built-in', text)];
}

/** The name of a table as a text about a table of some schema has it. */
const tableNameBeside = (table: DatabaseTable, schema: string): string =>
  table.schema === schema ? table.name : `${table.schema}.${table.name}`;

function nameDifferences(table: DatabaseTable, proposed: ProposedName): readonly Difference[] {
  const differences = otherNameDifferences(proposed, table);
  if (differences.length > 0) return differences;
  const { name } = table;
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
