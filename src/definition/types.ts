/**
 * The value that the definition stage yields: what a team wrote, checked, with every default
 * filled in, and nothing derived. Later stages read it and never look at YAML again.
 */
import type { WarningCode } from '../reading/warning-codes.ts';
import type { Expression } from '../expressions/expression.ts';
import type { Issue, Position, SourceFile } from '../reading/position.ts';
import type { BuiltInTime } from '../shared/built-in-members.ts';
import type { JsonValue } from '../shared/json.ts';
import type { SoftDelete } from '../shared/soft-delete.ts';
import type { KeySource, KeyType } from '../types/key.ts';
import type { NamedMember } from '../types/object.ts';
import type { OlderNames, Span } from '../types/reference.ts';
import type { FieldType, PropertyType } from '../types/registry.ts';
import type { VersionConversion } from '../types/version-conversion.ts';
import type { PlainDefinitions } from './plain-definitions.ts';

export type VersioningWay = 'path' | 'accept';

export interface Pages {
  readonly default: number;
  readonly maximum: number;
}

/** Who may do one action: everybody, every known caller, or some roles and perhaps the owner. */
export type Permission =
  | { readonly kind: 'public' }
  | { readonly kind: 'authenticated' }
  | { readonly kind: 'some'; readonly roles: readonly string[]; readonly owner: boolean };

export interface Permissions {
  readonly read: Permission;
  readonly create: Permission;
  readonly update: Permission;
  readonly delete: Permission;
}

/** A reference on the path from an item to its owner. */
export interface OwnerStep {
  /** The collection that has the reference. */
  readonly collection: string;
  /** The reference; `id` if the next step is a linking collection, which refers to this one. */
  readonly field: string;
  /** The unique reference of a linking collection, by which the step before finds its item; absent: by its id. */
  readonly link?: string;
}

/** The form that the values of a field have in older versions. */
export interface OlderType {
  /** The last version that has it. */
  readonly upTo: number;
  readonly type: PropertyType;
  /** Where the field has a default, and only the team's functions know what it is in this form. */
  readonly default?: JsonValue;
  readonly at: Position;
}

/** A change of a value that is allowed. */
export interface StepDefinition {
  readonly to: string;
  /** The roles that may take it, beside administrators; absent: all who may update the item. */
  readonly by?: readonly string[];
}

/** A value of a field with transitions, and the steps from it; a final one has none. */
export interface StateDefinition {
  readonly value: string;
  readonly steps: readonly StepDefinition[];
}

/** The changes of an enum field that are allowed. */
export interface TransitionsDefinition {
  /** The values that a new item may have. */
  readonly initial: readonly string[];
  /** In the order of the values of the enum. */
  readonly states: readonly StateDefinition[];
  readonly at: Position;
}

/** A field of a collection. */
export interface Field extends NamedMember<FieldType>, Span {
  readonly olderNames?: OlderNames;
  /** What it was called in the version before, where nothing else says what it was. */
  readonly formerName?: string;
  /** Rising by the last version that has each. */
  readonly olderTypes?: readonly OlderType[];
  readonly unique: boolean;
  /** Whether requests may not set it: `read_only`, `set_by: service` or `generated`. */
  readonly readOnly: boolean;
  /** `service`: a default, a hook or the database sets it, also if it is required. */
  readonly setBy?: 'service';
  /** The column, of an existing table; absent: the name of the field. */
  readonly column?: string;
  /** The enum type of the column, of an existing table; absent: texts. */
  readonly stored?: StoredType;
  /** Of a list: whether the column, of an existing table, is a PostgreSQL array; absent: jsonb. */
  readonly isArray?: true;
  /** Whether the database numbers the items. Such a field is required, unique and set by the service. */
  readonly isSequence?: true;
  /** Whether the column, of an existing table, is a generated one. Such a field is set by the service. */
  readonly isGenerated?: true;
  /** Whether the column, of an existing table, has a default that the database computes for a new item without a value. */
  readonly hasDatabaseDefault?: true;
  readonly writeOnly: boolean;
  readonly immutable: boolean;
  /** Of an enum: which value may follow which. Such a field is required. */
  readonly transitions?: TransitionsDefinition;
}

/** A rule over members of an item. */
export interface MemberRule {
  readonly expression: Expression;
  /** Of a view: how its version has the members, if not as they are stored. */
  readonly inView?: VersionedMembers;
}

/** A rule that all items of a collection keep. */
export interface CheckDefinition extends MemberRule {
  /** snake_case; the database has it as a constraint. */
  readonly name: string;
  /** The error message for values that violate it; absent: the rule itself. */
  readonly message?: string;
  /** Whether it names a member that the service sets: it is decided after hooks. */
  readonly afterHooks: boolean;
  readonly at: Position;
}

/** Fields that are unique together. */
export interface UniqueDefinition {
  readonly fields: readonly string[];
  /** The name of the index, of an existing table; absent: that which PostgreSQL gives. */
  readonly name?: string;
  /** They are unique among the items for which this is true; absent: among all. */
  readonly where?: MemberRule;
  /** Whether ids consist of their values: the key says it, and no entry of `unique`. */
  readonly isKey?: true;
  readonly at: Position;
}

