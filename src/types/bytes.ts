/** The type `bytes`: bytes as base64 (RFC 4648, section 4). */
import { key } from '../reading/common-keys.ts';
import { counted } from '../reading/quote.ts';
import type { Keys, Reading } from '../reading/records.ts';
import type { JsonValue } from '../shared/json.ts';
import { literal } from '../shared/sql.ts';
import { sqlRange } from './bounds.ts';
import { call, nameCode, optionsCode } from './code.ts';
import { lengthShape } from './lengths.ts';
import { writtenOptions } from './written-options.ts';
import { sqlMatches, unchanged } from './sql-conversion.ts';
import { isUnboundedText } from './text.ts';
import { readText, WORD_BYTES } from './text-storage.ts';
import type { LabelledValues, TypeSpec } from './type.ts';
import { SAME_VALUE, TEAM_CONVERSION } from './version-conversion.ts';

export interface BytesType {
  readonly type: 'bytes';
  readonly maxBytes?: number;
}

/** More bytes than this are not sent by tests: a body has its limit too. */
const LONGEST_SENT = 75_000;

/** The end of a text: bits beyond the last byte are zero, so that each value has one text. */
const LAST_GROUP =
  /^(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=|[A-Za-z0-9+/][AQgw]==)$/;
const SQL_BASE64 =
  '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=|[A-Za-z0-9+/][AQgw]==)?$';

/** Whether a text is base64 with padding, and the only one of its bytes. */
function isBase64(value: string): boolean {
  if (value.length % 4 !== 0) return false;
  const end = value.search(/[^A-Za-z0-9+/]/);
  return end === -1 || (end >= value.length - 2 && LAST_GROUP.test(value.slice(-4)));
}

const base64Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

const keys = {
  max_bytes: key(lengthShape(1), 'The most bytes.'),
} satisfies Keys;

export const bytesSpec: TypeSpec<BytesType> = {
  description: 'Bytes, as base64 with padding.',
  example: 'thumbnail: { type: bytes, max_bytes: 20000 }',
  synonyms: ['binary', 'blob', 'bytea', 'base64'],
  keys,
  jsonSchemaType: 'string',
  isComparable: false,
  comparison: { with: ['bytes'], isOrdered: false, literal: 'text' },
  read: ({ max_bytes: maxBytes }: Reading<typeof keys>) => ({
    type: 'bytes',
    ...(maxBytes && { maxBytes: maxBytes.value }),
  }),
  write: (type) => writtenOptions(type, keys),
  readValue: ({ maxBytes = Infinity }, tree, what, issues) =>
    readText(tree, what, issues, (value, refuse) => {
      if (!isBase64(value)) return refuse('is not base64 with padding', 'one such as aGVsbG8=');
      const count = Buffer.byteLength(value, 'base64');
      return count <= maxBytes
        ? value
        : refuse(
            `has ${counted(count, 'byte')}: max_bytes is ${maxBytes}`,
            `${counted(maxBytes, 'byte')} or fewer`,
          );
    }),

  column: () => ({ definition: 'bytea', cast: 'bytea' }),
  select: base64Sql,
  parameterCode: (member) => call('toBuffer', member),
  check: ({ maxBytes }, value) =>
    sqlRange(`octet_length(${value})`, undefined, maxBytes?.toString()),
  indexBytes: () => WORD_BYTES,
  jsonBytes: ({ maxBytes }) =>
    maxBytes === undefined ? Infinity : 2 + 4 * Math.ceil(maxBytes / 3),

  module: { file: 'bytes', exports: ['bytes', 'bytesAsText', 'toBuffer'] },
  shape: ({ maxBytes }) => call('bytes', optionsCode({ maxBytes })),
  typescript: () => 'string',
  documentation: () => 'string, base64',

  values({ maxBytes = Infinity }, count, { name }) {
    const some = Array.from({ length: Math.min(count, 256) }, (_none, n) => {
      const words = Buffer.from(`${name} ${n + 1}`);
      return base64Of(words.length > maxBytes ? Uint8Array.of(n) : words);
    });
    // Where many are asked for, no bytes are a value too.
    return count > 2 ? [...some.slice(0, -1), ''] : some;
  },
  refused({ maxBytes = Infinity }): LabelledValues {
    return [
      ['no base64', 'nobody?!'],
      ['without padding', 'aGVsbG8'],
      ['in the alphabet of URLs', '_-8='],
      ['with a line break', 'aGVs\nbG8='],
      ['with bits beyond the last byte', 'aGVsbG9='],
      ['a number', 5],
      ...(maxBytes < LONGEST_SENT
        ? [['too long', base64Of(new Uint8Array(maxBytes + 1))] as const]
        : []),
    ];
  },
  accepted: ({ maxBytes = Infinity }) => [
    ['empty', ''],
    ['of any value', base64Of(Uint8Array.of(255))],
    ...(maxBytes < LONGEST_SENT
      ? [['the longest', base64Of(new Uint8Array(maxBytes))] as const]
      : []),
  ],

  limits: ({ maxBytes }) => [{ key: 'max_bytes', side: 'maximum', value: maxBytes }],
  readableAs: ['string', 'text'],

  nameInMessages: () => 'bytes',
  literal: (_type, value: JsonValue) => `decode(${literal(String(value))}, 'base64')`,
  toText: (_type, value) => base64Sql(value),
  fromJson: (_type, value) => `decode(${value}, 'base64')`,
  fromText: () => ({
    sql: (value) => `decode(${value}, 'base64')`,
    fits: (value) => sqlMatches(value, SQL_BASE64),
    isWider: false,
  }),
  convertFrom: (from) => (from.type === 'bytes' ? unchanged() : undefined),

  versionConversion(stored, older) {
    const fits =
      older.type === 'bytes' && (stored.maxBytes ?? Infinity) <= (older.maxBytes ?? Infinity);
    return fits || isUnboundedText(older) ? SAME_VALUE : TEAM_CONVERSION;
  },
  asText: () => nameCode('bytesAsText'),
  hint: ({ maxBytes }) =>
    maxBytes === undefined
      ? 'must be base64 with padding'
      : `must be base64 with padding, of at most ${counted(maxBytes, 'byte')}`,
};

/** `encode` breaks lines after 76 characters. */
function base64Sql(value: string): string {
  return `replace(encode(${value}, 'base64'), chr(10), '')`;
}
