/** The type `decimal`: an exact decimal number, which JSON carries as text. */
import type { Issues } from '../reading/issues.ts';
import { key } from '../reading/common-keys.ts';
import type { Keys, Reading } from '../reading/records.ts';
import { text, whole as wholeNumber } from '../reading/shapes.ts';
import type { Tree } from '../reading/tree.ts';
import { literal } from '../shared/sql.ts';
import { EXACT_NUMBERS } from './bigint.ts';
import {
  boundKeys,
  valuesAtBounds,
  limitsOf,
  sqlRange,
  withBounds,
  checkBounds,
} from './bounds.ts';
import { call, nameCode, optionsCode, plainCode } from './code.ts';
import { canonicalDecimal, decimalText, largestDecimal, unitsOf } from './exact-decimal.ts';
import {
  convertNumber,
  exactNumberConversion,
  REFUSED_EXACT,
  withNumericBounds,
} from './numbers.ts';
import { writtenOptions } from './written-options.ts';
import { compareDecimalValues } from './compare-values.ts';
import { castOf, sqlMatches } from './sql-conversion.ts';
import { readText, TEXT_HEADER, WORD_BYTES } from './text-storage.ts';
import { isStringOrText } from './text.ts';
import type { TypeSpec } from './type.ts';

export interface DecimalType {
  readonly type: 'decimal';
  readonly precision: number;
  readonly scale: number;
  /** Bounds are canonical texts. */
  readonly minimum?: string;
  readonly maximum?: string;
  /** In tests of an older version whose stored type is an integer: samples have no fraction. */
  readonly whole?: true;
}

/** Up to this many digits `Number` is exact; longer ones compare as BigInt. */
const EXACT_DIGITS = 15;

