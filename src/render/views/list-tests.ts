/** What the tests of a collection's lists say: its items, sorts, filters and searches. */
import type { CollectionDefinition, Field } from '../../definition/types.ts';
import { numericKey } from '../../types/key.ts';
import { specOf } from '../../types/registry.ts';
import type { FieldType } from '../../types/registry.ts';
import type { Code } from '../../types/type.ts';
import { listedMember } from '../../model/columns.ts';
import { listSamples } from '../../model/samples-lists.ts';
import type { ListSamples } from '../../model/samples-lists.ts';
import type { Samples } from '../../model/samples.ts';
import { stringLiteral } from '../../shared/literals.ts';
import { madeCode } from './member-values.ts';
import { codeText, nameText, tellingOptions } from './options.ts';
import type { Option, Options } from './options.ts';
import { unusedIdOf } from './test-ids.ts';

/** What `listTests` is called with. */
export function listOptions(samples: Samples, all: ReadonlyMap<string, Samples>): Options {
  const { definition } = samples.collection;
  const list = listSamples(samples, all);
  const listed = definition.fields.filter(({ name }) => list.items[0]?.has(name) === true);
  const columns = listed.map((field) => {
    const values = list.items.map((item): Option => {
      const cell = item.get(field.name) ?? { kind: 'value', value: null };
      return cell.kind === 'parent'
        ? madeCode(field.name, positionOf(list.parents, field, cell.index))
        : cell.value;
    });
    return [field.name, values] as const;
  });
  const scalars = scalarFilters(definition);
  const keys = comparedMembers(definition).flatMap((name) => keyFunction(samples, name));
  return {
    count: list.items.length,
    ...tellingOptions({
      parents: Object.fromEntries(
        list.parents.map(({ field, indexes }) => [field.name, indexes.length]),
      ),
      ownParents: list.parents
        .filter(({ target }) => target === definition.name)
        .map(({ field }) => field.name),
      columns: Object.fromEntries(columns),
      sorts: definition.sort,
      keys: Object.fromEntries(keys),
      filters: Object.fromEntries(scalars.map(({ name, type }) => [name, filterOptions(type)])),
      references: Object.fromEntries(
        definition.filter.flatMap((name) => {
          const { type, nullable } = listedMember(definition, name);
          if (type.type !== 'reference') return [];
          const noId = nameText(unusedIdOf(type));
          return [[name, { noId, ...tellingOptions({ canBeNull: nullable }) }]];
        }),
      ),
      refused: definition.filter.flatMap((name) =>
        refusedRows(name, listedMember(definition, name).type),
      ),
      idOrder: idOrder(definition),
    }),
    sparse: definition.fields
      .filter(({ name, writeOnly }) => !writeOnly && name !== 'id')
      .slice(0, 2)
      .map(({ name }) => name),
    limit: Math.min(3, definition.pages.maximum),
    ...(definition.search.length > 0 && {
      search: codeText(`searchIn(${definition.search.map(stringLiteral).join(', ')})`, 'searchIn'),
    }),
  };
}

/** Which of the items that a reference leads to an index means. */
const positionOf = (parents: ListSamples['parents'], field: Field, index: number): number =>
  parents.find((one) => one.field === field)?.indexes.indexOf(index) ?? 0;

/** What ids consist of, if these are values of fields: the order of creation may be another. */
function idOrder({ key, keyFields, fields }: CollectionDefinition): Option[] {
  return (keyFields ?? []).map((name, at) => {
    const type = fields.find((field) => field.name === name)?.type;
    const isNumber =
      type?.type === 'integer' ||
      type?.type === 'bigint' ||
      (type?.type === 'reference' && numericKey(type.key ?? 'uuid') !== undefined);
    const part = key === 'composite' ? `decodeURIComponent(id.split('~')[${at}] ?? '')` : 'id';
    return codeText(`({ id }) => ${isNumber ? `BigInt(${part})` : part}`);
  });
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

/** How a filter compares, and how its values are spelled in another way than they are answered. */
function filterOptions(type: FieldType): Options {
  const { isOrdered, respellFunction, canBeEmpty } = specOf(type).listTests ?? {};
  return tellingOptions({
    isOrdered: isOrdered === true,
    spell: respellFunction && codeText(respellFunction.text, ...respellFunction.uses),
    canBeEmpty: canBeEmpty === true,
  });
}

/** What an item is sorted by, where that is not the member itself. */
function keyOf({ collection }: Samples, name: string): Code | undefined {
  const { type } = listedMember(collection.definition, name);
  return specOf(type).listTests?.sortKey?.(type, `item.${name}`);
}

/** A function that gives it. */
function keyFunction(samples: Samples, name: string): [name: string, key: Option][] {
  const { nullable } = listedMember(samples.collection.definition, name);
  const key = keyOf(samples, name);
  if (key === undefined) return [];
  const { type } = samples.collection.names;
  const code = nullable ? `item.${name} === null ? null : ${key.text}` : key.text;
  return [[name, codeText(`(item: ${type}) => ${code}`, type, ...key.uses)]];
}

function refusedRows(name: string, type: FieldType): [parameter: string, value: string][] {
  const rows: [string, string][] = [
    [`${name}[null]`, 'perhaps'],
    [`${name}[like]`, 'a'],
  ];
  const { invalidFilter, validFilter } = specOf(type).listTests ?? {};
  if (invalidFilter !== undefined) {
    const value = typeof invalidFilter === 'string' ? invalidFilter : invalidFilter(type);
    rows.unshift([name, value]);
  }
  // Types without order have no such operators, even for a value of theirs.
  if (validFilter !== undefined) {
    rows.push([`${name}[gt]`, validFilter(type)]);
  }
  return rows;
}
