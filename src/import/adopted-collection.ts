/** A table of a database → the definition of a collection that adopts it: the service uses the table as it is. */
import type { DatabaseColumn, DatabaseTable } from '../database/database-schema.ts';
import { nameWithSchema } from '../definition/existing-table.ts';
import { enumerate } from '../reading/quote.ts';
import type { AdoptSettings } from './adopted-column-type.ts';
import { isAdoptedReference, proposeAdoptedField } from './adopted-field.ts';
import type { AdoptedFieldContext } from './adopted-field.ts';
import { adoptedTimes, historyDefinition } from './adopted-history.ts';
import type { AdoptedTimes } from './adopted-history.ts';
import { adoptedKeyDifferences, keyDefinition, keyParts, primaryKeyColumn } from './adopted-key.ts';
import { proposeAdoptedLists } from './adopted-lists.ts';
import { columnDifference, tableDifference, tableLeftOut } from './difference.ts';
import type { Difference } from './difference.ts';
import {
  checksDefinition,
  collectFields,
  columnMappings,
  fieldsDefinition,
  otherNameDifferences,
  rejectedKeys,
} from './propose-collection.ts';
import type { ColumnMapping, ProposedCollection, Rejections } from './propose-collection.ts';
import { descriptionOf, foreignKeyDifferences } from './propose-field.ts';
import type { CollectionOf, NamedTable, ProposedField } from './propose-field.ts';
import { proposeChecks, proposeUnique } from './propose-rules.ts';
import { rowTriggers } from './row-triggers.ts';
import {
  findSoftDeleteColumn,
  softDeleteDefinition,
  withIndexesOverVisibleRows,
} from './soft-delete.ts';

/** Proposes a collection for a table whose primary key can be its id. */
export function proposeAdoptedCollection(
  named: NamedTable,
  collectionOf: CollectionOf,
  rejections: Rejections,
  settings: AdoptSettings,
): ProposedCollection {
  const { proposed } = named;
  const enforced = withEnforcedKeys(named.table);
  const softDelete = findSoftDeleteColumn(enforced, settings);
  const table =
    softDelete === undefined ? enforced : withIndexesOverVisibleRows(enforced, softDelete);
  const context = { table, collectionOf, rejections, settings, hasField: named.hasField };
  const members = proposeMembers(context, softDelete);
  const { fields, parts, times, columns } = members;
  const unique = proposeUnique(table, fields, rejections.unique, true);
  const checks = proposeChecks(table, fields, rejections.checks);
  const lists = proposeAdoptedLists(table, fields, times);
  const written = Object.entries({
    filter: lists.filter,
    unique: unique.groups.map(({ rule }) => rule),
  }).filter(([key, list]) => list.length > 0 && !rejections.keys.has(key));
  const unsent = unsentColumns(table, columns);
  return {
    name: proposed.name,
    definition: {
      ...(proposed.singular !== undefined && { singular: proposed.singular }),
      ...descriptionOf(table.comment),
      table: nameWithSchema({ schema: table.schema, table: table.name }),
      ...keyDefinition(
        table,
        parts.flatMap((part) => memberOf(part, fields) ?? []),
      ),
      ...historyDefinition(times),
      ...(softDelete && softDeleteDefinition(softDelete)),
      fields: fieldsDefinition(fields, unique.columns),
      sort: rejections.keys.has('sort') ? [] : lists.sort,
      ...Object.fromEntries(written),
      ...checksDefinition(checks.checks),
    },
    uniqueKeys: unique.groups.map(({ key }) => key),
    columns,
    obstacles: obstaclesOf(table, unsent, members),
    differences: [
      ...otherNameDifferences(proposed, table),
      ...adoptedKeyDifferences(table, parts),
      ...(softDelete === undefined ? [] : [softDeleteDifference(softDelete)]),
      ...members.differences,
      ...triggerDifferences(table, unsent),
      ...foreignKeyDifferences(table, collectionOf, true),
      ...unique.differences,
      ...checks.differences,
      ...lists.differences,
      ...rejectedKeys(rejections),
      ...keptDifferences(table),
    ],
  };
}

/** The members that the columns of a table become. */
interface AdoptedMembers {
  readonly fields: readonly ProposedField[];
  /** The columns whose values ids consist of; none if ids are in a column of their own. */
  readonly parts: readonly DatabaseColumn[];
  readonly times: AdoptedTimes;
  readonly columns: readonly ColumnMapping[];
  readonly differences: readonly Difference[];
}

