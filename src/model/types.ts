/**
 * The model: everything that the templates need to know and a definition does not say, decided
 * once. Frozen values; nothing here knows how a file looks.
 */
import type {
  CheckDefinition,
  CollectionDefinition,
  ExistingTable,
  Field,
  MemberRule,
  ServiceDefinition,
} from '../definition/types.ts';
import type { Column } from './columns.ts';
import type { Names } from './names.ts';
import type { Versions } from './versions.ts';

export interface Index {
  readonly name: string;
  /** Expressions of SQL, in order, each with ` desc` if it descends. */
  readonly on: readonly string[];
  readonly unique: boolean;
  readonly method: 'btree' | 'gin';
  /** The fields that are unique together, where it is unique. */
  readonly fields: readonly string[];
  /** The rows that it holds; absent: all. */
  readonly where?: IndexCondition;
}

/** The condition of a partial index: it holds the rows for which that is true. */
export interface IndexCondition {
  /** The rule in the definitions. */
  readonly rule: MemberRule;
  /** The condition, in SQL. */
  readonly condition: string;
}

export interface ForeignKey {
  readonly name: string;
  readonly column: string;
  /** The table referred to, unquoted; of a collection with an existing table it is a view. */
  readonly table: string;
  /** The existing table behind that view. */
  readonly existing?: ExistingTable;
  readonly onDelete: 'no action' | 'cascade' | 'set null';
}

/** A CHECK constraint over several columns. */
export interface TableCheck {
  readonly name: string;
  /** The check in the definitions. */
  readonly definition: CheckDefinition;
  /** The condition, in SQL. */
  readonly condition: string;
}

/** A column with the words of some texts, for searches. */
export interface WordsColumn {
  /** Unquoted. */
  readonly name: string;
  /** The fields that the texts are in. */
  readonly fields: readonly string[];
}

export interface Table {
  /** Unquoted. It is a view if the table is an existing one. */
  readonly name: string;
  readonly columns: readonly Column[];
  /** What keeps the words of its searchable texts: a column for each choice of them that versions make. */
  readonly words: readonly WordsColumn[];
  /** Whether it keeps who made each item. */
  readonly hasOwner: boolean;
  readonly indexes: readonly Index[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly checks: readonly TableCheck[];
  /** The table that other programs made. Then the indexes are those that the service knows of, to name them in messages. */
  readonly existing?: ExistingTable;
}

/** A reference field and its target. */
export interface Relation {
  readonly field: Field;
  readonly column: string;
  readonly onDelete: 'refuse' | 'cascade' | 'clear';
  readonly target: {
    readonly collection: string;
    readonly table: string;
    readonly names: Names;
    /** What it is called in the code, whatever a version calls it. */
    readonly code: Names;
    /** The existing table behind its view. */
    readonly existing?: ExistingTable;
  };
  /** The last segment of the nested path, in kebab-case, where there is one. */
  readonly nestedPath: string | undefined;
}

export interface Collection {
  readonly definition: CollectionDefinition;
  readonly names: Names;
  /** What it is called in the code, whatever a version calls it. */
  readonly code: Names;
  readonly table: Table;
  readonly relations: readonly Relation[];
}

export interface Model {
  readonly service: ServiceDefinition;
  /** By name. */
  readonly collections: readonly Collection[];
  /** Whether some reference leads to users. */
  readonly refersToUsers: boolean;
  /** How versions differ; absent where they do not, and of what one version sees. */
  readonly versions?: Versions;
}
