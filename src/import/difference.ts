/** The ways in which a table of a database differs from the table that its definition would make. */

/** Each difference: of how many tables it is true is the last part of a report. */
export const DIFFERENCES = {
  'key-missing': 'no primary key',
  'key-composite': 'a primary key of several columns',
  'key-reference': 'a primary key with a foreign key over it',
  'key-type': 'a primary key that is not a UUID, or has a meaning',
  'key-name': 'a primary key that is not called id',
  history: 'no created_at or updated_at, or one that may be null or is rounded',
  'table-name': 'a name that is not a plural noun in snake_case',
  'name-taken': 'a name that another collection has, or that each service has itself',
  'column-name': 'a column with a name that no field can have',
  'column-type': 'a column whose type has no field type',
  secret: 'a column with the name of a secret',
  'timestamp-zone': 'a timestamp without time zone',
  'native-enum': 'a column of an enum type',
  'native-array': 'a column of an array type',
  domain: 'a column of a domain',
  storage: 'a column of another type than that of its field',
  default: 'a default that is not a constant',
  generated: 'a generated column',
  'foreign-key-composite': 'a foreign key of several columns',
  'foreign-key-outside': 'a foreign key to a table that is not a collection',
  'foreign-key-target': 'a foreign key to other columns than the primary key',
  'foreign-key-action': 'a foreign key with an action that on_delete does not have',
  'foreign-key-cycle': 'a required foreign key of tables that need each other',
  'unique-expression': 'a unique index over an expression',
  'unique-where': 'a unique index with a condition that is not a rule',
  'unique-nulls': 'a unique constraint for which nulls are equal',
  'unique-type': 'a unique constraint over a field that cannot be unique',
  check: 'a check constraint that is not a rule',
  exclusion: 'an exclusion constraint',
  trigger: 'a trigger',
  'row-security': 'row-level security',
  inheritance: 'a table that inherits from another one',
  partitions: 'a partitioned table',
  view: 'a view',
  'foreign-table': 'a foreign table',
  definition: 'a definition that is refused',
} as const satisfies Readonly<Record<string, string>>;

export type DifferenceCode = keyof typeof DIFFERENCES;

export interface Difference {
  readonly code: DifferenceCode;
  /** The columns of the table that it is about; none: the table. */
  readonly columns: readonly string[];
  /** What the database has, and what the service would have. */
  readonly text: string;
}
