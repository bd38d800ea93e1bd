/**
 * `TypeSpec`, the interface of a field type. The definition language, the schema of the database,
 * emitted code, tests, migrations and versions use a type only through it, so that a new type is one
 * file and one row in `registry.ts`.
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

/** What `read` needs to read the options of a type. */
interface ReadContext {
  readonly issues: Issues;
  /** Judges the pattern of a string. */
  readonly judge: PatternJudge;
  /** Reads the values of an enum, with the versions that have each where the place allows that. */
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
    | 'array'
    | 'boolean'
    | 'integer'
    | 'number'
    | 'object'
    | 'string'
    | undefined;
  /** Whether fields can be sorted and filtered by, unique, and indexed. */
  readonly isComparable: boolean;
  /** How rules compare its values; absent: with null alone. */
  readonly comparison?: ComparisonSpec;
  /** Whether the database can number items in such a field: `default: sequence`. Absent: false. */
  readonly hasSequence?: true;
  /** Whether lists can be searched in its texts. */
  readonly isSearchable?: true;
  /** The default that stands for the time of the creation. */
  readonly currentDefault?: 'now' | 'today';
  /** Makes the type from its options; undefined if these are not enough. */
  read(options: Reading<Keys>, tree: MapTree, context: ReadContext): Written | undefined;
  /** The options as they are written, without those that are absent: the inverse of `read`. */
  write(type: T): Readonly<Record<string, unknown>>;
  /**
   * Reads a value of a definition into its canonical form.
   * @param what names the value in messages.
   * @returns undefined if it is refused: then there is an issue.
   */
  readValue(type: T, tree: Tree, what: string, issues: Issues): JsonValue | undefined;
  /** How many different values there are; absent: unlimited in practice. */
  readonly count?: (type: T) => number;
}

/** How rules over several members compare the values of a type. */
export interface ComparisonSpec {
  /** The types whose values can be compared with those of this one. */
  readonly with: readonly TypeName[];
  /** Whether values have an order; without, they are equal or not. */
  readonly isOrdered: boolean;
  /** How a rule writes a value; absent: it cannot. */
  readonly literal?: 'text' | 'number' | 'boolean';
  /** The function of emitted code that compares two values; absent: the operators of TypeScript do. */
  readonly compareFunction?: string;
}

/** The type in PostgreSQL. */
interface StorageSpec<T> {
  /** Whether values are JSON, and are written as its text. */
  readonly isJson?: true;
  /** The type of the column: as in `create table`, and as parameters are cast. */
  column(type: T): { readonly definition: string; readonly cast: string };
  /** The SQL that selects a column; absent: the column itself. */
  select?(column: string, type: T): string;
  /** Emitted code for the parameter of an insert or update; absent: the member itself. */
  readonly parameterCode?: (member: string) => Code;
  /**
   * The check constraint of a column, for rows that are not written by the service.
   * @param value a quoted column, or an expression in parentheses.
   */
  check(type: T, value: string): string | undefined;
  /**
   * A constant that replaces null in `order by`, after an `is null` that separates these rows. Comparable
   * types have one.
   */
  readonly nullSubstitute?: string | ((type: T) => string);
  /** The SQL expression to order by; absent: the value itself. */
  readonly orderBy?: (type: T, value: string) => string;
  /** The most characters of a value; absent: values are not texts. */
  readonly maxCharacters?: (type: T) => number;
  /** The most bytes of a value in UTF-8, or infinity; absent: values are not texts. */
  readonly textBytes?: (type: T) => number;
  /** The most bytes of a value in an index. */
  indexBytes(type: T): number;
  /** The most bytes of a value as JSON that the database allows. */
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
   * The module of `src/platform/http/` with the functions of the type, emitted for services that use it;
   * absent: `shapes.ts` and `filters.ts`.
   */
  readonly module?: { readonly file: string; readonly exports: readonly string[] };
  /** An expression for the schema of its values. */
  readonly shape: (type: T) => Code;
  /** An expression for how filters read its values. Comparable types have one. */
  readonly filter?: (type: T) => Code;
  /** The TypeScript type of its values, without null. */
  typescript(type: T): string;
  /** The type in a few words, as a cell of a table in Markdown. */
  documentation(type: T): string;
}

/** The member that sample values are made for. */
export interface SampleMember {
  readonly name: string;
  /** Values from the definition, which come first. */
  readonly given?: readonly JsonValue[];
}

/** Values, each with what it is an example of. */
export type LabelledValues = readonly (readonly [why: string, value: JsonValue])[];

/** A value at or beyond a limit of a field. */
export interface BoundaryValue {
  /** The path of the member: `title`, `address.city`, `tags[0]`. */
  readonly member: string;
  readonly why: string;
  /** The value of the whole field. */
  readonly value: JsonValue;
}

