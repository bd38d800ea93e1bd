/** The types of keys, which are what ids of items and references to them are. */
import type { JsonValue } from '../shared/json.ts';
import { literal } from '../shared/sql.ts';
import { call } from './code.ts';
import type { BigintType } from './bigint.ts';
import { castOf, guardedCondition, sqlBetween, sqlMatches, unchanged } from './sql-conversion.ts';
import type { SqlConversion } from './sql-conversion.ts';
import { MAX_BIGINT } from './exact-decimal.ts';
import type { StringType } from './string.ts';
import { jsonTextBytes, TEXT_HEADER } from './text-storage.ts';
import type { Code, LabelledValues } from './type.ts';
import type { UuidType } from './uuid.ts';

/** `composite`: the values of several fields, with `~` between them. */
export type KeyType = 'uuid' | 'smallint' | 'integer' | 'bigint' | 'string' | 'composite';
/** A type that references name, because most ids are UUIDs. */
export type NonUuidKey = Exclude<KeyType, 'uuid'>;
export type NumericKey = Exclude<NonUuidKey, 'string' | 'composite'>;

/** What generates the ids of a collection; of `fields`, they consist of values of members. */
export type KeySource = 'service' | 'database' | 'client' | 'fields';

/** The most characters of an id that is a text. */
export const LONGEST_ID = 255;

/** The same of an id that consists of several values: what sizes are estimated by, and no limit. */
const LONGEST_COMPOSITE_ID = 1_000;

/** A type of key, in the database, in emitted code and in emitted tests. */
interface KeySpec {
  /** Code of the type in SQL, as `create table` and casts have it. */
  readonly sql: string;
  /** The field of ids that clients choose. */
  readonly field: UuidType | BigintType | StringType;
  /** Different ids, each greater than the one before. */
  readonly samples: (count: number) => string[];
  /** What generates ids: the first unless the definition says otherwise. */
  readonly sources: readonly [KeySource, ...KeySource[]];
  /** A value in place of null. */
  readonly nullSubstitute: string;
  readonly indexBytes: number;
  /** The most bytes of a value as JSON. */
  readonly jsonBytes: number;
  readonly shape: Code;
  readonly filter: Code;
  /** In a table of Markdown. */
  readonly documentation: string;
  /** An id in examples. */
  readonly example: string;
  /** An id that the tests never create. */
  readonly unused: string;
  /** The name of that id in emitted tests, and of the matcher of every id. */
  readonly unusedName: string;
  readonly matcherName: string;
  readonly refused: LabelledValues;
  readonly literal: (value: JsonValue) => string;
  /** Whether a text is an id of the type, in any spelling. */
  readonly isId: (text: string) => boolean;
  /** Converts a text in migrations. */
  readonly fromText: () => SqlConversion;
}

/** An id that is a UUID, in examples and in emitted tests. */
export const EXAMPLE_UUID = '01890a5d-ac96-774b-bcce-b302099a8057';
const MAX_SMALLINT = 2n ** 15n - 1n;
const MAX_INTEGER = 2n ** 31n - 1n;

const UUID = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;
/** In its only spelling. */
const INTEGER = /^(0|-?[1-9][0-9]{0,18})$/;

/** A number is text in JSON, so that clients need not know the type of the key. */
const numeric = (type: NumericKey, maximum: bigint, indexBytes: number): KeySpec => ({
  sql: type,
  field: {
    type: 'bigint',
    ...(type !== 'bigint' && { minimum: String(-maximum - 1n), maximum: String(maximum) }),
  },
  samples: (count) => Array.from({ length: count }, (_, n) => String(n + 1)),
  sources: ['database', 'client'],
  nullSubstitute: '0',
  indexBytes,
  // The minimum, with a minus and two quotes.
  jsonBytes: String(maximum).length + 3,
  shape: call('numericId', `'${type}'`),
  filter: call('byNumericId', `'${type}'`),
  documentation: `string, ${{ smallint: 'a 16-bit integer', integer: 'an integer', bigint: 'a 64-bit integer' }[type]}`,
  example: '1',
  unused: String(type === 'smallint' ? MAX_SMALLINT : MAX_INTEGER),
  unusedName: type === 'smallint' ? 'NO_SMALLINT_ID' : 'NO_NUMERIC_ID',
  matcherName: 'A_NUMERIC_ID',
  refused: [
    ['no integer', 'nobody'],
    ['with a leading zero', '05'],
    ['too large', String(maximum + 1n)],
    ['a number', 5],
  ],
  literal: (value) => `${literal(String(value))}::${type}`,
  isId: (text) => INTEGER.test(text) && BigInt(text) <= maximum && BigInt(text) >= -maximum - 1n,
  fromText: () =>
    castOf(type, (value) =>
      guardedCondition(
        sqlMatches(value, INTEGER.source),
        sqlBetween(`${value}::numeric`, String(-maximum - 1n), String(maximum)),
      ),
    ),
});

