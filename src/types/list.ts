/** The type `list`: a list of scalars. */
import { key, REFERENCES } from '../reading/common-keys.ts';
import type { Issues } from '../reading/issues.ts';
import { mismatch, shown } from '../reading/mismatch.ts';
import { counted } from '../reading/quote.ts';
import type { Keys, Reading } from '../reading/records.ts';
import { anything, flag, whole } from '../reading/shapes.ts';
import type { Tree } from '../reading/tree.ts';
import type { JsonValue } from '../shared/json.ts';
import { call, optionsCode } from './code.ts';
import { differentValues, withoutDuplicates } from './example-values.ts';
import type { FindSpec } from './example-values.ts';
import { JSON_STORAGE } from './json.ts';
import { checkLengthOrder } from './lengths.ts';
import { withoutUndefined } from './written-options.ts';
import type { ScalarType } from './registry.ts';
import type { BoundaryValue, LabelledValues, TypeSpec } from './type.ts';

export interface ListType {
  readonly type: 'list';
  readonly of: ScalarType;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems: boolean;
}

const MOST_ITEMS = 1_000_000;
/** Longer lists are not made for tests. */
const LONGEST_REFUSED = 200;
const LONGEST_ACCEPTED = 50;

const keys = {
  of: key(anything(REFERENCES.item), 'The scalar type of the entries, with its options.', {
    missing: '"of: { type: string }"',
    examples: [{ type: 'string' }],
  }),
  min_items: key(whole(0, MOST_ITEMS), 'The fewest entries.'),
  max_items: key(whole(1, MOST_ITEMS), 'The most entries.'),
  unique_items: key(flag, 'Whether no two entries may be equal. Absent: false.'),
} satisfies Keys;

/** @param find finds the type of the entries. */
export function listSpec(find: FindSpec): TypeSpec<ListType> {
  const readValue = (type: ListType, tree: Tree, what: string, issues: Issues) =>
    readList(find, type, tree, what, issues);
  return {
    description: 'A list of scalars.',
    example:
      'tags: { type: list, of: { type: string, max_length: 50 }, max_items: 20, unique_items: true }',
    synonyms: ['array'],
    keys,
    jsonSchemaType: 'array',
    read(options: Reading<typeof keys>, _tree, { issues, readItem }) {
      const { of, min_items: minItems, max_items: maxItems, unique_items: distinct } = options;
      if (of === undefined) return undefined;
      const ordered = checkLengthOrder('items', minItems, maxItems, issues);
      const item = readItem(of.value);
      if (item === undefined) return undefined;
      const possible = find(item).count?.(item) ?? Infinity;
      if (distinct?.value === true && minItems !== undefined && minItems.value > possible) {
        const message = `min_items ${minItems.value} cannot be reached: of has ${possible} values, and unique_items is true. Write ${possible} or less.`;
        issues.add(minItems.at, 'contradiction', message);
      }
      return {
        type: 'list',
        of: item,
        ...(minItems && ordered && { minItems: minItems.value }),
        ...(maxItems && ordered && { maxItems: maxItems.value }),
        uniqueItems: distinct?.value ?? false,
      };
    },
    write: ({ of, minItems, maxItems, uniqueItems }) =>
      withoutUndefined({
        of: { type: of.type, ...find(of).write(of) },
        min_items: minItems,
        max_items: maxItems,
        unique_items: uniqueItems || undefined,
      }),
    readValue,

    ...JSON_STORAGE,

    shape({ of, minItems, maxItems, uniqueItems }) {
      const item = find(of).shape(of);
      const rules = optionsCode({ minItems, maxItems, uniqueItems: uniqueItems || undefined });
      const { text, uses } = call('list', item.text, rules);
      return { text, uses: [...uses, ...item.uses] };
    },
    typescript({ of }) {
      const inner = find(of).typescript(of);
      return of.type === 'enum' ? `(${inner})[]` : `${inner}[]`;
    },
    documentation: ({ of }) => `array: ${find(of).documentation(of)}`,

    values: (type, _count, place) => exampleLists(find, type, place.name, place.given ?? []),
    refused: () => [],
    refusedParts: (type, _sample, member) => refusedLists(find, type, member),
    accepted: (type) => acceptedLists(find, type),
    respellCode: ({ of }, value, required) =>
      (find(of).respellCode?.(of, 'one', true) ?? []).slice(0, 1).map(({ sent, uses }) => ({
        sent: `${value}${required ? '.' : '?.'}map((one) => ${sent})`,
        answer: value,
        uses,
      })),

    limits: ({ minItems, maxItems }) => [
      { key: 'min_items', side: 'minimum', value: minItems || undefined },
      { key: 'max_items', side: 'maximum', value: maxItems },
    ],

    withBoundsOf(older, stored) {
      const holdsOne = (older.minItems ?? 0) <= 1 && (older.maxItems ?? 1) >= 1;
      return stored.type === 'list' || !holdsOne ? older : { ...older, minItems: 1, maxItems: 1 };
    },

    nameInMessages: ({ of }) => `list of ${of.type}`,
    isVersioned: ({ of }) => find(of).isVersioned?.(of) ?? false,
  };
}

