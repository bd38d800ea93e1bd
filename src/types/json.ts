/** The type `json`: any JSON value. */
import type { Issues } from '../reading/issues.ts';
import { shown } from '../reading/mismatch.ts';
import { quote } from '../reading/quote.ts';
import { isStorable, numberShape, text } from '../reading/shapes.ts';
import type { Entry, Tree } from '../reading/tree.ts';
import type { JsonValue } from '../shared/json.ts';
import { literal } from '../shared/sql.ts';
import { call } from './code.ts';
import { WORD_BYTES } from './text-storage.ts';
import type { TypeSpec } from './type.ts';

export interface JsonType {
  readonly type: 'json';
}

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
  keys: {},
  jsonSchemaType: undefined,
  read: () => ({ type: 'json' }),
  write: () => ({}),
  readValue: (_type, tree, what, issues) => readJson(tree, what, issues),

  ...JSON_STORAGE,

  shape: () => call('json'),
  typescript: () => 'unknown',
  documentation: () => 'any JSON value',

  values: (_type, _count, { given = [] }) => [
    ...given,
    { color: 'blue', sizes: [1, 2.5], more: { deep: [null] } },
    [1, 'two'],
  ],
  refused: () => [
    ['an integer that no double holds', { deep: [FIRST_UNSAFE_INTEGER] }],
    ['a NUL character', { deep: 'a\0b' }],
    ['half of a surrogate pair', ['\ud800']],
  ],
  accepted: () => [],

  nameInMessages: () => 'json',
};

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
