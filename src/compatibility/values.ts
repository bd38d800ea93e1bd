/**
 * What a change of a type means to those who send its values and to those who read them. What is
 * sent may become wider, and what is answered narrower; the other way round somebody breaks.
 *
 * A bound is for the service to keep, and a reader takes values as their JSON type: a longer text
 * or a greater number in an answer breaks nobody, as long as it fits where the old ones fitted.
 */
import { compareTimestamps } from '../definition/scalars.ts';
import type { FieldType, ListType, ScalarType } from '../definition/types.ts';
import type { BreakCode } from './catalogue.ts';
import { again } from './types.ts';
import type { Instead } from './types.ts';
import { inline, pair, typeKeys, upTo } from './written.ts';

/** How clients meet a value. */
export interface Use {
  readonly sent: boolean;
  readonly read: boolean;
  readonly filtered: boolean;
  readonly sorted: boolean;
  /** The type of the whole field as it was: the older form that a version may keep. */
  readonly field: FieldType;
}

/** What is different about a value; its subject is told by who asks. */
export interface Difference {
  readonly code: BreakCode;
  readonly what: string;
  readonly who: string;
  readonly instead: Instead;
}

type Options<Name extends FieldType['type']> = Extract<FieldType, { readonly type: Name }>;

const REFUSED = 'clients that send what was accepted get 422';

/** Compares all but what a reference leads to and the members of an object. */
export function compareTypes(before: FieldType, after: FieldType, use: Use): Difference[] {
  if (isText(before) && isText(after)) return compareTexts(before, after, use);
  if (before.type !== after.type) return changeOfType(before, after, use);
  switch (before.type) {
    case 'enum':
      return compareEnums(before, after as typeof before, use);
    case 'decimal':
      return compareDecimals(before, after as typeof before, use);
    case 'integer':
      return [...compareRanges(before, after, use), ...outgrown(before, after, use)];
    case 'list':
      return compareLists(before, after as typeof before, use);
    default:
      return compareRanges(before, after, use);
  }
}

/** The advice to keep the older form for older versions. */
export const olderForm =
  (field: FieldType): Instead =>
  ({ last, write }) =>
    write(`"${pair('type_in', upTo(last, typeKeys(field)))}" on the field`);

/** The advice for what has no older form: an id that has to refer to something, and one that has not. */
const beside: Instead = ({ last, next, write }) =>
  write(`it as it was, with "until: ${last}", and a field of another name with "since: ${next}"`);

function changeOfType(before: FieldType, after: FieldType, use: Use): Difference[] {
  const isRefused = use.sent && !isAccepted(before, after);
  const isOther = use.read && !isReadable(after, before);
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
      instead: [before, after].some(({ type }) => type === 'reference')
        ? beside
        : olderForm(use.field),
    },
  ];
}

/** Types whose JSON values are all of another type too. */
const ALSO: Readonly<Partial<Record<FieldType['type'], readonly FieldType['type'][]>>> = {
  enum: ['string', 'text'],
  bigint: ['string', 'text'],
  decimal: ['string', 'text'],
  date: ['string', 'text'],
  timestamp: ['string', 'text'],
  uuid: ['string', 'text'],
  reference: ['uuid', 'string', 'text'],
  integer: ['number'],
};

const isOneOf = (from: FieldType, into: FieldType): boolean =>
  into.type === 'json' || (ALSO[from.type] ?? []).includes(into.type);

/** Whether every value that was sent is accepted as one of another type: where that has no bounds. */
const isAccepted = (from: FieldType, into: FieldType): boolean =>
  isOneOf(from, into) && Object.values(into).filter((option) => option !== undefined).length === 1;

/** Whether who reads one type can read what is answered now: an id is a UUID, whatever it refers to. */
const isReadable = (answered: FieldType, known: FieldType): boolean =>
  (isOneOf(answered, known) && !('format' in known && known.format !== undefined)) ||
  (answered.type === 'reference' && known.type === 'uuid');

type Text = Options<'string' | 'text'>;

const isText = (type: FieldType): type is Text => type.type === 'string' || type.type === 'text';

