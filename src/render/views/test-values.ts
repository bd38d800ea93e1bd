/** Example values as code of tests: what is sent, and what is expected in the answer. */
import type { FieldType, JsonValue, Property } from '../../definition/types.ts';
import { answered, ownMember } from '../../model/samples-values.ts';
import { stringLiteral, valueLiteral } from '../literals.ts';

/** Texts from this length on are written as repetitions where they are such. */
const LONG = 40;

/** A value as code; a long text that repeats itself is written as `'x'.repeat(300)`. */
export function valueCode(value: JsonValue): string {
  if (typeof value === 'string') return textCode(value);
  if (Array.isArray(value)) return `[${value.map((part) => valueCode(part)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([name, part]) => `${valueLiteral({ [name]: 0 }).slice(1, -4)}: ${valueCode(part)}`,
    );
    return `{ ${members.join(', ')} }`;
  }
  return valueLiteral(value);
}

function textCode(text: string): string {
  const characters = [...text];
  if (characters.length < LONG) return stringLiteral(text);
  const last = characters.at(-1) ?? '';
  let start = characters.length;
  while (start > 0 && characters[start - 1] === last) start--;
  const times = characters.length - start;
  if (times < LONG / 2) return stringLiteral(text);
  const repeated = `${stringLiteral(last)}.repeat(${times})`;
  return start === 0
    ? repeated
    : `${stringLiteral(characters.slice(0, start).join(''))} + ${repeated}`;
}

/** What is expected in an answer; a default that moves is only known by its form. */
export function expectedCode(type: FieldType, value: JsonValue): string {
  if (type.type === 'timestamp' && value === 'now') return 'A_TIME';
  if (type.type === 'date' && value === 'today') return 'A_DAY';
  if (type.type === 'object' && typeof value === 'object' && value !== null) {
    const given = value as { readonly [member: string]: JsonValue };
    const members = type.properties.map(
      ({ name, type: inner }) => `${name}: ${expectedCode(inner, ownMember(given, name) ?? null)}`,
    );
    return `{ ${members.join(', ')} }`;
  }
  return valueCode(value);
}

/** The n-th of some values as code, from `n`, where they follow a rule; undefined otherwise. */
export function ruleCode(values: readonly JsonValue[]): string | undefined {
  const [first] = values;
  if (
    typeof first === 'number' &&
    values.length >= LONG &&
    values.every((value, n) => value === first + n)
  ) {
    return `${first} + n`;
  }
  if (typeof first !== 'string' || values.length < LONG) return undefined;
  const parts = /^(.*?)(0?1)([^0-9]*)$/su.exec(first);
  if (parts === null) return undefined;
  const [, prefix = '', digits = '', suffix = ''] = parts;
  const numberOf = (n: number): string => String(n + 1).padStart(digits.length, '0');
  if (!values.every((value, n) => value === `${prefix}${numberOf(n)}${suffix}`)) return undefined;
  const number = digits.length === 1 ? 'n + 1' : `String(n + 1).padStart(${digits.length}, '0')`;
  return `\`${inTemplate(prefix)}\${${number}}${inTemplate(suffix)}\``;
}

/** A text between the backticks of a template literal. */
const inTemplate = (text: string): string =>
  stringLiteral(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replace(/`|\$\{/g, '\\$&');

/** What is sent for a value, and what is answered: code. */
export interface SpellingCode {
  readonly sent: string;
  readonly answer: string;
}

/**
 * Other spellings of a value, each of which is answered as that value.
 * @param value code of the value. @param required whether there always is one.
 */
export function spellings(type: FieldType, value: string, required: boolean): SpellingCode[] {
  const dot = required ? '.' : '?.';
  const guard = required ? '' : `${value} && `;
  const all = (...sent: string[]): SpellingCode[] =>
    sent.map((one) => ({ sent: one, answer: value }));
  switch (type.type) {
    case 'decimal':
      return all(`longer(${value})`);
    case 'timestamp':
      return all(
        `${value}${dot}toLowerCase()`,
        `withOffset(${value})`,
        `${guard}shorter(${value})`,
      );
    case 'uuid':
      return all(`${value}${dot}toUpperCase()`);
    case 'list':
      return spellings(type.of, 'one', true)
        .slice(0, 1)
        .flatMap(({ sent }) => all(`${value}${dot}map((one) => ${sent})`));
    case 'object': {
      const parts = type.properties.flatMap((property) => partSpelling(property, value));
      if (parts.length === 0) return [];
      const whole = (codes: readonly string[]): string =>
        `${guard}{ ...${value}, ${codes.join(', ')} }`;
      return [
        {
          sent: whole(parts.map(({ name, sent }) => `${name}: ${sent}`)),
          answer: whole(parts.map(({ name, answer }) => `${name}: ${answer}`)),
        },
      ];
    }
    default:
      return [];
  }
}

/** A property in another spelling; one with a default, or that may be null, is left out. */
function partSpelling(property: Property, whole: string): (SpellingCode & { name: string })[] {
  const { name, type, required } = property;
  const initial = property.default;
  if (!required || initial !== undefined) {
    const answer = initial === undefined ? 'null' : expectedCode(type, answered(type, initial));
    return [{ name, sent: 'undefined', answer }];
  }
  return spellings(type, `${whole}.${name}`, true)
    .slice(0, 1)
    .map((one) => ({ name, ...one }));
}
