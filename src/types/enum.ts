/** The type `enum`: one of a few texts. */
import { key } from '../reading/common-keys.ts';
import { nearest } from '../reading/nearest.ts';
import { enumerate, quote } from '../reading/quote.ts';
import type { Keys, Reading } from '../reading/records.ts';
import { ENUM_VALUES } from '../reading/version-shapes.ts';
import { recordWithoutPrototype } from '../shared/json.ts';
import { markdownText, stringLiteral, valueCode, valueLiteral } from '../shared/literals.ts';
import { literal } from '../shared/sql.ts';
import { call, plainCode } from './code.ts';
import { matchRenames } from './match-renames.ts';
import type { FieldType } from './registry.ts';
import { unchanged } from './sql-conversion.ts';
import type { SqlConversion } from './sql-conversion.ts';
import { isUnboundedText } from './text.ts';
import { indexTextBytes, jsonTextBytes, readText, TEXT_STORAGE } from './text-storage.ts';
import type { TypeSpec } from './type.ts';
import { SAME_VALUE, TEAM_CONVERSION } from './version-conversion.ts';
import type { VersionConversion } from './version-conversion.ts';

export interface EnumType {
  readonly type: 'enum';
  /** In the order by which lists sort them. */
  readonly values: readonly string[];
  /** Values that not all versions have. */
  readonly versioned?: readonly VersionedValue[];
  /** In the type of an older version: the current name of each of `values`. */
  readonly currentValues?: readonly string[];
  /** Values whose items keep them under a new name. */
  readonly renamed?: readonly RenamedValue[];
}

/** A value that not all versions have; the others show it `as` another. */
export interface VersionedValue {
  readonly since?: number;
  readonly until?: number;
  readonly value: string;
  readonly as?: string;
}

/** A value that had another name: by the definitions, or by the map of an older form. */
export interface RenamedValue {
  readonly name: string;
  readonly renamedFrom?: string;
  /** Its name in the previous version, if `renamed_from` does not give one. */
  readonly formerName?: string;
}

const keys = {
  values: key(
    ENUM_VALUES,
    'The values, in the order by which lists sort them; one that not all versions have is a map of value, since or until, and as, what it is shown as elsewhere. In an older form: a map from each value of today to what it was.',
    { missing: '"values: [draft, published]"', examples: [['draft', 'published']] },
  ),
} satisfies Keys;

const maxBytes = ({ values }: EnumType): number =>
  Math.max(...values.map((value) => Buffer.byteLength(value)));

