/** The type `timestamp`: a moment (RFC 3339), answered in UTC. */
import type { Issues } from '../reading/issues.ts';
import type { Keys, Reading } from '../reading/records.ts';
import { text } from '../reading/shapes.ts';
import type { Tree } from '../reading/tree.ts';
import type { JsonValue } from '../shared/json.ts';
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
import { canonicalTimestamp, addMicrosecond, sampleDays, sampleMoments } from './calendar.ts';
import { call, nameCode, optionsCode, plainCode } from './code.ts';
import { sqlDateCondition, TIMESTAMP_BYTES } from './date.ts';
import { writtenOptions } from './written-options.ts';
import { compareTimestamps } from './compare-values.ts';
import { guardedCondition, castOf, sqlMatches, unchanged } from './sql-conversion.ts';
import { readText, WORD_BYTES } from './text-storage.ts';
import type { LabelledValues, TypeSpec } from './type.ts';
import { SAME_VALUE, TEAM_CONVERSION } from './version-conversion.ts';

export interface TimestampType {
  readonly type: 'timestamp';
  readonly minimum?: string;
  readonly maximum?: string;
  /** In an older form: it is the beginning of a day, in UTC. */
  readonly wholeDays?: true;
}

const EARLIEST = '0001-01-01T00:00:00.000Z';
const LATEST = '9999-12-31T23:59:59.999999Z';

const keys = boundKeys(
  text({
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt].*([Zz]|[+-][0-9]{2}:[0-9]{2})$',
  }),
) satisfies Keys;

const readValue = (type: TimestampType, tree: Tree, what: string, issues: Issues) =>
  readText(tree, what, issues, (value, refuse) => {
    const canonical = canonicalTimestamp(value);
    return canonical === undefined
      ? refuse('is not a moment with an offset', 'one such as 2026-01-31T12:00:00Z')
      : checkBounds(type, canonical, tree, what, issues, compareTimestamps);
  });

