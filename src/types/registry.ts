/** All field types, in the order of the documentation. A new type is a row here and a file of its own. */
import { bigintSpec } from './bigint.ts';
import type { BigintType } from './bigint.ts';
import { booleanSpec } from './boolean.ts';
import type { BooleanType } from './boolean.ts';
import { bytesSpec } from './bytes.ts';
import type { BytesType } from './bytes.ts';
import { dateSpec } from './date.ts';
import type { DateType } from './date.ts';
import { decimalSpec } from './decimal.ts';
import type { DecimalType } from './decimal.ts';
import { durationSpec } from './duration.ts';
import type { DurationType } from './duration.ts';
import { enumSpec } from './enum.ts';
import type { EnumType } from './enum.ts';
import { COMPOSITE_IDS, TEXT_IDS } from './key.ts';
import { integerSpec } from './integer.ts';
import type { IntegerType } from './integer.ts';
import { ipSpec } from './ip.ts';
import type { IpType } from './ip.ts';
import { jsonSpec } from './json.ts';
import type { JsonType } from './json.ts';
import { listSpec } from './list.ts';
import type { ListType } from './list.ts';
import { numberSpec } from './number.ts';
import type { NumberType } from './number.ts';
import { objectSpec } from './object.ts';
import type { ObjectType } from './object.ts';
import { referenceSpec } from './reference.ts';
import type { ReferenceType } from './reference.ts';
import { stringSpec } from './string.ts';
import type { StringType } from './string.ts';
import { textSpec } from './text.ts';
import type { TextType } from './text.ts';
import { timeSpec } from './time.ts';
import type { TimeType } from './time.ts';
import { timestampSpec } from './timestamp.ts';
import type { TimestampType } from './timestamp.ts';
import type { CodeSpec, TypeSpec } from './type.ts';
import { uuidSpec } from './uuid.ts';
import type { UuidType } from './uuid.ts';

/** The types whose values are one JSON scalar; these may stand in a list. */
export type ScalarType =
  | StringType
  | TextType
  | IntegerType
  | BigintType
  | NumberType
  | DecimalType
  | BooleanType
  | DateType
  | TimestampType
  | TimeType
  | DurationType
  | UuidType
  | IpType
  | BytesType
  | EnumType;

/** What may stand among the `properties` of an object: all but a reference. */
export type PropertyType = ScalarType | ListType | ObjectType | JsonType;
export type FieldType = PropertyType | ReferenceType;
export type TypeName = FieldType['type'];

/** The specification of a type. */
export const specOf = <T extends { readonly type: string }>(type: T): TypeSpec<T> =>
  TYPES[type.type as TypeName] as unknown as TypeSpec<T>;

const SCALARS = {
  string: stringSpec,
  text: textSpec,
  integer: integerSpec,
  bigint: bigintSpec,
  number: numberSpec,
  decimal: decimalSpec,
  boolean: booleanSpec,
  date: dateSpec,
  timestamp: timestampSpec,
  time: timeSpec,
  duration: durationSpec,
  uuid: uuidSpec,
  ip: ipSpec,
  bytes: bytesSpec,
  enum: enumSpec,
} satisfies { readonly [N in ScalarType['type']]: TypeSpec<Extract<ScalarType, { type: N }>> };

/** Each type by its name. */
export const TYPES = {
  ...SCALARS,
  list: listSpec(specOf),
  object: objectSpec(specOf),
  json: jsonSpec,
  reference: referenceSpec,
} satisfies { readonly [N in TypeName]: TypeSpec<Extract<FieldType, { type: N }>, object> };

export const TYPE_NAMES = Object.keys(TYPES) as readonly TypeName[];
export const SCALAR_NAMES = Object.keys(SCALARS) as readonly ScalarType['type'][];
/** The types that a property of an object can have, and a field in an older version. */
export const PROPERTY_NAMES = TYPE_NAMES.filter((name) => name !== 'reference');

/** Names of the types in other schema languages, for suggestions. */
export const TYPE_SYNONYMS: Readonly<Record<string, TypeName>> = Object.fromEntries(
  TYPE_NAMES.flatMap((name) => TYPES[name].synonyms.map((synonym) => [synonym, name] as const)),
);

type Modules = ReadonlyMap<string, readonly string[]>;

const modulesOf = (
  moduleOf: (spec: TypeSpec<FieldType>) => CodeSpec<FieldType>['module'],
): Modules =>
  new Map(
    TYPE_NAMES.flatMap((name) => {
      const module = moduleOf(TYPES[name] as unknown as TypeSpec<FieldType>);
      return module === undefined ? [] : [[module.file, module.exports] as const];
    }),
  );

/** The emitted modules of types beside `shapes.ts` and `filters.ts`, each with what it exports. */
export const TYPE_MODULES: Modules = new Map([
  ...modulesOf(({ module }) => module),
  [COMPOSITE_IDS.file, COMPOSITE_IDS.exports],
  [TEXT_IDS.file, TEXT_IDS.exports],
]);

/** The same of tests: the modules of `test/support/` beside `values.ts`. */
export const TEST_MODULES = modulesOf(({ listTests }) => listTests?.module);

/** Whether two types are the same in all options. */
export const isSameType = (one: FieldType, other: FieldType): boolean =>
  JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));

const sorted = (type: object): object =>
  Object.fromEntries(Object.entries(type).toSorted(([one], [other]) => (one < other ? -1 : 1)));

/** Whether the column of a type holds a scalar, and not jsonb. */
export const isScalarColumn = (type: FieldType): type is ScalarType | ReferenceType =>
  specOf(type).isJson === undefined;
