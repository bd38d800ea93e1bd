/** The type `date`: a day of the calendar. */
import type { Issues } from '../reading/issues.ts';
import type { Keys, Reading } from '../reading/records.ts';
import { text } from '../reading/shapes.ts';
import type { Tree } from '../reading/tree.ts';
import { literal } from '../shared/sql.ts';
import {
  areBoundsWithin,
  boundKeys,
  valuesAtBounds,
  filledBounds,
  limitsOf,
  sqlRange,
  withBounds,
  checkBounds,
} from './bounds.ts';
import { addDays, isDate, sampleDays } from './calendar.ts';
import { call, optionsCode } from './code.ts';
import { writtenOptions } from './written-options.ts';
import { compareTexts } from './compare-values.ts';
import { guardedCondition, castOf, sqlMatches, unchanged } from './sql-conversion.ts';
import { isUnboundedText } from './text.ts';
import { readText, WORD_BYTES } from './text-storage.ts';
import type { LabelledValues, TypeSpec } from './type.ts';
import { SAME_VALUE, TEAM_CONVERSION } from './version-conversion.ts';

export interface DateType {
  readonly type: 'date';
  readonly minimum?: string;
  readonly maximum?: string;
}

const EARLIEST = '0001-01-01';
const LATEST = '9999-12-31';
/** The most bytes of a timestamp or date in JSON, also of those that only SQL can store. */
export const TIMESTAMP_BYTES = 50;

const keys = boundKeys(text({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' })) satisfies Keys;

const readValue = (type: DateType, tree: Tree, what: string, issues: Issues) =>
  readText(tree, what, issues, (value, refuse) =>
    isDate(value)
      ? checkBounds(type, value, tree, what, issues, compareTexts)
      : refuse('is not a date that exists', 'one such as 2026-01-31'),
  );

export const dateSpec: TypeSpec<DateType> = {
  description: 'A day: YYYY-MM-DD.',
  example: 'born_on: { type: date }',
  synonyms: [],
  keys,
  jsonSchemaType: 'string',
  isComparable: true,
  comparison: { with: ['date'], isOrdered: true, literal: 'text' },
  currentDefault: 'today',
  read: (_options: Reading<typeof keys>, tree, { issues }) =>
    withBounds({ type: 'date' as const }, tree, issues, readValue, compareTexts),
  write: (type) => writtenOptions(type, keys),
  readValue,

  column: () => ({ definition: 'date', cast: 'date' }),
  check: ({ minimum, maximum }, value) =>
    sqlRange(value, minimum && `date ${literal(minimum)}`, maximum && `date ${literal(maximum)}`),
  nullSubstitute: `date '0001-01-01'`,
  indexBytes: () => WORD_BYTES,
  jsonBytes: () => TIMESTAMP_BYTES,

  shape: ({ minimum, maximum }) => call('date', optionsCode({ minimum, maximum })),
  filter: () => call('byDate'),
  typescript: () => 'string',
  documentation: () => 'string, `YYYY-MM-DD`',

  values: ({ minimum = EARLIEST, maximum = LATEST }, count) => sampleDays(minimum, maximum, count),
  refused: ({ minimum = EARLIEST, maximum = LATEST }): LabelledValues => [
    ['no day of the calendar', '2026-02-30'],
    ['in short', '2026-1-31'],
    ['a time', '2026-01-31T00:00:00Z'],
    ['a number', 20260131],
    ...(minimum === EARLIEST ? [] : [['too early', addDays(minimum, -1)] as const]),
    ...(maximum === LATEST ? [] : [['too late', addDays(maximum, 1)] as const]),
  ],
  accepted: ({ minimum = EARLIEST, maximum = LATEST }) => valuesAtBounds(minimum, maximum),
  listTests: { isOrdered: true, invalidFilter: '2026-02-30' },

  limits: limitsOf,
  compare: compareTexts,
  readableAs: ['string', 'text'],

  nameInMessages: () => 'date',
  literal: (_type, value) =>
    value === 'today' ? `(now() at time zone 'UTC')::date` : `${literal(String(value))}::date`,
  toText: (_type, value) => `to_char(${value}, 'YYYY-MM-DD')`,
  fromJson: (_type, value) => `${value}::date`,
  fromText: () => castOf('date', sqlDateCondition),
  convertFrom(from) {
    if (from.type === 'date') return unchanged();
    if (from.type !== 'timestamp') return undefined;
    return {
      sql: (value) => `((${value}) at time zone 'UTC')::date`,
      losses: ['the time of the day'],
      isWider: false,
    };
  },

  versionConversion(stored, older) {
    if (older.type === 'timestamp') {
      return older.minimum === undefined && older.maximum === undefined
        ? { kind: 'midnight' }
        : TEAM_CONVERSION;
    }
    const isWithin = older.type === 'date' && areBoundsWithin(stored, older, compareTexts);
    return isWithin || isUnboundedText(older) ? SAME_VALUE : TEAM_CONVERSION;
  },
  withBoundsOf: (older, stored) =>
    stored.type === 'date' ? filledBounds(older, stored.minimum, stored.maximum) : older,
  hint: (_stored, older) =>
    older.type === 'timestamp'
      ? 'must be the beginning of a day in UTC'
      : 'must be a date as YYYY-MM-DD',
  comparedText: (column) => `to_char(${column}, 'YYYY-MM-DD')`,
};

/** The SQL condition that a text is a date that exists: PostgreSQL 13 fails at a cast of any other. */
export const sqlDateCondition = (value: string): string =>
  guardedCondition(
    sqlMatches(value, '^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$'),
    `right(${value}, 2)::int <= extract(day from ` +
      `(left(${value}, 7) || '-01')::date + interval '1 month' - interval '1 day')`,
  );
