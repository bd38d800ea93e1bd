/** What the tests of a collection's lists say: its items, and what is asked of them. */
import type { Field, FieldType, JsonValue, ScalarType } from '../../definition/types.ts';
import { listedMember } from '../../model/build.ts';
import { listSamples } from '../../model/samples-lists.ts';
import type { ListSamples } from '../../model/samples-lists.ts';
import { comparable, respelled, unitsOf } from '../../model/samples-values.ts';
import type { Samples } from '../../model/samples.ts';
import { stringLiteral } from '../literals.ts';
import { namesOf } from './fixture.ts';
import { valueCode } from './test-values.ts';

/** Numbers of up to so many digits are compared as they are. */
const EXACT_DIGITS = 15;

export interface ListTestsView {
  /** Constants that hold the parents of items. */
  readonly parents: readonly { readonly variable: string; readonly maker: string }[];
  /** Of the parents those that stand in the list themselves. */
  readonly own: readonly string[];
  /** What each item is given, as code. */
  readonly items: readonly string[];
  readonly sorts: readonly { readonly sort: string; readonly key: string }[];
  readonly combined:
    { first: string; firstKey: string; second: string; secondKey: string } | undefined;
  readonly filters: readonly { parameter: string; value: string; matchesWith: string }[];
  readonly byReference: readonly { readonly name: string; readonly nullable: boolean }[];
  readonly refused: readonly { parameter: string; value: string }[];
  readonly searches: readonly { readonly q: string; readonly positions: string }[];
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
  const items = list.items.map((item) => {
    const members = [...item].map(([name, cell]) => {
      const field = definition.fields.find((candidate) => candidate.name === name) as Field;
      const code =
        cell.kind === 'parent' ? `${variableFor(field, cell.index)}.id` : valueCode(cell.value);
      return `${name}: ${code}`;
    });
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  });
  const sorts = definition.sort.map((name) => ({ sort: name, key: keyCode(samples, name) }));
  const [first, second] = sorts;
  const scalars = definition.filter.flatMap((name) => {
    const { type, nullable } = listedMember(definition, name);
    return type.type === 'reference' ? [] : [{ name, type: type as ScalarType, nullable }];
  });
  const sparse = definition.fields
    .filter(({ writeOnly }) => !writeOnly)
    .slice(0, 2)
    .map(({ name }) => name);
  return {
    parents: parents.map(({ variable, maker }) => ({ variable, maker })),
    own: parents.filter(({ isOwn }) => isOwn).map(({ variable }) => variable),
    items,
    sorts,
    combined:
      first && second
        ? { first: first.sort, firstKey: first.key, second: second.sort, secondKey: second.key }
        : undefined,
    filters: scalars.flatMap(({ name, type, nullable }) =>
      filterRows(name, type, nullable, valuesIn(list, name)).map(({ matches, ...row }) => ({
        ...row,
        matchesWith: `(item) => ${matches}`,
      })),
    ),
    byReference: definition.filter.flatMap((name) => {
      const { type, nullable } = listedMember(definition, name);
      return type.type === 'reference' ? [{ name, nullable }] : [];
    }),
    refused: definition.filter.flatMap((name) =>
      refusedRows(name, listedMember(definition, name).type),
    ),
    searches: searchRows(samples, list, parents.filter(({ isOwn }) => isOwn).length),
    sparse,
    sparseList: sparse.join(','),
    limit: Math.min(3, definition.pages.maximum),
  };
}

const variableFor = ({ name }: Field, index: number): string =>
  `${name.replace(/_id$/, '').replace(/_+(.)/g, (_match, letter: string) => letter.toUpperCase())}${index + 1}`;

/** The different values of a member in the list. */
const valuesIn = ({ items }: ListSamples, name: string): JsonValue[] => {
  const values = items.flatMap((item) => {
    const cell = item.get(name);
    return cell?.kind === 'value' && cell.value !== null ? [cell.value] : [];
  });
  return [...new Set(values)];
};

/** Gives what an item is sorted by. */
function keyCode({ collection }: Samples, name: string): string {
  const { type, nullable } = listedMember(collection.definition, name);
  const member = `item.${name}`;
  const key = ordered(type, member);
  return key === member || !nullable ? key : `${member} === null ? null : ${key}`;
}

