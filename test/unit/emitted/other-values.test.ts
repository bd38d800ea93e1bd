/** The schema of answers allows what columns of existing tables hold, and bodies still refuse it. */
import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';

import { duration } from '../../../templates/service/src/platform/http/durations.ts';
import { decimal } from '../../../templates/service/src/platform/http/exact-numbers.ts';
import { withOtherValues } from '../../../templates/service/src/platform/http/other-values.ts';
import {
  itemShape,
  list,
  number,
  object,
  optional,
} from '../../../templates/service/src/platform/http/shapes.ts';
import { time } from '../../../templates/service/src/platform/http/times.ts';
import {
  answerSchema,
  bodySchema,
} from '../../../templates/service/src/platform/openapi/schemas.ts';

const Body = object({
  term: duration(),
  open: optional(time()),
  net: decimal({ precision: 5, scale: 2 }),
  rate: optional(number({ minimum: 0 })),
  rates: list(number()),
  other: duration(),
});
const Item = itemShape('Lease', 'Leases.', Body, {
  asAnswered: withOtherValues({
    term: 'duration',
    open: 'time',
    net: 'decimal',
    rate: 'number',
    rates: 'number',
  }),
});

type Keywords = Readonly<Record<string, unknown>>;

interface Described {
  readonly properties: Readonly<Record<string, Keywords>>;
}

const schemas: Record<string, object> = {};
answerSchema(Item, { schemas } as unknown as Parameters<typeof answerSchema>[1]);
const answered = (schemas['Lease'] as Described).properties;
const sent = (bodySchema(Body as TSchema, 'POST') as unknown as Described).properties;

const allows = ({ type, pattern }: Keywords = {}, value: string): boolean =>
  [type].flat().includes('string') && new RegExp(String(pattern), 'v').test(value);

// What PostgreSQL 18 writes, with the interval style iso_8601.
describe.each([
  ['term', ['P1M2D', 'P1Y2M3DT4H5M6.7S', 'P-3D', 'P1M-1D', 'P-1Y-2M3DT-4H-5M-6.7S', '-infinity']],
  ['open', ['24:00:00']],
  ['net', ['NaN']],
  ['rate', ['NaN', 'Infinity', '-Infinity']],
])('%s', (member, values) => {
  test.each(values)('may be %s in an answer, and not in a body', (value) => {
    expect(allows(answered[member], value)).toBe(true);
    expect(allows(sent[member], value)).toBe(false);
    expect(allows(answered[member], 'other')).toBe(false);
  });
});

test('numbers stay numbers within their bounds, and null where they may be', () => {
  expect(answered['rate']).toMatchObject({ type: ['number', 'null', 'string'], minimum: 0 });
  expect(sent['rate']).not.toHaveProperty('pattern');
});

test('entries of a list may be such values, and members that are not named may not', () => {
  expect(allows(answered['rates']?.['items'] as Keywords, 'NaN')).toBe(true);
  expect(answered['other']?.['pattern']).toBe(sent['other']?.['pattern']);
});
