/** A column of a database → a field. */
import type {
  DatabaseColumn,
  DatabaseForeignKey,
  DatabaseTable,
  UniqueKey,
} from '../database/database-schema.ts';
import { BUILT_IN_MEMBERS } from '../shared/built-in-members.ts';
import { specOf } from '../types/registry.ts';
import type { TypeName } from '../types/registry.ts';
import { builtInColumns, isSurrogateKey } from './built-in-columns.ts';
import { isSoftDeleteName } from './soft-delete.ts';
import { columnType } from './column-type.ts';
import type { FieldTypeDefinition } from './column-type.ts';
import { defaultValue } from './default-value.ts';
import type { Difference, DifferenceCode } from './difference.ts';
import { fieldNameFor } from './propose-names.ts';
import type { ProposedName } from './propose-names.ts';

/** A table that becomes a collection, and its name there. */
export interface NamedTable {
  readonly table: DatabaseTable;
  readonly proposed: ProposedName;
}

/** Gives the collection that a table becomes; undefined: none. */
export type CollectionOf = (schema: string, table: string) => NamedTable | undefined;

export interface ProposedField {
  readonly column: DatabaseColumn;
  readonly name: string;
  readonly definition: FieldTypeDefinition;
}

/** A field; without one the differences say why the column is left out. */
export interface FieldProposal {
  readonly field?: ProposedField;
  readonly differences: readonly Difference[];
}

/** What an earlier proposal of the same fields was refused for. */
export interface FieldRejections {
  /** The fields whose collections would need each other if they were required. */
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
): FieldProposal {
  const target = referenceOf(column, table, collectionOf);
  const typed: ReturnType<typeof columnType> =
    target === undefined
      ? columnType(column)
      : { type: { type: 'reference', ...target }, differences: [] };
  const differences: Difference[] = [...typed.differences];
  const { type } = typed;
  if (type === undefined) return { differences };
  const add = (code: DifferenceCode, text: string): void => {
    differences.push({ code, columns: [column.name], text });
  };
  const name = fieldNameFor(column.name, target !== undefined);
  const leftOut = reasonAgainstField(column, name);
  if (leftOut !== undefined) return { differences: [leftOut] };
  if (name !== column.name) add('field-name', `is called ${name} in the service`);
  const value = proposeDefault(column, type, defaults.get(name));
  if (value.difference !== undefined) add(value.difference.code, value.difference.text);
  const isInCycle = cycles.has(name) && column.notNull;
  if (isInCycle) {
    add(
      'foreign-key-cycle',
      'is not null, and optional in the service: no first item could be created',
    );
  }
  if (target === undefined && !value.isSequence && isPlainReference(column, table)) {
    add('foreign-key-none', plainReferenceText(type));
  }
  if (!column.comparesExactly && target === undefined) {
    add(
      'comparison',
      `is ${column.definition}, which can treat different texts as equal; the service does not`,
    );
  }
  differences.push(...namedDifferences(column, name, type));
  const { isSequence, value: constant } = value;
  return {
    field: {
      column,
      name,
      definition: {
        ...(isSequence ? { type: type.type } : stringIfIndexed(type, column, table)),
        ...(column.notNull && !isInCycle && !isSequence && { required: true }),
        ...(isSecret(name, type) && { write_only: true }),
        ...(isSequence && { set_by: 'service' }),
        ...(constant !== undefined && { default: constant }),
        ...descriptionOf(column.comment),
      },
    },
    differences,
  };
}

/** Why a column cannot become a field of some name; undefined: it can. */
export function reasonAgainstField(
  { name: column, isGenerated }: Pick<DatabaseColumn, 'name' | 'isGenerated'>,
  name: string,
): Difference | undefined {
  const leaveOut = (code: DifferenceCode, text: string): Difference => ({
    code,
    columns: [column],
    text: `is left out: ${text}`,
  });
  if (name === '') return leaveOut('column-name', 'it has no letter of a to z');
  if (BUILT_IN_MEMBERS.includes(name)) {
    return leaveOut('column-name', 'each item has a member of that name');
  }
  return isGenerated ? leaveOut('generated', 'the database computes it') : undefined;
}

/** What the name of a field says of its values. */
export function namedDifferences(
  { name: column }: DatabaseColumn,
  name: string,
  type: FieldTypeDefinition,
): readonly Difference[] {
  const columns = [column];
  const softDelete =
    'has the name of a soft delete: lists show such items, and DELETE removes rows';
  const secret = 'has the name of a secret: no response shows it';
  return [
    ...(isSoftDeleteName(name)
      ? [{ code: 'soft-delete', columns, text: softDelete } as const]
      : []),
    ...(isSecret(name, type) ? [{ code: 'write-only', columns, text: secret } as const] : []),
  ];
}