/** `text` is `string` without some of its options: in JSON they are one. */
function compareTexts(before: Text, after: Text, use: Use): Difference[] {
  const was = { ...before } as Options<'string'>;
  const is = { ...after } as Options<'string'>;
  return [
    ...compareLeast('min_length', was.minLength, is.minLength || undefined, use),
    ...compareMost('max_length', was.maxLength, is.maxLength, use),
    ...comparePatterns(was.pattern, is.pattern, use),
    ...compareFormats(was.format, is.format, use),
  ];
}

/** Whether one pattern takes all that another took cannot be told in general. */
function comparePatterns(
  before: string | undefined,
  after: string | undefined,
  use: Use,
): Difference[] {
  if (!use.sent || after === undefined || after === before) return [];
  return [
    {
      code: 'bounds-narrower',
      what: `has ${before === undefined ? 'a pattern' : 'another pattern'}, ${inline(after)}`,
      who: 'clients that send what it does not match get 422',
      instead: again(undo('pattern', before)),
    },
  ];
}

/** A format is a type to those who read it: they take it apart. */
function compareFormats(
  before: string | undefined,
  after: string | undefined,
  use: Use,
): Difference[] {
  if (before === after) return [];
  const isRefused = use.sent && after !== undefined;
  const isOther = use.read && before !== undefined;
  if (!isRefused && !isOther) return [];
  const harms = [
    ...(isRefused ? [`clients that send what is no ${after} get 422`] : []),
    ...(isOther ? [`clients that read it may find what is no ${before}`] : []),
  ];
  return [
    {
      code: 'type-changed',
      what: `has ${after === undefined ? 'no format' : `the format ${after}`}, and had ${before ?? 'none'}`,
      who: harms.join(', and '),
      instead: again(undo('format', before)),
    },
  ];
}

/** Numbers as JSON has them, exact ones, days and moments. */
function compareRanges(before: FieldType, after: FieldType, use: Use): Difference[] {
  const [was, is] = [rangeOf(before), rangeOf(after)];
  if (was === undefined || is === undefined) return [];
  return [
    ...compareLeast('minimum', was.minimum, is.minimum, use, orderOf(before)),
    ...compareMost('maximum', was.maximum, is.maximum, use, orderOf(before)),
  ];
}

interface Range {
  readonly minimum?: string | number;
  readonly maximum?: string | number;
}

const rangeOf = (type: FieldType): Range | undefined =>
  ['integer', 'bigint', 'number', 'decimal', 'date', 'timestamp'].includes(type.type)
    ? (type as Range)
    : undefined;

type Bound = string | number;
type Order = (one: Bound, other: Bound) => number;

const byNumber: Order = (one, other) => Number(one) - Number(other);

const orderOf = ({ type }: FieldType): Order => {
  if (type === 'bigint' || type === 'decimal') {
    return (one, other) => compareDecimalTexts(String(one), String(other));
  }
  if (type === 'timestamp') {
    return (one, other) => compareTimestamps(String(one), String(other));
  }
  if (type === 'date') return (one, other) => (one < other ? -1 : one > other ? 1 : 0);
  return byNumber;
};

