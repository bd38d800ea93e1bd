/** The ways in which a table of a database differs from the table that its definition makes. */

/** What a difference means for those who use the service. */
export type DifferenceKind =
  /** The definition does not have it. */
  | 'lost'
  /** The definition has it in another way. */
  | 'changed'
  /** The service stores the same values in another way. */
  | 'stored'
  /** The database goes on enforcing it, and the definition does not have it: only where it uses the table. */
  | 'kept';

interface DifferenceEntry {
  readonly kind: DifferenceKind;
  /** What a table has that has the difference. */
  readonly title: string;
  /** What it means where the definitions use the tables. */
  readonly whenAdopted: DifferenceKind;
}

const entryOf =
  (kind: DifferenceKind) =>
  (title: string, whenAdopted = kind): DifferenceEntry => ({ kind, title, whenAdopted });

const lost = entryOf('lost');
const changed = entryOf('changed');
const stored = entryOf('stored');

/** Each difference. The codes are public: they are in the JSON report. */
export const DIFFERENCES = {
  view: lost('a view'),
  inherited: lost('a table that other tables inherit from'),
  'name-with-dot': lost('a table or a type whose name has a dot'),
  'required-column': lost('a required column that is left out'),
  'type-in-place': lost('a column of a type that cannot be used in place'),
  'index-missing': lost('a foreign key that no index begins with'),
  'set-by-trigger': changed('a column that a trigger sets'),
  'single-precision': changed('a column of the type real'),
  'foreign-table': lost('a foreign table'),
  'name-taken': changed('a table with the name of another collection'),
  'name-action': changed('a table whose name is an action'),
  'name-built-in': changed('a table with the name of a built-in collection'),
  'name-invalid': lost('a name without a letter of a to z'),
  'invalid-definition': lost('something that definitions do not allow'),
  'column-type': lost('a column whose type has no field type'),
  'column-name': lost('a column with a name that no field can have'),
  generated: lost('a generated column'),
  default: lost('a default that is not a constant'),
  domain: lost('a column of a domain, with its checks', 'kept'),
  'foreign-key-not-imported': lost('a foreign key to a table that is not a collection', 'kept'),
  'foreign-key-partial': lost('a foreign key that only some partitions have', 'kept'),
  'foreign-key-second': lost('a second foreign key of a column', 'kept'),
  'foreign-key-composite': lost('a foreign key of several columns', 'kept'),
  'foreign-key-target': lost(
    'a foreign key to other columns than a primary key that becomes the id',
    'kept',
  ),
  'foreign-key-action': lost('an action of a foreign key that on_delete does not have', 'kept'),
  unique: lost('a unique index or constraint that definitions do not have', 'kept'),
  check: lost('a check constraint that is not a rule', 'kept'),
  index: lost('an index that definitions do not have'),
  exclusion: lost('an exclusion constraint', 'kept'),
  trigger: lost('a trigger, or a rule that rewrites statements', 'kept'),
  'row-security': lost('row-level security', 'kept'),
  inheritance: lost('inheritance from another table'),
  partitions: lost('partitions'),
  'key-natural': changed('a natural primary key', 'lost'),
  'key-composite': changed('a primary key of several columns', 'lost'),
  'key-missing': changed('no primary key', 'lost'),
  'key-index': changed('ids in a column with a unique index'),
  'key-client': changed('ids that clients choose'),
  'key-fields': changed('ids that consist of the values of fields'),
  'key-secret': lost('a primary key with the name of a secret'),
  'key-without-default': changed('a primary key without a default', 'lost'),
  'foreign-key-cycle': changed('required foreign keys of tables that refer to each other', 'kept'),
  'foreign-key-natural': changed('a foreign key to a natural primary key'),
  'soft-delete': changed('a column with the name of a soft delete'),
  'foreign-key-none': changed('a column with the name of a reference, and no foreign key'),
  sequence: changed('a column that the database numbers'),
  'timestamp-without-zone': changed('a timestamp without time zone', 'lost'),
  comparison: changed('a column that treats different texts as equal'),
  'other-values': changed('a column that can hold values which no request can send'),
  'constraint-state': changed('a constraint that is deferrable, not valid or not enforced', 'kept'),
  'write-only': changed('a column with the name of a secret'),
  timestamps: stored(
    'no created_at or updated_at, or one that may be null or is less precise',
    'lost',
  ),
  'key-type': stored('a primary key of another type than ids in the service', 'lost'),
  'key-name': stored('a primary key that is not called id'),
  'table-name': stored('a table with another name than the collection'),
  'field-name': stored('a column with another name than the field'),
  'native-enum': stored('a column of an enum type'),
  'native-array': stored('a column of an array type', 'lost'),
  'stored-type': stored('a column of another type than that of its field'),
} as const satisfies Readonly<Record<string, DifferenceEntry>>;

export type DifferenceCode = keyof typeof DIFFERENCES;

export interface Difference {
  readonly code: DifferenceCode;
  /** The columns of the table that it is about; none: the table. */
  readonly columns: readonly string[];
  /** What the database has, and what becomes of it. */
  readonly text: string;
  /** Why the columns or the table are left out; absent if they are not. */
  readonly reason?: string;
}

/** What a difference means. @param isAdopted whether the definitions use the tables. */
export function differenceKind(code: DifferenceCode, isAdopted: boolean): DifferenceKind {
  const { kind, whenAdopted } = DIFFERENCES[code];
  return isAdopted ? whenAdopted : kind;
}

/** A difference of the whole table. */
export const tableDifference = (code: DifferenceCode, text: string): Difference => ({
  code,
  columns: [],
  text,
});

/** A difference of one column. */
export const columnDifference = (
  { name }: { readonly name: string },
  code: DifferenceCode,
  text: string,
): Difference => ({ code, columns: [name], text });

/** That a table is left out. */
export const tableLeftOut = (code: DifferenceCode, reason: string): Difference => ({
  ...tableDifference(code, `is left out: ${reason}`),
  reason,
});

/** That a column is left out. */
export const columnLeftOut = (
  column: { readonly name: string },
  code: DifferenceCode,
  reason: string,
): Difference => ({ ...columnDifference(column, code, `is left out: ${reason}`), reason });
