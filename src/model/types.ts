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
import type { VersionConversion } from '../types/version-conversion.ts';
import type { Column } from './columns.ts';
import type { Names } from './names.ts';

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

/** The form of a collection in some versions, if it differs from the stored form. */
export interface View {
  /** The versions with this form; rising. */
  readonly versions: readonly number[];
  /** Its name in the code, by the last of these versions: `v1`. */
  readonly key: string;
  /** The collection in these versions, and the model of the last of them. */
  readonly collection: Collection;
  readonly model: Model;
  /** The fields that they have. */
  readonly members: readonly ViewMember[];
  /** The fields that they do not have. */
  readonly absent: readonly Field[];
}

/** A field of a view. */
export interface ViewMember {
  /** As it is stored, and as it is seen. */
  readonly stored: Field;
  readonly shown: Field;
  readonly conversion: VersionConversion;
  /** The last version that has it in another type; absent where it has its own. */
  readonly upTo?: number;
  /** The values shown for enum values that the versions do not have. */
  readonly substitutes: Readonly<Record<string, string>>;
}

/** How the versions have one collection. */
export interface CollectionVersions {
  /** The folder of its code. */
  readonly kebab: string;
  /** The versions with the stored form. */
  readonly same: readonly number[];
  readonly views: readonly View[];
}

/** How the versions of a service differ; a service whose versions are all alike has none of this. */
export interface Versions {
  /** The model of each version. */
  readonly models: ReadonlyMap<number, Model>;
  /** By the name of the stored collection. */
  readonly collections: ReadonlyMap<string, CollectionVersions>;
  /** Whether each collection has its name in all of them: then messages may name any. */
  readonly areCalledAlike: boolean;
}
