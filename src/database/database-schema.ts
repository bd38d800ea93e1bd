/** What the catalog of a PostgreSQL database says about its tables, columns and types. */

/** What a type is, by `pg_type.typtype`. */
export type DatabaseTypeKind = 'base' | 'domain' | 'enum' | 'composite' | 'range' | 'pseudo';

/** A type, as a column or an element of an array has it. */
export interface DatabaseType {
  /** Without the schema: `varchar`, `int4`, `mpaa_rating`. */
  readonly name: string;
  readonly schema: string;
  readonly kind: DatabaseTypeKind;
  /** Of an enum, in their order. */
  readonly values: readonly string[];
  /** Of an array. */
  readonly element?: DatabaseType;
  /** Of a domain. */
  readonly base?: DatabaseType;
  /** The constraints of a domain and of those that it is over, as SQL: `CHECK ((VALUE >= 1901))`. */
  readonly checks: readonly string[];
  /** The modifier of the base of a domain; -1: none. */
  readonly modifier: number;
  /** The extension that it belongs to. */
  readonly extension: string | null;
}

export interface DatabaseColumn {
  readonly name: string;
  /** Its number in the table (`attnum`), which a new name does not change. */
  readonly number: number;
  readonly type: DatabaseType;
  /** The type as `create table` writes it: `character varying(40)`. */
  readonly definition: string;
  /** The modifier of the type, or of the base of its domain; -1: none. */
  readonly modifier: number;
  /** Whether the column or its domain takes no nulls. */
  readonly notNull: boolean;
  /** Whether equal texts are the same: not so for `char`, `citext` and nondeterministic collations. */
  readonly comparesExactly: boolean;
  /** The default of the column or its domain as SQL, or the expression of a generated column. */
  readonly default: string | null;
  /**
   * The default of its domain. An INSERT into a view over the table uses it, even if the column has another default
   * (`rewriteTargetListIU` of PostgreSQL).
   */
  readonly domainDefault: string | null;
  readonly isIdentity: boolean;
  /** Whether an INSERT that has a value for it is refused: `generated always as identity`. */
  readonly isAlwaysIdentity: boolean;
  readonly isGenerated: boolean;
  readonly comment: string | null;
}

/** A primary key or a unique constraint or index. */
export interface UniqueKey {
  readonly name: string;
  readonly isPrimary: boolean;
  /** Null for an expression. */
  readonly columns: readonly (string | null)[];
  /** The condition of a partial index, as SQL. */
  readonly where: string | null;
  /** Whether two nulls are equal. */
  readonly nullsNotDistinct: boolean;
  /** Whether one of its collations is nondeterministic: different texts can be equal. */
  readonly isNondeterministic: boolean;
}

export interface DatabaseIndex {
  readonly name: string;
  /** `btree`, `gin` and so on. */
  readonly method: string;
  /** Null for an expression. */
  readonly columns: readonly (string | null)[];
  /** Of each column, whether it descends. */
  readonly descending: readonly boolean[];
  /** The condition of a partial index, as SQL. */
  readonly where: string | null;
}

export interface DatabaseForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly schema: string;
  readonly table: string;
  readonly referredColumns: readonly string[];
  /** Whether only some partitions of the table have it. */
  readonly isPartial: boolean;
  /** As `pg_constraint.confdeltype`. */
  readonly onDelete: 'no action' | 'restrict' | 'cascade' | 'set null' | 'set default';
}

/** A constraint that PostgreSQL does not enforce immediately for all rows. */
export interface ConstraintState {
  readonly name: string;
  readonly state: 'deferrable' | 'not valid' | 'not enforced';
}

/** A constraint, a trigger or a rule, with its SQL. */
export interface NamedSql {
  readonly name: string;
  readonly sql: string;
}

export interface DatabaseTable {
  readonly schema: string;
  readonly name: string;
  readonly kind: 'table' | 'partitioned table' | 'foreign table' | 'view' | 'materialized view';
  readonly comment: string | null;
  /** An estimate, by the last `analyze`; null before the first one. */
  readonly rows: number | null;
  readonly columns: readonly DatabaseColumn[];
  readonly primaryKey: UniqueKey | undefined;
  readonly uniques: readonly UniqueKey[];
  /** Indexes that are not unique. */
  readonly indexes: readonly DatabaseIndex[];
  readonly foreignKeys: readonly DatabaseForeignKey[];
  readonly checks: readonly NamedSql[];
  readonly exclusions: readonly NamedSql[];
  /** Triggers, and rules that rewrite statements. */
  readonly triggers: readonly NamedSql[];
  readonly constraintStates: readonly ConstraintState[];
  /** The tables that it inherits from. */
  readonly parents: readonly string[];
  /** Whether other tables, which are no partitions, inherit from it: it shows their rows as its own. */
  readonly isInherited: boolean;
  /** Whether policies decide which rows a role sees. */
  readonly hasRowSecurity: boolean;
}

export interface DatabaseSchema {
  /** The name of the database. */
  readonly database: string;
  /** `16.4`. */
  readonly serverVersion: string;
  /** The names of all schemas with tables, also of those that are not read. */
  readonly schemas: readonly string[];
  /** Sorted by schema and name. */
  readonly tables: readonly DatabaseTable[];
}

/** Whether a column has a default that an INSERT into a view does not use, because its domain has another one. */
export const hasOtherDomainDefault = ({ default: own, domainDefault }: DatabaseColumn): boolean =>
  domainDefault !== null && own !== domainDefault;