function readList(
  find: FindSpec,
  { of, minItems, maxItems, uniqueItems }: ListType,
  tree: Tree,
  what: string,
  issues: Issues,
): JsonValue | undefined {
  if (tree.kind !== 'list') return mismatch(tree, what, 'a list', undefined, issues);
  const { length } = tree.items;
  const refuse = (why: string, write: string): undefined => {
    issues.add(
      tree.at,
      'bad-value',
      `${what} has ${counted(length, 'entry', 'entries')}: ${why}. Write ${write}.`,
    );
    return undefined;
  };
  if (minItems !== undefined && length < minItems) {
    return refuse(`min_items is ${minItems}`, `${minItems} or more`);
  }
  if (maxItems !== undefined && length > maxItems) {
    return refuse(`max_items is ${maxItems}`, `${maxItems} or fewer`);
  }
  const values: JsonValue[] = [];
  const seen = new Set<JsonValue>();
  const before = issues.count;
  for (const item of tree.items) {
    const value = find(of).readValue(of, item, `${what} entry`, issues);
    if (value === undefined) continue;
    if (uniqueItems && seen.has(value)) {
      const message = `${what} entry ${shown(item)} stands there twice: unique_items is true. Remove one.`;
      issues.add(item.at, 'bad-value', message);
    }
    seen.add(value);
    values.push(value);
  }
  return issues.count > before ? undefined : values;
}

/** Lists of two entries, of one, and of three, as far as the bounds allow. */
function exampleLists(
  find: FindSpec,
  { of, minItems: minimum = 0, maxItems: maximum = Infinity, uniqueItems }: ListType,
  name: string,
  before: readonly JsonValue[],
): JsonValue[] {
  const items = differentValues(find, of, Math.max(minimum, 3), { name });
  if (items.length === 0) return minimum > 0 ? [] : [[]];
  const many = (wanted: number): JsonValue[] => {
    const length = Math.min(
      Math.max(wanted, minimum),
      maximum,
      uniqueItems ? items.length : Infinity,
    );
    return Array.from({ length }, (_none, at) => items[at % items.length] as JsonValue);
  };
  return withoutDuplicates([...before, many(2), many(1), many(3)]);
}

function refusedLists(
  find: FindSpec,
  { of, minItems = 0, maxItems, uniqueItems }: ListType,
  member: string,
): BoundaryValue[] {
  const different = (count: number): JsonValue[] =>
    differentValues(find, of, count, { name: member });
  const items = different(Math.min((maxItems ?? 0) + 1, LONGEST_REFUSED));
  const one = different(1)[0];
  const filled = (item: JsonValue): JsonValue[] => [
    item,
    ...different(minItems + 1).slice(1, Math.max(minItems, 1)),
  ];
  const cases: BoundaryValue[] = [
    { member, why: 'no list', value: one ?? 'text' },
    { member, why: 'an object', value: {} },
  ];
  if (minItems > 0) {
    const few = different(minItems - 1);
    cases.push({ member, why: 'with too few items', value: few.slice(0, minItems - 1) });
  }
  if (maxItems !== undefined && maxItems < LONGEST_REFUSED && one !== undefined) {
    const many = Array.from({ length: maxItems + 1 }, (_none, at) =>
      uniqueItems ? items[at] : one,
    );
    if (!many.includes(undefined)) {
      cases.push({ member, why: 'with too many items', value: many as JsonValue[] });
    }
  }
  if (uniqueItems && one !== undefined && (maxItems ?? 2) >= 2) {
    cases.push({ member, why: 'with an item twice', value: [one, ...filled(one)] });
  }
  if (maxItems === 0) return cases;
  const entry = `${member}[0]`;
  const inside: BoundaryValue[] = [
    ...find(of)
      .refused(of, one)
      .slice(0, 2)
      .map(([why, value]) => ({ member: entry, why, value })),
    { member: entry, why: 'null', value: null },
  ];
  return [...cases, ...inside.map((found) => ({ ...found, value: filled(found.value) }))];
}

function acceptedLists(
  find: FindSpec,
  { of, minItems = 0, maxItems, uniqueItems }: ListType,
): LabelledValues {
  const items = (length: number): JsonValue[] | undefined => {
    const different = differentValues(find, of, length, { name: 'item' });
    if (different.length === 0 || (uniqueItems && different.length < length)) return undefined;
    return Array.from({ length }, (_none, at) => different[at % different.length] as JsonValue);
  };
  const few = minItems === 0 ? [] : items(minItems);
  const many = maxItems === undefined || maxItems > LONGEST_ACCEPTED ? undefined : items(maxItems);
  return [
    ...(few === undefined ? [] : [['with the fewest items', few] as const]),
    ...(many === undefined ? [] : [['with the most items', many] as const]),
  ];
}
