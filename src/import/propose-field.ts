/** A column of a database → a field. */
import type {
  DatabaseColumn,
  DatabaseForeignKey,
  DatabaseTable,
  UniqueKey,
} from '../database/database-schema.ts';
import { nameWithSchema } from '../definition/existing-table.ts';
import { BUILT_IN_MEMBERS } from '../shared/built-in-members.ts';
import { specOf } from '../types/registry.ts';
import type { TypeName } from '../types/registry.ts';
import { builtInColumns, isSurrogateKey } from './built-in-columns.ts';
import { isSoftDeleteName } from './soft-delete.ts';
import { columnType } from './column-type.ts';
import type { ColumnType, FieldTypeDefinition } from './column-type.ts';
import { defaultValue } from './default-value.ts';
import { columnDifference, columnLeftOut } from './difference.ts';
import type { Difference, DifferenceCode } from './difference.ts';
import { fieldNameFor, ownForeignKey } from './propose-names.ts';
import type { ProposedName } from './propose-names.ts';

/** A table that becomes a collection, and its name there. */
export interface NamedTable {
  readonly table: DatabaseTable;
  readonly proposed: ProposedName;
  /** Whether an earlier import gave a column a field, which then keeps its name. */
  readonly hasField: (column: DatabaseColumn) => boolean;
}

/** Gives the name of a field, or one like it if another field has that. */
export type FreeName = (name: string, isReference: boolean) => string;

/** Gives the collection that a table becomes; undefined: none. */
export type CollectionOf = (schema: string, table: string) => NamedTable | undefined;

export interface ProposedField {
  readonly column: DatabaseColumn;
  readonly name: string;
  /** Whether the database numbers the items: then the field is unique without saying so. */
  readonly isSequence: boolean;
  readonly definition: FieldTypeDefinition;
}

/** A field; without one the differences say why the column is left out. */
export interface FieldProposal {
  readonly field?: ProposedField;
  readonly differences: readonly Difference[];
}

/** What an earlier proposal of the same fields was refused for. */
export interface FieldRejections {
  /** The columns whose collections would need each other if they were required. */
  readonly cycles: ReadonlySet<string>;
  /** Messages about defaults, by the name of the field. */
  readonly defaults: ReadonlyMap<string, string>;
}

/** Proposes a field for a column. */
export function proposeField(
  column: DatabaseColumn,
  table: DatabaseTable,
  collectionOf: CollectionOf,
  { cycles, defaults }: FieldRejections,
  freeName: FreeName,
): FieldProposal {
  const target = referenceOf(column, table, collectionOf);
  const { type, differences } = target === undefined ? columnType(column) : referenceType(target);
  if (type === undefined) return { differences };
  const isReference = target !== undefined;
  const name = freeName(
    fieldNameFor(column.name, isReference, ownForeignKey(column.name, table)),
    isReference,
  );
  const obstacle = nameObstacle(column, name) ?? generatedObstacle(column);
  if (obstacle !== undefined) return { differences: [obstacle] };
  const proposedDefault = proposeDefault(column, type, defaults.get(name));
  const { isSequence } = proposedDefault;
  const isInCycle = cycles.has(column.name) && column.notNull;
  const differ = (code: DifferenceCode, text: string): Difference =>
    columnDifference(column, code, text);
  return {
    field: {
      column,
      name,
      isSequence,
      definition: {
        ...typeDefinition(type, isSequence, column, table),
        ...(column.notNull && !isInCycle && !isSequence && { required: true }),
        ...(isSecret(name, type) && { write_only: true }),
        ...(isSequence && { set_by: 'service' }),
        ...defaultDefinition(proposedDefault),
        ...descriptionOf(column.comment),
      },
    },
    differences: [
      ...differences,
      ...(name === column.name ? [] : [differ('field-name', `is called ${name} in the service`)]),
      ...defaultDifferences(column, proposedDefault),
      ...(isInCycle ? [differ('foreign-key-cycle', OPTIONAL_IN_CYCLE)] : []),
      ...(target === undefined && !isSequence
        ? plainReferenceDifferences(column, table, type)
        : []),
      ...(target === undefined && !column.comparesExactly
        ? [differ('comparison', `is ${column.definition}, ${COMPARES_LOOSELY}`)]
        : []),
      ...namedDifferences(column, name, type),
    ],
  };
}

