/** Values at the limits of a type: those that a field takes just so, and those that it refuses. */
import { hasFormat } from '../definition/formats.ts';
import type { Field, FieldType, JsonValue, Property, ScalarType } from '../definition/types.ts';
import { acceptsText, lengthOf } from './samples-text.ts';
import type { TextType } from './samples-text.ts';
import { decimalText, differentValues, exampleValues, unitsOf } from './samples-values.ts';

/** A value for a field, and what is remarkable about it. */
export interface BoundaryValue {
  /** What a message calls the place: `title`, `address.city`, `tags[0]`. */
  readonly member: string;
  readonly why: string;
  /** Of the whole field. */
  readonly value: JsonValue;
}

/** Texts longer than this are not made: a body has its limit too. */
const LONGEST = 100_000;
const UNSAFE = 2 ** 53;

/** Values that a field refuses, whatever the others are. */
export function refusedValues(field: Field): BoundaryValue[] {
  const cases = refusedBy(field.type, field.name, exampleValues(field)[0]);
  const empty = { member: field.name, why: 'null', value: null };
  return field.required ? [...cases, empty] : cases;
}

/** Values that a field just takes. */
export function acceptedValues(field: Field): BoundaryValue[] {
  const { type } = field;
  if (type.type === 'reference' || type.type === 'object' || type.type === 'json') return [];
  return acceptedBy(type).map(([why, value]) => ({ member: field.name, why, value }));
}

/** The moment with a fraction of a second that is answered in six digits, where the type has room for it. */
export function withFraction(
  { maximum, wholeDays }: Extract<FieldType, { type: 'timestamp' }>,
  moment: string,
): string {
  const second = moment.slice(0, 19);
  const isWithin = maximum === undefined || maximum.slice(0, 19) > second;
  return wholeDays === true || !isWithin ? moment : `${second}.123450Z`;
}

function refusedBy(
  type: FieldType,
  member: string,
  sample: JsonValue | undefined,
): BoundaryValue[] {
  const all = (cases: readonly (readonly [why: string, value: JsonValue])[]): BoundaryValue[] =>
    cases.map(([why, value]) => ({ member, why, value }));
  switch (type.type) {
    case 'list': {
      const { of, minItems = 0, maxItems, uniqueItems } = type;
      const items = differentValues(of, Math.min((maxItems ?? 0) + 1, 200), { name: member });
      const one = differentValues(of, 1, { name: member })[0];
      const filled = (item: JsonValue): JsonValue[] => [
        item,
        ...differentValues(of, minItems + 1, { name: member }).slice(1, Math.max(minItems, 1)),
      ];
      const cases = all([
        ['no list', one ?? 'text'],
        ['an object', {}],
      ]);
      if (minItems > 0) {
        const few = differentValues(of, minItems - 1, { name: member });
        cases.push({ member, why: 'with too few items', value: few.slice(0, minItems - 1) });
      }
      if (maxItems !== undefined && maxItems < 200 && one !== undefined) {
        const many = Array.from({ length: maxItems + 1 }, (_none, at) =>
          uniqueItems ? items[at] : one,
        );
        if (!many.includes(undefined)) {
          cases.push({ member, why: 'with too many items', value: many as JsonValue[] });
        }
      }
      if (uniqueItems && one !== undefined && (maxItems ?? 2) >= 2) {
        cases.push({ member, why: 'with an item twice', value: [one, ...filled(one)] });
      }
      if (maxItems === 0) return cases;
      const inside = [
        ...refusedBy(of, `${member}[0]`, one).slice(0, 2),
        { member: `${member}[0]`, why: 'null', value: null },
      ];
      return [...cases, ...inside.map((found) => ({ ...found, value: filled(found.value) }))];
    }
    case 'object': {
      const whole = (sample ?? {}) as { readonly [name: string]: JsonValue };
      return [
        ...all([
          ['a text', 'text'],
          ['a list', []],
        ]),
        { member: `${member}.unknown`, why: 'unknown', value: { ...whole, unknown: 1 } },
        ...type.properties.flatMap((property) =>
          refusedProperty(property, member).map((found) => ({
            ...found,
            value: { ...whole, [property.name]: found.value },
          })),
        ),
      ];
    }
    case 'json':
      return all([
        ['an integer that no double holds', { deep: [UNSAFE] }],
        ['a NUL character', { deep: 'a\0b' }],
        ['half of a surrogate pair', ['\ud800']],
      ]);
    case 'reference':
      return all([
        ['no UUID', 'nobody'],
        ['a number', 5],
      ]);
    default:
      return all(refusedScalars(type, sample));
  }
}

function refusedProperty(property: Property, parent: string): BoundaryValue[] {
  const member = `${parent}.${property.name}`;
  const cases = refusedBy(property.type, member, exampleValues(property)[0]).slice(0, 3);
  return property.required ? [...cases, { member, why: 'null', value: null }] : cases;
}

