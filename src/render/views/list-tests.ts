/** What the tests of a collection's lists say: its items, and what is asked of them. */
import type { Field } from '../../definition/types.ts';
import { typeOf } from '../../types/registry.ts';
import type { FieldType } from '../../types/registry.ts';
import { listedMember } from '../../model/build.ts';
import { listSamples } from '../../model/samples-lists.ts';
import type { Samples } from '../../model/samples.ts';
import { stringLiteral, valueCode } from '../../shared/literals.ts';
import { namesOf } from './fixture.ts';

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
  readonly byReference: readonly { readonly name: string; readonly nullable: boolean }[];
  readonly refused: readonly { parameter: string; value: string }[];
  readonly searched: readonly string[];
  /** Some members, for a sparse answer. */
  readonly sparse: readonly string[];
  readonly sparseList: string;
  readonly limit: number;
}

export function listTestsView(samples: Samples, all: ReadonlyMap<string, Samples>): ListTestsView {
  const { definition } = samples.collection;
  const list = listSamples(samples, all);
  const parents = list.parents.flatMap(({ field, target, indexes }) =>
    indexes.map((index) => ({
      variable: variableFor(field, index),
      maker: `create${namesOf(target, all).type}`,
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
  const scalars = definition.filter.flatMap((name) => {
    const { type } = listedMember(definition, name);
    return type.type === 'reference' ? [] : [{ name, type }];
  });
  const inOrder = scalars
    .filter(({ type }) => typeOf(type).lists?.isOrdered === true)
    .map(({ name }) => name);
  const compared = [...new Set([...definition.sort, ...inOrder])];
  const [first, second] = definition.sort;
  const sparse = definition.fields
    .filter(({ writeOnly }) => !writeOnly)
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
      return type.type === 'reference' ? [{ name, nullable }] : [];
    }),
    refused: definition.filter.flatMap((name) =>
      refusedRows(name, listedMember(definition, name).type),
    ),
    searched: definition.search,
    sparse,
    sparseList: sparse.join(','),
    limit: Math.min(3, definition.pages.maximum),
  };
}

/** How a filter compares, and how its values are spelled in another way than they are answered. */
function filterOptions(name: string, type: FieldType): string {
  const { isOrdered, spell, canBeEmpty } = typeOf(type).lists ?? {};
  const options = [
    ...(isOrdered === true ? [`order: keys.${name}`] : []),
    ...(spell === undefined ? [] : [`spell: ${spell}`]),
    ...(canBeEmpty === true ? ['canBeEmpty: true'] : []),
  ];
  return options.length === 0 ? '{}' : `{ ${options.join(', ')} }`;
}

const variableFor = ({ name }: Field, index: number): string =>
  `${name.replace(/_id$/, '').replace(/_+(.)/g, (_match, letter: string) => letter.toUpperCase())}${index + 1}`;

/** Gives what an item is sorted by. */
function keyCode({ collection }: Samples, name: string): string {
  const { type, nullable } = listedMember(collection.definition, name);
  const member = `item.${name}`;
  const key = typeOf(type).lists?.sortKey?.(type, member);
  if (key === undefined) return member;
  return nullable ? `${member} === null ? null : ${key}` : key;
}

function refusedRows(name: string, type: FieldType): { parameter: string; value: string }[] {
  const rows = [
    { parameter: `${name}[null]`, value: stringLiteral('perhaps') },
    { parameter: `${name}[like]`, value: stringLiteral('a') },
  ];
  const { refused, valid } = typeOf(type).lists ?? {};
  if (refused !== undefined) rows.unshift({ parameter: name, value: stringLiteral(refused) });
  // Types without order have no such operators, even for a value of theirs.
  if (valid !== undefined) {
    rows.push({ parameter: `${name}[gt]`, value: stringLiteral(valid(type)) });
  }
  return rows;
}