export const enumSpec: TypeSpec<EnumType> = {
  description: 'One of a few texts.',
  example: 'status: { type: enum, values: [draft, published], default: draft }',
  synonyms: [],
  keys,
  jsonSchemaType: 'string',
  isComparable: true,
  comparison: { with: ['enum'], isOrdered: false, literal: 'text' },
  read({ values }: Reading<typeof keys>, tree, { readEnumValues }) {
    if (values === undefined) return undefined;
    const read = readEnumValues(values.value);
    // If one value could not be read, the set of values is unknown.
    const written = tree.entries.find(({ name }) => name === 'values')!.value;
    const all =
      written.kind === 'list' ? written.items : written.kind === 'map' ? written.entries : [];
    return all.length === values.value.length ? read : undefined;
  },
  write: ({ values }) => ({ values }),
  readValue: ({ values }, tree, what, issues) =>
    readText(tree, what, issues, (value, refuse) => {
      if (values.includes(value)) return value;
      const near = nearest(value, values);
      const few = values.slice(0, 10).map(quote);
      return refuse('is not one of the values', near ? quote(near) : enumerate(few, 'or'));
    }),
  count: ({ values }) => values.length,

  ...TEXT_STORAGE,
  check: ({ values }, value) => `${value} in (${values.map(literal).join(', ')})`,
  nullSubstitute: '0',
  orderBy: ({ values }, value) =>
    `array_position(array[${values.map(literal).join(', ')}], ${value})`,
  maxCharacters: ({ values }) => Math.max(...values.map((value) => value.length)),
  textBytes: maxBytes,
  indexBytes: (type) => indexTextBytes(maxBytes(type)),
  jsonBytes: ({ values }) => Math.max(...values.map((value) => jsonTextBytes(value.length))),

  shape: ({ values }) => call('oneOf', valueLiteral(values)),
  filter: ({ values }) => call('byEnum', valueLiteral(values)),
  typescript: ({ values }) => values.map(stringLiteral).join(' | '),
  documentation: ({ values }) =>
    `one of ${values.map((value) => markdownText(JSON.stringify(value))).join(', ')}`,

  values: ({ values }) => [...values],
  refused: ({ values }) => [
    ['not one of its values', values.includes('unknown') ? 'no such value' : 'unknown'],
    ['a number', 5],
  ],
  accepted: ({ values }) => values.slice(-1).map((value) => ['the last of its values', value]),
  listTests: {
    isOrdered: false,
    sortKey: ({ values }, member) => plainCode(`${valueCode(values)}.indexOf(${member})`),
    invalidFilter: 'no such value',
    validFilter: ({ values }) => values[0] ?? '',
  },

  readableAs: ['string', 'text'],

  nameInMessages: () => 'enum',
  fromText: renameConversion,
  versionConversion: olderFormConversion,
  hint: ({ values }) => `must be one of ${values.map((value) => JSON.stringify(value)).join(', ')}`,
  isVersioned: ({ versioned }) => versioned !== undefined,
};

/** The enum without versions and former names. */
export const unversionedEnum = ({ values }: EnumType): EnumType => ({ type: 'enum', values });

function olderFormConversion(stored: EnumType, older: FieldType): VersionConversion {
  if (older.type !== 'enum') return isUnboundedText(older) ? SAME_VALUE : TEAM_CONVERSION;
  if (older.currentValues !== undefined) {
    const pairs = older.currentValues.map(
      (value, at) => [value, older.values[at] ?? value] as const,
    );
    return { kind: 'values', names: recordWithoutPrototype(pairs) };
  }
  const versioned = new Set(stored.versioned?.map(({ value }) => value));
  const shown = stored.values.filter((value) => !versioned.has(value));
  return shown.every((value) => older.values.includes(value)) ? SAME_VALUE : TEAM_CONVERSION;
}

/** Values stay the same except renamed ones; the check of the column refuses the others. */
function renameConversion(to: EnumType, from: FieldType): SqlConversion {
  if (from.type !== 'enum') return unchanged(false);
  const { values } = to;
  const renames = renamedValues(from, to);
  const isWider = from.values.every((value) => values.includes(renames.get(value) ?? value));
  if (renames.size === 0) return unchanged(isWider);
  const cases = [...renames].map(([was, is]) => `when ${literal(was)} then ${literal(is)}`);
  return { sql: (value) => `case ${value} ${cases.join(' ')} else ${value} end`, isWider };
}

/** The new names of renamed values, by their old names. */
export function renamedValues(from: EnumType, to: EnumType): ReadonlyMap<string, string> {
  const { kept } = matchRenames(namedValues(from), namedValues(to));
  return new Map(
    kept.flatMap(({ before, now }) => (before.name === now.name ? [] : [[before.name, now.name]])),
  );
}

/** Values whose `renamed_from` names no earlier value. */
export const valuesOfUnknownOrigin = (from: FieldType, to: FieldType): readonly RenamedValue[] =>
  from.type === 'enum' && to.type === 'enum'
    ? matchRenames(namedValues(from), namedValues(to)).unknownOrigins
    : [];

const namedValues = ({ values, renamed }: EnumType): readonly RenamedValue[] =>
  values.map((name) => renamed?.find((one) => one.name === name) ?? { name });