function proposeMembers(
  context: AdoptedFieldContext & Pick<NamedTable, 'hasField'> & { readonly rejections: Rejections },
  softDelete: DatabaseColumn | undefined,
): AdoptedMembers {
  const { table, settings, rejections } = context;
  const times = adoptedTimes(table, settings);
  const parts = keyParts(table, (column) => isAdoptedReference(column, context));
  const id = parts.length === 0 ? primaryKeyColumn(table) : undefined;
  const builtIn = { ...(id && { id }), ...times, ...(softDelete && { soft_delete: softDelete }) };
  const { fields: proposed, differences } = collectFields(
    table.columns.filter((column) => !Object.values(builtIn).includes(column)),
    (column, freeName) => proposeAdoptedField(column, context, parts.includes(column), freeName),
    { rejected: rejections.fields, hasField: context.hasField },
  );
  const fields = proposed.map((field) =>
    parts.includes(field.column) ? asKeyField(field) : field,
  );
  return { fields, parts, times, columns: columnMappings(table, builtIn, fields), differences };
}

/** The name of the field of a column. */
const memberOf = (part: DatabaseColumn, fields: readonly ProposedField[]): string | undefined =>
  fields.find(({ column }) => column === part)?.name;

/** A field whose values ids consist of never changes. */
const asKeyField = (field: ProposedField): ProposedField =>
  field.isSequence ? field : { ...field, definition: { ...field.definition, immutable: true } };

const softDeleteDifference = (column: DatabaseColumn): Difference =>
  columnDifference(
    column,
    'soft-delete',
    'marks removed rows: lists leave them out, and DELETE sets it. Without soft_delete, DELETE deletes the row',
  );

/** A foreign key that is not enforced says nothing of the values. */
function withEnforcedKeys(table: DatabaseTable): DatabaseTable {
  const isEnforced = (name: string): boolean =>
    !table.constraintStates.some((one) => one.name === name && one.state === 'not enforced');
  return { ...table, foreignKeys: table.foreignKeys.filter(({ name }) => isEnforced(name)) };
}

/** The columns that each row needs a value of, and no request can give. */
function unsentColumns(
  { columns }: DatabaseTable,
  mappings: readonly ColumnMapping[],
): readonly string[] {
  return columns
    .filter(({ notNull, default: sql, isIdentity }) => notNull && sql === null && !isIdentity)
    .map(({ name }) => name)
    .filter((name) => mappings.some(({ column, member }) => column === name && member === null));
}

/** The columns without which there is no id, or no row can be created, and why they are left out. */
function obstaclesOf(
  table: DatabaseTable,
  unsent: readonly string[],
  { fields, parts, differences }: AdoptedMembers,
): readonly Difference[] {
  const missingParts = parts
    .filter((part) => memberOf(part, fields) === undefined)
    .map(({ name }) => name);
  const isSet = rowTriggers(table, 'INSERT').length > 0;
  const names = isSet ? missingParts : [...new Set([...unsent, ...missingParts])];
  if (names.length === 0) return [];
  const which = names.length === 1 ? 'which cannot be a field' : 'which cannot be fields';
  const reason = `each row needs a value of ${enumerate(names, 'and')}, ${which}`;
  return [
    tableLeftOut('required-column', reason),
    ...differences.filter(({ columns }) => columns.some((name) => names.includes(name))),
  ];
}

/** Columns that a trigger has to set, or else no row can be created. */
function triggerDifferences(table: DatabaseTable, names: readonly string[]): readonly Difference[] {
  const triggers = rowTriggers(table, 'INSERT');
  if (names.length === 0 || triggers.length === 0) return [];
  const text = `needs a value in each row, and no request sends one: items can be created only if a trigger (${enumerate(triggers, 'or')}) sets it`;
  return [{ code: 'set-by-trigger', columns: names, text }];
}

/** What the database goes on doing with the rows. */
function keptDifferences(table: DatabaseTable): readonly Difference[] {
  const { constraintStates, exclusions, triggers, hasRowSecurity } = table;
  const security = 'has row-level security: its policies decide which rows the service sees';
  return [
    ...constraintStates.map(({ name, state }) =>
      tableDifference('constraint-state', `${name} is ${state}`),
    ),
    ...exclusions.map(({ name, sql }) => tableDifference('exclusion', `${name}: ${sql}`)),
    ...triggers.map(({ name, sql }) => tableDifference('trigger', `${name}: ${sql}`)),
    ...(hasRowSecurity ? [tableDifference('row-security', security)] : []),
  ];
}