/** A member as a value that compares in the order of its type. */
function ordered(type: FieldType, member: string): string {
  switch (type.type) {
    case 'enum':
      return `${valueCode(type.values)}.indexOf(${member})`;
    case 'bigint':
      return `BigInt(${member})`;
    case 'decimal':
      return type.precision > EXACT_DIGITS
        ? `BigInt(${member}.replace('.', ''))`
        : `Number(${member})`;
    case 'boolean':
      return `Number(${member})`;
    case 'timestamp':
      return `${member}.slice(0, -1)`;
    default:
      return member;
  }
}

/** A value in the same form. */
function orderedValue(type: ScalarType, value: JsonValue): string {
  switch (type.type) {
    case 'bigint':
      return `${String(value)}n`;
    case 'decimal':
      return type.precision > EXACT_DIGITS
        ? `${unitsOf(String(value), type.precision, type.scale)}n`
        : String(Number(value));
    case 'timestamp':
      return stringLiteral(String(value).slice(0, -1));
    default:
      return valueCode(value);
  }
}

/** Values in the order of the type. */
function inTypeOrder(type: ScalarType, values: readonly JsonValue[]): JsonValue[] {
  const compare = (one: JsonValue, other: JsonValue): number => {
    switch (type.type) {
      case 'integer':
      case 'number':
        return Number(one) - Number(other);
      case 'bigint':
        return BigInt(String(one)) < BigInt(String(other)) ? -1 : 1;
      case 'decimal':
        return unitsOf(String(one), type.precision, type.scale) <
          unitsOf(String(other), type.precision, type.scale)
          ? -1
          : 1;
      case 'timestamp':
        return comparable(String(one)) < comparable(String(other)) ? -1 : 1;
      default:
        return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
    }
  };
  return values.toSorted(compare);
}

const UNORDERED = new Set(['boolean', 'enum', 'uuid']);

interface FilterRow {
  readonly parameter: string;
  readonly value: string;
  readonly matches: string;
}

