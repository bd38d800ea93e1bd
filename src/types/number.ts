/** The type `number`: a floating-point number. */
import type { Issues } from '../reading/issues.ts';
import type { Keys, Reading } from '../reading/records.ts';
import { numberShape } from '../reading/shapes.ts';
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
import { call, optionsCode } from './code.ts';
import { NUMBER_BYTES } from './integer.ts';
import { convertNumber, isWithin, safeNumber, wholeNumbers, withNumericBounds } from './numbers.ts';
import { writtenOptions } from './written-options.ts';
import { compareNumbers } from './compare-values.ts';
import { castOf, sqlMatches } from './sql-conversion.ts';
import { WORD_BYTES } from './text-storage.ts';
import type { TypeSpec } from './type.ts';
import { SAME_VALUE, TEAM_CONVERSION } from './version-conversion.ts';

export interface NumberType {
  readonly type: 'number';
  readonly minimum?: number;
  readonly maximum?: number;
  /** In tests of an older version whose stored type is an integer: samples have no fraction. */
  readonly whole?: true;
}

/** The first integer beyond those that a double holds exactly. */
const FIRST_UNSAFE_INTEGER = 2 ** 53;
/** What tests send without bounds. */
const USUAL = 1e9;

const keys = boundKeys(numberShape) satisfies Keys;

const readValue = (type: NumberType, tree: Tree, what: string, issues: Issues) =>
  checkBounds(type, numberShape.read(tree, what, issues), tree, what, issues, compareNumbers);

export const numberSpec: TypeSpec<NumberType> = {
  description: 'A floating-point number.',
  example: 'latitude: { type: number, minimum: -90, maximum: 90 }',
  synonyms: ['double', 'float'],
  keys,
  jsonSchemaType: 'number',
  isComparable: true,
  comparison: { with: ['integer', 'number'], isOrdered: true, literal: 'number' },
  read: (_options: Reading<typeof keys>, tree, { issues }) =>
    withBounds({ type: 'number' as const }, tree, issues, readValue, compareNumbers),
  write: (type) => writtenOptions(type, keys),
  readValue,

  column: () => ({ definition: 'double precision', cast: 'double precision' }),
  check: ({ minimum, maximum }, value) => sqlRange(value, minimum?.toString(), maximum?.toString()),
  nullSubstitute: '0',
  indexBytes: () => WORD_BYTES,
  jsonBytes: () => NUMBER_BYTES,

  shape: ({ minimum, maximum }) => call('number', optionsCode({ minimum, maximum })),
  filter: () => call('byNumber'),
  typescript: () => 'number',
  documentation: () => 'number',

  values: ({ minimum = -USUAL, maximum = USUAL, whole }, count) =>
    whole === true
      ? wholeNumbers(BigInt(Math.ceil(minimum)), BigInt(Math.floor(maximum)), count).map(Number)
      : fractions(minimum, maximum, count),
  refused: ({ minimum, maximum }, sample) => [
    ['a text', String(sample)],
    ['true', true],
    ...(minimum === undefined || minimum - 1 === minimum
      ? []
      : [['too small', minimum - 1] as const]),
    // Beyond the safe range the next number may be the bound itself.
    ...(maximum === undefined
      ? [['an integer that no double holds', FIRST_UNSAFE_INTEGER] as const]
      : []),
    ...(maximum === undefined || maximum + 1 === maximum
      ? []
      : [['too large', maximum + 1] as const]),
  ],
  accepted: ({ minimum, maximum = Number.MAX_VALUE }) => [
    ...valuesAtBounds(minimum, maximum),
    ...(minimum === undefined ? [['very small', -Number.MIN_VALUE] as const] : []),
  ],
  listTests: { isOrdered: true, invalidFilter: 'one' },

  limits: limitsOf,
  compare: compareNumbers,
  readableAs: [],

  nameInMessages: () => 'number',
  literal: (_type, value) => `${literal(String(value))}::double precision`,
  toText: (_type, value) => `(${value})::text`,
  isOwnJson: true,
  fromJson: (_type, value) => `${value}::double precision`,
  fromText: () =>
    castOf('double precision', (value) =>
      sqlMatches(value, String.raw`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,2})?$`),
    ),
  convertFrom: convertNumber,

  versionConversion: (stored, older) =>
    older.type === 'number' && isWithin(stored, older) ? SAME_VALUE : TEAM_CONVERSION,
  withBoundsOf: (older, stored) => withNumericBounds(older, stored, safeNumber),
  withStoredRange: (older, { minimum, maximum, scale }) => ({
    ...older,
    minimum: Number(minimum),
    maximum: Number(maximum),
    ...(scale === 0 && { whole: true as const }),
  }),
};

function fractions(minimum: number, maximum: number, count: number): number[] {
  const found = new Set<number>();
  const add = (value: number): void => {
    if (value >= minimum && value <= maximum && found.size < count) found.add(value);
  };
  for (let n = 0; n < count; n++) add(n + 1.5);
  for (let n = 0; n < count; n++) add(Math.ceil(minimum) + n + 0.5);
  for (let n = 0; n <= count; n++) add(minimum + ((maximum - minimum) * n) / Math.max(count, 1));
  return [...found];
}