const OPTIONAL_IN_CYCLE =
  'is not null, and optional in the service: no first item could be created';

const COMPARES_LOOSELY = 'which can treat different texts as equal; the service does not';

/** The type of a field that refers to a collection. */
export const referenceType = (target: ReferenceTarget): ColumnType => ({
  type: { type: 'reference', ...target },
  differences: [],
});

/** The type of a field as it is written. A sequence has the whole range of its type. */
export const typeDefinition = (
  type: FieldTypeDefinition,
  isSequence: boolean,
  column: DatabaseColumn,
  table: DatabaseTable,
): FieldTypeDefinition => (isSequence ? { type: type.type } : stringIfIndexed(type, column, table));

/** Why a column cannot become a field of some name; undefined: it can. */
export function nameObstacle(column: DatabaseColumn, name: string): Difference | undefined {
  if (name === '') return columnLeftOut(column, 'column-name', 'it has no letter of a to z');
  return BUILT_IN_MEMBERS.includes(name)
    ? columnLeftOut(column, 'column-name', 'each item has a member of that name')
    : undefined;
}

/** Tables of the service have no generated columns. */
const generatedObstacle = (column: DatabaseColumn): Difference | undefined =>
  column.isGenerated ? columnLeftOut(column, 'generated', 'the database computes it') : undefined;

/**
 * What the name of a field says of its values.
 * @param softDelete what is said of a name such as `deleted_at`.
 */
export function namedDifferences(
  column: DatabaseColumn,
  name: string,
  type: FieldTypeDefinition,
  softDelete = 'has the name of a soft delete: lists show such items, and DELETE removes rows',
): readonly Difference[] {
  const secret = 'has the name of a secret: no response shows it';
  return [
    ...(isSoftDeleteName(name) ? [columnDifference(column, 'soft-delete', softDelete)] : []),
    ...(isSecret(name, type) ? [columnDifference(column, 'write-only', secret)] : []),
  ];
}

export interface ProposedDefault {
  readonly value?: unknown;
  /** Whether the database numbers the items. */
  readonly isSequence: boolean;
  /** Whether it is left out because only the database can compute it. */
  readonly isComputed: boolean;
  readonly difference?: { readonly code: DifferenceCode; readonly text: string };
}

/** Proposes the default of a field. @param rejected why an earlier proposal of it was refused. */
export function proposeDefault(
  column: DatabaseColumn,
  type: FieldTypeDefinition,
  rejected: string | undefined,
): ProposedDefault {
  const { isIdentity, default: sql, notNull } = column;
  if (isIdentity || sql?.startsWith('nextval(') === true) {
    if (specOf({ type: type.type as TypeName }).hasSequence === true) {
      const text =
        'is numbered by the database: it becomes a sequence, is unique, and no request sends it';
      const difference = { code: 'sequence', text } as const;
      return { value: 'sequence', isSequence: true, isComputed: false, difference };
    }
  }
  if (rejected === undefined) {
    const found = defaultValue(column, type);
    if (found.kind === 'none') return NO_DEFAULT;
    if (found.kind === 'constant') return { ...NO_DEFAULT, value: found.value };
  }
  const sent = notNull ? ': requests have to send it' : '';
  const why = rejected === undefined ? '' : ` (${rejected})`;
  const text = `has the default ${sql ?? ''}, which is left out${why}${sent}`;
  return {
    isSequence: false,
    isComputed: rejected === undefined,
    difference: { code: 'default', text },
  };
}