type Pairs = (readonly [why: string, value: JsonValue])[];

function refusedScalars(type: ScalarType, sample: JsonValue | undefined): Pairs {
  switch (type.type) {
    case 'string':
    case 'text':
      return refusedTexts(type, String(sample ?? 'x'));
    case 'integer': {
      const { minimum, maximum } = type;
      return [
        ['a text', String(sample)],
        ['a fraction', Number(sample) + 0.5],
        ['true', true],
        ...(minimum === undefined ? [] : ([['too small', minimum - 1]] as Pairs)),
        maximum === undefined ? ['beyond what a double holds', UNSAFE] : ['too large', maximum + 1],
      ];
    }
    case 'number': {
      const { minimum, maximum } = type;
      return [
        ['a text', String(sample)],
        ['true', true],
        ...(minimum === undefined ? [] : ([['too small', minimum - 1]] as Pairs)),
        maximum === undefined
          ? ['an integer that no double holds', UNSAFE]
          : ['too large', maximum + 1],
      ];
    }
    case 'bigint': {
      const before = BigInt(type.minimum ?? -(2n ** 63n)) - 1n;
      const after = BigInt(type.maximum ?? 2n ** 63n - 1n) + 1n;
      return [
        ['a number', 5],
        ['no number', 'five'],
        ['empty', ''],
        ['with a leading zero', '05'],
        ['with a plus sign', '+5'],
        ['negative zero', '-0'],
        ['with a point', '5.0'],
        ['with an exponent', '5e1'],
        ['too small', String(before)],
        ['too large', String(after)],
      ];
    }
    case 'decimal': {
      const { precision, scale, minimum, maximum } = type;
      const most = 10n ** BigInt(precision) - 1n;
      const low = minimum === undefined ? -most : unitsOf(minimum, precision, scale);
      const high = maximum === undefined ? most : unitsOf(maximum, precision, scale);
      return [
        ['a number', 5],
        ['no number', 'five'],
        ['empty', ''],
        ['with a leading zero', '05'],
        ['with a plus sign', '+5'],
        ['negative zero', '-0'],
        ['with a bare point', '5.'],
        ['without a digit before the point', '.5'],
        ['with an exponent', '5e0'],
        ['with too many digits after the point', `0.${'0'.repeat(scale)}1`],
        ['too small', decimalText(low - 1n, scale)],
        ['too large', decimalText(high + 1n, scale)],
      ];
    }
    case 'boolean':
      return [
        ['a text', 'true'],
        ['a number', 1],
      ];
    case 'enum':
      return [
        ['not one of its values', type.values.includes('unknown') ? 'no such value' : 'unknown'],
        ['a number', 5],
      ];
    case 'date':
      return [
        ['no day of the calendar', '2026-02-30'],
        ['in short', '2026-1-31'],
        ['a time', '2026-01-31T00:00:00Z'],
        ['a number', 20260131],
        ...(type.minimum === undefined ? [] : beside('too early', dayBefore(type.minimum))),
        ...(type.maximum === undefined ? [] : beside('too late', dayAfter(type.maximum))),
      ];
    case 'timestamp':
      return [
        ['no day of the calendar', '2026-02-30T12:00:00Z'],
        ['a day', '2026-01-31'],
        ['without an offset', '2026-01-31T12:00:00'],
        ['no hour of the day', '2026-01-31T24:00:00Z'],
        ['a leap second', '2026-06-30T23:59:60Z'],
        ['finer than microseconds', '2026-01-31T12:00:00.0000001Z'],
        ['a number', 1769860800],
        ...(type.minimum === undefined ? [] : beside('too early', microBeside(type.minimum, -1))),
        ...(type.maximum === undefined ? [] : beside('too late', microBeside(type.maximum, 1))),
      ];
    case 'uuid':
      return [
        ['no UUID', 'nobody'],
        ['in braces', '{8d3f5a1c-4b6e-4f70-9a2b-000000000001}'],
        ['a number', 5],
      ];
  }
}

const beside = (why: string, value: string | undefined): Pairs =>
  value === undefined ? [] : [[why, value]];

function refusedTexts(type: TextType, sample: string): Pairs {
  const pairs: Pairs = [
    ['a number', 5],
    ['with a NUL character', `${sample}\0`],
    ['with half of a surrogate pair', `${sample}\ud800`],
  ];
  const { maxLength } = type;
  if (maxLength !== undefined && maxLength < LONGEST) {
    pairs.push(['too long', longer(sample, maxLength + 1)]);
  }
  if (type.type === 'text') return pairs;
  if ((type.minLength ?? 0) > 0 && (type.minLength ?? 0) < LONGEST) {
    pairs.push(['too short', [...longer(sample, type.minLength ?? 0)].slice(1).join('')]);
  }
  const { pattern, format } = type;
  const wrong = ['', 'x', '!', '?x?', '12', `${sample}!`, `!${sample}`, 'ß', ' ', '%'];
  if (pattern !== undefined) {
    const expression = new RegExp(pattern, 'u');
    const found = wrong.find((text) => !expression.test(text));
    if (found !== undefined) pairs.push(['not of its pattern', found]);
  }
  if (format !== undefined) {
    const found = ['nothing of the kind', ...wrong].find((text) => !hasFormat(text, format));
    if (found !== undefined) pairs.push([`no ${format}`, found]);
  }
  return pairs;
}