export const timestampSpec: TypeSpec<TimestampType> = {
  description: 'A moment: RFC 3339 with an offset.',
  example: 'published_at: { type: timestamp, default: now }',
  synonyms: ['datetime', 'date_time', 'date-time'],
  keys,
  jsonSchemaType: 'string',
  isComparable: true,
  comparison: {
    with: ['timestamp'],
    isOrdered: true,
    literal: 'text',
    compareFunction: 'compareTimestamps',
  },
  currentDefault: 'now',
  read: (_options: Reading<typeof keys>, tree, { issues }) =>
    withBounds({ type: 'timestamp' as const }, tree, issues, readValue, compareTimestamps),
  write: (type) => writtenOptions(type, keys),
  readValue,

  column: () => ({ definition: 'timestamptz', cast: 'timestamptz' }),
  check: ({ minimum, maximum }, value) =>
    sqlRange(
      value,
      minimum && `timestamptz ${literal(minimum)}`,
      maximum && `timestamptz ${literal(maximum)}`,
    ),
  nullSubstitute: `timestamptz '0001-01-01 00:00:00+00'`,
  indexBytes: () => WORD_BYTES,
  jsonBytes: () => TIMESTAMP_BYTES,

  shape: ({ minimum, maximum }) => call('timestamp', optionsCode({ minimum, maximum })),
  filter: () => call('byTimestamp'),
  typescript: () => 'string',
  documentation: () => 'string, RFC 3339',

  values({ minimum = EARLIEST, maximum = '9999-12-31T23:59:59.999Z', wholeDays }, count) {
    if (wholeDays === true) {
      const days = sampleDays(minimum.slice(0, 10), maximum.slice(0, 10), count);
      return days.map((day) => `${day}T00:00:00.000Z`);
    }
    return sampleMoments(minimum, maximum, count).filter(
      (moment) =>
        compareTimestamps(moment, minimum) >= 0 && compareTimestamps(moment, maximum) <= 0,
    );
  },
  listValues: (type, plain) => [...plain().slice(0, 3), ...firstWithMicrosecond(type, plain())],
  refused: ({ minimum, maximum }): LabelledValues => [
    ['no day of the calendar', '2026-02-30T12:00:00Z'],
    ['a day', '2026-01-31'],
    ['without an offset', '2026-01-31T12:00:00'],
    ['no hour of the day', '2026-01-31T24:00:00Z'],
    ['a leap second', '2026-06-30T23:59:60Z'],
    ['finer than microseconds', '2026-01-31T12:00:00.0000001Z'],
    ['a number', 1769860800],
    ...valueBeyondBound('too early', minimum, -1),
    ...valueBeyondBound('too late', maximum, 1),
  ],
  accepted: ({ minimum = EARLIEST, maximum = LATEST }) => valuesAtBounds(minimum, maximum),
  respellCode(_type, value, required) {
    const [dot, guard] = required ? ['.', ''] : ['?.', `${value} && `];
    return [
      { sent: `${value}${dot}toLowerCase()`, answer: value, uses: [] },
      { sent: `withOffset(${value})`, answer: value, uses: ['withOffset'] },
      { sent: `${guard}shorter(${value})`, answer: value, uses: ['shorter'] },
    ];
  },
  listTests: {
    isOrdered: true,
    sortKey: (_type, member) => plainCode(`${member}.slice(0, -1)`),
    respellFunction: nameCode('withOffset'),
    invalidFilter: '2026-01-31T12:00:00',
  },

  limits: limitsOf,
  compare: compareTimestamps,
  readableAs: ['string', 'text'],

  nameInMessages: () => 'timestamp',
  literal: (_type, value) => (value === 'now' ? 'now()' : `${literal(String(value))}::timestamptz`),
  toText(_type, value) {
    const utc = `(${value}) at time zone 'UTC'`;
    return (
      `to_char(${utc}, 'YYYY-MM-DD"T"HH24:MI:SS.') || case ` +
      `when to_char(${utc}, 'US') like '%000' then to_char(${utc}, 'MS') ` +
      `else to_char(${utc}, 'US') end || 'Z'`
    );
  },
  fromJson: (_type, value) => `${value}::timestamptz`,
  fromText: () =>
    castOf('timestamptz', (value) =>
      guardedCondition(
        sqlDateCondition(`left(${value}, 10)`),
        sqlMatches(`substr(${value}, 11)`, SQL_TIME_WITH_OFFSET),
      ),
    ),
  convertFrom(from) {
    if (from.type === 'timestamp') return unchanged();
    if (from.type !== 'date') return undefined;
    return { sql: (value) => `(${value})::timestamp at time zone 'UTC'`, isWider: true };
  },

  versionConversion: (stored, older) =>
    older.type === 'timestamp' && areBoundsWithin(stored, older, compareTimestamps)
      ? SAME_VALUE
      : TEAM_CONVERSION,
  withBoundsOf: (older, stored) =>
    stored.type === 'timestamp' ? filledBounds(older, stored.minimum, stored.maximum) : older,
};

/** The part of a timestamp after its date, as a regular expression of PostgreSQL. */
const SQL_TIME_WITH_OFFSET = String.raw`^[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$`;

function valueBeyondBound(why: string, bound: string | undefined, step: 1 | -1): LabelledValues {
  const value = bound === undefined ? undefined : addMicrosecond(bound, step);
  return value === undefined ? [] : [[why, value]];
}

/** The first sample value plus a microsecond, if the type allows it. */
function firstWithMicrosecond(
  { minimum = '0', maximum = LATEST, wholeDays }: TimestampType,
  [first]: readonly JsonValue[],
): string[] {
  if (wholeDays === true) return [];
  const moment = `${String(first).slice(0, 19)}.000001Z`;
  return compareTimestamps(moment, minimum) >= 0 && compareTimestamps(moment, maximum) <= 0
    ? [moment]
    : [];
}

/** The moment with a fraction of a second that is answered in six digits, where the type has room for it. */
export function withFraction({ maximum, wholeDays }: TimestampType, moment: string): string {
  const second = moment.slice(0, 19);
  const isWithin = maximum === undefined || maximum.slice(0, 19) > second;
  return wholeDays === true || !isWithin ? moment : `${second}.123450Z`;
}
