/** The types of keys, which are what ids of items and references to them are. */
import type { JsonValue } from '../shared/json.ts';
import { literal } from '../shared/sql.ts';
import { call } from './code.ts';
import { castOf, guardedCondition, sqlBetween, sqlMatches } from './sql-conversion.ts';
import type { SqlConversion } from './sql-conversion.ts';
import { MAX_BIGINT } from './exact-decimal.ts';
import type { Code, LabelledValues } from './type.ts';

/** `uuid`: the service generates the id. The others: the database numbers the items. */
export type KeyType = 'uuid' | 'integer' | 'bigint';
export type NumericKey = Exclude<KeyType, 'uuid'>;

/** A type of key, in the database, in emitted code and in emitted tests. */
interface KeySpec {
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
export const SOME_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const MAX_INTEGER = 2n ** 31n - 1n;

const UUID = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;
/** In its only spelling. */
const INTEGER = /^(0|-?[1-9][0-9]{0,18})$/;

/** A number is text in JSON, so that clients need not know the type of the key. */
const numeric = (type: NumericKey, maximum: bigint, indexBytes: number): KeySpec => ({
  nullSubstitute: '0',
  indexBytes,
  // The minimum, with a minus and two quotes.
  jsonBytes: String(maximum).length + 3,
  shape: call('numericId', `'${type}'`),
  filter: call('byNumericId', `'${type}'`),
  documentation: `string, ${type === 'integer' ? 'an integer' : 'a 64-bit integer'}`,
  example: '1',
  unused: String(MAX_INTEGER),
  unusedName: 'NO_NUMERIC_ID',
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
    nullSubstitute: `uuid '00000000-0000-0000-0000-000000000000'`,
    indexBytes: 16,
    jsonBytes: SOME_ID.length + 2,
    shape: call('uuid'),
    filter: call('byUuid'),
    documentation: 'string, a UUID',
    example: SOME_ID,
    unused: SOME_ID,
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
  integer: numeric('integer', MAX_INTEGER, 4),
  bigint: numeric('bigint', MAX_BIGINT, 8),
};

/** Every type of key. */
export const KEY_TYPES = Object.keys(KEYS) as readonly KeyType[];

/** The specification of a type of key. */
export const keySpec = (key: KeyType): KeySpec => KEYS[key];

/** The type of a key, if the database numbers the items. */
export const numericKey = (key: KeyType): NumericKey | undefined =>
  key === 'uuid' ? undefined : key;

/** Whether a key of one type can hold the ids of another one, which stay as they are. */
export const canHoldIds = (from: KeyType, to: KeyType): boolean =>
  from === to || (from === 'integer' && to === 'bigint');

/** What emitted code imports for numeric keys. */
export const NUMERIC_IDS = { file: 'numeric-ids', exports: ['byNumericId', 'numericId'] };