export const NO_DEFAULT: ProposedDefault = { isSequence: false, isComputed: false };

/** The default of a field as it is written. */
export const defaultDefinition = ({ value }: ProposedDefault): { readonly default?: unknown } =>
  value === undefined ? {} : { default: value };

export const defaultDifferences = (
  column: DatabaseColumn,
  { difference }: ProposedDefault,
): readonly Difference[] =>
  difference === undefined ? [] : [columnDifference(column, difference.code, difference.text)];

/** That a plain column has the name of a reference. */
export const plainReferenceDifferences = (
  column: DatabaseColumn,
  table: DatabaseTable,
  { type }: FieldTypeDefinition,
): readonly Difference[] =>
  isPlainReference(column, table)
    ? [
        columnDifference(
          column,
          'foreign-key-none',
          `has the name of a reference and no foreign key: it is a plain ${type}`,
        ),
      ]
    : [];

/** Whether a column has the name of a reference, such as `author_id`, without being one. */
function isPlainReference(
  { name }: DatabaseColumn,
  { foreignKeys, primaryKey }: DatabaseTable,
): boolean {
  const isKey = primaryKey?.columns.length === 1 && primaryKey.columns[0] === name;
  return (
    name.endsWith('_id') && !isKey && !foreignKeys.some(({ columns }) => columns.includes(name))
  );
}

/** Names of columns whose values nobody should read over HTTP. */
const SECRET =
  /(?:^|_)(?:password|passwd|passphrase|secret|token|salt|otp|pin|ssn|cvv|credentials?|(?:api|private|secret|encryption)_key)(?:_|$)/;

/** A count of tokens is not a secret. */
const SECRET_TYPES: ReadonlySet<string> = new Set(['string', 'text', 'uuid', 'bytes']);

/** Whether a field has the name of a secret. */
export const isSecret = (name: string, { type }: FieldTypeDefinition): boolean =>
  SECRET_TYPES.has(type) && SECRET.test(name);

/** A text that the database compares is a string: lists are not filtered by a field of the type text. */
function stringIfIndexed(
  type: FieldTypeDefinition,
  { name }: DatabaseColumn,
  table: DatabaseTable,
): FieldTypeDefinition {
  const isCompared =
    table.indexes.some(({ columns }) => columns.includes(name)) ||
    uniqueKeysOf(table).some(({ columns }) => columns.includes(name));
  return type.type === 'text' && isCompared ? { ...type, type: 'string' } : type;
}

/** What is unique beside the id: a primary key too, unless it becomes the id. */
export function uniqueKeysOf(table: DatabaseTable): readonly UniqueKey[] {
  const { primaryKey, uniques, columns } = table;
  const isId = columns.some((column) => isSurrogateKey(column, table));
  return primaryKey === undefined || isId ? uniques : [primaryKey, ...uniques];
}

/** Whether lists can be sorted and filtered by a field, and it can be unique. */
export const isComparable = ({ type, write_only: isHidden }: FieldTypeDefinition): boolean =>
  isHidden !== true && specOf({ type: type as TypeName }).isComparable;

/** A comment of the database in one line. */
export function descriptionOf(comment: string | null): { readonly description?: string } {
  const text = (comment ?? '').replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  return text === '' ? {} : { description: text };
}

const ON_DELETE: Readonly<Record<DatabaseForeignKey['onDelete'], string | undefined>> = {
  'no action': undefined,
  restrict: undefined,
  cascade: 'cascade',
  'set null': 'clear',
  'set default': undefined,
};

/** The options of a reference. */
interface ReferenceTarget {
  readonly to: string;
  readonly on_delete?: string;
}