function filterRows(
  name: string,
  type: ScalarType,
  nullable: boolean,
  values: readonly JsonValue[],
): FilterRow[] {
  const sorted = inTypeOrder(type, values);
  const middle = sorted[Math.floor(sorted.length / 2)];
  const rest = sorted.filter((value) => value !== middle);
  // One with a comma or a quote has to be put in quotes in a list.
  const other = rest.find((value) => /[",]/.test(String(value))) ?? rest[0];
  const member = `item.${name}`;
  const row = (operator: string, value: string, matches: string): FilterRow => ({
    parameter: operator === '' ? name : `${name}[${operator}]`,
    value: stringLiteral(value),
    matches,
  });
  const rows: FilterRow[] = [];
  if (middle !== undefined) {
    const equals = (value: JsonValue): string =>
      typeof value === 'boolean' && !nullable
        ? `${value ? '' : '!'}${member}`
        : `${member} === ${valueCode(value)}`;
    const text = textOf(type, middle);
    rows.push(row('', text, equals(middle)));
    rows.push(
      row(
        'ne',
        text,
        typeof middle === 'boolean' && !nullable
          ? `${middle ? '!' : ''}${member}`
          : `${member} !== ${valueCode(middle)}`,
      ),
    );
    const several = other === undefined ? [middle] : [middle, other];
    if (type.type !== 'boolean' || several.length < 2 || nullable) {
      rows.push(
        row(
          'in',
          several.map((value) => inList(textOf(type, value))).join(','),
          several.map(equals).join(' || '),
        ),
      );
    }
    if (!UNORDERED.has(type.type)) {
      const limit = orderedValue(type, middle);
      for (const [operator, sign] of [
        ['gt', '>'],
        ['gte', '>='],
        ['lt', '<'],
        ['lte', '<='],
      ] as const) {
        const compared = isSortedByUnits(middle)
          ? `${ordered(type, member)} ${sign} ${limit}`
          : `Buffer.compare(Buffer.from(${member}), Buffer.from(${limit})) ${sign} 0`;
        rows.push(row(operator, text, nullable ? `${member} !== null && ${compared}` : compared));
      }
    }
  }
  if (type.type === 'string' && !values.includes('')) rows.push(row('', '', `${member} === ''`));
  if (nullable) {
    rows.push(row('null', 'true', `${member} === null`));
    rows.push(row('null', 'false', `${member} !== null`));
  }
  return rows;
}

/** Whether texts compare with a value in JavaScript as in UTF-8: one beyond U+D7FF may not. */
const isSortedByUnits = (value: JsonValue): boolean =>
  typeof value !== 'string' || !/[\ud800-\uffff]/.test(value);

/** A value in a query: spelled in another way than it is answered, where there is one. */
const textOf = (type: ScalarType, value: JsonValue): string => String(respelled(type, value));

const inList = (text: string): string =>
  /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

function refusedRows(name: string, type: FieldType): { parameter: string; value: string }[] {
  const rows = [
    { parameter: `${name}[null]`, value: stringLiteral('perhaps') },
    { parameter: `${name}[like]`, value: stringLiteral('a') },
  ];
  const wrong: Partial<Record<FieldType['type'], string>> = {
    integer: '1.5',
    bigint: '05',
    number: 'one',
    decimal: '+1',
    boolean: 'yes',
    date: '2026-02-30',
    timestamp: '2026-01-31T12:00:00',
    uuid: 'nobody',
    reference: 'nobody',
    enum: 'no such value',
  };
  const value = wrong[type.type];
  if (value !== undefined) rows.unshift({ parameter: name, value: stringLiteral(value) });
  if (UNORDERED.has(type.type) || type.type === 'reference') {
    const right =
      type.type === 'boolean' ? 'true' : type.type === 'enum' ? (type.values[0] ?? '') : NOBODY;
    rows.push({ parameter: `${name}[gt]`, value: stringLiteral(right) });
  }
  return rows;
}

const NOBODY = '01890a5d-ac96-774b-bcce-b302099a8057';

/** Searches, and the positions of the items that they find. */
function searchRows(
  { collection, members }: Samples,
  { items }: ListSamples,
  before: number,
): { q: string; positions: string }[] {
  const { search } = collection.definition;
  if (search.length === 0) return [];
  // Parents of the same collection come first; they have what a fixture gives.
  const plain = (n: number): string[] =>
    members.flatMap((member) => {
      if (!search.includes(member.field.name) || member.kind === 'parent') return [];
      const value = member.kind === 'value' ? member.value : member.values[n];
      return typeof value === 'string' ? [value] : [];
    });
  const texts = [
    ...Array.from({ length: before }, (_none, n) => plain(n)),
    ...items.map((item) =>
      search.flatMap((name) => {
        const cell = item.get(name);
        return cell?.kind === 'value' && typeof cell.value === 'string' ? [cell.value] : [];
      }),
    ),
  ];
  const words = texts.map((some) => new Set(some.flatMap(wordsOf)));
  const rows: { q: string; positions: string }[] = [];
  const add = (q: string): void => {
    const wanted = wordsOf(q);
    if (wanted.length === 0 || rows.some((row) => row.q === stringLiteral(q))) return;
    const found = words.flatMap((known, at) =>
      wanted.every((word) => known.has(word)) ? [at] : [],
    );
    rows.push({ q: stringLiteral(q), positions: `[${found.join(', ')}]` });
  };
  const some = words.find((known) => known.size > 1) ?? words.find((known) => known.size > 0);
  const [first, second] = some ?? [];
  if (first === undefined) return [];
  add(first.toUpperCase());
  if (second !== undefined) add(`${second} -- ${first}`);
  const part = [...first].slice(0, -1).join('');
  if (part !== '') add(`${part}%`);
  for (const q of ['ÉLAN STRASSE', 'elan']) {
    if (words.some((known) => known.has('élan'))) add(q);
  }
  return rows;
}

const wordsOf = (text: string): string[] =>
  (text.normalize('NFC').match(/[\p{L}\p{Nd}]+/gu) ?? []).map((word) =>
    word.toUpperCase().toLowerCase(),
  );
