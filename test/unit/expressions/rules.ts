/** Random rules over members of all types, and values of these: what the tests of rules share. */
import fc from 'fast-check';

import type { Expression, LiteralOperand } from '../../../src/expressions/expression.ts';
import type { RuleField } from '../../../src/expressions/type-rule.ts';
import { specOf } from '../../../src/types/registry.ts';
import type { FieldType } from '../../../src/types/registry.ts';
import type { JsonValue } from '../../../src/shared/json.ts';

/** A type, with values at the edges of what it can hold and between. */
interface Pool {
  readonly type: FieldType;
  readonly values: readonly JsonValue[];
  /** Values that a rule cannot write. */
  readonly unwritten?: readonly JsonValue[];
}

const TEXTS = [
  ...['', 'a', 'A', 'a ', 'é', 'e\u0301', 'ß', 'null', "it's", '\\', '"', 'a\nb'],
  ...['😀', '𝒂', '\u{10ffff}', '\uffff', '\u200b', '%', '_'],
];
const IDS = ['01890a5d-ac96-774b-bcce-b302099a8057', '8d3f5a1c-4b6e-4f70-9a2b-000000000001'];

const POOLS: Readonly<Record<string, Pool>> = {
  integer: {
    type: { type: 'integer' },
    values: [0, 1, -1, 2, 100, 9007199254740991, -9007199254740991, 9007199254740990],
  },
  bigint: {
    type: { type: 'bigint' },
    values: [
      ...['0', '1', '-1', '2', '9007199254740991', '9007199254740992', '9007199254740993'],
      ...['9223372036854775807', '-9223372036854775808', '-9007199254740991'],
    ],
  },
  decimal: {
    type: { type: 'decimal', precision: 20, scale: 2 },
    values: [
      ...['0.00', '1.00', '-1.00', '1.50', '2.00', '100.00', '999999999999999999.99'],
      ...['9007199254740991.00', '9007199254740993.00', '-999999999999999999.99'],
    ],
  },
  finer: {
    type: { type: 'decimal', precision: 12, scale: 4 },
    values: ['0.0000', '1.0000', '1.5000', '1.5001', '-1.0000', '99999999.9999', '100.0000'],
  },
  number: {
    type: { type: 'number' },
    values: [0, 1, -1, 1.5, 0.1, 0.3, 100, 9007199254740991, -0.000001],
    unwritten: [0.1 + 0.2, 9007199254740992, 1e21, 5e-324, -5e-324, 1.7976931348623157e308],
  },
  boolean: { type: { type: 'boolean' }, values: [true, false] },
  string: { type: { type: 'string' }, values: TEXTS },
  text: { type: { type: 'text' }, values: TEXTS },
  enum: { type: { type: 'enum', values: ['a', 'b', "it's"] }, values: ['a', 'b', "it's"] },
  others: { type: { type: 'enum', values: ['b', 'c', 'd'] }, values: ['b', 'c', 'd'] },
  date: {
    type: { type: 'date' },
    values: ['0001-01-01', '9999-12-31', '2026-01-31', '2026-02-01', '2024-02-29'],
  },
  timestamp: {
    type: { type: 'timestamp' },
    values: [
      ...['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999999Z', '2026-01-31T12:00:00.000Z'],
      ...['2026-01-31T12:00:00.000001Z', '2026-01-31T12:00:00.001Z', '2026-01-31T12:00:00.123450Z'],
      '2026-01-31T12:00:00.123Z',
    ],
  },
  time: {
    type: { type: 'time' },
    values: ['00:00:00', '23:59:59.999999', '12:00:00', '12:00:00.5', '12:00:00.05', '12:00:01'],
  },
  duration: {
    type: { type: 'duration' },
    values: ['PT0S', 'PT24H', 'PT1H', 'PT59M59.999999S', 'PT0.000001S', 'PT2400000H', 'PT90M'].map(
      (text) => (text === 'PT90M' ? 'PT1H30M' : text),
    ),
  },
  uuid: { type: { type: 'uuid' }, values: IDS },
  reference: {
    type: { type: 'reference', to: 'users', onDelete: 'clear' },
    values: [],
    unwritten: IDS,
  },
  ip: {
    type: { type: 'ip' },
    values: ['192.0.2.1', '192.0.2.0/24', '::1', '2001:db8::/32', '::ffff:192.0.2.1', '0.0.0.0'],
  },
  bytes: { type: { type: 'bytes' }, values: ['', 'AA==', 'AAA=', 'aGVsbG8='] },
  list: {
    type: { type: 'list', of: { type: 'string' }, uniqueItems: false },
    values: [],
    unwritten: [[], ['a']],
  },
  json: { type: { type: 'json' }, values: [], unwritten: [{}, 'x', 0] },
};

