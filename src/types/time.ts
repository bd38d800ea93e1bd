/** The type `time`: a time of day without an offset (RFC 3339, section 5.6, `partial-time`). */
import type { Issues } from '../reading/issues.ts';
import type { Keys, Reading } from '../reading/records.ts';
import { text } from '../reading/shapes.ts';
import type { Tree } from '../reading/tree.ts';
import { literal } from '../shared/sql.ts';
import { boundKeys, valuesAtBounds, filledBounds, limitsOf, sqlRange } from './bounds.ts';
import { areBoundsWithin, withBounds, checkBounds } from './bounds.ts';
import { call, nameCode, optionsCode, plainCode } from './code.ts';
import { writtenOptions } from './written-options.ts';
import { compareTexts } from './compare-values.ts';
import { castOf, sqlMatches, unchanged } from './sql-conversion.ts';
import { HOUR, MINUTE, SECOND, stepsBetween } from './step-samples.ts';
import { isUnboundedText } from './text.ts';
import { readText, WORD_BYTES } from './text-storage.ts';
import type { LabelledValues, TypeSpec } from './type.ts';
import { SAME_VALUE, TEAM_CONVERSION } from './version-conversion.ts';

export interface TimeType {
  readonly type: 'time';
  /** Bounds are canonical texts. */
  readonly minimum?: string;
  readonly maximum?: string;
}

const EARLIEST = '00:00:00';
const LATEST = '23:59:59.999999';
/** `23:59:59.999999` in quotes. */
const JSON_BYTES = 17;

const TIME = /^((?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9])(?:\.([0-9]{1,6})0*)?$/;
const SQL_TIME = String.raw`^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6}0*)?$`;

/** The time as PostgreSQL writes it: without zeros at the end of a fraction. Such texts are in order. */
function canonicalTime(value: string): string | undefined {
  const [, seconds, fraction = ''] = TIME.exec(value) ?? [];
  const digits = fraction.replace(/0{1,6}$/, '');
  return seconds === undefined || digits === '' ? seconds : `${seconds}.${digits}`;
}

const keys = boundKeys(text({ pattern: SQL_TIME })) satisfies Keys;

const readValue = (type: TimeType, tree: Tree, what: string, issues: Issues) =>
  readText(tree, what, issues, (value, refuse) => {
    const canonical = canonicalTime(value);
    return canonical === undefined
      ? refuse('is not a time of day without an offset', 'one such as 09:30:00')
      : checkBounds(type, canonical, tree, what, issues, compareTexts);
  });

export const timeSpec: TypeSpec<TimeType> = {
  description: 'A time of day without an offset: HH:MM:SS, to the microsecond.',
  example: "opens_at: { type: time, minimum: '06:00:00' }",
  synonyms: ['time_of_day', 'partial_time', 'local_time'],
  keys,
  jsonSchemaType: 'string',
  isComparable: true,
  comparison: { with: ['time'], isOrdered: true, literal: 'text' },
  read: (_options: Reading<typeof keys>, tree, { issues }) =>
    withBounds({ type: 'time' as const }, tree, issues, readValue, compareTexts),
  write: (type) => writtenOptions(type, keys),
  readValue,

  column: () => ({ definition: 'time', cast: 'time' }),
  // PostgreSQL has 24:00:00 too.
  check: ({ minimum, maximum = LATEST }, value) =>
    sqlRange(value, minimum && `time ${literal(minimum)}`, `time ${literal(maximum)}`),
  nullSubstitute: `time '00:00:00'`,
  indexBytes: () => WORD_BYTES,
  jsonBytes: () => JSON_BYTES,

  module: { file: 'times', exports: ['byTime', 'time', 'timeAsText'] },
  shape: ({ minimum, maximum }) => call('time', optionsCode({ minimum, maximum })),
  filter: () => call('byTime'),
  typescript: () => 'string',
  documentation: () => 'string, a time of day `HH:MM:SS`',

  values: ({ minimum = EARLIEST, maximum = LATEST }, count) =>
    stepsBetween(9 * HOUR, microsecondsOf(minimum), microsecondsOf(maximum), count).map(timeText),
  listValues: ({ minimum = EARLIEST, maximum = LATEST }, plain) => {
    const finer = plain()
      .slice(0, 1)
      .map((value) => timeText(microsecondsOf(String(value)) + 1));
    return [
      ...plain().slice(0, 3),
      ...finer.filter((value) => value >= minimum && value <= maximum),
    ];
  },
  refused: ({ minimum = EARLIEST, maximum = LATEST }): LabelledValues => [
    ['no hour of the day', '24:00:00'],
    ['a leap second', '23:59:60'],
    ['without seconds', '09:30'],
    ['with an offset', '09:30:00Z'],
    ['finer than microseconds', '09:30:00.0000001'],
    ['a number', 93000],
    ...valueBeyondBound('too early', minimum, -1),
    ...valueBeyondBound('too late', maximum, 1),
  ],
  accepted: ({ minimum = EARLIEST, maximum = LATEST }) => valuesAtBounds(minimum, maximum),
  respellCode: (_type, value) => [{ sent: `longer(${value})`, answer: value, uses: ['longer'] }],
  listTests: {
    isOrdered: true,
    respellFunction: plainCode("(time) => (time.includes('.') ? `${time}0` : `${time}.0`)"),
    invalidFilter: '24:00:00',
  },

  limits: limitsOf,
  compare: compareTexts,
  readableAs: ['string', 'text'],

  nameInMessages: () => 'time',
  literal: (_type, value) => `${literal(String(value))}::time`,
  toText: (_type, value) => `(${value})::text`,
  fromJson: (_type, value) => `${value}::time`,
  fromText: () => castOf('time', (value) => sqlMatches(value, SQL_TIME)),
  convertFrom(from) {
    if (from.type === 'time') return unchanged();
    if (from.type !== 'timestamp') return undefined;
    return {
      sql: (value) => `((${value}) at time zone 'UTC')::time`,
      losses: ['the day'],
      isWider: false,
    };
  },

  versionConversion(stored, older) {
    const isWithin = older.type === 'time' && areBoundsWithin(stored, older, compareTexts);
    return isWithin || isUnboundedText(older) ? SAME_VALUE : TEAM_CONVERSION;
  },
  withBoundsOf: (older, stored) =>
    stored.type === 'time' ? filledBounds(older, stored.minimum, stored.maximum) : older,
  hint: (_stored, older) =>
    older.type === 'time'
      ? 'must be a time of day that is in range'
      : 'must be a time of day such as 09:30:00, without zeros at the end of a fraction',
  asText: () => nameCode('timeAsText'),
};

function microsecondsOf(value: string): number {
  const [hours, minutes, seconds] = value.split(':').map(Number);
  return (hours ?? 0) * HOUR + (minutes ?? 0) * MINUTE + Math.round((seconds ?? 0) * SECOND);
}

/** The canonical text of a time in microseconds since midnight. */
function timeText(microseconds: number): string {
  const moment = new Date(Math.floor(microseconds / 1000)).toISOString().slice(11, 23);
  return canonicalTime(moment + String(microseconds % 1000).padStart(3, '0')) ?? EARLIEST;
}

function valueBeyondBound(why: string, bound: string, step: 1 | -1): LabelledValues {
  const value = microsecondsOf(bound) + step;
  return value < 0 || value >= 24 * HOUR ? [] : [[why, timeText(value)]];
}