/** The text with more at its end, so that it has this many characters. */
const longer = (text: string, length: number): string =>
  lengthOf(text) >= length
    ? [...text].slice(0, length).join('')
    : text + 'x'.repeat(length - lengthOf(text));

function acceptedBy(type: Exclude<FieldType, { type: 'reference' | 'object' | 'json' }>): Pairs {
  const both = (minimum: JsonValue | undefined, maximum: JsonValue | undefined): Pairs => [
    ...(minimum === undefined ? [] : ([['the smallest', minimum]] as Pairs)),
    ...(maximum === undefined ? [] : ([['the largest', maximum]] as Pairs)),
  ];
  switch (type.type) {
    case 'string':
    case 'text':
      return acceptedTexts(type);
    case 'integer':
      return both(type.minimum ?? Number.MIN_SAFE_INTEGER, type.maximum ?? Number.MAX_SAFE_INTEGER);
    case 'number':
      return [
        ...both(type.minimum, type.maximum ?? 1.7976931348623157e308),
        ...(type.minimum === undefined ? ([['very small', -5e-324]] as Pairs) : []),
      ];
    case 'bigint':
      return both(type.minimum ?? String(-(2n ** 63n)), type.maximum ?? String(2n ** 63n - 1n));
    case 'decimal': {
      const most = 10n ** BigInt(type.precision) - 1n;
      return both(
        type.minimum ?? decimalText(-most, type.scale),
        type.maximum ?? decimalText(most, type.scale),
      );
    }
    case 'date':
      return both(type.minimum ?? '0001-01-01', type.maximum ?? '9999-12-31');
    case 'timestamp':
      return both(
        type.minimum ?? '0001-01-01T00:00:00.000Z',
        type.maximum ?? '9999-12-31T23:59:59.999999Z',
      );
    case 'boolean':
      return [['false', false]];
    case 'enum':
      return type.values.slice(-1).map((value) => ['the last of its values', value]);
    case 'uuid':
      return [['of any version', '00000000-0000-0000-0000-000000000000']];
    case 'list': {
      const { of, minItems = 0, maxItems, uniqueItems } = type;
      const items = (length: number): JsonValue[] | undefined => {
        const different = differentValues(of, length, { name: 'item' });
        if (different.length === 0 || (uniqueItems && different.length < length)) return undefined;
        return Array.from({ length }, (_none, at) => different[at % different.length] as JsonValue);
      };
      const few = minItems === 0 ? [] : items(minItems);
      const many = maxItems === undefined || maxItems > 50 ? undefined : items(maxItems);
      return [
        ...(few === undefined ? [] : ([['with the fewest items', few]] as Pairs)),
        ...(many === undefined ? [] : ([['with the most items', many]] as Pairs)),
      ];
    }
  }
}

function acceptedTexts(type: TextType): Pairs {
  const least = type.type === 'string' ? (type.minLength ?? 0) : 0;
  const blank = ' '.repeat(Math.max(least - 1, 0));
  const candidates: Pairs = [
    ['the shortest', least === 0 ? '' : `${blank}😀`],
    // Characters beyond the basic plane count once, though they take two units in UTF-16.
    ...((type.maxLength ?? LONGEST) < LONGEST
      ? ([['the longest', '😀'.repeat(type.maxLength ?? 0)]] as Pairs)
      : []),
    ['with blanks around', ' a '],
    ['with quotes and backslashes', `'"\\%_`],
  ];
  return candidates.filter(([, text]) => acceptsText(type, String(text)));
}

function dayBefore(day: string): string | undefined {
  return day === '0001-01-01' ? undefined : dayBeside(day, -1);
}
function dayAfter(day: string): string | undefined {
  return day === '9999-12-31' ? undefined : dayBeside(day, 1);
}

const dayBeside = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** The next microsecond before or after a moment, where the years reach that far. */
function microBeside(moment: string, step: 1 | -1): string | undefined {
  const digits = moment.slice(20, -1).padEnd(6, '0');
  const micros =
    BigInt(Date.parse(`${moment.slice(0, 19)}Z`)) * 1000n + BigInt(digits) + BigInt(step);
  const rest = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const time = new Date(Number((micros - rest) / 1000n));
  if (time.getUTCFullYear() < 1 || time.getUTCFullYear() > 9999) return undefined;
  return `${time.toISOString().slice(0, 19)}.${String(rest).padStart(6, '0')}Z`;
}
