/** Random values that are valid by a JSON Schema of an OpenAPI document. */
import fc from 'fast-check';

import { compareDurations } from '../../../templates/service/src/platform/http/durations.ts';

/** The keywords that the documents of emitted services use. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly contentEncoding?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly 'x-minimum'?: string;
  readonly 'x-maximum'?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** Pseudorandom choices: a seed gives the same ones again. */
export interface Random {
  /** An integer from 0 to below a limit. */
  readonly below: (limit: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(values: readonly T[]) => T;
}

/** A generator with 32 bits of state (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = Math.trunc(state + 0x6d2b79f5);
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (values) => {
      if (values.length === 0) throw new Error('nothing to choose from');
      return values[below(values.length)] as (typeof values)[number];
    },
  };
}

/** Strings stay below this length where the schema allows longer ones. */
const LONG = 300;

/** Characters of all planes, and those that code handles wrongly most often. */
const CHARACTERS = [
  ...'aZ09 -_.,:;/\\"\'`<>&%$#@!?()[]{}|~^*+=\n\t\r\0\u0001\u007fßİé日本\ufeff\u202e👻🏳',
];

/** Patterns by which forms of text are known that say less, or take much to hit; with texts that have them. */
const FORMS: readonly (readonly [start: string, texts: readonly string[]])[] = [
  ['^PT', ['PT0S', 'PT1M', 'PT1H30M', 'PT59M59.999999S']],
  ['^P', ['PT0S', 'PT1M', 'PT1H30M', 'P1D', 'PT0.5S', 'P1W', 'PT59M59.999999S']],
  ['^[0-9A-Fa-f:.]', ['192.0.2.1', '192.0.2.0/24', '::', '2001:DB8::1', '::ffff:192.0.2.1']],
  ['^[0-9a-f:.]', ['192.0.2.1', '192.0.2.0/24', '::', '2001:db8::1', '::ffff:192.0.2.1']],
];

/** A value that is valid by a schema; `nameOf` gives the values of references. */
export function valueOf(
  schema: Schema,
  random: Random,
  idFor: (member: string) => string,
): unknown {
  return make(schema, '');

  function make(part: Schema, member: string): unknown {
    if (part.const !== undefined) return part.const;
    if (part.enum !== undefined) return random.pick(part.enum);
    if (part.anyOf !== undefined) return make(random.pick(part.anyOf), member);
    const types = [part.type ?? 'any'].flat();
    const other = types.filter((type) => type !== 'null');
    if (types.length > other.length && (other.length === 0 || random.chance(0.15))) return null;
    switch (random.pick(other)) {
      case 'string':
        return text(part, member);
      case 'integer':
        return integer(part);
      case 'number':
        return number(part);
      case 'boolean':
        return random.chance(0.5);
      case 'array':
        return array(part, member);
      case 'object':
        return object(part);
      default:
        return anything(2);
    }
  }

  function object({ properties = {}, required = [] }: Schema): object {
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => required.includes(name) || random.chance(0.6))
        .map(([name, part]) => [name, make(part, name)]),
    );
  }

  function array(part: Schema, member: string): unknown[] {
    const { items = {}, minItems = 0, maxItems = 5, uniqueItems = false } = part;
    const length = minItems + random.below(Math.min(maxItems, minItems + 4) - minItems + 1);
    const values = new Map<unknown, unknown>();
    for (let attempt = 0; values.size < length && attempt < 100; attempt++) {
      const value = make(items, member);
      values.set(uniqueItems ? JSON.stringify(value) : attempt, value);
    }
    return [...values.values()];
  }

  function integer({ minimum = -1e15, maximum = 1e15 }: Schema): number {
    if (random.chance(0.2)) return random.pick([minimum, maximum]);
    if (random.chance(0.5)) return Math.min(Math.max(random.below(100), minimum), maximum);
    return minimum + random.below(maximum - minimum + 1);
  }

  function number({ minimum = -1e300, maximum = 1e300, multipleOf }: Schema): number {
    const values = [minimum, maximum, 0, 1.5, 1e-7, -0.1, random.below(1e6) / 1000];
    if (multipleOf !== undefined) values.splice(3, Infinity, random.below(1e6) * multipleOf);
    const value = random.pick(values.filter((one) => one >= minimum && one <= maximum));
    return multipleOf === undefined ? value : Number(value.toFixed(-Math.log10(multipleOf)));
  }

  function text(part: Schema, member: string): string {
    for (let attempt = 0; attempt < 500; attempt++) {
      const value = candidate(part, member, attempt);
      if (isValid(value, part)) return value;
    }
    throw new Error(`no text for ${member} by ${JSON.stringify(part)}`);
  }

  function candidate(
    { format, pattern, contentEncoding, minLength = 0, maxLength = LONG }: Schema,
    member: string,
    attempt: number,
  ) {
    const date = () => new Date(random.below(4e12) - 1e12).toISOString();
    switch (format) {
      case 'uuid':
        return idFor(member);
      case 'int64':
        // Most references to items whose ids are numbers lead to one.
        if (member.endsWith('_id') && random.chance(0.9)) return idFor(member);
        break;
      case 'date':
        return random.pick([date().slice(0, 10), '0001-01-01', '2000-01-05', '9999-12-31']);
      case 'date-time':
        return random.pick([
          ...[date(), date().replace('Z', '456Z'), date().replace('Z', '+05:30')],
          ...['9999-12-31T23:59:59.5Z', '2000-02-29t00:00:00.000000-00:00'],
        ]);
      case 'idn-email':
        return random.pick([`a${random.below(1e6)}@example.org`, 'jörg+x@bücher.example']);
      case 'uri':
        return random.pick([
          ...[`https://example.org/${random.below(1e6)}?a=b#c`, 'https://example.org?a=b'],
          'urn:isbn:0',
        ]);
      case 'hostname':
        return random.pick([`a${random.below(1e6)}.example`, 'localhost']);
      case 'ipv4':
        return random.pick([`10.0.0.${random.below(256)}`, '255.255.255.255']);
      case 'ipv6':
        return random.pick(['::1', `2001:db8::${random.below(9999)}`]);
      default:
    }
    if (contentEncoding === 'base64') return random.pick(['', 'YQ==', 'YWI=', 'YWJj']);
    const known = FORMS.find(([start]) => pattern?.startsWith(start));
    if (known !== undefined) return random.pick(known[1]);
    // Many patterns are limits that most texts keep.
    if (pattern !== undefined && attempt > 20) return matching(pattern);
    const length = random.chance(0.2)
      ? random.pick([minLength, Math.min(maxLength, LONG)])
      : minLength + random.below(Math.min(maxLength, minLength + 12) - minLength + 1);
    const units = random.chance(0.3) ? CHARACTERS : CHARACTERS.slice(0, 6);
    return Array.from({ length }, () => random.pick(units)).join('');
  }

  function matching(pattern: string): string {
    const expression = new RegExp(generable(pattern));
    const [value = ''] = fc.sample(fc.stringMatching(expression), {
      numRuns: 1,
      seed: random.below(2 ** 31),
    });
    return value;
  }

  /** Any JSON value but null. */
  function anything(depth: number): unknown {
    const leaves = ['', 'text', '👻', 0, -1.5, 1e300, 2 ** 53 - 1, true, false];
    if (depth === 0 || random.chance(0.5)) return random.pick(leaves);
    const parts = Array.from({ length: random.below(3) }, () =>
      random.chance(0.1) ? null : anything(depth - 1),
    );
    return random.chance(0.5) ? parts : { ...parts };
  }
}

