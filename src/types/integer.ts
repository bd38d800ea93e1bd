/** The type `integer`: a whole number that JSON parsers keep. */
import type { Keys, Reading } from '../reading/records.ts';
import { whole } from '../reading/shapes.ts';
import type { Tree } from '../reading/tree.ts';
import type { Issues } from '../reading/issues.ts';
import { literal } from '../shared/sql.ts';
import {
  boundKeys,
  valuesAtBounds,
  limitsOf,
  sqlRange,
  withBounds,
  checkBounds,
} from './bounds.ts';
import { call, optionsCode } from './code.ts';
import { MAX_SAFE_TEXT } from './exact-decimal.ts';
import {
  convertNumber,
  exactNumberConversion,
  safeNumber,
  wholeNumberComparison,
} from './numbers.ts';
import { wholeNumbers, withNumericBounds } from './numbers.ts';
import { writtenOptions } from './written-options.ts';
import { compareNumbers } from './compare-values.ts';
import { sqlBetween, guardedCondition, castOf, sqlMatches } from './sql-conversion.ts';
import { isStringOrText } from './text.ts';
import { WORD_BYTES } from './text-storage.ts';
import type { TypeSpec } from './type.ts';

export interface IntegerType {
  readonly type: 'integer';
  readonly minimum?: number;
  readonly maximum?: number;
}

const { MIN_SAFE_INTEGER, MAX_SAFE_INTEGER } = Number;
/** The first integer beyond those that a double holds exactly. */
const FIRST_UNSAFE_INTEGER = 2 ** 53;
/** The text of an integer of up to 19 digits, as a regular expression of PostgreSQL. */
export const WHOLE_TEXT = String.raw`^(0|-?[1-9][0-9]{0,18})$`;
/** Bytes of the text of a number in JSON at most, with quotes. */
export const NUMBER_BYTES = 26;

const safe = whole(MIN_SAFE_INTEGER, MAX_SAFE_INTEGER);
const keys = boundKeys(safe) satisfies Keys;

const readValue = (type: IntegerType, tree: Tree, what: string, issues: Issues) =>
  checkBounds(type, safe.read(tree, what, issues), tree, what, issues, compareNumbers);

export const integerSpec: TypeSpec<IntegerType> = {
  description: 'A whole number in the safe range of JSON.',
  example: 'rating: { type: integer, required: true, minimum: 1, maximum: 5 }',
  synonyms: ['int'],
  keys,
  jsonSchemaType: 'integer',
  isComparable: true,
  comparison: {
    with: ['integer', 'bigint', 'number', 'decimal'],
    isOrdered: true,
    literal: 'number',
  },
  hasSequence: true,
  read: (_options: Reading<typeof keys>, tree, { issues }) =>
    withBounds({ type: 'integer' as const }, tree, issues, readValue, compareNumbers),
  write: (type) => writtenOptions(type, keys),
  readValue,

  column: () => ({ definition: 'bigint', cast: 'bigint' }),
  check: ({ minimum = MIN_SAFE_INTEGER, maximum = MAX_SAFE_INTEGER }, value) =>
    sqlRange(value, String(minimum), String(maximum)),
  nullSubstitute: '0',
  indexBytes: () => WORD_BYTES,
  jsonBytes: () => NUMBER_BYTES,

  shape: ({ minimum, maximum }) => call('integer', optionsCode({ minimum, maximum })),
  filter: () => call('byInteger'),
  typescript: () => 'number',
  documentation: () => 'integer',

  values: ({ minimum = MIN_SAFE_INTEGER, maximum = MAX_SAFE_INTEGER }, count) =>
    wholeNumbers(BigInt(Math.ceil(minimum)), BigInt(Math.floor(maximum)), count).map(Number),
  refused: ({ minimum, maximum }, sample) => [
    ['a text', String(sample)],
    ['a fraction', Number(sample) + 0.5],
    ['true', true],
    ...(minimum === undefined ? [] : [['too small', minimum - 1] as const]),
    maximum === undefined
      ? ['beyond what a double holds', FIRST_UNSAFE_INTEGER]
      : ['too large', maximum + 1],
  ],
  accepted: ({ minimum = MIN_SAFE_INTEGER, maximum = MAX_SAFE_INTEGER }) =>
    valuesAtBounds(minimum, maximum),
  listTests: { isOrdered: true, invalidFilter: '1.5' },

  limits: limitsOf,
  compare: compareNumbers,
  range: ({ minimum = MIN_SAFE_INTEGER, maximum = MAX_SAFE_INTEGER }) => ({
    minimum: String(minimum),
    maximum: String(maximum),
    scale: 0,
  }),
  readableAs: ['number'],

  nameInMessages: () => 'integer',
  literal: (_type, value) => `${literal(String(value))}::bigint`,
  toText: (_type, value) => `(${value})::text`,
  isOwnJson: true,
  fromJson: (_type, value) => `${value}::bigint`,
  fromText: () =>
    castOf('bigint', (value) =>
      guardedCondition(
        sqlMatches(value, WHOLE_TEXT),
        sqlBetween(`${value}::numeric`, `-${MAX_SAFE_TEXT}`, MAX_SAFE_TEXT),
      ),
    ),
  convertFrom: convertNumber,

  versionConversion: exactNumberConversion,
  withBoundsOf: (older, stored) => withNumericBounds(older, stored, safeNumber),
  withStoredRange: (older, { minimum, maximum }) => ({
    ...older,
    minimum: Number(minimum),
    maximum: Number(maximum),
  }),
  comparedAsNumber: wholeNumberComparison,
  hint: (stored, older) =>
    isStringOrText(older)
      ? `must be an integer as text${rangeText(stored)}`
      : 'must be an integer that is in range',
};

/** The bounds of an integer, for a message: `, at least 1 and at most 900`. */
function rangeText({ minimum, maximum }: IntegerType): string {
  const bounds = [
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
  ];
  return bounds.length === 0 ? '' : `, ${bounds.join(' and ')}`;
}
