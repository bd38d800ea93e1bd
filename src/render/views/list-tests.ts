/** What the tests of a collection's lists say: its items, sorts, filters and searches. */
import type { CollectionDefinition, Field } from '../../definition/types.ts';
import { numericKey } from '../../types/key.ts';
import { specOf } from '../../types/registry.ts';
import type { FieldType } from '../../types/registry.ts';
import type { Code } from '../../types/type.ts';
import { listedMember } from '../../model/columns.ts';
import { listSamples } from '../../model/samples-lists.ts';
import type { Samples } from '../../model/samples.ts';
import { stringLiteral, valueCode } from '../../shared/literals.ts';
import { targetNames } from './fixture.ts';
import { unusedIdOf } from './test-ids.ts';

export interface ListTestsView {
  /** Constants that hold the parents of items. */
  readonly parents: readonly { readonly variable: string; readonly maker: string }[];
  /** Of the parents those that stand in the list themselves. */
  readonly own: readonly string[];
  /** How many items there are, and code of what they have of each member. */
  readonly count: number;
  readonly columns: readonly { readonly name: string; readonly values: string }[];
  /** Code that gives what an item is compared by. */
  readonly keys: readonly { readonly name: string; readonly key: string }[];
  readonly sorts: readonly string[];
  readonly combined: { readonly first: string; readonly second: string } | undefined;
  readonly filters: readonly { readonly name: string; readonly options: string }[];
  readonly byReference: readonly {
    readonly name: string;
    readonly nullable: boolean;
    /** The name of an id that no item has. */
    readonly noId: string;
  }[];
  readonly refused: readonly { parameter: string; value: string }[];
  readonly searched: readonly string[];
  /** Some members, for a sparse answer. */
  readonly sparse: readonly string[];
  readonly sparseList: string;
  readonly limit: number;
  /** Code of the items in the order of their ids, if these are values of fields: the order of creation may be another. */
  readonly idOrder: string | undefined;
}

export function listTestsView(samples: Samples, all: ReadonlyMap<string, Samples>): ListTestsView {
  const { definition } = samples.collection;
  const list = listSamples(samples, all);
  const parents = list.parents.flatMap(({ field, target, indexes }) =>
    indexes.map((index) => ({
      variable: variableFor(field, index),
      maker: `create${targetNames(target, all).type}`,
      isOwn: target === definition.name,
    })),
  );
  const listed = definition.fields.filter(({ name }) => list.items[0]?.has(name) === true);
  const columns = listed.map((field) => {
    const values = list.items.map((item) => {
      const cell = item.get(field.name) ?? { kind: 'value', value: null };
      return cell.kind === 'parent'
        ? `${variableFor(field, cell.index)}.id`
        : valueCode(cell.value);
    });
    return { name: field.name, values: `[${values.join(', ')}]` };
  });
  const scalars = scalarFilters(definition);
  const compared = comparedMembers(definition);
  const [first, second] = definition.sort;
  const sparse = definition.fields
    .filter(({ name, writeOnly }) => !writeOnly && name !== 'id')
    .slice(0, 2)
    .map(({ name }) => name);
  return {
    parents: parents.map(({ variable, maker }) => ({ variable, maker })),
    own: parents.filter(({ isOwn }) => isOwn).map(({ variable }) => variable),
    count: list.items.length,
    columns,
    keys: compared.map((name) => ({ name, key: keyCode(samples, name) })),
    sorts: definition.sort,
    combined: first !== undefined && second !== undefined ? { first, second } : undefined,
    filters: scalars.map(({ name, type }) => ({ name, options: filterOptions(name, type) })),
    byReference: definition.filter.flatMap((name) => {
      const { type, nullable } = listedMember(definition, name);
      return type.type === 'reference' ? [{ name, nullable, noId: unusedIdOf(type) }] : [];
    }),
    refused: definition.filter.flatMap((name) =>
      refusedRows(name, listedMember(definition, name).type),
    ),
    searched: definition.search,
    sparse,
    sparseList: sparse.length === 0 ? 'id' : sparse.join(','),
    limit: Math.min(3, definition.pages.maximum),
    idOrder: idOrder(definition),
  };
}

