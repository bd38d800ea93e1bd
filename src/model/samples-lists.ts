/**
 * Items for the tests of a list: they differ in what the list is sorted, filtered and searched by,
 * with equal values and with none among them.
 */
import type { Field } from '../definition/types.ts';
import { specOf } from '../types/registry.ts';
import type { ScalarType } from '../types/registry.ts';
import type { JsonValue } from '../shared/json.ts';
import { placeholderIdOf } from '../expressions/candidate-values.ts';
import { isKeptValue } from './check-values.ts';
import type { CheckValues } from './check-values.ts';
import { uniqueFieldGroups, capacityOf, keptValues } from './samples.ts';
import type { Samples } from './samples.ts';
import { differentValues, withoutDuplicates } from '../types/example-values.ts';

/** What an item of the list has for a member: a value, or the id of one of some parents. */
type Cell =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'parent'; readonly index: number };

/** A reference whose parents are made before the items. */
interface ListParents {
  readonly field: Field;
  readonly target: string;
  /** Those that some item has. */
  readonly indexes: readonly number[];
}

export interface ListSamples {
  readonly parents: readonly ListParents[];
  readonly items: readonly ReadonlyMap<string, Cell>[];
}

const MOST_ITEMS = 8;
/** Values of a member: where all differ, and where some are equal. */
const MOST_UNIQUE = 40;
const FEW_VALUES = 5;
export function listSamples(samples: Samples, all: ReadonlyMap<string, Samples>): ListSamples {
  const { collection } = samples;
  const { definition } = collection;
  const listed = definition.fields.filter(
    ({ name, readOnly }) =>
      !readOnly &&
      (definition.sort.includes(name) ||
        definition.filter.includes(name) ||
        definition.search.includes(name)),
  );
  const groups = uniqueFieldGroups(collection);
  const choices = listed.flatMap((field, at): Choice[] => {
    const cells = cellsOf(field, samples, all, groups.flat().includes(field.name));
    return cells.length === 0 ? [] : [{ field, cells, shift: at }];
  });
  const alike = alikeMembers(samples);
  const items: ReadonlyMap<string, Cell>[] = [];
  for (let n = 0; items.length < Math.min(MOST_ITEMS, samples.capacity) && n < 200; n++) {
    const item = new Map(
      choices.map(({ field, cells, shift }) => [
        field.name,
        // Each field turns at its own pace, so that all combinations come up in time.
        cells[(n + shift + shift * Math.floor(n / cells.length)) % cells.length] as Cell,
      ]),
    );
    if (!groups.some((group) => items.some((other) => clash(group, item, other, alike)))) {
      items.push(item);
    }
  }
  const parents = choices.flatMap(({ field }): ListParents[] => {
    const indexes = items.flatMap((item) => {
      const cell = item.get(field.name);
      return cell?.kind === 'parent' ? [cell.index] : [];
    });
    return field.type.type === 'reference' && indexes.length > 0
      ? [{ field, target: field.type.to, indexes: [...new Set(indexes)].toSorted((a, b) => a - b) }]
      : [];
  });
  return { parents, items };
}

/** Members that are the same in all items unless the list names them: one value, one parent of several, or a default. */
const alikeMembers = ({ collection, members }: Samples): ReadonlySet<string> =>
  new Set(
    collection.definition.fields
      .filter((field) => {
        const member = members.find((one) => one.field === field);
        if (member === undefined) return field.default !== undefined;
        return member.kind === 'value' || (member.kind === 'parent' && member.shared);
      })
      .map(({ name }) => name),
  );

interface Choice {
  readonly field: Field;
  readonly cells: readonly Cell[];
  readonly shift: number;
}

function clash(
  group: readonly string[],
  one: ReadonlyMap<string, Cell>,
  other: ReadonlyMap<string, Cell>,
  alike: ReadonlySet<string>,
): boolean {
  return group.every((name) => {
    const [left, right] = [one.get(name), other.get(name)];
    // What the list does not name is another value for each item, or none, unless all have the same.
    if (left === undefined || right === undefined) return alike.has(name);
    if (left.kind === 'value' && left.value === null) return false;
    return JSON.stringify(left) === JSON.stringify(right);
  });
}

function cellsOf(
  field: Field,
  samples: Samples,
  all: ReadonlyMap<string, Samples>,
  isUnique: boolean,
): Cell[] {
  const { type } = field;
  const { checks } = samples;
  const mayBeNull = !field.required && isKeptValue(checks, field, null);
  const none: Cell[] = mayBeNull ? [{ kind: 'value', value: null }] : [];
  if (type.type === 'reference') {
    if (!isKeptValue(checks, field, placeholderIdOf(field.name))) return none;
    const target = all.get(type.to);
    const self = samples.collection.definition.name;
    if (target?.obstacle !== undefined) return none;
    const most = capacityOf(target);
    if (field.required && most < 2) return [];
    // An item that comes along with its parent would stand in the list, and nobody expects it.
    if (target !== undefined && target !== samples && needs(target, self, all)) return none;
    const count = target === samples ? 1 : Math.min(isUnique ? MOST_ITEMS : 2, most);
    const parents = Array.from({ length: count }, (_none, index): Cell => ({
      kind: 'parent',
      index,
    }));
    return mix(parents, none);
  }
  if (type.type === 'list' || type.type === 'object' || type.type === 'json') return [];
  const values = listValues(type, field, isUnique, checks).map((value): Cell => ({
    kind: 'value',
    value,
  }));
  if (isUnique) {
    // The first ones are left to the items that are made by the way.
    const own = values.length > MOST_ITEMS + 4 ? values.slice(4) : values.slice(1);
    const turned = own.map((_cell, at) => own[(at * 3) % own.length] as Cell);
    const different = uniqueCells([...turned, ...own]).slice(0, MOST_ITEMS);
    return [...different.slice(0, 2), ...none, ...different.slice(2)];
  }
  return mix(values, none);
}

const uniqueCells = (cells: readonly Cell[]): Cell[] =>
  cells.filter(
    (cell, at) => cells.findIndex((other) => JSON.stringify(other) === JSON.stringify(cell)) === at,
  );

/** Not in order, one of them twice, and none of them once. */
function mix(values: readonly Cell[], none: readonly Cell[]): Cell[] {
  const [first, second, ...rest] = values;
  if (first === undefined) return [...none];
  if (second === undefined) return [first, ...none, first];
  return [second, first, ...none, ...rest, second];
}

/** Whether an item of a collection cannot be made without one of another. */
function needs(
  from: Samples | undefined,
  other: string,
  all: ReadonlyMap<string, Samples>,
): boolean {
  return (from?.members ?? []).some(
    (member) =>
      member.kind === 'parent' &&
      (member.type.to === other || needs(all.get(member.type.to), other, all)),
  );
}

function listValues(
  type: ScalarType,
  field: Field,
  isUnique: boolean,
  checks: CheckValues | undefined,
): readonly JsonValue[] {
  const { name, example } = field;
  if (isUnique) {
    const given = example === undefined ? [] : [example];
    return differentValues(specOf, type, MOST_UNIQUE, { name, given }).filter((value) =>
      isKeptValue(checks, field, value),
    );
  }
  const kept = keptValues(field, checks);
  if (kept !== undefined) return kept;
  const plain = (): JsonValue[] => differentValues(specOf, type, FEW_VALUES, { name });
  return withoutDuplicates(specOf(type).listValues?.(type, plain, { name }) ?? plain());
}
