/** The type `object`: a map with known members. */
import { key, names, REFERENCES } from '../reading/common-keys.ts';
import type { Issues } from '../reading/issues.ts';
import { isNull, mismatch } from '../reading/mismatch.ts';
import { nearest } from '../reading/nearest.ts';
import type { Position } from '../reading/position.ts';
import { enumerate, quote } from '../reading/quote.ts';
import { entries } from '../reading/records.ts';
import type { Keys, Reading } from '../reading/records.ts';
import type { Tree } from '../reading/tree.ts';
import type { JsonObject, JsonValue } from '../shared/json.ts';
import { call, plainCode } from './code.ts';
import { exampleValues, refusedValues, withoutDuplicates } from './example-values.ts';
import type { FindSpec } from './example-values.ts';
import { JSON_STORAGE } from './json.ts';
import { answeredValue, expectedCode, memberCode } from './member-code.ts';
import { withoutUndefined } from './written-options.ts';
import type { PropertyType } from './registry.ts';
import type { BoundaryValue, SpellingCode, TypeSpec } from './type.ts';

export interface ObjectType {
  readonly type: 'object';
  readonly properties: readonly Property[];
}

/** The common part of fields and properties. */
export interface NamedMember<T> {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
  /** Absent: none. For a timestamp `now`, for a date `today` are kept as these words. */
  readonly default?: JsonValue;
  readonly example?: JsonValue;
  /** Its name in the previous definitions. */
  readonly renamedFrom?: string;
  /** The value for existing items; absent: the default. `now` and `today` are kept as these words. */
  readonly backfill?: JsonValue;
  readonly type: T;
  readonly at: Position;
}

/** A member of an object. */
export type Property = NamedMember<PropertyType>;

const keys = {
  properties: key(
    entries(
      { ...names('Properties by name.'), additionalProperties: REFERENCES.property },
      'of properties by name',
    ),
    'The members of the object, up to 5 objects deep.',
    { missing: '"properties:" with a property under it' },
  ),
} satisfies Keys;

/** @param find finds the types of the properties. */
export function objectSpec(find: FindSpec): TypeSpec<ObjectType> {
  return {
    description: 'A map with known members.',
    example:
      'size: { type: object, properties: { width: { type: integer, required: true }, height: { type: integer } } }',
    synonyms: ['map'],
    keys,
    jsonSchemaType: 'object',
    read({ properties }: Reading<typeof keys>, tree, { readProperties }) {
      const read = properties && readProperties(properties.value, tree);
      return read && { type: 'object', properties: read };
    },
    write: ({ properties }) => ({
      properties: Object.fromEntries(
        properties.map((property) => [property.name, writtenMember(find, property)] as const),
      ),
    }),
    readValue: (type, tree, what, issues) => readObject(find, type, tree, what, issues),

    ...JSON_STORAGE,

    shape({ properties }) {
      const uses: string[] = [];
      const members = properties.map((property) => {
        const { text, uses: inner } = memberCode(find, property);
        uses.push(...inner);
        return `${property.name}: ${text},\n`;
      });
      const whole = call('object', `{\n${members.join('')}}`);
      return { text: whole.text, uses: [...whole.uses, ...uses] };
    },
    typescript({ properties }) {
      const members = properties.map(
        ({ name, required, type }) =>
          `${name}: ${find(type).typescript(type)}${required ? '' : ' | null'}`,
      );
      return `{ ${members.join('; ')} }`;
    },
    documentation: () => 'object',

    values: (type, _count, place) =>
      withoutDuplicates([...(place.given ?? []), ...exampleObjects(find, type)]),
    refused: () => [],
    refusedParts: (type, sample, member) => refusedObjects(find, type, sample, member),
    accepted: () => [],
    respellCode: (type, value, required) => respellCode(find, type, value, required),

    nameInMessages: () => 'object',
    isVersioned: ({ properties }) =>
      properties.some(({ type }) => find(type).isVersioned?.(type) ?? false),
  };
}

/** A member of an item or an object as it is written. */
export const writtenMember = (
  find: FindSpec,
  { type, required, default: defaultValue }: NamedMember<{ readonly type: string }>,
): Readonly<Record<string, unknown>> =>
  withoutUndefined({
    type: type.type,
    ...find(type).write(type),
    required: required || undefined,
    default: defaultValue,
  });