/** Compares decimals in plain form, whatever their scales. */
export function compareDecimalTexts(one: string, other: string): number {
  const digits = Math.max(...[one, other].map((text) => text.split('.')[1]?.length ?? 0));
  const whole = (text: string): bigint => {
    const [integer = '', fraction = ''] = text.split('.');
    return BigInt(integer + fraction.padEnd(digits, '0'));
  };
  const difference = whole(one) - whole(other);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function compareLeast(
  key: string,
  before: Bound | undefined,
  after: Bound | undefined,
  use: Use,
  order: Order = byNumber,
): Difference[] {
  const isNarrower = after !== undefined && (before === undefined || order(after, before) > 0);
  return isNarrower && use.sent ? [narrower(key, before, after)] : [];
}

function compareMost(
  key: string,
  before: Bound | undefined,
  after: Bound | undefined,
  use: Use,
  order: Order = byNumber,
): Difference[] {
  const isNarrower = after !== undefined && (before === undefined || order(after, before) < 0);
  return isNarrower && use.sent ? [narrower(key, before, after)] : [];
}

const narrower = (key: string, before: Bound | undefined, after: Bound): Difference => ({
  code: 'bounds-narrower',
  what: `has ${key} ${after}, and had ${before ?? 'none'}`,
  who: REFUSED,
  instead: again(undo(key, before)),
});

/** The advice to write what stood there. */
export const undo = (key: string, before: unknown): string =>
  before === undefined ? `Leave "${key}" out.` : `Write "${pair(key, before)}" again.`;

const LEAST_32 = -(2 ** 31);
const MOST_32 = 2 ** 31 - 1;

/** Many readers keep an integer in 32 bits where its bounds promise that it fits. */
function outgrown(before: FieldType, after: FieldType, use: Use): Difference[] {
  if (!use.read || !isNarrow(before) || isNarrow(after)) return [];
  return [
    {
      code: 'range-wider',
      what: 'has bounds beyond 32 bits, and had them within',
      who: 'clients that keep it in 32 bits cannot read greater ones',
      instead: olderForm(use.field),
    },
  ];
}

function isNarrow(type: FieldType): boolean {
  const { minimum, maximum } = type as Options<'integer'>;
  return (minimum ?? -Infinity) >= LEAST_32 && (maximum ?? Infinity) <= MOST_32;
}

function compareDecimals(
  before: Options<'decimal'>,
  after: Options<'decimal'>,
  use: Use,
): Difference[] {
  const wasWhole = before.precision - before.scale;
  const isWhole = after.precision - after.scale;
  const fewer = isWhole < wasWhole || after.scale < before.scale;
  const what = `has the precision ${after.precision} and scale ${after.scale}, and had ${before.precision} and ${before.scale}`;
  const instead = again(
    `Write "precision: ${before.precision}, scale: ${before.scale}" again${
      isWhole < wasWhole || after.scale !== before.scale ? '' : ', or a greater precision'
    }.`,
  );
  return [
    ...(use.sent && fewer
      ? [{ code: 'bounds-narrower' as const, what, who: REFUSED, instead }]
      : []),
    ...(use.read && after.scale !== before.scale
      ? [
          {
            code: 'type-changed' as const,
            what,
            who: 'clients that read it find another number of digits behind the point',
            instead: olderForm(use.field),
          },
        ]
      : []),
    ...compareRanges(before, after, use),
  ];
}

function compareEnums(before: Options<'enum'>, after: Options<'enum'>, use: Use): Difference[] {
  const gone = before.values.filter((value) => !after.values.includes(value));
  const added = after.values.filter((value) => !before.values.includes(value));
  const kept = (values: readonly string[]): readonly string[] =>
    values.filter((value) => before.values.includes(value) && after.values.includes(value));
  const [fallback = ''] = before.values;
  const isReordered = kept(before.values).join('\n') !== kept(after.values).join('\n');
  return [
    ...(use.sent || use.filtered ? gone : []).map((value): Difference => ({
      code: 'enum-value-gone',
      what: `has no value ${inline(value)} any more`,
      who: use.sent ? 'clients that send it get 422' : 'clients that filter by it get 400',
      instead: ({ last, write }) =>
        write(
          `"${inline({ value, until: last, as: after.values[0] })}" among its values: "as" is what newer clients read`,
        ),
    })),
    ...(use.read ? added : []).map((value): Difference => ({
      code: 'enum-value-new',
      what: `may be ${inline(value)}`,
      who: 'clients that read it do not know the value',
      instead: ({ next, write }) =>
        write(
          `"${inline({ value, since: next, as: fallback })}" among its values: "as" is what older clients read`,
        ),
    })),
    ...(use.sorted && isReordered
      ? [
          {
            code: 'enum-reordered' as const,
            what: 'has its values in another order',
            who: 'clients that sort by it get another order',
            instead: again(`Write "values: ${inline([...kept(before.values), ...added])}".`),
          },
        ]
      : []),
  ];
}

function compareLists(before: ListType, after: ListType, use: Use): Difference[] {
  const entries = compareTypes(before.of, after.of satisfies ScalarType, use);
  return [
    ...entries.map((one) => ({ ...one, what: `holds entries of which each ${one.what}` })),
    ...compareLeast('min_items', before.minItems, after.minItems || undefined, use),
    ...compareMost('max_items', before.maxItems, after.maxItems, use),
    ...(use.sent && after.uniqueItems && !before.uniqueItems
      ? [
          {
            code: 'bounds-narrower' as const,
            what: 'has unique_items',
            who: 'clients that send an entry twice get 422',
            instead: again('Leave "unique_items" out.'),
          },
        ]
      : []),
  ];
}
