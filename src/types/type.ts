/**
 * What a field type is: the one interface that each file beside this one satisfies. The definition
 * language, the schema of the database, emitted code, tests, migrations and versions all ask here,
 * so that a new type is one file and one row in `registry.ts`.
 */
import type { Issues } from '../reading/issues.ts';
import type { Keys, Reading } from '../reading/records.ts';
import type { Entry, MapTree, Tree } from '../reading/tree.ts';
import type { WrittenValue } from '../reading/version-shapes.ts';
import type { JsonValue } from '../shared/json.ts';
import type { ExactRange } from './exact-decimal.ts';
import type { EnumType } from './enum.ts';
import type { Property } from './object.ts';
import type { FieldType, ScalarType, TypeName } from './registry.ts';
import type { SqlConversion } from './sql-conversion.ts';
import type { PatternJudge } from './string.ts';
import type { VersionConversion } from './version-conversion.ts';

/** @typeParam Written what `read` yields, where that is not yet the type: of a reference. */
export interface TypeSpec<T extends { readonly type: string }, Written = T>
  extends
    LanguageSpec<T, Written>,
    StorageSpec<T>,
    CodeSpec<T>,
    TestSpec<T>,
    CompatibilitySpec<T>,
    MigrationSpec<T>,
    VersionSpec<T> {}

/** What the reading of options needs beside them. */
interface ReadContext {
  readonly issues: Issues;
  /** Judges the pattern of a string. */
  readonly judge: PatternJudge;
  /** Reads the values of an enum, as far as they may say which versions have them. */
  readonly readEnumValues: (written: readonly WrittenValue[]) => EnumType | undefined;
  /** Reads the type of a list's entries. */
  readonly readItem: (tree: Tree) => ScalarType | undefined;
  /** Reads the properties of an object; `tree` is that of the object's type. */
  readonly readProperties: (
    entries: readonly Entry[],
    tree: MapTree,
  ) => readonly Property[] | undefined;
}

/** The type in the definition language. */
interface LanguageSpec<T, Written> {
  /** A sentence for the reference and for editors. */
  readonly description: string;
  /** A field of the type, as one writes it. */
  readonly example: string;
  /** Names of this type in other schema languages, for suggestions. */
  readonly synonyms: readonly string[];
  /** The options of the type, beside those that every field has. */
  readonly keys: Keys;
  /** The type of its values in JSON Schema; undefined: any. */
  readonly jsonSchemaType:
    'array' | 'boolean' | 'integer' | 'number' | 'object' | 'string' | undefined;
  /** Whether fields can be sorted and filtered by, unique, and indexed. */
  readonly isComparable: boolean;
  /** Whether lists can be searched in its texts. */
  readonly isSearchable?: true;
  /** The word for the default that is the moment of the creation. */
  readonly currentDefault?: 'now' | 'today';
  /** Makes the type of its options; undefined where they leave open what it is. */
  read(options: Reading<Keys>, tree: MapTree, context: ReadContext): Written | undefined;
  /** The options as they are written, without those that are absent: the inverse of `read`. */
  write(type: T): Readonly<Record<string, unknown>>;
  /**
   * Reads a value in the form in which the service answers it.
   * @param what names the value in messages.
   * @returns undefined if it is refused: then there is an issue.
   */
  readValue(type: T, tree: Tree, what: string, issues: Issues): JsonValue | undefined;
  /** How many different values there are; absent: unlimited in practice. */
  readonly count?: (type: T) => number;
}

/** The type in PostgreSQL. */
interface StorageSpec<T> {
  /** Whether values are JSON, and are written as its text. */
  readonly isJson?: true;
  /** The type of the column: as in `create table`, and as parameters are cast. */
  column(type: T): { readonly definition: string; readonly cast: string };
  /** The SQL that selects a column, where that is not the column itself. */
  select?(column: string): string;
  /** Code for the value that is written of a member, where that is not the member itself. */
  readonly parameterCode?: (member: string) => Code;
  /**
   * A condition that the database holds values to, in case something writes past the service.
   * @param value a quoted column, or an expression in parentheses.
   */
  check(type: T, value: string): string | undefined;
  /**
   * A constant in place of null in `order by`, where an `is null` before it separates such rows: the
   * empty text if absent. Of comparable types.
   */
  readonly nullSubstitute?: string;
  /** SQL that orders by a value, where values are not their own order. */
  readonly orderBy?: (type: T, value: string) => string;
  /** Characters that its texts have at most; absent: it has no texts. */
  readonly maxCharacters?: (type: T) => number;
  /** Bytes that its texts take at most in UTF-8, infinite without a bound; absent: it has no texts. */
  readonly textBytes?: (type: T) => number;
  /** Bytes of an entry of an index. */
  indexBytes(type: T): number;
  /** Bytes of a value as JSON at most, by what the database itself enforces. */
  jsonBytes(type: T): number;
}

/** Code that is emitted, and the names that it imports. */
export interface Code {
  readonly text: string;
  readonly uses: readonly string[];
}

/** The type in the emitted service. */
export interface CodeSpec<T> {
  /**
   * The module of `src/platform/http/` that has the functions of the type; absent: `shapes.ts` and
   * `filters.ts`. It is emitted for services that use the type.
   */
  readonly module?: { readonly file: string; readonly exports: readonly string[] };
  /** An expression for the schema of its values. */
  readonly shape: (type: T) => Code;
  /** An expression for how filters read its values. Of comparable types. */
  readonly filter?: (type: T) => Code;
  /** The TypeScript type of its values, without null. */
  typescript(type: T): string;
  /** The type in a few words, as a cell of a table in Markdown. */
  documentation(type: T): string;
}