function idOrder({ key, keyFields, fields }: CollectionDefinition): string | undefined {
  if (keyFields === undefined) return undefined;
  const keys = keyFields.map((name, at) => {
    const type = fields.find((field) => field.name === name)?.type;
    const isNumber =
      type?.type === 'integer' ||
      type?.type === 'bigint' ||
      (type?.type === 'reference' && numericKey(type.key ?? 'uuid') !== undefined);
    const part = key === 'composite' ? `decodeURIComponent(id.split('~')[${at}] ?? '')` : 'id';
    return `({ id }) => ${isNumber ? `BigInt(${part})` : part}`;
  });
  return keys.reduceRight((sorted, part) => `sortBy(${sorted}, ${part})`, 'items');
}

/** The filters but those by references. */
const scalarFilters = (definition: CollectionDefinition): { name: string; type: FieldType }[] =>
  definition.filter.flatMap((name) => {
    const { type } = listedMember(definition, name);
    return type.type === 'reference' ? [] : [{ name, type }];
  });

/** The members that tests compare: those that lists are sorted by, and filtered by in order. */
function comparedMembers(definition: CollectionDefinition): string[] {
  const inOrder = scalarFilters(definition).filter(
    ({ type }) => specOf(type).listTests?.isOrdered === true,
  );
  return [...new Set([...definition.sort, ...inOrder.map(({ name }) => name)])];
}

/** The functions of `test/support/` that the keys and filters of these tests call. */
export const listHelpers = (samples: Samples): string[] => [
  ...comparedMembers(samples.collection.definition).flatMap(
    (name) => keyOf(samples, name)?.uses ?? [],
  ),
  ...scalarFilters(samples.collection.definition).flatMap(
    ({ type }) => specOf(type).listTests?.respellFunction?.uses ?? [],
  ),
];

/** How a filter compares, and how its values are spelled in another way than they are answered. */
function filterOptions(name: string, type: FieldType): string {
  const { isOrdered, respellFunction, canBeEmpty } = specOf(type).listTests ?? {};
  const options = [
    ...(isOrdered === true ? [`order: keys.${name}`] : []),
    ...(respellFunction === undefined ? [] : [`spell: ${respellFunction.text}`]),
    ...(canBeEmpty === true ? ['canBeEmpty: true'] : []),
  ];
  return options.length === 0 ? '{}' : `{ ${options.join(', ')} }`;
}

const variableFor = ({ name }: Field, index: number): string =>
  `${name.replace(/_id$/, '').replace(/_+(.)/g, (_match, letter: string) => letter.toUpperCase())}${index + 1}`;

/** What an item is sorted by, where that is not the member itself. */
function keyOf({ collection }: Samples, name: string): Code | undefined {
  const { type } = listedMember(collection.definition, name);
  return specOf(type).listTests?.sortKey?.(type, `item.${name}`);
}

function keyCode(samples: Samples, name: string): string {
  const { nullable } = listedMember(samples.collection.definition, name);
  const key = keyOf(samples, name);
  if (key === undefined) return `item.${name}`;
  return nullable ? `item.${name} === null ? null : ${key.text}` : key.text;
}

function refusedRows(name: string, type: FieldType): { parameter: string; value: string }[] {
  const rows = [
    { parameter: `${name}[null]`, value: stringLiteral('perhaps') },
    { parameter: `${name}[like]`, value: stringLiteral('a') },
  ];
  const { invalidFilter, validFilter } = specOf(type).listTests ?? {};
  if (invalidFilter !== undefined) {
    const value = typeof invalidFilter === 'string' ? invalidFilter : invalidFilter(type);
    rows.unshift({ parameter: name, value: stringLiteral(value) });
  }
  // Types without order have no such operators, even for a value of theirs.
  if (validFilter !== undefined) {
    rows.push({ parameter: `${name}[gt]`, value: stringLiteral(validFilter(type)) });
  }
  return rows;
}