const KEYS: Readonly<Record<KeyType, KeySpec>> = {
  uuid: {
    sql: 'uuid',
    field: { type: 'uuid' },
    samples: (count) =>
      Array.from(
        { length: count },
        (_, n) => `${EXAMPLE_UUID.slice(0, 24)}${String(n).padStart(12, '0')}`,
      ),
    sources: ['service', 'client'],
    nullSubstitute: `uuid '00000000-0000-0000-0000-000000000000'`,
    indexBytes: 16,
    jsonBytes: EXAMPLE_UUID.length + 2,
    shape: call('uuid'),
    filter: call('byUuid'),
    documentation: 'string, a UUID',
    example: EXAMPLE_UUID,
    unused: EXAMPLE_UUID,
    unusedName: 'NO_ID',
    matcherName: 'AN_ID',
    refused: [
      ['no UUID', 'nobody'],
      ['a number', 5],
    ],
    literal: (value) => `${literal(String(value))}::uuid`,
    isId: (text) => UUID.test(text),
    fromText: () => castOf('uuid', (value) => sqlMatches(value, UUID.source)),
  },
  smallint: numeric('smallint', MAX_SMALLINT, 2),
  integer: numeric('integer', MAX_INTEGER, 4),
  bigint: numeric('bigint', MAX_BIGINT, 8),
  string: {
    sql: 'text',
    field: { type: 'string', minLength: 1, maxLength: LONGEST_ID },
    // Of one length, because collations differ.
    samples: (count) =>
      Array.from({ length: count }, (_, n) => `id-${String(n + 1).padStart(4, '0')}`),
    sources: ['client'],
    nullSubstitute: `''`,
    indexBytes: TEXT_HEADER + 4 * LONGEST_ID,
    jsonBytes: jsonTextBytes(LONGEST_ID),
    shape: call('textId'),
    filter: call('byTextId'),
    documentation: `string of 1 to ${LONGEST_ID} characters`,
    example: 'id-0001',
    unused: 'no-such-id',
    unusedName: 'NO_TEXT_ID',
    matcherName: 'A_TEXT_ID',
    refused: [
      ['an empty text', ''],
      ['a single dot', '.'],
      ['two dots', '..'],
      ['too long', 'x'.repeat(LONGEST_ID + 1)],
      ['a number', 5],
    ],
    literal: (value) => literal(String(value)),
    isId: (text) =>
      text !== '' &&
      text !== '.' &&
      text !== '..' &&
      text.isWellFormed() &&
      !text.includes('\0') &&
      [...text].length <= LONGEST_ID,
    fromText: () => unchanged(),
  },
  composite: {
    sql: 'text',
    field: { type: 'string' },
    samples: (count) => Array.from({ length: count }, (_, n) => `1~${n + 1}`),
    sources: ['fields'],
    nullSubstitute: `''`,
    indexBytes: TEXT_HEADER + 4 * LONGEST_COMPOSITE_ID,
    jsonBytes: jsonTextBytes(LONGEST_COMPOSITE_ID),
    shape: call('compositeId'),
    filter: call('compositeId'),
    documentation: 'string, the values of its fields with `~` between them',
    example: '1~2',
    unused: 'no-such-id',
    unusedName: 'NO_COMPOSITE_ID',
    matcherName: 'A_COMPOSITE_ID',
    refused: [
      ['a single value', 'nobody'],
      ['a number', 5],
    ],
    literal: (value) => literal(String(value)),
    isId: (text) => text.includes('~') && text.isWellFormed() && !text.includes('\0'),
    fromText: () => unchanged(),
  },
};

/** Everything that generates ids. */
export const KEY_SOURCES = [
  'service',
  'database',
  'client',
] as const satisfies readonly KeySource[];

/** Every type of key that definitions name. */
export const KEY_TYPES = [
  'uuid',
  'smallint',
  'integer',
  'bigint',
  'string',
] as const satisfies readonly KeyType[];

/** The specification of a type of key. */
export const keySpec = (key: KeyType): KeySpec => KEYS[key];

/** The type of a key, if ids are numbers. */
export const numericKey = (key: KeyType): NumericKey | undefined =>
  key === 'smallint' || key === 'integer' || key === 'bigint' ? key : undefined;

/** The type of a key, if ids are no UUIDs. */
export const nonUuidKey = (key: KeyType): NonUuidKey | undefined =>
  key === 'uuid' ? undefined : key;

/** Types whose ids a wider one can hold, the widest last. */
const WIDTHS: readonly KeyType[] = ['smallint', 'integer', 'bigint'];

/** Whether a key of one type can hold the ids of another one, which stay as they are. */
export const canHoldIds = (from: KeyType, to: KeyType): boolean =>
  from === to || (WIDTHS.includes(from) && WIDTHS.indexOf(from) < WIDTHS.indexOf(to));

/** What emitted code imports for numeric keys. */
export const NUMERIC_IDS = { file: 'numeric-ids', exports: ['byNumericId', 'numericId'] };

/** What emitted code imports for keys of several fields. */
export const COMPOSITE_IDS = { file: 'composite-ids', exports: ['compositeId'] };

/** What emitted code imports for keys that are texts. */
export const TEXT_IDS = { file: 'text-ids', exports: ['byTextId', 'textId'] };
