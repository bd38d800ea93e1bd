/**
 * Compares the type of a value before and after a change. Clients that send it break if the type accepts
 * less; clients that read it break if it answers values of another kind.
 *
 * Wider bounds of answers break nobody: clients read a longer text or a greater number as the same JSON
 * type. Integers that no longer fit into 32 bits are the exception.
 */
import type { DecimalType } from '../types/decimal.ts';
import type { EnumType } from '../types/enum.ts';
import type { IntegerType } from '../types/integer.ts';
import type { ListType } from '../types/list.ts';
import { narrowedLimits } from '../types/narrowed-limits.ts';
import { specOf } from '../types/registry.ts';
import { isUuidType } from '../types/uuid.ts';
import type { FieldType, ScalarType } from '../types/registry.ts';
import type { StringType } from '../types/string.ts';
import { isStringOrText } from '../types/text.ts';
import type { StringOrText } from '../types/text.ts';
import type { BreakCode } from './break-catalogue.ts';
import { plainAdvice } from './types.ts';
import type { Advice } from './types.ts';
import { inlineYaml, inlinePair, typeKeys, versionMap } from './definition-yaml.ts';

/** How clients use a value. */
export interface ValueUse {
  readonly sent: boolean;
  readonly read: boolean;
  readonly filtered: boolean;
  readonly sorted: boolean;
  /** The type of the whole field as it was: the older form that a version may keep. */
  readonly field: FieldType;
}

/** A breaking change of a type; `what` lacks the subject of its sentence. */
interface TypeBreak {
  readonly code: BreakCode;
  readonly what: string;
  readonly who: string;
  readonly advice: Advice;
}

const REFUSED = 'clients that send what was accepted get 422';

/** Compares two types, except the targets of references and the members of objects. */
export function compareTypes(before: FieldType, after: FieldType, use: ValueUse): TypeBreak[] {
  if (isStringOrText(before) && isStringOrText(after)) return compareTextTypes(before, after, use);
  if (before.type !== after.type) return compareTypeNames(before, after, use);
  if (before.type === 'enum') return compareEnumTypes(before, after as EnumType, use);
  if (before.type === 'decimal') return compareDecimalTypes(before, after as DecimalType, use);
  if (before.type === 'list') return compareListTypes(before, after as ListType, use);
  const narrower = compareLimits(before, after, use);
  return before.type === 'integer'
    ? [...narrower, ...compareIntegerSizes(before, after as IntegerType, use)]
    : narrower;
}

/** The advice to keep the older form for older versions. */
export const olderFormAdvice =
  (field: FieldType): Advice =>
  ({ last, write }) =>
    write(`"${inlinePair('type_in', versionMap(last, typeKeys(field)))}" on the field`);

/** The advice for a change that `type_in` cannot express: a new field for newer versions. */
export const newFieldAdvice: Advice = ({ last, next, write }) =>
  write(`it as it was, with "until: ${last}", and a field of another name with "since: ${next}"`);

function compareTypeNames(before: FieldType, after: FieldType, use: ValueUse): TypeBreak[] {
  const isRefused = use.sent && !isStillAccepted(before, after);
  const isOther = use.read && !isStillReadable(after, before);
  if (!isRefused && !isOther) return [];
  const harms = [
    ...(isRefused ? ['clients that send the old form get 422'] : []),
    ...(isOther
      ? [
          before.type === 'reference'
            ? 'clients that follow it may get 404'
            : 'clients that read it find another form',
        ]
      : []),
  ];
  return [
    {
      code: 'type-changed',
      what: `has the type ${after.type}, and had ${before.type}`,
      who: harms.join(', and '),
      advice: [before, after].some(({ type }) => type === 'reference')
        ? newFieldAdvice
        : olderFormAdvice(use.field),
    },
  ];
}

/** Whether all JSON values of a type are values of another one. */
const areJsonValuesOf = (from: FieldType, into: FieldType): boolean =>
  into.type === 'json' ||
  (specOf(from).readableAs.includes(into.type) && (into.type !== 'uuid' || isUuidType(from)));

/** Whether the new type accepts every value of the old one: if it can read them and has no bounds. */
const isStillAccepted = (from: FieldType, into: FieldType): boolean =>
  areJsonValuesOf(from, into) &&
  Object.values(into).filter((option) => option !== undefined).length === 1;

/** Whether clients that expect a type can read the one that is answered. An id of an item is a UUID. */
const isStillReadable = (answered: FieldType, expected: FieldType): boolean =>
  (areJsonValuesOf(answered, expected) &&
    !('format' in expected && expected.format !== undefined)) ||
  (expected.type === 'uuid' && isUuidType(answered));

/** `text` is `string` without some of its options: in JSON they are one. */
function compareTextTypes(before: StringOrText, after: StringOrText, use: ValueUse): TypeBreak[] {
  const was: StringType = { ...before, type: 'string' };
  const is: StringType = { ...after, type: 'string' };
  return [
    ...compareLimits(before, after, use),
    ...comparePatterns(was.pattern, is.pattern, use),
    ...compareFormats(was.format, is.format, use),
  ];
}

/** Any new or changed pattern counts as narrower: patterns cannot be compared in general. */
function comparePatterns(
  before: string | undefined,
  after: string | undefined,
  use: ValueUse,
): TypeBreak[] {
  if (!use.sent || after === undefined || after === before) return [];
  return [
    {
      code: 'bounds-narrower',
      what: `has ${before === undefined ? 'a pattern' : 'another pattern'}, ${inlineYaml(after)}`,
      who: 'clients that send what it does not match get 422',
      advice: plainAdvice(undoAdvice('pattern', before)),
    },
  ];
}

