/** Reads lists page by page, by following their links. */
import { API } from './service.ts';
import type { Answer, Item, TestService } from './service.ts';

export type Relation = 'first' | 'prev' | 'next';

/** The links of a page, by relation (RFC 8288). */
export function linksOf({ headers }: Answer): Partial<Record<Relation, string>> {
  const links = (headers.get('link') ?? '').matchAll(/<([^<>]*)>; rel="(\w+)"/g);
  return Object.fromEntries(Array.from(links, ([, target, relation]) => [relation, target]));
}

/** All items of a list, from its first page to its last. */
export async function readAll(service: TestService, path: string): Promise<Item[]> {
  const { items } = await follow(service, API + path, 'next');
  return items;
}

/** The ids of a list, read from the first to the last page and back, both in the order of the list. */
export async function readForthAndBack(
  service: TestService,
  path: string,
): Promise<{ forth: string[]; back: string[] }> {
  const forth = await follow(service, API + path, 'next');
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