/** Code for another spelling of a value, and for what the service answers. */
export interface SpellingCode {
  readonly sent: string;
  readonly answer: string;
  /** The names of `test/support/` in this code. */
  readonly uses: readonly string[];
}

/** The type in emitted tests. */
interface TestSpec<T> {
  /** Different values, the simplest first; fewer if there are not as many. */
  values(type: T, count: number, place: SampleMember): JsonValue[];
  /** Values for tests of sorting and filtering; absent: those of `values`. */
  listValues?(type: T, plain: () => readonly JsonValue[], place: SampleMember): JsonValue[];
  /** Values that a field refuses. @param sample a value that it takes. */
  refused(type: T, sample: JsonValue | undefined): LabelledValues;
  /** The same for lists and objects, with the path of each refused part. */
  refusedParts?(type: T, sample: JsonValue | undefined, member: string): BoundaryValue[];
  /** Values at its limits, which are accepted. */
  accepted(type: T): LabelledValues;
  /**
   * Code for other spellings of the value of an expression.
   * @param required whether the expression is never null.
   */
  respellCode?(type: T, value: string, required: boolean): SpellingCode[];
  /** How tests of lists sort and filter. Comparable types have it. */
  readonly listTests?: ListTestSpec<T>;
}

/** Sorting and filtering in emitted tests. */
interface ListTestSpec<T> {
  /** Code for the key to sort a member by; absent: the member itself. */
  readonly sortKey?: (type: T, member: string) => Code;
  /** A module of `test/support/` that is emitted only for this type. */
  readonly module?: { readonly file: string; readonly exports: readonly string[] };
  /** Whether filters have `gt`, `gte`, `lt` and `lte`. */
  readonly isOrdered: boolean;
  /** Code of a function that returns another spelling of a value. */
  readonly respellFunction?: Code;
  /** Whether the empty text can be a value. */
  readonly canBeEmpty?: true;
  /** A value of a filter that is refused. */
  readonly invalidFilter?: string | ((type: T) => string);
  /** A value of a filter that is accepted; for types without order. */
  readonly validFilter?: (type: T) => string;
}

/** A bound that an option sets. */
export interface Limit {
  /** The option: `max_length`. */
  readonly key: string;
  readonly side: 'minimum' | 'maximum';
  readonly value: string | number | undefined;
}

/** What the check of breaking changes and migrations compare. */
interface CompatibilitySpec<T> {
  /** All options that bound its values, also those that are not set. */
  readonly limits?: (type: T) => readonly Limit[];
  /** Compares two values of `limits`: negative, zero or positive. */
  readonly compare?: (one: string | number, other: string | number) => number;
  /** The range of an exact number type. */
  range?(type: T): ExactRange;
  /** Types that accept every value of this type if they have no bounds. For example, `uuid` can be read as `string`. */
  readonly readableAs: readonly TypeName[];
}

/** The type in migrations. */
interface MigrationSpec<T> {
  /** The name of the type in messages: `decimal(10, 2)`. */
  nameInMessages(type: T): string;
  /** An SQL literal for a value, with its cast. */
  literal(type: T, value: JsonValue): string;
  /** SQL for the canonical text of a value. */
  toText(type: T, value: string): string;
  /** Whether `to_jsonb` of a value is what the service answers; absent: `to_jsonb` of its text. */
  readonly isOwnJson?: true;
  /** SQL that converts the text of a JSON value to the type; absent: it stays text. */
  fromJson?(type: T, text: string): string;
  /** Converts a text to a value; absent: there is no conversion. */
  fromText?(to: T, from: FieldType): SqlConversion;
  /** Converts values of another type that is not a text; undefined: there is no conversion. */
  convertFrom?(from: FieldType, to: T): SqlConversion | undefined;
}

/** The type where older versions have another (`type_in`). */
interface VersionSpec<T> {
  /** Converts stored values to the type of an older version, and back. */
  versionConversion?(stored: T, older: FieldType): VersionConversion;
  /** The older type, with the bounds of the stored type where it has none and can express them. */
  withBoundsOf?(older: T, stored: FieldType): T;
  /** The older type, with the range of the stored numbers, for sample values in tests. */
  withStoredRange?(older: T, stored: ExactRange): T;
  /**
   * The casts by which lists of an older version compare numbers of another type with the column: that of
   * parameters, and that of keyset positions; undefined: the cast of the column.
   */
  comparedAsNumber?(
    older: FieldType,
  ): { readonly cast: string; readonly position?: string } | undefined;
  /** SQL for the text that lists of an older version compare; absent: the cast to text. */
  comparedText?(column: string): string;
  /** The message for a value of an older version that a field of this type cannot store. */
  hint?(stored: T, older: FieldType): string;
  /** Code of the emitted conversion to a text in an older version. */
  asText?(stored: T): Code;
  /** Whether a part of the type has `since` or `until`. */
  isVersioned?(type: T): boolean;
}
