/** Lists: their items, how they are read page by page, and what filters and searches find. */
import type { Answer, Item, TestService } from './service.ts';
import { allowedOf } from './values.ts';
import type { AllowedValues } from './values.ts';

export type Relation = 'first' | 'prev' | 'next';

/** The links of a page, by relation (RFC 8288). */
export function linksOf({ headers }: Answer): Partial<Record<Relation, string>> {
  const links = (headers.get('link') ?? '').matchAll(/<([^<>]*)>; rel="(\w+)"/g);
  return Object.fromEntries(Array.from(links, ([, target, relation]) => [relation, target]));
}

/** All items of a list, from its first page to its last. */
export async function readAll(service: TestService, path: string): Promise<Item[]> {
  const { items } = await follow(service, service.api + path, 'next');
  return items;
}

/** The ids of a list, read from the first to the last page and back, both in the order of the list. */
export async function readForthAndBack(
  service: TestService,
  path: string,
): Promise<{ forth: string[]; back: string[] }> {
  const forth = await follow(service, service.api + path, 'next');
  const back = await follow(service, forth.last, 'prev');
  return { forth: forth.items.map(({ id }) => id), back: back.items.map(({ id }) => id) };
}

/** Reads a page and all pages after (or before) it. @returns their items in the order of the list. */
async function follow(
  service: TestService,
  start: string,
  relation: 'next' | 'prev',
): Promise<{ items: Item[]; last: string }> {
  const pages: Item[][] = [];
  let last = start;
  for (let link: string | undefined = start; link !== undefined;) {
    const answer: Answer<Item[]> = await service.request<Item[]>('GET', link);
    if (answer.status !== 200) throw new Error(`${link} answered ${answer.status}`);
    pages.push(answer.body);
    last = link;
    link = linksOf(answer)[relation];
  }
  return { items: relation === 'next' ? pages.flat() : pages.toReversed().flat(), last };
}

/** A sort key of an item. */
export type Key = string | number | bigint | null;

/**
 * Sorts items in ascending order, independently of the service: strings by code point, nulls last. The
 * sort is stable.
 */
export const sortBy = <Listed>(items: readonly Listed[], keyOf: (item: Listed) => Key): Listed[] =>
  items.toSorted((one, other) => compare(keyOf(one), keyOf(other)));

function compare(one: Key, other: Key): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  if (typeof one === 'string' && typeof other === 'string') {
    // UTF-8 sorts by code point, which UTF-16 does not.
    return Buffer.compare(Buffer.from(one), Buffer.from(other));
  }
  return one < other ? -1 : one > other ? 1 : 0;
}

/**
 * The members of each item of a list.
 * @param columns the values of each member. @param allowed values that replace those of their members.
 */
export const listed = <Values>(
  count: number,
  columns: Readonly<Record<string, readonly unknown[]>>,
  allowed: AllowedValues,
): Partial<Values>[] =>
  Array.from({ length: count }, (_, n) => {
    const members = Object.entries(columns).map(([member, values]) => {
      const own = allowedOf(member, allowed) ?? values;
      return [member, own[n % own.length]];
    });
    return Object.fromEntries(members) as Partial<Values>;
  });

export interface FilterOptions<Listed> {
  /** What an ordered member is compared by. */
  readonly order?: (item: Listed) => Key;
  /** Spells a value in another way than it is answered. */
  readonly spell?: (value: string) => string;
  /** Whether the empty text is a value. */
  readonly canBeEmpty?: boolean;
}

/** Queries with each operator of a filter, by the values of items, and the items that they find. */
export function filtersOf<Listed extends object>(
  items: readonly Listed[],
  member: keyof Listed,
  { order, spell = String, canBeEmpty = false }: FilterOptions<Listed>,
): [query: string, found: Listed[]][] {
  const filter = (
    operator: string,
    value: string,
    matches: (item: Listed) => boolean,
  ): [string, Listed[]] => {
    const name = operator === '' ? String(member) : `${String(member)}[${operator}]`;
    return [`${name}=${encodeURIComponent(value)}`, items.filter(matches)];
  };
  const isNull = (item: Listed): boolean => item[member] === null;
  const filters = [
    filter('null', 'true', isNull),
    filter('null', 'false', (item) => !isNull(item)),
    ...(canBeEmpty ? [filter('', '', (item) => item[member] === '')] : []),
  ];
  const present = items.filter((item) => !isNull(item));
  const sorted = order === undefined ? present : sortBy(present, order);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) return filters;
  const same = (one: Listed, other: Listed): boolean => one[member] === other[member];
  const others = present.filter((item) => !same(item, middle));
  // A value with a comma or a quote is quoted in a list.
  const other = others.find((item) => /[",]/.test(String(item[member]))) ?? others[0] ?? middle;
  const textOf = (item: Listed): string => spell(String(item[member]));
  filters.push(
    filter('', textOf(middle), (item) => same(item, middle)),
    filter('ne', textOf(middle), (item) => !same(item, middle)),
    filter(
      'in',
      [middle, other].map((item) => quoted(textOf(item))).join(','),
      (item) => same(item, middle) || same(item, other),
    ),
  );
  if (order === undefined) return filters;
  for (const [operator, holds] of Object.entries(ORDER)) {
    filters.push(
      filter(
        operator,
        textOf(middle),
        (item) => !isNull(item) && holds(compare(order(item), order(middle))),
      ),
    );
  }
  return filters;
}

/** A value of a list in a query. */
const quoted = (text: string): string =>
  /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

const ORDER: Readonly<Record<string, (difference: number) => boolean>> = {
  gt: (difference) => difference > 0,
  gte: (difference) => difference >= 0,
  lt: (difference) => difference < 0,
  lte: (difference) => difference <= 0,
};
