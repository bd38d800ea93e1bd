/** Times of day in emitted services: their canonical form, their order, and what is refused. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  complete,
  list,
  object,
  optional,
} from '../../../templates/service/src/platform/http/shapes.ts';
import { byTime, canonicalTime, time } from '../../../templates/service/src/platform/http/times.ts';
import { validator } from '../../../templates/service/src/platform/http/validation.ts';

describe('canonical form', () => {
  test.each([
    ['00:00:00', '00:00:00'],
    ['09:30:00', '09:30:00'],
    ['09:30:00.0', '09:30:00'],
    ['09:30:00.500', '09:30:00.5'],
    ['23:59:59.999999', '23:59:59.999999'],
    ['23:59:59.999999000', '23:59:59.999999'],
    ['00:00:00.000001', '00:00:00.000001'],
    ['00:00:00.100100', '00:00:00.1001'],
  ])('%s is %s', (text, canonical) => {
    expect(canonicalTime(text)).toBe(canonical);
  });

  test.each([
    '',
    '09:30',
    '9:30:00',
    '24:00:00',
    '23:60:00',
    '23:59:60',
    '09:30:00.',
    '09:30:00,5',
    '09:30:00.1234567',
    '09:30:00.0000001',
    '09:30:00Z',
    '09:30:00+01:00',
    'T09:30:00',
    '2026-01-31T09:30:00',
    ' 09:30:00',
    '09:30:00\n',
    '09:30:00 PM',
    '０9:30:00',
  ])('%j is no time', (text) => {
    expect(canonicalTime(text)).toBeUndefined();
  });

  test('canonical forms are in the order of their times', () => {
    const moment = fc.tuple(
      ...[fc.nat(23), fc.nat(59), fc.nat(59)],
      fc.oneof(fc.nat(999_999), fc.constantFrom(0, 1, 10, 100_000, 500_000)),
    );
    const micros = ([hours = 0, minutes = 0, seconds = 0, fraction = 0]: number[]): number =>
      ((hours * 60 + minutes) * 60 + seconds) * 1e6 + fraction;
    const pad = (value: number, width = 2): string => String(value).padStart(width, '0');
    const text = ([hours = 0, minutes = 0, seconds = 0, fraction = 0]: number[]): string =>
      canonicalTime(`${pad(hours)}:${pad(minutes)}:${pad(seconds)}.${pad(fraction, 6)}`) ?? '';
    fc.assert(
      fc.property(moment, moment, (one, other) => {
        expect(text(one) < text(other)).toBe(micros(one) < micros(other));
        expect(text(one) === text(other)).toBe(micros(one) === micros(other));
      }),
    );
  });
});

describe('shape', () => {
  const validate = validator(
    object({
      opens: time({ minimum: '06:00:00', maximum: '22:00:00.50' }),
      closes: optional(time(), '18:00:00.000'),
      breaks: optional(list(time(), { uniqueItems: true })),
    }),
  );
  const problems = (body: object): string[] =>
    validate({ ...body }).map(({ member, text }) => `${member} ${text}`);
  const invalid =
    'must be a time of day without offset, such as 09:30:00, no finer than microseconds';

  test.each([
    [{ opens: '06:00:00', closes: null }, []],
    [{ opens: '22:00:00.500000' }, []],
    [{ opens: '05:59:59.999999' }, ['opens must be from 06:00:00 to 22:00:00.50']],
    [{ opens: '22:00:00.500001' }, ['opens must be from 06:00:00 to 22:00:00.50']],
    [{ opens: '9:30' }, [`opens ${invalid}`]],
    [{ opens: null }, ['opens must not be null']],
    [{ opens: '06:00:00', closes: 9 }, ['closes must be a string or null']],
    [{ opens: '06:00:00', closes: '24:00:00' }, [`closes ${invalid}`]],
    [{ opens: '06:00:00', breaks: ['09:00:00', '09:00:00.5'] }, []],
    [
      { opens: '06:00:00', breaks: ['09:00:00', '09:00:00.0'] },
      ['breaks must not contain duplicates'],
    ],
    [{ opens: '06:00:00', breaks: ['x'] }, [`breaks[0] ${invalid}`]],
  ])('%j', (body, expected) => {
    expect(problems(body)).toEqual(expected);
  });

  test('values and defaults are completed to their canonical form', () => {
    const shape = object({
      at: time(),
      to: optional(time(), '18:00:00.000'),
      no: optional(time()),
    });
    expect(complete(shape, { at: '09:30:00.50' })).toEqual({
      ...{ at: '09:30:00.5', to: '18:00:00', no: null },
    });
  });

  test('the filter reads what the shape accepts', () => {
    const { read, schema } = byTime();
    const pattern = String(schema['pattern']);
    for (const text of ['09:30:00.50', '23:59:59.9999990', '24:00:00', '09:30:00.1234567', '']) {
      expect(read(text)).toBe(canonicalTime(text));
      for (const flags of ['', 'u']) {
        expect(new RegExp(pattern, flags).test(text)).toBe(canonicalTime(text) !== undefined);
      }
    }
  });
});
