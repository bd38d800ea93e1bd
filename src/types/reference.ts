/** The type `reference`: the id of an item of another collection, or of a user. */
import { key as option, olderNamesKey, snakeName, SPAN_KEYS } from '../reading/common-keys.ts';
import { BOOLEAN_WORDS, booleanHint, mismatch } from '../reading/mismatch.ts';
import type { Issues } from '../reading/issues.ts';
import type { Position } from '../reading/position.ts';
import { map, readKeys } from '../reading/records.ts';
import type { Keys, Reading } from '../reading/records.ts';
import { anything, text, word } from '../reading/shapes.ts';
import type { Located } from '../reading/shapes.ts';
import type { Tree } from '../reading/tree.ts';
import { plainCode } from './code.ts';
import { canHoldIds, keySpec, NUMERIC_IDS } from './key.ts';
import type { NonUuidKey } from './key.ts';
import type { FieldType } from './registry.ts';
import { unchanged } from './sql-conversion.ts';
import type { SqlConversion } from './sql-conversion.ts';
import { withoutUndefined } from './written-options.ts';
import type { TypeSpec } from './type.ts';
import { isUuidType, uuidSpec } from './uuid.ts';

/** What `on_delete` asks for when the item referred to is removed. */
type OnDelete = 'refuse' | 'cascade' | 'clear';

/** Which versions have something: from `since` to `until`, both included. */
export interface Span {
  readonly since?: number;
  readonly until?: number;
}

/** The names of something in older versions, each with the last version that has it; rising. */
export type OlderNames = readonly {
  readonly upTo: number;
  readonly name: string;
  readonly at: Position;
}[];

export interface ReferenceType {
  readonly type: 'reference';
  /** A collection's name, or `users`. */
  readonly to: string;
  /** The type of the ids there; absent: UUIDs. */
  readonly key?: NonUuidKey;
  readonly onDelete: OnDelete;
  /** The plural noun under `/{to}/{id}/` in snake_case, where the reference is nested. */
  readonly nestedAs?: string;
  /** Which versions have that path, and what it is called in older ones; absent: all, the same. */
  readonly nestedIn?: Span & { readonly names?: OlderNames };
}

/** The keys of a nested path that says more than its name. */
const NESTED_KEYS = {
  as: option(snakeName, 'The plural noun of the path. Absent: the name of the collection.', {
    examples: ['reviews'],
  }),
  ...SPAN_KEYS,
  ...olderNamesKey('comments'),
} satisfies Keys;

const keys = {
  to: option(snakeName, 'The collection that is referred to, or users.', {
    missing: '"to:" and the name of a collection',
    examples: ['authors'],
  }),
  on_delete: option(
    word(['refuse', 'cascade', 'clear'] satisfies OnDelete[], {
      restrict: 'refuse',
      set_null: 'clear',
      nullify: 'clear',
    }),
    'What happens to the item when the one referred to is removed: the removal is refused, the item is removed too, or the reference is cleared. Absent: refuse.',
  ),
  nested: option(
    anything({
      anyOf: [
        { type: 'boolean' },
        { ...snakeName.schema, not: { enum: Object.values(BOOLEAN_WORDS).flat() } },
        map(NESTED_KEYS).schema,
      ],
    }),
    'true gives /{to}/{id}/{collection}; a plural noun gives that name in place of the collection; a map says which versions have the path.',
    { examples: [true, 'reviews', { as: 'reviews', since: 2 }] },
  ),
} satisfies Keys;

/** The versions that have a nested path, as they were read. */
type NestedSpan = Omit<Reading<typeof NESTED_KEYS>, 'as'>;

/** A reference whose target is not yet looked up, with the positions that messages need. */
export interface WrittenReference {
  readonly type: 'reference';
  readonly to: Located<string>;
  readonly onDelete: ReferenceType['onDelete'];
  readonly onDeleteAt: Position;
  /** `true` stands for the collection's own name. */
  readonly nested: Located<true | string> | undefined;
  /** Which versions have that path. */
  readonly nestedIn: NestedSpan | undefined;
}

const specOfKey = ({ key }: Pick<ReferenceType, 'key'>): ReturnType<typeof keySpec> =>
  keySpec(key ?? 'uuid');

