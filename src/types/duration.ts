/**
 * The type `duration`: a duration (ISO 8601) of weeks, days, hours, minutes and seconds, compared by its
 * length. The length of years and months varies, so that they are refused.
 */
import type { Issues } from '../reading/issues.ts';
import type { Keys, Reading } from '../reading/records.ts';
import { text } from '../reading/shapes.ts';
import type { Tree } from '../reading/tree.ts';
import { literal } from '../shared/sql.ts';
import { boundKeys, valuesAtBounds, filledBounds, limitsOf, sqlRange } from './bounds.ts';
import { areBoundsWithin, withBounds, checkBounds } from './bounds.ts';
import { call, nameCode, optionsCode, plainCode } from './code.ts';
import { writtenOptions } from './written-options.ts';
import { sqlBetween, guardedCondition, sqlMatches, unchanged } from './sql-conversion.ts';
import { HOUR, MINUTE, SECOND, stepsBetween } from './step-samples.ts';
import { isUnboundedText } from './text.ts';
import { readText } from './text-storage.ts';
import type { LabelledValues, TypeSpec } from './type.ts';
import { SAME_VALUE, TEAM_CONVERSION } from './version-conversion.ts';

export interface DurationType {
  readonly type: 'duration';
  /** Bounds are canonical texts. */
  readonly minimum?: string;
  readonly maximum?: string;
}

const DAY = 24 * HOUR;
/** 100,000 days: their microseconds are a safe integer. */
const LONGEST = 100_000 * DAY;
const NONE = 'PT0S';
const LAST = 'PT2400000H';
/** The longest text that PostgreSQL writes for what the check of a column lets pass. */
const JSON_BYTES = 64;

/** Weeks, days, hours, minutes, seconds and the fraction of a second. */
const DURATION =
  /^P(?:([0-9]{1,10})W|(?=[0-9T])(?:([0-9]{1,10})D)?(?:T(?=[0-9])(?:([0-9]{1,10})H)?(?:([0-9]{1,10})M)?(?:([0-9]{1,10})(?:\.([0-9]{1,6})0*)?S)?)?)$/;
const YEAR_OR_MONTH = /^P[0-9WD]{0,40}[YM]/;
/** The same for PostgreSQL, with fewer digits: more would overflow its type. */
const SQL_DURATION = String.raw`^P([0-9]{1,5}W|(?=[0-9T])([0-9]{1,6}D)?(T(?=[0-9])([0-9]{1,7}H)?([0-9]{1,9}M)?([0-9]{1,10}(\.[0-9]{1,6}0*)?S)?)?)$`;

/** In microseconds; undefined where the text is no duration. */
function parseMicroseconds(value: string): number | undefined {
  const parts = DURATION.exec(value);
  if (parts === null) return undefined;
  const [weeks, days, hours, minutes, seconds, fraction = ''] = parts.slice(1);
  return (
    Number(weeks ?? 0) * 7 * DAY +
    Number(days ?? 0) * DAY +
    Number(hours ?? 0) * HOUR +
    Number(minutes ?? 0) * MINUTE +
    Number(seconds ?? 0) * SECOND +
    Number(fraction.padEnd(6, '0'))
  );
}

/** The length of a duration in seconds; undefined if the text is no duration. */
export function parseSeconds(value: string): number | undefined {
  const length = parseMicroseconds(value);
  return length === undefined ? undefined : length / SECOND;
}

const microsecondsOf = (value: string): number => parseMicroseconds(value) ?? 0;

/** In hours, minutes and seconds without those that are zero: `PT36H30M`. */
function durationText(microseconds: number): string {
  const part = (value: number, unit: string): string => (value === 0 ? '' : `${value}${unit}`);
  const written =
    part(Math.floor(microseconds / HOUR), 'H') +
    part(Math.floor((microseconds % HOUR) / MINUTE), 'M') +
    part((microseconds % MINUTE) / SECOND, 'S');
  return written === '' ? NONE : `PT${written}`;
}

/** The canonical form; undefined if the text is no duration, or exceeds 100,000 days. */
function canonicalDuration(value: string): string | undefined {
  const length = parseMicroseconds(value);
  return length === undefined || length > LONGEST ? undefined : durationText(length);
}

const compareDurations = (one: string | number, other: string | number): number =>
  microsecondsOf(String(one)) - microsecondsOf(String(other));

const keys = boundKeys(
  text({
    pattern: String.raw`^P([0-9]+W|([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9]+(\.[0-9]+)?S)?)?)$`,
  }),
) satisfies Keys;

const readValue = (type: DurationType, tree: Tree, what: string, issues: Issues) =>
  readText(tree, what, issues, (value, refuse) => {
    if (YEAR_OR_MONTH.test(value)) {
      return refuse('has years or months, whose length varies', 'weeks, days or hours: P30D');
    }
    const canonical = canonicalDuration(value);
    return canonical === undefined
      ? refuse('is not a duration of at most 100,000 days', 'one such as P7D or PT1H30M')
      : checkBounds(type, canonical, tree, what, issues, compareDurations);
  });

const interval = (value: string): string => `interval ${literal(value)}`;

