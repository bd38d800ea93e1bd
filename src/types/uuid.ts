/** The type `uuid`, and what it shares with references. */
import { literal } from '../shared/sql.ts';
import type { JsonValue } from '../shared/json.ts';
import { call, plainCode } from './code.ts';
import type { FieldType } from './registry.ts';
import { castOf, sqlMatches, unchanged } from './sql-conversion.ts';
import type { SqlConversion } from './sql-conversion.ts';
import { isStringOrText, isUnboundedText } from './text.ts';
import { readText } from './text-storage.ts';
import type { TypeSpec } from './type.ts';
import { SAME, TEAM } from './version-conversion.ts';

export interface UuidType {
  readonly type: 'uuid';
}

/** Bytes of the text of an id in JSON, with quotes. */
export const ID_BYTES = 38;

/** The id in examples. */
export const SOME_ID = '01890a5d-ac96-774b-bcce-b302099a8057';

/** A UUID in lower case. */
function canonicalUuid(text: string): string | undefined {
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
  return form.test(text) ? text.toLowerCase() : undefined;
}

/** What ids are, in the database and in migrations. */
export const ID_STORAGE = {
  column: () => ({ definition: 'uuid', cast: 'uuid' }),
  check: () => undefined,
  nullSubstitute: `uuid '00000000-0000-0000-0000-000000000000'`,
  indexBytes: () => 16,
  jsonBytes: () => ID_BYTES,
  filter: () => call('byUuid'),
  typescript: () => 'string',
  literal: (_type: object, value: JsonValue) => `${literal(String(value))}::uuid`,
  toText: (_type: object, value: string) => `(${value})::text`,
  fromText: () =>
    castOf('uuid', (value) =>
      sqlMatches(value, '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'),
    ),
  convertFrom: (from: FieldType): SqlConversion | undefined =>
    from.type === 'uuid' || from.type === 'reference' ? unchanged() : undefined,
} as const;

export const uuidSpec: TypeSpec<UuidType> = {
  description: 'A UUID.',
  example: 'batch: { type: uuid }',
  synonyms: ['guid'],
  keys: {},
  jsonSchemaType: 'string',
  isComparable: true,
  comparison: { with: ['uuid', 'reference'], isOrdered: false, literal: 'text' },
  read: () => ({ type: 'uuid' }),
  write: () => ({}),
  readValue: (_type, tree, what, issues) =>
    readText(
      tree,
      what,
      issues,
      (value, refuse) => canonicalUuid(value) ?? refuse('is not a UUID', `one such as ${SOME_ID}`),
    ),

  ...ID_STORAGE,

  shape: () => call('uuid'),
  documentation: () => 'string, a UUID',

  values: (_type, count) =>
    Array.from(
      { length: count },
      (_none, n) => `8d3f5a1c-4b6e-4f70-9a2b-${String(n + 1).padStart(12, '0')}`,
    ),
  refused: () => [
    ['no UUID', 'nobody'],
    ['in braces', '{8d3f5a1c-4b6e-4f70-9a2b-000000000001}'],
    ['a number', 5],
  ],
  accepted: () => [['of any version', '00000000-0000-0000-0000-000000000000']],
  respellCode: (_type, value, required) => [
    { sent: `${value}${required ? '.' : '?.'}toUpperCase()`, answer: value, uses: [] },
  ],
  listTests: {
    isOrdered: false,
    respellFunction: plainCode('(id) => id.toUpperCase()'),
    invalidFilter: 'nobody',
    validFilter: () => SOME_ID,
  },

  readableAs: ['string', 'text'],

  nameInMessages: () => 'uuid',
  fromJson: (_type, value) => `${value}::uuid`,

  versionConversion: (_stored, older) => (isUnboundedText(older) ? SAME : TEAM),
  hint: (_stored, older) =>
    isStringOrText(older) ? 'must be a UUID in lower case' : 'must be a UUID',
  asText: () => ({ text: 'textOfUuid', uses: ['textOfUuid'] }),
};
