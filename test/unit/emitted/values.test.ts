/** The canonical forms of values in emitted services, against forms worked out another way. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  canonicalDecimal,
  compareDecimals,
  isBigint,
} from '../../../templates/service/src/platform/http/exact-numbers.ts';
import { canonicalTimestamp, isDate } from '../../../templates/service/src/platform/http/values.ts';

describe('timestamps', () => {
  test.each([
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31t12:00:00z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00.5+05:30', '2026-01-31T06:30:00.500Z'],
    ['2026-01-31T12:00:00.123456Z', '2026-01-31T12:00:00.123456Z'],
    ['2026-01-31T12:00:00.123000Z', '2026-01-31T12:00:00.123Z'],
    ['2026-01-31T12:00:00.123456000Z', '2026-01-31T12:00:00.123456Z'],
    ['2026-01-31T12:00:00-00:00', '2026-01-31T12:00:00.000Z'],
    ['2024-02-29T23:59:59-23:59', '2024-03-01T23:58:59.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['0099-12-31T00:00:00Z', '0099-12-31T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
  ])('%s is %s', (text, canonical) => {
    expect(canonicalTimestamp(text)).toBe(canonical);
  });

  test.each([
    '',
    '2026-01-31',
    '2026-01-31T12:00:00',
    '2026-01-31 12:00:00Z',
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T23:60:00Z',
    '2026-12-31T23:59:60Z',
    '2026-01-31T12:00:00.1234567Z',
    '2026-01-31T12:00:00.Z',
    '2026-01-31T12:00Z',
    '2026-01-31T12:00:00+24:00',
    '2026-01-31T12:00:00+0530',
    '0000-12-31T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '12026-01-31T12:00:00Z',
    ' 2026-01-31T12:00:00Z',
    '2026-01-31T12:00:00Z\n',
    '２026-01-31T12:00:00Z',
  ])('%j is none', (text) => {
    expect(canonicalTimestamp(text)).toBeUndefined();
  });

  test('any time in any offset is the time that Date makes of it', () => {
    const offset = fc.tuple(fc.constantFrom('+', '-'), fc.nat(23), fc.nat(59));
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true }),
        offset,
        (date, [sign, hours, minutes]) => {
          const pad = (value: number): string => String(value).padStart(2, '0');
          const text = date.toISOString().replace('Z', `${sign}${pad(hours)}:${pad(minutes)}`);
          expect(canonicalTimestamp(text)).toBe(new Date(text).toISOString());
        },
      ),
    );
  });
});

test('a day is one exactly if Date knows it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9999 }), fc.nat(13), fc.nat(33), (year, month, day) => {
      const text = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
      const date = new Date(`${text}T00:00:00Z`);
      // Date takes the 31st of a short month for the 1st of the next one.
      const known = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
      expect(isDate(text)).toBe(known);
    }),
  );
  expect(isDate('0000-01-01')).toBe(false);
});

describe('decimals', () => {
  test.each([
    ['0', '0.00'],
    ['5', '5.00'],
    ['-5.1', '-5.10'],
    ['12345678.90', '12345678.90'],
    ['1.2000', '1.20'],
    ['0.01', '0.01'],
  ])('%s is %s with precision 10 and scale 2', (text, canonical) => {
    expect(canonicalDecimal(text, 10, 2)).toBe(canonical);
  });

  test.each([
    '',
    '-',
    '.5',
    '5.',
    '+5',
    '05',
    '00',
    '-0',
    '-0.00',
    '1e3',
    '0x1',
    '1,5',
    ' 1',
    '1\n',
    '1.234',
    '123456789',
    'NaN',
    'Infinity',
    '٣',
  ])('%j is none', (text) => {
    expect(canonicalDecimal(text, 10, 2)).toBeUndefined();
  });

  test('no digit of a decimal without a point is lost where the scale is 0', () => {
    expect(canonicalDecimal('99999', 5, 0)).toBe('99999');
    expect(canonicalDecimal('9.0', 5, 0)).toBe('9');
    expect(canonicalDecimal('9.1', 5, 0)).toBeUndefined();
  });

  test('order by value', () => {
    const cents = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
    const text = (value: bigint): string => {
      const digits = String(value < 0n ? -value : value).padStart(3, '0');
      return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
    };
    fc.assert(
      fc.property(cents, cents, (one, other) => {
        expect(compareDecimals(text(one), text(other))).toBe(
          one < other ? -1 : one > other ? 1 : 0,
        );
      }),
    );
  });
});

test.each([
  ['0', true],
  ['-1', true],
  ['9223372036854775807', true],
  ['9223372036854775808', false],
  ['-9223372036854775808', true],
  ['-9223372036854775809', false],
  ['-0', false],
  ['01', false],
  ['+1', false],
  ['1.0', false],
  ['1e3', false],
  ['', false],
  [`1${'0'.repeat(100_000)}`, false],
])('text %# as an integer of 64 bits', (text, verdict) => {
  expect(isBigint(text)).toBe(verdict);
});

test('a decimal number has at most 2,000 characters, zeros at its end included', () => {
  expect(canonicalDecimal(`1.${'0'.repeat(1_998)}`, 10, 2)).toBe('1.00');
  expect(canonicalDecimal(`1.${'0'.repeat(1_999)}`, 10, 2)).toBeUndefined();
  expect(canonicalDecimal('100.500', 10, 2)).toBe('100.50');
  expect(canonicalDecimal('100.000', 10, 0)).toBe('100');
});