export const durationSpec: TypeSpec<DurationType> = {
  description:
    'A duration of ISO 8601 without years and months, compared by its length; answered in hours, minutes and seconds: PT36H30M.',
  example: 'notice: { type: duration, minimum: PT1H, maximum: P30D }',
  synonyms: ['interval', 'timespan', 'time_span'],
  keys,
  jsonSchemaType: 'string',
  isComparable: true,
  comparison: {
    with: ['duration'],
    isOrdered: true,
    literal: 'text',
    compareFunction: 'compareDurations',
  },
  read: (_options: Reading<typeof keys>, tree, { issues }) =>
    withBounds({ type: 'duration' as const }, tree, issues, readValue, compareDurations),
  write: (type) => writtenOptions(type, keys),
  readValue,

  column: () => ({ definition: 'interval', cast: 'interval' }),
  // The session has the style of ISO 8601.
  select: (column) => `${column}::text`,
  // Days are refused: PostgreSQL keeps them apart from hours, so equal durations would have different texts.
  check: ({ minimum = NONE, maximum = LAST }, value) =>
    `${sqlRange(value, interval(minimum), interval(maximum))}` +
    ['year', 'month', 'day'].map((unit) => ` and extract(${unit} from ${value}) = 0`).join(''),
  nullSubstitute: interval(NONE),
  indexBytes: () => 16,
  jsonBytes: () => JSON_BYTES,

  module: {
    file: 'durations',
    exports: ['byDuration', 'compareDurations', 'duration', 'durationAsText'],
  },
  shape: ({ minimum, maximum }) => call('duration', optionsCode({ minimum, maximum })),
  filter: () => call('byDuration'),
  typescript: () => 'string',
  documentation: () => 'string, a duration such as `PT1H30M`',

  values: ({ minimum = NONE, maximum = LAST }, count) =>
    stepsBetween(HOUR, microsecondsOf(minimum), microsecondsOf(maximum), count).map(durationText),
  refused: ({ minimum = NONE, maximum = LAST }): LabelledValues => [
    ['with a month', 'P1M'],
    ['with a year', 'P1Y'],
    ['without a number', 'PT'],
    ['negative', '-PT1H'],
    ['in lower case', 'pt1h'],
    ['finer than microseconds', 'PT0.0000001S'],
    ['a number', 3600],
    ...(minimum === NONE
      ? []
      : [['too short', durationText(microsecondsOf(minimum) - 1)] as const]),
    ['too long', durationText(microsecondsOf(maximum) + 1)],
  ],
  accepted: ({ minimum = NONE, maximum = LAST }) => valuesAtBounds(minimum, maximum),
  respellCode: (_type, value, required) => [
    { sent: `${value}${required ? '.' : '?.'}replace('PT', 'P0DT')`, answer: value, uses: [] },
  ],
  listTests: {
    isOrdered: true,
    sortKey: (_type, member) => call('secondsOf', member),
    module: { file: 'durations', exports: ['secondsOf'] },
    respellFunction: plainCode("(duration) => duration.replace('PT', 'P0DT')"),
    invalidFilter: 'P1M',
  },

  limits: limitsOf,
  compare: compareDurations,
  readableAs: ['string', 'text'],

  nameInMessages: () => 'duration',
  literal: (_type, value) => `${literal(String(value))}::interval`,
  toText: (_type, value) => canonicalDurationSql(value),
  fromJson: (_type, value) => `${value}::interval`,
  fromText: () => ({
    sql: (value) => inHours(`(${value})::interval`),
    fits: (value) =>
      guardedCondition(
        sqlMatches(value, SQL_DURATION),
        sqlBetween(`(${value})::interval`, interval(NONE), interval(LAST)),
      ),
    isWider: false,
  }),
  convertFrom: (from) => (from.type === 'duration' ? unchanged() : undefined),

  versionConversion(stored, older) {
    const isWithin = older.type === 'duration' && areBoundsWithin(stored, older, compareDurations);
    return isWithin || isUnboundedText(older) ? SAME_VALUE : TEAM_CONVERSION;
  },
  withBoundsOf: (older, stored) =>
    stored.type === 'duration' ? filledBounds(older, stored.minimum, stored.maximum) : older,
  hint: (_stored, older) =>
    older.type === 'duration'
      ? 'must be a duration that is in range'
      : 'must be a duration in hours, minutes and seconds without zeros, such as PT1H30M',
  asText: () => nameCode('durationAsText'),
};

/** The same length without days, which PostgreSQL keeps apart from hours. */
function inHours(value: string): string {
  const days = `extract(day from ${value})::int`;
  return `${value} - make_interval(days => ${days}) + make_interval(hours => 24 * ${days})`;
}

/** The canonical text, whatever the style of the session is. */
function canonicalDurationSql(value: string): string {
  const seconds = `extract(epoch from ${value})::numeric`;
  const parts = [
    `nullif(trunc(${seconds} / 3600), 0) || 'H'`,
    `nullif(trunc(mod(${seconds}, 3600) / 60), 0) || 'M'`,
    `nullif(trim_scale(mod(${seconds}, 60)), 0) || 'S'`,
  ];
  const written = `coalesce(nullif(concat('PT', ${parts.join(', ')}), 'PT'), 'PT0S')`;
  return `case when ${value} is not null then ${written} end`;
}
