/** Durations in emitted services: their canonical form, their order, and what is refused. */
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';

import {
  byDuration,
  canonicalDuration,
  compareDurations,
  duration,
  microsecondsOf,
} from '../../../templates/service/src/platform/http/durations.ts';
import {
  complete,
  list,
  object,
  optional,
} from '../../../templates/service/src/platform/http/shapes.ts';
import { validator } from '../../../templates/service/src/platform/http/validation.ts';
import { bodySchema } from '../../../templates/service/src/platform/openapi/schemas.ts';

/** 100,000 days in microseconds. */
const LONGEST = 8_640_000_000_000_000n;

describe('canonical form', () => {
  test.each([
    ['PT0S', 'PT0S'],
    ['P0D', 'PT0S'],
    ['P0W', 'PT0S'],
    ['P0DT0H0M0.000S', 'PT0S'],
    ['P1D', 'PT24H'],
    ['P1W', 'PT168H'],
    ['P1DT12H', 'PT36H'],
    ['PT36H', 'PT36H'],
    ['PT90M', 'PT1H30M'],
    ['PT5400S', 'PT1H30M'],
    ['PT3600.5S', 'PT1H0.5S'],
    ['PT4.500S', 'PT4.5S'],
    ['PT0.000001S', 'PT0.000001S'],
    ['PT59.999999000S', 'PT59.999999S'],
    ['PT1M0.00001S', 'PT1M0.00001S'],
    ['P01DT01H', 'PT25H'],
    ['P100000D', 'PT2400000H'],
    ['PT8640000000S', 'PT2400000H'],
    ['P99999DT23H59M59.999999S', 'PT2399999H59M59.999999S'],
  ])('%s is %s', (text, canonical) => {
    expect(canonicalDuration(text)).toBe(canonical);
  });

  test.each([
    '',
    'P',
    'PT',
    'P1DT',
    'T1H',
    '1D',
    'P1',
    'PT1',
    'p1d',
    'P1d',
    '-P1D',
    '+P1D',
    'P-1D',
    'P1Y',
    'P1M',
    'P1Y2M3D',
    'P1W1D',
    'P1WT1H',
    'P1.5D',
    'PT1.5H',
    'PT1.5M',
    'PT.5S',
    'PT1.S',
    'PT1,5S',
    'PT1.0000001S',
    'PT1S1M',
    'PT1M1H',
    'P1H',
    'PT1D',
    'P1D ',
    'P1D\n',
    'P100000DT0.000001S',
    'PT2400000H1S',
    'P14286W',
    'P9999999999DT9999999999H9999999999M9999999999S',
    'P00000000001D',
    `P${'0'.repeat(100_000)}1D`,
    'P１D',
    'P0001-00-00T00:00:00',
    '1 day',
  ])('%j is no duration', (text) => {
    expect(canonicalDuration(text)).toBeUndefined();
  });

  const anyDuration = fc
    .record({
      days: fc.option(fc.nat(20_000), { nil: undefined }),
      hours: fc.option(fc.nat(1_000_000), { nil: undefined }),
      minutes: fc.option(fc.nat(10_000_000), { nil: undefined }),
      seconds: fc.option(fc.nat(100_000_000), { nil: undefined }),
      fraction: fc.option(fc.nat(999_999), { nil: undefined }),
    })
    .map(({ days, hours, minutes, seconds, fraction }) => {
      const text = (value: number | undefined, unit: string): string =>
        value === undefined ? '' : `${value}${unit}`;
      const digits = fraction === undefined ? '' : `.${String(fraction).padStart(6, '0')}`;
      const time =
        text(hours, 'H') +
        text(minutes, 'M') +
        (seconds === undefined ? '' : `${seconds}${digits}S`);
      return {
        text: `P${text(days, 'D')}${time === '' ? '' : `T${time}`}`,
        micros:
          BigInt(((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60_000_000n +
          BigInt(seconds ?? 0) * 1_000_000n +
          BigInt(seconds === undefined ? 0 : (fraction ?? 0)),
      };
    })
    .filter(({ text, micros }) => text !== 'P' && micros <= LONGEST);

  test('has the same length, is its own canonical form, and keeps each part below its carry', () => {
    fc.assert(
      fc.property(anyDuration, ({ text, micros }) => {
        const canonical = canonicalDuration(text) ?? '';
        expect(canonicalDuration(canonical)).toBe(canonical);
        const [, hours = 0, minutes = 0, seconds = 0, fraction = ''] =
          /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d*[1-9]))?S)?$/.exec(canonical) ?? [];
        expect(Number(minutes) < 60 && Number(seconds) < 60).toBe(true);
        expect(
          (BigInt(hours) * 60n + BigInt(minutes)) * 60_000_000n +
            BigInt(seconds) * 1_000_000n +
            BigInt(fraction.padEnd(6, '0')),
        ).toBe(micros);
        expect(BigInt(microsecondsOf(text) ?? -1)).toBe(micros);
      }),
      { numRuns: 1_000 },
    );
  });

  test('durations are in the order of their lengths', () => {
    fc.assert(
      fc.property(anyDuration, anyDuration, (one, other) => {
        expect(Math.sign(compareDurations(one.text, other.text))).toBe(
          one.micros < other.micros ? -1 : Number(one.micros > other.micros),
        );
      }),
    );
    expect(compareDurations('P1D', 'PT24H')).toBe(0);
  });

  // The time of the processor: that by the clock depends on what else the machine does.
  test('a long text is refused in linear time', () => {
    const before = process.cpuUsage();
    for (const text of [
      ...[`P${'1'.repeat(1e6)}`, `PT1.${'0'.repeat(1e6)}`, `P${'1D'.repeat(5e5)}`],
      `P${'1D'.repeat(5e5)}Y`,
    ]) {
      expect(canonicalDuration(text)).toBeUndefined();
      expect(validator(object({ length: duration() }))({ length: text })).toHaveLength(1);
    }
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2_000);
  });
});