const keys = {
  precision: key(wholeNumber(1, 1000), 'How many digits there are in all.', {
    missing: '"precision: 10", the number of digits in all',
  }),
  scale: key(wholeNumber(0, 1000), 'How many of the digits stand behind the point.', {
    missing: '"scale: 2", the number of digits behind the point',
  }),
  ...boundKeys(text({ pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]+)?$' })),
} satisfies Keys;

const readValue = (type: DecimalType, tree: Tree, what: string, issues: Issues) =>
  readText(tree, what, issues, (value, refuse) => {
    const { precision, scale } = type;
    const result = canonicalDecimal(value, precision, scale);
    if ('text' in result)
      return checkBounds(type, result.text, tree, what, issues, compareDecimalValues);
    const sample = scale === 0 ? "'0'" : `'0.${'0'.repeat(Math.min(scale, 4))}'`;
    return refuse(result.problem, `one such as ${sample}`);
  });

const castTo = ({ precision, scale }: DecimalType): string => `numeric(${precision}, ${scale})`;

export const decimalSpec: TypeSpec<DecimalType> = {
  description: 'An exact decimal number, as text.',
  example: "price: { type: decimal, precision: 10, scale: 2, minimum: '0' }",
  synonyms: ['money', 'numeric'],
  keys,
  jsonSchemaType: 'string',
  isComparable: true,
  comparison: {
    with: ['integer', 'bigint', 'decimal'],
    isOrdered: true,
    literal: 'number',
    compareFunction: 'compareExact',
  },
  read({ precision, scale }: Reading<typeof keys>, tree, { issues }) {
    if (precision === undefined || scale === undefined) return undefined;
    if (scale.value > precision.value) {
      const message = `scale ${scale.value} is over precision ${precision.value}. Write ${precision.value} or less.`;
      issues.add(scale.at, 'bounds-cross', message);
      return undefined;
    }
    const type = { type: 'decimal', precision: precision.value, scale: scale.value } as const;
    return withBounds<DecimalType, string>(type, tree, issues, readValue, compareDecimalValues);
  },
  write: (type) => writtenOptions(type, keys),
  readValue,

  column: (type) => ({ definition: castTo(type), cast: 'numeric' }),
  check: ({ minimum, maximum }, value) => sqlRange(value, minimum, maximum),
  nullSubstitute: '0',
  indexBytes: ({ precision }) => TEXT_HEADER + WORD_BYTES + precision,
  jsonBytes: ({ precision }) => precision + 6,

  module: EXACT_NUMBERS,
  shape: ({ precision, scale, minimum, maximum }) =>
    call('decimal', optionsCode({ precision, scale, minimum, maximum })),
  filter: ({ precision, scale }) => call('byDecimal', String(precision), String(scale)),
  typescript: () => 'string',
  documentation: ({ scale }) => `string, a decimal with ${scale} digits after the point`,

  values: samples,
  refused({ precision, scale, minimum, maximum }) {
    const largest = 10n ** BigInt(precision) - 1n;
    const low = minimum === undefined ? -largest : unitsOf(minimum, precision, scale);
    const high = maximum === undefined ? largest : unitsOf(maximum, precision, scale);
    return [
      ...REFUSED_EXACT,
      ['with a bare point', '5.'],
      ['without a digit before the point', '.5'],
      ['with an exponent', '5e0'],
      ['with too many digits after the point', `0.${'0'.repeat(scale)}1`],
      ['too small', decimalText(low - 1n, scale)],
      ['too large', decimalText(high + 1n, scale)],
    ];
  },
  accepted({ precision, scale, minimum, maximum }) {
    const largest = largestDecimal(precision, scale);
    return valuesAtBounds(minimum ?? `-${largest}`, maximum ?? largest);
  },
  respellCode: (_type, value) => [{ sent: `longer(${value})`, answer: value, uses: ['longer'] }],
  listTests: {
    isOrdered: true,
    sortKey: ({ precision }, member) =>
      plainCode(
        precision > EXACT_DIGITS ? `BigInt(${member}.replace('.', ''))` : `Number(${member})`,
      ),
    respellFunction: nameCode('shorter'),
    invalidFilter: '+1',
  },

  limits: limitsOf,
  compare: compareDecimalValues,
  range({ precision, scale, minimum, maximum }) {
    const largest = largestDecimal(precision, scale);
    return { minimum: minimum ?? `-${largest}`, maximum: maximum ?? largest, scale };
  },
  readableAs: ['string', 'text'],

  nameInMessages: ({ precision, scale }) => `decimal(${precision}, ${scale})`,
  literal: (type, value) => `${literal(String(value))}::${castTo(type)}`,
  toText: (_type, value) => `(${value})::text`,
  fromJson: (type, value) => `${value}::${castTo(type)}`,
  fromText: (type) => castOf(castTo(type), (value) => sqlMatches(value, textPattern(type))),
  convertFrom: convertNumber,

  versionConversion: exactNumberConversion,
  withBoundsOf: (older, stored) =>
    withNumericBounds(older, stored, (bound) => paddedTo(bound, older.scale)),
  withStoredRange: (older, { minimum, maximum, scale }) => ({
    ...older,
    minimum: paddedTo(minimum, older.scale),
    maximum: paddedTo(maximum, older.scale),
    ...(scale === 0 && { whole: true as const }),
  }),
  hint: ({ precision, scale }, older) =>
    isStringOrText(older)
      ? `must be a number as text, with ${scale} digits after the point`
      : `must be in range, with at most ${precision - scale} digits before the point and ${scale} after it`,
  comparedAsNumber: () => ({ cast: 'numeric' }),
  asText: ({ precision, scale }) => call('textOfDecimal', `${precision}, ${scale}`),
};

/** A decimal with zeros up to a scale; digits beyond it stay. */
function paddedTo(bound: string, scale: number): string {
  const [whole = '', fraction = ''] = bound.split('.');
  return scale === 0 ? whole : `${whole}.${fraction.padEnd(scale, '0')}`;
}

/** The texts that are decimals of a size, as a regular expression of PostgreSQL. */
function textPattern({ precision, scale }: DecimalType): string {
  const wholeDigits = precision - scale;
  const whole = wholeDigits === 0 ? '0' : `(0|[1-9][0-9]{0,${wholeDigits - 1}})`;
  const fraction = scale === 0 ? String.raw`(\.0+)?` : String.raw`(\.[0-9]{1,${scale}}0*)?`;
  return `^-?${whole}${fraction}$`;
}

function samples(
  { precision, scale, minimum, maximum, whole }: DecimalType,
  count: number,
): string[] {
  const unit = 10n ** BigInt(scale);
  const largest = 10n ** BigInt(precision) - 1n;
  const bound = (value: string | undefined, fallback: bigint): bigint =>
    value === undefined ? fallback : unitsOf(value, precision, scale);
  const [low, high] = [bound(minimum, -largest), bound(maximum, largest)];
  const found = new Set<bigint>();
  const add = (value: bigint): void => {
    if (value >= low && value <= high && found.size < count) found.add(value);
  };
  // One and a half and so on, where the scale has room for it: then zeros follow in the answer.
  const half = scale > 0 && whole !== true ? unit / 2n : 0n;
  for (let n = 1n; n <= BigInt(count); n++) add(n * unit + half);
  for (let n = 0n; n < BigInt(count); n++) add(low + n * unit);
  const finest = whole === true ? unit : 1n;
  for (let n = 0n; n < BigInt(count); n++) add(low + n * finest);
  return [...found].map((units) => decimalText(units, scale));
}
