/** The type `bigint`: a whole number of 64 bits, which JSON carries as text. */
import type { Issues } from '../reading/issues.ts';
import type { Keys, Reading } from '../reading/records.ts';
import { text } from '../reading/shapes.ts';
import type { Tree } from '../reading/tree.ts';
import { literal } from '../shared/sql.ts';
import {
  boundKeys,
  valuesAtBounds,
  limitsOf,
  sqlRange,
  withBounds,
  checkBounds,
} from './bounds.ts';
import { call, optionsCode, plainCode } from './code.ts';
import { canonicalBigint, MAX_BIGINT, MIN_BIGINT } from './exact-decimal.ts';
import { NUMBER_BYTES, WHOLE_TEXT } from './integer.ts';
import {
  convertNumber,
  exactNumberConversion,
  REFUSED_EXACT,
  wholeNumberComparison,
  wholeNumbers,
  withNumericBounds,
} from './numbers.ts';
import { writtenOptions } from './written-options.ts';
import { compareDecimalValues } from './compare-values.ts';
import { sqlBetween, guardedCondition, castOf, sqlMatches } from './sql-conversion.ts';
import { readText, WORD_BYTES } from './text-storage.ts';
import type { TypeSpec } from './type.ts';

export interface BigintType {
  readonly type: 'bigint';
  /** Bounds are canonical texts, for they may lie outside the safe range. */
  readonly minimum?: string;
  readonly maximum?: string;
}

const MINIMUM = String(MIN_BIGINT);
const MAXIMUM = String(MAX_BIGINT);

/** What emitted code imports for exact numbers: this type and `decimal` share a module. */
export const EXACT_NUMBERS = {
  file: 'exact-numbers',
  exports: ['bigint', 'byBigint', 'byDecimal', 'decimal'],
};

const keys = boundKeys(text({ pattern: '^(0|-?[1-9][0-9]*)$' })) satisfies Keys;

const readValue = (type: BigintType, tree: Tree, what: string, issues: Issues) =>
  readText(tree, what, issues, (value, refuse) => {
    const canonical = canonicalBigint(value);
    if (canonical === undefined) return refuse('is not a 64-bit integer', "one such as '0'");
    return checkBounds(type, canonical, tree, what, issues, compareDecimalValues);
  });

export const bigintSpec: TypeSpec<BigintType> = {
  description: 'A whole number of 64 bits, as text.',
  example: "views: { type: bigint, default: '0', minimum: '0' }",
  synonyms: ['int64', 'long'],
  keys,
  jsonSchemaType: 'string',
  isComparable: true,
  hasSequence: true,
  read: (_options: Reading<typeof keys>, tree, { issues }) =>
    withBounds({ type: 'bigint' as const }, tree, issues, readValue, compareDecimalValues),
  write: (type) => writtenOptions(type, keys),
  readValue,

  column: () => ({ definition: 'bigint', cast: 'bigint' }),
  // JSON would round it.
  select: (column) => `${column}::text`,
  check: ({ minimum, maximum }, value) => sqlRange(value, minimum, maximum),
  nullSubstitute: '0',
  indexBytes: () => WORD_BYTES,
  jsonBytes: () => NUMBER_BYTES,

  module: EXACT_NUMBERS,
  shape: ({ minimum, maximum }) => call('bigint', optionsCode({ minimum, maximum })),
  filter: () => call('byBigint'),
  typescript: () => 'string',
  documentation: () => 'string, a 64-bit integer',

  values: ({ minimum = MINIMUM, maximum = MAXIMUM }, count) =>
    wholeNumbers(BigInt(minimum), BigInt(maximum), count).map(String),
  refused: ({ minimum = MINIMUM, maximum = MAXIMUM }) => [
    ...REFUSED_EXACT,
    ['with a point', '5.0'],
    ['with an exponent', '5e1'],
    ['too small', String(BigInt(minimum) - 1n)],
    ['too large', String(BigInt(maximum) + 1n)],
  ],
  accepted: ({ minimum = MINIMUM, maximum = MAXIMUM }) => valuesAtBounds(minimum, maximum),
  listTests: {
    isOrdered: true,
    sortKey: (_type, member) => plainCode(`BigInt(${member})`),
    invalidFilter: '05',
  },

  limits: limitsOf,
  compare: compareDecimalValues,
  range: ({ minimum = MINIMUM, maximum = MAXIMUM }) => ({
    minimum: minimum,
    maximum: maximum,
    scale: 0,
  }),
  readableAs: ['string', 'text'],

  nameInMessages: () => 'bigint',
  literal: (_type, value) => `${literal(String(value))}::bigint`,
  toText: (_type, value) => `(${value})::text`,
  fromJson: (_type, value) => `${value}::bigint`,
  fromText: () =>
    castOf('bigint', (value) =>
      guardedCondition(
        sqlMatches(value, WHOLE_TEXT),
        sqlBetween(`${value}::numeric`, MINIMUM, MAXIMUM),
      ),
    ),
  convertFrom: convertNumber,

  versionConversion: exactNumberConversion,
  withBoundsOf: (older, stored) =>
    withNumericBounds(older, stored, (bound) => bound.replace(/\.0+$/, '')),
  withStoredRange: (older, { minimum, maximum }) => ({
    ...older,
    minimum: minimum,
    maximum: maximum,
  }),
  comparedAsNumber: wholeNumberComparison,
  hint: () => 'must be an integer that is in range',
};