/** How a version has the members of a rule. The expression has their names in the version. */
interface VersionedMembers {
  /** Members that it does not have, under names that no member has, with what a creation gives them. */
  readonly absent: Readonly<Record<string, JsonValue>>;
  /** Members that it shows in another type. */
  readonly converted: Readonly<Record<string, VersionConversion>>;
}

/** A type that other programs made. Both names are unquoted. */
export interface StoredType {
  readonly schema: string;
  readonly type: string;
}

/** A table that other programs made and use too. The service never changes its schema. All names are unquoted. */
export interface ExistingTable {
  readonly schema: string;
  readonly table: string;
  /** The columns of the ids: one, unless ids consist of the values of several fields. */
  readonly keyColumns: readonly [string, ...string[]];
  /** The name of their unique index; absent: the one that PostgreSQL gives to a primary key. */
  readonly keyName?: string;
  /** The columns of the times that it has. */
  readonly times: Readonly<Partial<Record<BuiltInTime, string>>>;
  /** Those that are null in some rows; absent: none. */
  readonly nullableTimes?: readonly BuiltInTime[];
  /** The column that marks removed items; absent: removals delete rows. */
  readonly softDelete?: SoftDelete;
}

export interface CollectionDefinition extends Span {
  /** snake_case plural. */
  readonly name: string;
  /** snake_case singular: given, or by rule. */
  readonly singular: string;
  readonly olderNames?: OlderNames;
  /** What it was called in the version before, where nothing else says what it was. */
  readonly formerName?: string;
  readonly description?: string;
  /** What it was called in the definitions before. */
  readonly renamedFrom?: string;
  /** What ids are. */
  readonly key: KeyType;
  /** What generates them. If clients do, `id` is one of the fields. */
  readonly keySource: KeySource;
  /** The fields whose values ids consist of; absent: `id` is a column of its own. */
  readonly keyFields?: readonly string[];
  /** The table that other programs made; absent: the service has one of its own. */
  readonly existing?: ExistingTable;
  /** The times that items have; only those of an existing table may lack some. */
  readonly times: readonly BuiltInTime[];
  /** In the order they were written. */
  readonly fields: readonly Field[];
  readonly sort: readonly string[];
  readonly filter: readonly string[];
  readonly search: readonly string[];
  /** Of what is stored: what older versions search in, where that is something else; falling. */
  readonly olderSearches?: readonly OlderSearch[];
  /** The references whose items responses can embed. */
  readonly include: readonly string[];
  readonly pages: Pages;
  readonly permissions: Permissions;
  /**
   * The references that lead from an item to the user who owns it; absent: the user who created it. It is
   * empty in the view of a version that does not have all of them.
   */
  readonly owner?: readonly OwnerStep[];
  readonly create: 'direct' | 'background';
  /** The seconds that an attempt of a job may take. */
  readonly jobTimeout: number;
  readonly requireIfMatch: boolean;
  /** Whether changes of its items write events. */
  readonly events: boolean;
  /** Codes of warnings that are not given for it; absent: none. */
  readonly acknowledge?: readonly WarningCode[];
  readonly unique: readonly UniqueDefinition[];
  readonly checks: readonly CheckDefinition[];
  readonly indexes: readonly (readonly IndexKey[])[];
  readonly at: Position;
}

/** A field in an index of several. */
export interface IndexKey {
  /** `created_at` and `updated_at` too. */
  readonly field: string;
  readonly descending: boolean;
}

/** What some older versions search in. */
interface OlderSearch {
  /** The last of them. */
  readonly version: number;
  readonly fields: readonly string[];
}

/** What is known of a version that is served, beside what it has. */
export interface Lifecycle {
  readonly version: number;
  /** The days from which it is deprecated, and on which it ends: `YYYY-MM-DD`. */
  readonly deprecated?: string;
  readonly sunset?: string;
  /** Whether its clients may rely on it: each version below the highest, and that where it says so. */
  readonly frozen: boolean;
}

export interface ServiceDefinition {
  /** kebab-case. */
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  /** Those that are served; rising. */
  readonly versions: readonly number[];
  /** One for each version that is served, in their order. */
  readonly lifecycles: readonly Lifecycle[];
  /** Versions that once were; rising. */
  readonly retired: readonly number[];
  /** In the order path, accept. */
  readonly versioning: readonly VersioningWay[];
  readonly pages: Pages;
  readonly roles: readonly string[];
  /** Roles that may read all users; absent: none. */
  readonly usersRead?: readonly string[];
  /** Whether the project has seeds, and the command that loads them. */
  readonly seeds: boolean;
  /** Whether requests and logins can be counted in Redis. */
  readonly redis: boolean;
  /** The schema of PostgreSQL that the service has its own tables in; absent: that of the connection. */
  readonly schema?: string;
  /** By name, in code-point order, so that the same definitions give the same output. */
  readonly collections: readonly CollectionDefinition[];
}

export type DefinitionResult =
  | {
      readonly ok: true;
      readonly service: ServiceDefinition;
      readonly files: readonly SourceFile[];
      /** Seeds that were written in the definitions, as files of a project. */
      readonly seeds: readonly SourceFile[];
      readonly plain: PlainDefinitions;
    }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Definitions without issues. */
export type ParsedDefinitions = Extract<DefinitionResult, { readonly ok: true }>;
