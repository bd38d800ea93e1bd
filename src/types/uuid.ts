/** The type `uuid`. */
import { plainCode } from './code.ts';
import { keySpec, EXAMPLE_UUID } from './key.ts';
import type { FieldType } from './registry.ts';
import { unchanged } from './sql-conversion.ts';
import { isStringOrText, isUnboundedText } from './text.ts';
import { readText } from './text-storage.ts';
import type { TypeSpec } from './type.ts';
import { SAME_VALUE, TEAM_CONVERSION } from './version-conversion.ts';

export interface UuidType {
  readonly type: 'uuid';
}

/** A UUID in lower case. */
function canonicalUuid(text: string): string | undefined {
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
  return form.test(text) ? text.toLowerCase() : undefined;
}

/** Whether the values of a type are UUIDs. */
export const isUuidType = (type: FieldType): boolean =>
  type.type === 'uuid' || (type.type === 'reference' && type.key === undefined);

const UUID = keySpec('uuid');

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
      (value, refuse) =>
        canonicalUuid(value) ?? refuse('is not a UUID', `one such as ${EXAMPLE_UUID}`),
    ),

  column: () => ({ definition: 'uuid', cast: 'uuid' }),
  check: () => undefined,
  nullSubstitute: UUID.nullSubstitute,
  indexBytes: () => UUID.indexBytes,
  jsonBytes: () => UUID.jsonBytes,

  shape: () => UUID.shape,
  filter: () => UUID.filter,
  typescript: () => 'string',
  documentation: () => UUID.documentation,

  values: (_type, count) =>
    Array.from(
      { length: count },
      (_none, n) => `8d3f5a1c-4b6e-4f70-9a2b-${String(n + 1).padStart(12, '0')}`,
    ),
  refused: () => [...UUID.refused, ['in braces', '{8d3f5a1c-4b6e-4f70-9a2b-000000000001}']],
  accepted: () => [['of any version', '00000000-0000-0000-0000-000000000000']],
  respellCode: (_type, value, required) => [
    { sent: `${value}${required ? '.' : '?.'}toUpperCase()`, answer: value, uses: [] },
  ],
  listTests: {
    isOrdered: false,
    respellFunction: plainCode('(id) => id.toUpperCase()'),
    invalidFilter: 'nobody',
    validFilter: () => EXAMPLE_UUID,
  },

  readableAs: ['string', 'text'],

  nameInMessages: () => 'uuid',
  literal: (_type, value) => UUID.literal(value),
  toText: (_type, value) => `(${value})::text`,
  fromJson: (_type, value) => `${value}::uuid`,
  fromText: UUID.fromText,
  convertFrom: (from) => (isUuidType(from) ? unchanged() : undefined),

  versionConversion: (_stored, older) => (isUnboundedText(older) ? SAME_VALUE : TEAM_CONVERSION),
  hint: (_stored, older) =>
    isStringOrText(older) ? 'must be a UUID in lower case' : 'must be a UUID',
  asText: () => ({ text: 'textOfUuid', uses: ['textOfUuid'] }),
};