/** What a column refers to, if that is the id of a collection. @param keepsRows whether a removal keeps the row. */
export function referenceOf(
  { name, notNull }: DatabaseColumn,
  { foreignKeys }: DatabaseTable,
  collectionOf: CollectionOf,
  keepsRows: (table: DatabaseTable) => boolean = () => false,
): ReferenceTarget | undefined {
  for (const key of foreignKeys) {
    const target = collectionOf(key.schema, key.table);
    if (key.isPartial || key.columns.length > 1 || key.columns[0] !== name || target === undefined)
      continue;
    if (!becomesId(target.table, key.referredColumns)) continue;
    const never = isUnsupportedAction(key, notNull) || keepsRows(target.table);
    const onDelete = never ? undefined : ON_DELETE[key.onDelete];
    return { to: target.proposed.name, ...(onDelete !== undefined && { on_delete: onDelete }) };
  }
  return undefined;
}

/** `on delete set null` of a column that is not null refuses each removal. */
const isUnsupportedAction = ({ onDelete }: DatabaseForeignKey, notNull: boolean): boolean =>
  onDelete === 'set default' || (onDelete === 'set null' && notNull);

/** Whether columns of a table are its primary key of one column. Its values become ids, even if it is a natural key. */
const becomesId = ({ primaryKey }: DatabaseTable, columns: readonly string[]): boolean =>
  columns.length === 1 && primaryKey?.columns.length === 1 && primaryKey.columns[0] === columns[0];

/** What definitions do not say of foreign keys. @param isAdopted whether they use the table: the database keeps the keys. */
export function foreignKeyDifferences(
  table: DatabaseTable,
  collectionOf: CollectionOf,
  isAdopted = false,
): readonly Difference[] {
  const first = new Set<string>();
  return table.foreignKeys.flatMap((key): Difference[] => {
    const { columns, schema, table: name, referredColumns, onDelete, isPartial } = key;
    const target = collectionOf(schema, name);
    const shown = nameWithSchema({ schema, table: name });
    const differ = (code: DifferenceCode, text: string): Difference => ({ code, columns, text });
    if (isPartial) {
      return [
        differ('foreign-key-partial', `refers to ${shown} in some partitions, and not in all`),
      ];
    }
    if (name === 'users' && target === undefined && !isAdopted) {
      const field = fieldNameFor(columns[0] ?? '', true, key);
      const text = `refers to users, which is not among the collections: for the built-in users, write ${field}: { type: reference, to: users }`;
      return [differ('foreign-key-not-imported', text)];
    }
    if (target === undefined) {
      const text = `${columns.length > 1 ? 'refer' : 'refers'} to ${schema}.${name}, which is not among the collections`;
      return [differ('foreign-key-not-imported', text)];
    }
    if (columns.length > 1) return [differ('foreign-key-composite', `refer to ${shown} together`)];
    if (!becomesId(target.table, referredColumns)) {
      const text = `refers to ${shown}.${referredColumns.join(', ')}; references are to the id`;
      return [differ('foreign-key-target', text)];
    }
    const [column = ''] = columns;
    if (first.has(column)) {
      return [
        differ(
          'foreign-key-second',
          `refers to ${shown} too, and a field refers to one collection`,
        ),
      ];
    }
    first.add(column);
    const member = Object.entries(builtInColumns(table)).find(([, one]) => one?.name === column);
    if (member !== undefined) {
      const text = `refers to ${shown}; the built-in ${member[0]} cannot be a reference`;
      return [differ('foreign-key-not-imported', text)];
    }
    const notNull = table.columns.some((one) => one.name === column && one.notNull);
    const isNatural = target.table.columns.every((one) => !isSurrogateKey(one, target.table));
    const natural = `refers to the natural primary key of ${shown}; a reference holds the id`;
    const action = isAdopted
      ? `has on delete ${onDelete}, which the definition does not have`
      : `has on delete ${onDelete}; the service refuses to delete what it refers to`;
    return [
      ...(isNatural && !isAdopted ? [differ('foreign-key-natural', natural)] : []),
      ...(isUnsupportedAction(key, notNull) ? [differ('foreign-key-action', action)] : []),
    ];
  });
}