describe('shape', () => {
  const validate = validator(
    object({
      length: duration({ minimum: 'PT15M', maximum: 'P1D' }),
      rest: optional(duration(), 'P1W'),
      laps: optional(list(duration(), { uniqueItems: true })),
    }),
  );
  const problems = (body: object): string[] =>
    validate({ ...body }).map(({ member, text }) => `${member} ${text}`);
  const invalid = 'must be a duration such as P7D or PT1H30M, no finer than microseconds';
  const calendar =
    'must have no years or months, because their length varies: use weeks, days, hours, minutes or seconds';

  test.each([
    [{ length: 'PT900S', rest: null }, []],
    [{ length: 'PT24H' }, []],
    [{ length: 'PT899.999999S' }, ['length must be from PT15M to P1D']],
    [{ length: 'PT24H0.000001S' }, ['length must be from PT15M to P1D']],
    [{ length: 'P100001D' }, ['length must be from PT15M to P1D']],
    [{ length: 'P1M' }, [`length ${calendar}`]],
    [{ length: 'P1Y2M3DT4H' }, [`length ${calendar}`]],
    [{ length: '1h' }, [`length ${invalid}`]],
    [{ length: '-P1D' }, [`length ${invalid}`]],
    [{ length: null }, ['length must not be null']],
    [{ length: 'P1D', rest: 60 }, ['rest must be a string or null']],
    [{ length: 'P1D', rest: 'P100001D' }, ['rest must be at most PT2400000H']],
    [{ length: 'P1D', laps: ['P1D', 'PT1H'] }, []],
    [{ length: 'P1D', laps: ['P1D', 'PT24H'] }, ['laps must not contain duplicates']],
    [{ length: 'P1D', laps: ['P1Y'] }, [`laps[0] ${calendar}`]],
  ])('%j', (body, expected) => {
    expect(problems(body)).toEqual(expected);
  });

  test('values and defaults are completed to their canonical form', () => {
    const shape = object({
      length: duration(),
      rest: optional(duration(), 'P1W'),
      no: optional(duration()),
    });
    expect(complete(shape, { length: 'PT90M' })).toEqual({
      ...{ length: 'PT1H30M', rest: 'PT168H', no: null },
    });
  });

  test('the document has the maximum, and a pattern of all other rules', () => {
    const { pattern, ...schema } = bodySchema(duration() as TSchema, 'POST');
    expect(schema).toMatchObject({
      type: 'string',
      description: 'A value at most PT2400000H.',
      'x-maximum': 'PT2400000H',
    });
    const { read, schema: filter } = byDuration();
    expect(filter['pattern']).toBe(pattern);
    for (const text of ['P7D', 'PT0.5S', 'P', 'PT', 'P1M', 'P1W1D', 'PT1.0000001S', 'P1D\n']) {
      expect(read(text)).toBe(canonicalDuration(text));
      for (const flags of ['', 'u']) {
        expect(new RegExp(String(pattern), flags).test(text)).toBe(read(text) !== undefined);
      }
    }
    expect(read('P100001D')).toBeUndefined();
  });
});