/** Values are kept if each is an id of the new type. */
const convertFrom = (from: FieldType, { key }: ReferenceType): SqlConversion | undefined => {
  const isKept =
    from.type === 'reference'
      ? canHoldIds(from.key ?? 'uuid', key ?? 'uuid')
      : key === undefined && isUuidType(from);
  return isKept ? unchanged() : undefined;
};

export const referenceSpec: TypeSpec<ReferenceType, WrittenReference> = {
  description: 'The id of an item of another collection, or of a user.',
  example: 'author_id: { type: reference, to: authors, required: true, nested: true }',
  synonyms: ['belongs_to', 'foreign_key'],
  keys,
  jsonSchemaType: 'string',
  isComparable: true,
  comparison: { with: ['uuid', 'reference'], isOrdered: false },
  read({ to, on_delete: onDelete, nested }: Reading<typeof keys>, tree, { issues }) {
    if (to === undefined) return undefined;
    const { name, span } = nested === undefined ? {} : readNested(nested.value, issues);
    return {
      type: 'reference',
      to,
      onDelete: onDelete?.value ?? 'refuse',
      onDeleteAt: onDelete?.at ?? tree.at,
      nested: name === undefined || name === false ? undefined : { value: name, at: nested!.at },
      nestedIn: span,
    };
  },
  write: ({ to, nestedAs, onDelete }) =>
    withoutUndefined({ to, nested: nestedAs, on_delete: onDelete }),
  // Only the whole service knows what the ids are: see `assemble`.
  readValue: (_type, tree, what, issues) =>
    tree.kind === 'scalar' && typeof tree.value === 'string' && keySpec('string').isId(tree.value)
      ? tree.value
      : uuidSpec.readValue({ type: 'uuid' }, tree, what, issues),

  column: (type) => ({ definition: specOfKey(type).sql, cast: specOfKey(type).sql }),
  // Numbers are text in JSON.
  select: (column, { key }) => (key === undefined ? column : `${column}::text`),
  check: () => undefined,
  nullSubstitute: (type) => specOfKey(type).nullSubstitute,
  indexBytes: (type) => specOfKey(type).indexBytes,
  jsonBytes: (type) => specOfKey(type).jsonBytes,

  module: NUMERIC_IDS,
  shape: (type) => specOfKey(type).shape,
  filter: (type) => specOfKey(type).filter,
  typescript: () => 'string',
  documentation: ({ to }) => `string, the id of an item of \`/${to.replaceAll('_', '-')}\``,

  values: () => [],
  refused: (type) => specOfKey(type).refused,
  accepted: () => [],
  listTests: {
    isOrdered: false,
    sortKey: ({ key }, member) =>
      plainCode(key === undefined || key === 'string' ? member : `BigInt(${member})`),
    invalidFilter: ({ key }) => (key === 'string' ? '' : 'nobody'),
    validFilter: (type) => specOfKey(type).unused,
  },

  readableAs: ['uuid', 'string', 'text'],

  nameInMessages: () => 'reference',
  literal: (type, value) => specOfKey(type).literal(value),
  toText: (_type, value) => `(${value})::text`,
  fromText: (type) => specOfKey(type).fromText(),
  convertFrom,
  isVersioned: ({ nestedIn }) => nestedIn !== undefined,
};

function readNested(
  tree: Tree,
  issues: Issues,
): { readonly name?: boolean | string | undefined; readonly span?: NestedSpan } {
  if (tree.kind === 'map') {
    const { as, ...span } = readKeys(tree, NESTED_KEYS, 'nested', issues);
    return { name: as?.value ?? true, span };
  }
  if (tree.kind === 'scalar' && typeof tree.value === 'boolean') return { name: tree.value };
  if (tree.kind !== 'scalar' || typeof tree.value !== 'string') {
    return { name: mismatch(tree, 'nested', 'true, a plural noun or a map', undefined, issues) };
  }
  const flag = booleanHint(tree);
  if (flag !== undefined) return { name: mismatch(tree, 'nested', 'true or false', flag, issues) };
  return { name: text().read(tree, 'nested', issues) };
}
