/** The type `boolean`. */
import { flag } from '../reading/shapes.ts';
import { call, plainCode } from './code.ts';
import { castOf, unchanged } from './sql-conversion.ts';
import { WORD_BYTES } from './text-storage.ts';
import type { TypeSpec } from './type.ts';

export interface BooleanType {
  readonly type: 'boolean';
}

export const booleanSpec: TypeSpec<BooleanType> = {
  description: 'true or false.',
  example: 'in_print: { type: boolean, default: true }',
  synonyms: ['bool'],
  keys: {},
  jsonSchemaType: 'boolean',
  isComparable: true,
  comparison: { with: ['boolean'], isOrdered: false, literal: 'boolean' },
  read: () => ({ type: 'boolean' }),
  write: () => ({}),
  readValue: (_type, tree, what, issues) => flag.read(tree, what, issues),
  count: () => 2,

  column: () => ({ definition: 'boolean', cast: 'boolean' }),
  check: () => undefined,
  nullSubstitute: 'false',
  indexBytes: () => WORD_BYTES,
  jsonBytes: () => 'false'.length,

  shape: () => call('boolean'),
  filter: () => call('byBoolean'),
  typescript: () => 'boolean',
  documentation: () => 'boolean',

  values: () => [true, false],
  refused: () => [
    ['a text', 'true'],
    ['a number', 1],
  ],
  accepted: () => [['false', false]],
  listTests: {
    isOrdered: false,
    sortKey: (_type, member) => plainCode(`Number(${member})`),
    invalidFilter: 'yes',
    validFilter: () => 'true',
  },

  readableAs: [],

  nameInMessages: () => 'boolean',
  literal: (_type, value) => String(value),
  toText: (_type, value) => `(${value})::text`,
  isOwnJson: true,
  fromJson: (_type, value) => `${value}::boolean`,
  fromText: () => castOf('boolean', (value) => `${value} in ('true', 'false')`),
  convertFrom: (from) => (from.type === 'boolean' ? unchanged() : undefined),
};
