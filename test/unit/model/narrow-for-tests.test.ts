/** What tests of an older version send is what the field can hold, whatever its bounds are. */
import { expect, test } from 'vitest';

import { olderFormFor, storedValue } from '../../../src/definition/versions/older-form.ts';
import type { Field } from '../../../src/definition/types.ts';
import { testTypeOf } from '../../../src/model/narrow-for-tests.ts';
import { Issues } from '../../../src/reading/issues.ts';
import type { JsonValue } from '../../../src/shared/json.ts';
import { exampleValues } from '../../../src/types/example-values.ts';
import { specOf } from '../../../src/types/registry.ts';
import type { FieldType, PropertyType } from '../../../src/types/registry.ts';

const AT = { file: 'shop.yaml', line: 1, column: 1 };
const OPTIONS = { required: false, unique: false, readOnly: false, writeOnly: false };

const fieldOf = (type: FieldType): Field => ({
  ...OPTIONS,
  name: 'it',
  immutable: false,
  at: AT,
  type,
});

const isTaken = (type: FieldType, value: JsonValue): boolean => {
  const tree = { kind: 'scalar', at: AT, value: value as string, source: String(value) } as const;
  return specOf(type).readValue(type, tree, 'it', new Issues()) !== undefined;
};

const TEXT: PropertyType = { type: 'text' };

test.each<readonly [stored: PropertyType, older: PropertyType]>([
  [{ type: 'time', minimum: '20:00:00' }, TEXT],
  [{ type: 'duration', maximum: 'PT30M' }, TEXT],
  [{ type: 'duration', minimum: 'PT24H' }, { type: 'string' }],
  [{ type: 'date', minimum: '2027-01-01' }, { type: 'string' }],
  [{ type: 'bytes', maxBytes: 3 }, TEXT],
  [{ type: 'ip' }, TEXT],
  [{ type: 'uuid' }, TEXT],
  [{ type: 'enum', values: ['a.b', '(c)', 'd-e'] }, TEXT],
  [{ type: 'decimal', precision: 3, scale: 3 }, TEXT],
  [{ type: 'integer', minimum: 100 }, TEXT],
  [{ type: 'bigint', maximum: '-5' }, TEXT],
  [{ type: 'string', minLength: 2, maxLength: 5 }, TEXT],
  [
    { type: 'integer', minimum: 1, maximum: 5 },
    { type: 'number', minimum: 0, maximum: 10 },
  ],
  [
    { type: 'integer', minimum: 1, maximum: 5 },
    { type: 'decimal', precision: 4, scale: 2, minimum: '0.00' },
  ],
  [
    { type: 'bigint', minimum: '5', maximum: '9' },
    { type: 'integer', minimum: 0, maximum: 100 },
  ],
  [
    { type: 'decimal', precision: 4, scale: 1 },
    { type: 'decimal', precision: 6, scale: 2 },
  ],
  [
    { type: 'time', minimum: '10:00:00', maximum: '11:00:00' },
    { type: 'time', minimum: '09:00:00' },
  ],
])('of %j as %j', (stored, older) => {
  const { type, conversion } = olderFormFor(stored, older);
  expect(conversion.kind).not.toBe('team');
  const sent =
    testTypeOf({
      stored: fieldOf(stored),
      shown: fieldOf(type),
      conversion,
      upTo: 1,
      substitutes: {},
    }) ?? type;
  const values = [
    ...exampleValues(specOf, { name: 'it', type: sent }),
    ...specOf(sent)
      .accepted(sent)
      .map(([, value]) => value),
  ];
  expect(values.length).toBeGreaterThan(1);
  const kept = values.map((value) => storedValue(conversion, value) ?? null);
  expect(kept.filter((value) => !isTaken(stored, value))).toEqual([]);
});