/** What `fc.stringMatching` generates for: without assertions, properties and backreferences. */
function generable(pattern: string): string {
  const group = /\(([^()]*)\)/.exec(pattern)?.[1] ?? '';
  return pattern
    .replaceAll(/\(\?[!=](?:[^()]|\([^()]*\))*\)/g, '')
    .replaceAll(/\(\?<\w+>/g, '(?:')
    .replaceAll(/\\p\{Script=Greek\}/g, '[α-ω]')
    .replaceAll(/\\p\{[^}]+\}/g, 'a')
    .replaceAll('\\1', `(?:${group})`);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is valid by all keywords for strings, whichever flag its pattern is read with. */
function isValid(value: string, part: Schema): boolean {
  const { pattern, format, minLength = 0, maxLength = Infinity } = part;
  const length = Array.from(value).length;
  if (length < minLength || length > maxLength) return false;
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return false;
  if (format === 'uuid' && !UUID.test(value)) return false;
  if (format === 'int64' && BigInt.asIntN(64, BigInt(value)) !== BigInt(value)) return false;
  const { 'x-minimum': minimum = value, 'x-maximum': maximum = value } = part;
  return compare(format, minimum, value) <= 0 && compare(format, value, maximum) <= 0;
}

function compare(format: string | undefined, one: string, other: string): number {
  if (format === 'date-time') return Date.parse(one) - Date.parse(other);
  if (format === 'int64') return BigInt(one) < BigInt(other) ? -1 : Number(one !== other);
  if (format === 'decimal') return Number(one) - Number(other);
  if (one.startsWith('P') && other.startsWith('P')) return compareDurations(one, other);
  return one < other ? -1 : Number(one !== other);
}
