/** What the catalog of a PostgreSQL database says about its tables, columns and types. */

/** The types `import` can meet, after those of `pg_type.typtype`. */
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
  /** The constraints of a domain, as SQL: `CHECK ((VALUE >= 1901))`. */
  readonly checks: readonly string[];
  /** The extension that it belongs to. */
  readonly extension: string | null;
}

export interface DatabaseColumn {
  readonly name: string;
  readonly type: DatabaseType;
  /** The type as `create table` writes it: `character varying(40)`. */
  readonly definition: string;
  /** The modifier of the type, or of the base of its domain; -1: none. */
  readonly modifier: number;
  readonly notNull: boolean;
  /** The default as SQL, or the expression of a generated column. */
  readonly default: string | null;
  readonly isIdentity: boolean;
  readonly isGenerated: boolean;
  readonly comment: string | null;
}

/** A primary key or a unique constraint or index. */
export interface DatabaseUnique {
  readonly name: string;
  /** Null for an expression. */
  readonly columns: readonly (string | null)[];
  /** The condition of a partial index, as SQL. */
  readonly where: string | null;
  /** Whether two nulls are the same. */
  readonly nullsNotDistinct: boolean;
}

export interface DatabaseForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly schema: string;
  readonly table: string;
  readonly referredColumns: readonly string[];
  /** As `pg_constraint.confdeltype`. */
  readonly onDelete: 'no action' | 'restrict' | 'cascade' | 'set null' | 'set default';
}

/** A constraint or a trigger, with its SQL. */
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
  readonly primaryKey: DatabaseUnique | undefined;
  readonly uniques: readonly DatabaseUnique[];
  readonly foreignKeys: readonly DatabaseForeignKey[];
  readonly checks: readonly NamedSql[];
  readonly exclusions: readonly NamedSql[];
  readonly triggers: readonly NamedSql[];
  /** The columns that indexes begin with. */
  readonly indexedColumns: readonly string[];
  /** The tables that it inherits from, beside those of partitions. */
  readonly parents: readonly string[];
  /** Whether policies decide which rows a role sees. */
  readonly hasRowSecurity: boolean;
}

export interface DatabaseSchema {
  /** The name of the database. */
  readonly database: string;
  /** `16.4`. */
  readonly serverVersion: string;
  /** Sorted by schema and name. */
  readonly tables: readonly DatabaseTable[];
}