/** A format counts as a type: clients that read it parse it. */
function compareFormats(
  before: string | undefined,
  after: string | undefined,
  use: ValueUse,
): TypeBreak[] {
  if (before === after) return [];
  const isRefused = use.sent && after !== undefined;
  const isOther = use.read && before !== undefined;
  if (!isRefused && !isOther) return [];
  const harms = [
    ...(isRefused ? [`clients that send a value that is not a valid ${after} get 422`] : []),
    ...(isOther ? [`clients that read it may find a value that is not a valid ${before}`] : []),
  ];
  return [
    {
      code: 'type-changed',
      what: `has ${after === undefined ? 'no format' : `the format ${after}`}, and had ${before ?? 'none'}`,
      who: harms.join(', and '),
      advice: plainAdvice(undoAdvice('format', before)),
    },
  ];
}

/** Bounds that are narrower than before. */
function compareLimits(before: FieldType, after: FieldType, use: ValueUse): TypeBreak[] {
  if (!use.sent) return [];
  return narrowedLimits(before, after).map(({ key, before: was, now }) => ({
    code: 'bounds-narrower',
    what: `has ${key} ${now}, and had ${was ?? 'none'}`,
    who: REFUSED,
    advice: plainAdvice(undoAdvice(key, was)),
  }));
}

/** The advice to restore an option. */
export const undoAdvice = (key: string, before: unknown): string =>
  before === undefined ? `Leave "${key}" out.` : `Write "${inlinePair(key, before)}" again.`;

const MINIMUM_32_BIT = -(2 ** 31);
const MAXIMUM_32_BIT = 2 ** 31 - 1;

/** Clients may store an integer in 32 bits if its bounds allow that. */
function compareIntegerSizes(before: IntegerType, after: IntegerType, use: ValueUse): TypeBreak[] {
  if (!use.read || !fitsIn32Bits(before) || fitsIn32Bits(after)) return [];
  return [
    {
      code: 'range-wider',
      what: 'no longer fits into 32 bits',
      who: 'clients that keep it in 32 bits cannot read greater ones',
      advice: olderFormAdvice(use.field),
    },
  ];
}

const fitsIn32Bits = ({ minimum = -Infinity, maximum = Infinity }: IntegerType): boolean =>
  minimum >= MINIMUM_32_BIT && maximum <= MAXIMUM_32_BIT;

function compareDecimalTypes(before: DecimalType, after: DecimalType, use: ValueUse): TypeBreak[] {
  const wasWhole = before.precision - before.scale;
  const isWhole = after.precision - after.scale;
  const fewer = isWhole < wasWhole || after.scale < before.scale;
  const what = `has the precision ${after.precision} and scale ${after.scale}, and had ${before.precision} and ${before.scale}`;
  const advice = plainAdvice(
    `Write "precision: ${before.precision}, scale: ${before.scale}" again${
      isWhole < wasWhole || after.scale !== before.scale ? '' : ', or a greater precision'
    }.`,
  );
  return [
    ...(use.sent && fewer
      ? [{ code: 'bounds-narrower' as const, what, who: REFUSED, advice }]
      : []),
    ...(use.read && after.scale !== before.scale
      ? [
          {
            code: 'type-changed' as const,
            what,
            who: 'clients that read it find another number of digits behind the point',
            advice: olderFormAdvice(use.field),
          },
        ]
      : []),
    ...compareLimits(before, after, use),
  ];
}

function compareEnumTypes(before: EnumType, after: EnumType, use: ValueUse): TypeBreak[] {
  const removed = before.values.filter((value) => !after.values.includes(value));
  const added = after.values.filter((value) => !before.values.includes(value));
  const inBoth = (values: readonly string[]): readonly string[] =>
    values.filter((value) => before.values.includes(value) && after.values.includes(value));
  const [fallback = ''] = before.values;
  const isReordered = inBoth(before.values).join('\n') !== inBoth(after.values).join('\n');
  return [
    ...(use.sent || use.filtered ? removed : []).map((value): TypeBreak => ({
      code: 'enum-value-gone',
      what: `no longer has the value ${inlineYaml(value)}`,
      who: use.sent ? 'clients that send it get 422' : 'clients that filter by it get 400',
      advice: ({ last, write }) =>
        write(
          `"${inlineYaml({ value, until: last, as: after.values[0] })}" among its values: "as" is what newer clients read`,
        ),
    })),
    ...(use.read ? added : []).map((value): TypeBreak => ({
      code: 'enum-value-new',
      what: `may be ${inlineYaml(value)}`,
      who: 'clients that read it do not know the value',
      advice: ({ next, write }) =>
        write(
          `"${inlineYaml({ value, since: next, as: fallback })}" among its values: "as" is what older clients read`,
        ),
    })),
    ...(use.sorted && isReordered
      ? [
          {
            code: 'enum-reordered' as const,
            what: 'has its values in another order',
            who: 'clients that sort by it get another order',
            advice: plainAdvice(
              `Write "values: ${inlineYaml([...inBoth(before.values), ...added])}".`,
            ),
          },
        ]
      : []),
  ];
}

function compareListTypes(before: ListType, after: ListType, use: ValueUse): TypeBreak[] {
  const entries = compareTypes(before.of, after.of satisfies ScalarType, use);
  return [
    ...entries.map((one) => ({ ...one, what: `holds entries of which each ${one.what}` })),
    ...compareLimits(before, after, use),
    ...(use.sent && after.uniqueItems && !before.uniqueItems
      ? [
          {
            code: 'bounds-narrower' as const,
            what: 'has unique_items',
            who: 'clients that send an entry twice get 422',
            advice: plainAdvice('Leave "unique_items" out.'),
          },
        ]
      : []),
  ];
}