/** What is known of the member that a value is for. */
export interface SampleMember {
  readonly name: string;
  /** Values that the definition gives for it; they come first. */
  readonly given?: readonly JsonValue[];
}

/** A value and what is remarkable about it. */
export type LabelledValues = readonly (readonly [why: string, value: JsonValue])[];

/** A value at a limit of a field, and what is remarkable about it. */
export interface BoundaryValue {
  /** What a message calls the place: `title`, `address.city`, `tags[0]`. */
  readonly member: string;
  readonly why: string;
  /** Of the whole field. */
  readonly value: JsonValue;
}

/** Other spellings of a value as code: what is sent, and what is answered. */
export interface SpellingCode {
  readonly sent: string;
  readonly answer: string;
  /** The names of `test/support/` that both use. */
  readonly uses: readonly string[];
}

/** The type in emitted tests. */
interface TestSpec<T> {
  /** Different values, the plainest first; fewer than asked for where there are no more. */
  values(type: T, count: number, place: SampleMember): JsonValue[];
  /** Values that show the order and the filters of lists, in place of the default samples. */
  listValues?(type: T, plain: () => readonly JsonValue[], place: SampleMember): JsonValue[];
  /** Values that a field refuses. @param sample a value that it takes. */
  refused(type: T, sample: JsonValue | undefined): LabelledValues;
  /** The same for a type whose values have parts, with the places of these. */
  refusedParts?(type: T, sample: JsonValue | undefined, member: string): BoundaryValue[];
  /** Values at its limits, which are accepted. */
  accepted(type: T): LabelledValues;
  /**
   * Other spellings of a value that is only known as code.
   * @param required whether there always is one.
   */
  respellCode?(type: T, value: string, required: boolean): SpellingCode[];
  /** How tests of lists compare and filter. Of comparable types. */
  readonly listTests?: ListTestSpec<T>;
}

/** Lists in emitted tests. */
interface ListTestSpec<T> {
  /** Code that compares as values do, where they do not themselves. @param member code of the value. */
  readonly sortKey?: (type: T, member: string) => Code;
  /** A module of `test/support/` that only this type needs. */
  readonly module?: { readonly file: string; readonly exports: readonly string[] };
  /** Whether filters have `gt`, `gte`, `lt` and `lte`. */
  readonly isOrdered: boolean;
  /** Code of a function that spells a value in another way. */
  readonly respellFunction?: Code;
  /** Whether the empty text is a value. */
  readonly canBeEmpty?: true;
  /** A text that filters refuse. */
  readonly invalidFilter?: string;
  /** A text that filters take, for types without order. */
  readonly validFilter?: (type: T) => string;
}

/** A bound that an option sets. */
export interface Limit {
  /** The option: `max_length`. */
  readonly key: string;
  readonly side: 'minimum' | 'maximum';
  readonly value: string | number | undefined;
}

/** Bounds and compatibility in JSON, for the check of breaking changes and for migrations. */
interface CompatibilitySpec<T> {
  /** All options that bound its values, the absent ones too. */
  readonly limits?: (type: T) => readonly Limit[];
  /** Negative, zero or positive for two values of `limits`. */
  readonly compare?: (one: string | number, other: string | number) => number;
  /** The exact numbers that the type holds. */
  range?(type: T): ExactRange;
  /** Types that accept every JSON value of this type, if they set no bounds: of a UUID `string`, `text`. */
  readonly readableAs: readonly TypeName[];
}

/** The type in migrations. */
interface MigrationSpec<T> {
  /** What the type is called where values do not fit into it. */
  nameInMessages(type: T): string;
  /** The SQL of a value of the definition, with its cast. */
  literal(type: T, value: JsonValue): string;
  /** SQL for the text that the service answers. */
  toText(type: T, value: string): string;
  /** Whether `to_jsonb` of the value itself is what the service answers. */
  readonly isOwnJson?: true;
  /** SQL that makes a value of the text of its JSON; absent: it is that text. */
  fromJson?(type: T, text: string): string;
  /** How a text becomes a value; absent: it never does. */
  fromText?(to: T, from: FieldType): SqlConversion;
  /** How values of another type become those of this one; undefined: none would. No texts. */
  convertFrom?(from: FieldType, to: T): SqlConversion | undefined;
}

/** The type where older versions have another (`type_in`). */
interface VersionSpec<T> {
  /** How a stored value is represented in the type of an older version. */
  versionConversion?(stored: T, older: FieldType): VersionConversion;
  /** The older type, with bounds that it leaves out taken from the stored type where it can express them. */
  withBoundsOf?(older: T, stored: FieldType): T;
  /** The older type with the bounds of the stored numbers, for what tests send. */
  withStoredRange?(older: T, stored: ExactRange): T;
  /**
   * How lists of an older version compare numbers of another type with the stored ones: the cast of
   * their parameters, and that of keyset positions; undefined where it is that of the column.
   */
  comparedAsNumber?(
    older: FieldType,
  ): { readonly cast: string; readonly position?: string } | undefined;
  /** SQL for the text that lists of an older version compare, where that is not the cast to text. */
  comparedText?(column: string): string;
  /** What is wrong with a value of an older type that a field of this type cannot hold. */
  hint?(stored: T, older: FieldType): string;
  /** Code of the emitted conversion where an older version has the value as any text. */
  asText?(stored: T): Code;
  /** Whether a part of the type has `since` or `until`. */
  isVersioned?(type: T): boolean;
}