interface ProposedDefault {
  readonly value?: unknown;
  /** Whether the database numbers the items. */
  readonly isSequence: boolean;
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
      return { value: 'sequence', isSequence: true, difference: { code: 'sequence', text } };
    }
  }
  const constant = rejected === undefined ? defaultValue(column, type) : undefined;
  if (constant !== undefined) return { ...constant, isSequence: false };
  const sent = notNull ? ': requests have to send it' : '';
  const why = rejected === undefined ? '' : ` (${rejected})`;
  const text = `has the default ${sql ?? ''}, which is left out${why}${sent}`;
  return { isSequence: false, difference: { code: 'default', text } };
}

/** Whether a column has the name of a reference, such as `author_id`, without being one. */
export function isPlainReference(
  { name }: DatabaseColumn,
  { foreignKeys, primaryKey }: DatabaseTable,
): boolean {
  const isKey = primaryKey?.columns.length === 1 && primaryKey.columns[0] === name;
  return (
    name.endsWith('_id') && !isKey && !foreignKeys.some(({ columns }) => columns.includes(name))
  );
}

/** What is said of such a column. */
export const plainReferenceText = ({ type }: FieldTypeDefinition): string =>
  `has the name of a reference and no foreign key: it is a plain ${type}`;

/** Names of columns whose values nobody should read over HTTP. */
const SECRET =
  /(?:^|_)(?:password|passwd|passphrase|secret|token|salt|otp|pin|ssn|cvv|credentials?|(?:api|private|secret|encryption)_key)(?:_|$)/;

/** A count of tokens is not a secret. */
const SECRET_TYPES: ReadonlySet<string> = new Set(['string', 'text', 'uuid', 'bytes']);

/** Whether a field has the name of a secret. */
export const isSecret = (name: string, { type }: FieldTypeDefinition): boolean =>
  SECRET_TYPES.has(type) && SECRET.test(name);

/** A text that the database compares is a string: lists are not filtered by a field of the type text. */
export function stringIfIndexed(
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

/** What a column refers to, if that is the id of a collection. @param keepsRows whether a removal keeps the row. */
export function referenceOf(
  { name, notNull }: DatabaseColumn,
  { foreignKeys }: DatabaseTable,
  collectionOf: CollectionOf,
  keepsRows: (table: DatabaseTable) => boolean = () => false,
): { readonly to: string; readonly on_delete?: string } | undefined {
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
    const differ = (code: DifferenceCode, text: string): Difference => ({ code, columns, text });
    if (isPartial) {
      return [
        differ('foreign-key-partial', `refers to ${name} in some partitions, and not in all`),
      ];
    }
    if (name === 'users' && target === undefined && !isAdopted) {
      const field = fieldNameFor(columns[0] ?? '', true);
      const text = `refers to users, which is not among the collections: for the built-in users, write ${field}: { type: reference, to: users }`;
      return [differ('foreign-key-not-imported', text)];
    }
    if (target === undefined) {
      const text = `${columns.length > 1 ? 'refer' : 'refers'} to ${name}, which is not among the collections`;
      return [differ('foreign-key-not-imported', text)];
    }
    if (columns.length > 1) return [differ('foreign-key-composite', `refer to ${name} together`)];
    if (!becomesId(target.table, referredColumns)) {
      const text = `refers to ${name}.${referredColumns.join(', ')}; references are to the id`;
      return [differ('foreign-key-target', text)];
    }
    const [column = ''] = columns;
    if (first.has(column)) {
      return [
        differ('foreign-key-second', `refers to ${name} too, and a field refers to one collection`),
      ];
    }
    first.add(column);
    const member = Object.entries(builtInColumns(table)).find(([, one]) => one?.name === column);
    if (member !== undefined) {
      const text = `refers to ${name}; the built-in ${member[0]} cannot be a reference`;
      return [differ('foreign-key-not-imported', text)];
    }
    const notNull = table.columns.some((one) => one.name === column && one.notNull);
    const isNatural = target.table.columns.every((one) => !isSurrogateKey(one, target.table));
    const natural = `refers to the natural primary key of ${name}; a reference holds the id`;
    const action = isAdopted
      ? `has on delete ${onDelete}, which the definition does not have`
      : `has on delete ${onDelete}; the service refuses to delete what it refers to`;
    return [
      ...(isNatural && !isAdopted ? [differ('foreign-key-natural', natural)] : []),
      ...(isUnsupportedAction(key, notNull) ? [differ('foreign-key-action', action)] : []),
    ];
  });
}