function readObject(
  find: FindSpec,
  { properties }: ObjectType,
  tree: Tree,
  what: string,
  issues: Issues,
): JsonValue | undefined {
  if (tree.kind !== 'map') return mismatch(tree, what, 'a map', undefined, issues);
  const before = issues.count;
  const value: Record<string, JsonValue> = {};
  const known = properties.map((property) => property.name);
  for (const { name, at, value: member } of tree.entries) {
    const property = properties.find((candidate) => candidate.name === name);
    if (property === undefined) {
      const near = nearest(name, known);
      const hint =
        near === undefined ? enumerate(known.slice(0, 10).map(quote), 'or') : quote(near);
      issues.add(at, 'bad-value', `${what} has no member ${quote(name)}. Write ${hint}.`);
      continue;
    }
    if (isNull(member) && !property.required) {
      value[name] = null;
      continue;
    }
    const { type } = property;
    const read = find(type).readValue(type, member, `${what} member ${quote(name)}`, issues);
    if (read !== undefined) value[name] = read;
  }
  const present = new Set(tree.entries.map((entry) => entry.name));
  for (const property of properties) {
    if (!property.required || property.default !== undefined || present.has(property.name))
      continue;
    const message = `${what} lacks the required member ${quote(property.name)}. Add it.`;
    issues.add(tree.at, 'bad-value', message);
  }
  return issues.count > before ? undefined : value;
}

/**
 * Two objects where there are two: one that leaves its defaults to the service, and one with all
 * of its properties.
 */
function exampleObjects(find: FindSpec, { properties }: ObjectType): JsonValue[] {
  const values = new Map(
    properties.map((property) => [property.name, exampleValues(find, property)]),
  );
  if (properties.some(({ required, name }) => required && values.get(name)?.length === 0)) {
    return [];
  }
  const pick = (at: number, withDefaults: boolean): JsonValue =>
    Object.fromEntries(
      properties
        .filter((property) => withDefaults || property.default === undefined)
        .map(({ name, type }): [string, JsonValue] => {
          const some = values.get(name) ?? [];
          const isWhole = withDefaults && type.type === 'object';
          return [name, some.at(isWhole ? -1 : Math.min(at, some.length - 1)) ?? null];
        }),
    );
  return withoutDuplicates([pick(0, false), pick(1, true)]);
}

function refusedObjects(
  find: FindSpec,
  { properties }: ObjectType,
  sample: JsonValue | undefined,
  member: string,
): BoundaryValue[] {
  const whole = (sample ?? {}) as JsonObject;
  return [
    { member, why: 'a text', value: 'text' },
    { member, why: 'a list', value: [] },
    { member: `${member}.unknown`, why: 'unknown', value: { ...whole, unknown: 1 } },
    ...properties.flatMap((property) =>
      refusedProperty(find, property, member).map((found) => ({
        ...found,
        value: { ...whole, [property.name]: found.value },
      })),
    ),
  ];
}

function refusedProperty(find: FindSpec, property: Property, parent: string): BoundaryValue[] {
  const member = `${parent}.${property.name}`;
  const sample = exampleValues(find, property)[0];
  const cases = refusedValues(find, property.type, sample, member).slice(0, 3);
  return property.required ? [...cases, { member, why: 'null', value: null }] : cases;
}

function respellCode(
  find: FindSpec,
  { properties }: ObjectType,
  value: string,
  required: boolean,
): SpellingCode[] {
  const parts = properties.flatMap((property) => spelledPart(find, property, value));
  if (parts.length === 0) return [];
  const guard = required ? '' : `${value} && `;
  const whole = (codes: readonly string[]): string =>
    `${guard}{ ...${value}, ${codes.join(', ')} }`;
  return [
    {
      sent: whole(parts.map(({ name, sent }) => `${name}: ${sent}`)),
      answer: whole(parts.map(({ name, answer }) => `${name}: ${answer}`)),
      uses: parts.flatMap(({ uses }) => uses),
    },
  ];
}

/** A property in another spelling; one with a default, or that may be null, is left out. */
function spelledPart(
  find: FindSpec,
  { name, type, required, default: defaultValue }: Property,
  whole: string,
): (SpellingCode & { name: string })[] {
  if (!required || defaultValue !== undefined) {
    const { text, uses } =
      defaultValue === undefined
        ? plainCode('null')
        : expectedCode(find, type, answeredValue(type, defaultValue));
    return [{ name, sent: 'undefined', answer: text, uses }];
  }
  return (find(type).respellCode?.(type, `${whole}.${name}`, true) ?? [])
    .slice(0, 1)
    .map((one) => ({ name, ...one }));
}