/** A field of a random rule, with the values that it may have. */
export interface SampleField extends RuleField {
  readonly pool: Pool;
}

/** Two nullable fields of each type, and one that is required. */
export const FIELDS: readonly SampleField[] = Object.entries(POOLS).flatMap(([name, pool]) =>
  [`${name}_1`, `${name}_2`, `${name}_needed`].map((own) => ({
    name: own,
    type: pool.type,
    required: own.endsWith('needed'),
    writeOnly: false,
    pool,
  })),
);

/** All values of a field but null. */
export const valuesOf = ({ pool }: SampleField): readonly JsonValue[] => [
  ...pool.values,
  ...(pool.unwritten ?? []),
];

const operand = ({ name, type, required }: SampleField) =>
  ({ kind: 'member', name, type, isRequired: required }) as const;
const literalOf = ({ type }: SampleField, value: JsonValue): LiteralOperand => ({
  kind: 'literal',
  type,
  value,
});

const EQUALITY = ['=', '!='] as const;
const ORDER = [...EQUALITY, '<', '<=', '>', '>='] as const;

/** Comparisons that a rule may have. @param fields few of them, so that a rule names some twice. */
function atom(fields: readonly SampleField[]): fc.Arbitrary<Expression> {
  return fc.constantFrom(...fields).chain((field) => {
    const member = operand(field);
    const { comparison } = specOf(field.type);
    const operator = fc.constantFrom(...(comparison?.isOrdered === true ? ORDER : EQUALITY));
    const { values } = field.pool;
    const partners = fields.filter(
      (other) =>
        other !== field &&
        comparison?.with.includes(other.type.type) === true &&
        !(field.pool === POOLS['enum'] && !valuesOf(other).some((one) => values.includes(one))),
    );
    const options: fc.Arbitrary<Expression>[] = [];
    if (!field.required) {
      options.push(fc.boolean().map((isNull) => ({ kind: 'null', member, isNull })));
    }
    if (values.length > 0 && comparison?.literal !== undefined) {
      const value = fc.constantFrom(...values);
      options.push(
        fc.record({
          kind: fc.constant('compare' as const),
          operator,
          member: fc.constant(member),
          other: value.map((one) => literalOf(field, one)),
        }),
      );
      if (field.type.type !== 'boolean') {
        options.push(
          fc.uniqueArray(value, { minLength: 1, maxLength: 3 }).chain((some) =>
            fc.boolean().map((isNegated) => ({
              kind: 'in' as const,
              member,
              values: some.map((one) => literalOf(field, one)),
              isNegated,
            })),
          ),
        );
      }
    }
    if (partners.length > 0) {
      options.push(
        fc.tuple(operator, fc.constantFrom(...partners)).map(([one, other]) => ({
          kind: 'compare' as const,
          operator: one,
          member,
          other: operand(other),
        })),
      );
    }
    return options.length === 0 ? atom(fields) : fc.oneof(...options);
  });
}

/** Random rules. */
export const rule: fc.Arbitrary<Expression> = fc
  .uniqueArray(fc.constantFrom(...new Set(Object.keys(POOLS))), { minLength: 1, maxLength: 3 })
  .chain((names) => {
    const fields = FIELDS.filter(({ name }) => names.some((one) => name.startsWith(`${one}_`)));
    const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
      expression: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        { weight: 3, arbitrary: atom(fields) },
        {
          weight: 2,
          arbitrary: fc.record({
            kind: fc.constantFrom('and' as const, 'or' as const),
            parts: fc.array(tie('expression'), { minLength: 2, maxLength: 3 }),
          }),
        },
        {
          weight: 1,
          arbitrary: fc.record({ kind: fc.constant('not' as const), part: tie('expression') }),
        },
      ),
    }));
    return expression;
  });

/** Random rows: of each field a value, or null. */
export const row: fc.Arbitrary<Record<string, JsonValue>> = fc.record(
  Object.fromEntries(
    FIELDS.map((field) => {
      const value = fc.constantFrom(...valuesOf(field));
      return [field.name, field.required ? value : fc.option(value, { freq: 4, nil: null })];
    }),
  ),
);
