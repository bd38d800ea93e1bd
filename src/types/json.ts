/** The type `json`: any JSON value. */
import { key } from '../reading/common-keys.ts';
import type { Issues } from '../reading/issues.ts';
import { shown } from '../reading/mismatch.ts';
import { counted, quote } from '../reading/quote.ts';
import type { Keys, Reading } from '../reading/records.ts';
import { isStorable, numberShape, text } from '../reading/shapes.ts';
import type { Entry, Tree } from '../reading/tree.ts';
import type { JsonValue } from '../shared/json.ts';
import { literal } from '../shared/sql.ts';
import { call, optionsCode } from './code.ts';
import { lengthShape } from './lengths.ts';
import { WORD_BYTES } from './text-storage.ts';
import type { TypeSpec } from './type.ts';
import { SAME_VALUE, TEAM_CONVERSION } from './version-conversion.ts';
import { writtenOptions } from './written-options.ts';

export interface JsonType {
  readonly type: 'json';
  /** Absent: `DEFAULT_BYTES`. */
  readonly maxBytes?: number;
}

/** The most bytes where the definition says nothing, as in `shapes.ts` of a service: a page has many such values. */
const DEFAULT_BYTES = 65_536;
/** Smaller limits are refused: the values in emitted tests have to fit. */
const SMALLEST_LIMIT = 256;
/** More bytes than this are not sent by tests: a body has its limit too. */
const LONGEST_SENT = 75_000;

const keys = {
  max_bytes: key(
    lengthShape(SMALLEST_LIMIT),
    `The most bytes of a value that a request sends, as JSON without blanks. Absent: ${DEFAULT_BYTES}.`,
  ),
} satisfies Keys;

/** The most bytes of a value that a request sends. */
export const maxBytesOf = ({ maxBytes = DEFAULT_BYTES }: JsonType): number => maxBytes;

const FIRST_UNSAFE_INTEGER = 2 ** 53;

/** The storage of lists, objects and JSON: one column of the type jsonb. */
export const JSON_STORAGE = {
  isComparable: false,
  isJson: true,
  column: () => ({ definition: 'jsonb', cast: 'jsonb' }),
  parameterCode: (member: string) => call('toJson', member),
  check: () => undefined,
  indexBytes: () => WORD_BYTES,
  jsonBytes: () => Infinity,
  literal: (_type: object, value: JsonValue) => `${literal(JSON.stringify(value))}::jsonb`,
  toText: (_type: object, value: string) => `(${value})::text`,
  readableAs: [],
} as const;

export const jsonSpec: TypeSpec<JsonType> = {
  description: 'Any JSON value.',
  example: 'settings: { type: json }',
  synonyms: ['jsonb'],
  keys,
  jsonSchemaType: undefined,
  read: ({ max_bytes: maxBytes }: Reading<typeof keys>) => ({
    type: 'json',
    ...(maxBytes && { maxBytes: maxBytes.value }),
  }),
  write: (type) => writtenOptions(type, keys),
  readValue(type, tree, what, issues) {
    const value = readJson(tree, what, issues);
    const bytes = value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
    if (bytes <= maxBytesOf(type)) return value;
    const message = `${what} has ${counted(bytes, 'byte')} as JSON: max_bytes is ${maxBytesOf(type)}. Write a shorter one, or a greater max_bytes.`;
    issues.add(tree.at, 'out-of-range', message);
    return undefined;
  },

  // No check: the text of a jsonb has blanks, and tables may hold larger values, which stay readable.
  ...JSON_STORAGE,

  shape: ({ maxBytes }) => call('json', optionsCode({ maxBytes })),
  typescript: () => 'unknown',
  documentation: (type) => `any JSON value of at most ${counted(maxBytesOf(type), 'byte')}`,

  values: (_type, _count, { given = [] }) => [
    ...given,
    { color: 'blue', sizes: [1, 2.5], more: { deep: [null] } },
    [1, 'two'],
  ],
  refused: (type) => [
    ['an integer that no double holds', { deep: [FIRST_UNSAFE_INTEGER] }],
    ['a NUL character', { deep: 'a\0b' }],
    ['half of a surrogate pair', ['\ud800']],
    ...(maxBytesOf(type) < LONGEST_SENT
      ? [['too long', textOf(maxBytesOf(type) + 1)] as const]
      : []),
  ],
  accepted: (type) =>
    maxBytesOf(type) < LONGEST_SENT ? [['the longest', textOf(maxBytesOf(type))]] : [],

  limits: (type) => [{ key: 'max_bytes', side: 'maximum', value: maxBytesOf(type) }],

  nameInMessages: () => 'json',

  versionConversion: (stored, older) =>
    older.type === 'json' && maxBytesOf(stored) <= maxBytesOf(older) ? SAME_VALUE : TEAM_CONVERSION,
};

/** A text that has so many bytes with its quotes. */
const textOf = (bytes: number): string => 'x'.repeat(bytes - 2);

function readJson(tree: Tree, what: string, issues: Issues): JsonValue | undefined {
  if (tree.kind === 'list') {
    const values = tree.items.map((item) => readJson(item, `${what} entry`, issues));
    return values.includes(undefined) ? undefined : (values as JsonValue[]);
  }
  if (tree.kind === 'map') return readMap(tree.entries, what, issues);
  if (typeof tree.value === 'string') return text().read(tree, what, issues);
  if (tree.value === null || typeof tree.value === 'boolean') return tree.value;
  const value = numberShape.read(tree, what, issues);
  if (value === undefined || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  const message = `${what} ${shown(tree)} is an integer that no number holds exactly. Write a nearer one.`;
  issues.add(tree.at, 'out-of-range', message);
  return undefined;
}

function readMap(entries: readonly Entry[], what: string, issues: Issues): JsonValue | undefined {
  const value: Record<string, JsonValue> = {};
  const before = issues.count;
  for (const { name, at, value: member } of entries) {
    if (name === '__proto__' || !isStorable(name)) {
      const message = `${what} has the member ${quote(name)}, which the service refuses. Rename it.`;
      issues.add(at, 'bad-value', message);
      continue;
    }
    const read = readJson(member, what, issues);
    if (read !== undefined) value[name] = read;
  }
  return issues.count > before ? undefined : value;
}
