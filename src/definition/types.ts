/**
 * The value that the definition stage yields: what a team wrote, checked, with every default
 * filled in, and nothing derived. Later stages read it and never look at YAML again.
 */
import type { PlainDefinitions } from './plain.ts';

/** A value that JSON can hold. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue };

/** Where something stands in a definition file; lines and columns count from 1, in UTF-16 units. */
export interface Position {
  /** As the user named it: relative to the folder they work in, with forward slashes. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

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

export type StringFormat = 'email' | 'uri' | 'hostname' | 'ipv4' | 'ipv6' | 'slug';

/** What `on_delete` of a reference asks for when the item referred to is removed. */
export type OnDelete = 'refuse' | 'cascade' | 'clear';

/** Which versions have something: from `since` to `until`, both included. */
export interface Span {
  readonly since?: number;
  readonly until?: number;
}

/** What something is called in older versions, rising by the last version that has each name. */
export type OlderNames = readonly {
  readonly upTo: number;
  readonly name: string;
  readonly at: Position;
}[];

/** A value of an enum that not all versions have; the others show it `as` another. */
export interface VersionedValue extends Span {
  readonly value: string;
  readonly as?: string;
}

/** A value of an enum that had another name: by the definitions, or by the map of an older form. */
export interface RenamedValue {
  readonly name: string;
  readonly renamedFrom?: string;
  /** What it was called in the version before, where nothing else says what it was. */
  readonly formerName?: string;
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

/** The types whose values are one JSON scalar; these may stand in a list. */
export type ScalarType =
  | {
      readonly type: 'string';
      readonly minLength?: number;
      readonly maxLength?: number;
      readonly pattern?: string;
      readonly format?: StringFormat;
    }
  | { readonly type: 'text'; readonly maxLength?: number }
  | { readonly type: 'integer'; readonly minimum?: number; readonly maximum?: number }
  /** Bounds are canonical decimal text, for they may lie outside the safe range. */
  | { readonly type: 'bigint'; readonly minimum?: string; readonly maximum?: string }
  | {
      readonly type: 'number';
      readonly minimum?: number;
      readonly maximum?: number;
      /** Whether what holds its values knows no fractions. */
      readonly whole?: true;
    }
  | {
      readonly type: 'decimal';
      readonly precision: number;
      readonly scale: number;
      readonly minimum?: string;
      readonly maximum?: string;
      /** Whether what holds its values knows no fractions. */
      readonly whole?: true;
    }
  | { readonly type: 'boolean' }
  | { readonly type: 'date'; readonly minimum?: string; readonly maximum?: string }
  | {
      readonly type: 'timestamp';
      readonly minimum?: string;
      readonly maximum?: string;
      /** In an older form: it is the beginning of a day, in UTC. */
      readonly wholeDays?: true;
    }
  | { readonly type: 'uuid' }
  | {
      readonly type: 'enum';
      readonly values: readonly string[];
      /** Values that not all versions have. */
      readonly versioned?: readonly VersionedValue[];
      /** In an older form: what each of the values, in their order, is called today. */
      readonly today?: readonly string[];
      /** Values whose items keep them under a new name. */
      readonly renamed?: readonly RenamedValue[];
    };

export type ListType = {
  readonly type: 'list';
  readonly of: ScalarType;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems: boolean;
};

export type ObjectType = { readonly type: 'object'; readonly properties: readonly Property[] };
export type JsonType = { readonly type: 'json' };

export type ReferenceType = {
  readonly type: 'reference';
  /** A collection's name, or `users`. */
  readonly to: string;
  readonly onDelete: OnDelete;
  /** The plural noun under `/{to}/{id}/` in snake_case, where the reference is nested. */
  readonly nestedAs?: string;
  /** Which versions have that path, and what it is called in older ones; absent: all, the same. */
  readonly nestedIn?: Span & { readonly names?: OlderNames };
};

export type FieldType = ScalarType | ListType | ObjectType | JsonType | ReferenceType;
/** What may stand among the `properties` of an object: all but a reference. */
export type PropertyType = ScalarType | ListType | ObjectType | JsonType;

interface Named<T> {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
  /** Absent: none. For a timestamp `now`, for a date `today` are kept as these words. */
  readonly default?: JsonValue;
  readonly example?: JsonValue;
  /** What it was called in the definitions before. */
  readonly renamedFrom?: string;
  /** For items that are there already; absent, they get the default. `now` and `today` as there. */
  readonly backfill?: JsonValue;
  readonly type: T;
  readonly at: Position;
}

/** A member of an `object` field. */
export type Property = Named<PropertyType>;

/** A field of a collection. */
export interface Field extends Named<FieldType>, Span {
  readonly olderNames?: OlderNames;
  /** What it was called in the version before, where nothing else says what it was. */
  readonly formerName?: string;
  /** Rising by the last version that has each. */
  readonly olderTypes?: readonly OlderType[];
  readonly unique: boolean;
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
  readonly immutable: boolean;
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
  /** In the order they were written. */
  readonly fields: readonly Field[];
  readonly sort: readonly string[];
  readonly filter: readonly string[];
  readonly search: readonly string[];
  /** Of what is stored: what older versions search in, where that is something else; falling. */
  readonly olderSearches?: readonly OlderSearch[];
  readonly pages: Pages;
  readonly permissions: Permissions;
  readonly create: 'direct' | 'background';
  readonly requireIfMatch: boolean;
  readonly unique: readonly (readonly string[])[];
  readonly indexes: readonly (readonly string[])[];
  readonly at: Position;
}

/** What some older versions search in. */
export interface OlderSearch {
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
  /** By name, in code-point order, so that the same definitions give the same output. */
  readonly collections: readonly CollectionDefinition[];
}

/** One thing that is wrong in a definition. */
export interface Issue {
  readonly at: Position;
  /** Its entry in catalogue.ts, among the issues or the warnings, for `--json` and for the docs. */
  readonly code: string;
  /** The offending text, why it is wrong and what to write instead, in a sentence or two. */
  readonly message: string;
}

/** One source text, with the name by which messages call it. */
export interface SourceFile {
  readonly path: string;
  /** Raw bytes: that they are UTF-8 is checked here. */
  readonly bytes: Uint8Array;
}

export type DefinitionResult =
  | {
      readonly ok: true;
      readonly service: ServiceDefinition;
      readonly files: readonly SourceFile[];
      readonly plain: PlainDefinitions;
    }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Definitions without issues. */
export type ParsedDefinitions = Extract<DefinitionResult, { readonly ok: true }>;
