/** A page of a list as an answer: its items, its links (RFC 8288), and the total on demand. */
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Cursors, Place } from './cursor.ts';
import { sendJson } from './item.ts';
import type { ListRequest } from './list.ts';
import { readQuery } from './query.ts';

/** Some items of a list in order, and where the pages beside them are. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly previous: Place | undefined;
  readonly next: Place | undefined;
  /** How many items the whole list has, where that was asked for. */
  readonly total: number | undefined;
}

/** What the links of a page are made with. */
export interface Linking {
  readonly cursors: Cursors;
  /** The origin that clients see, or nothing: then links begin with the path. */
  readonly publicUrl: string;
}

/** Answers a page. `path` is what the list is of, without its version: `authors/{id}/books`. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  list: ListRequest,
  page: Page<object>,
  { cursors, publicUrl }: Linking,
): FastifyReply {
  const kept = [...readQuery(request)]
    .filter(([name]) => name !== 'cursor')
    .flatMap(([name, values]) => values.map((value) => [name, value] as const));
  const link = (relation: string, place?: Place): string => {
    const cursor = place === undefined ? [] : [['cursor', cursors.write(place, list.identity)]];
    const query = [...kept, ...cursor].map((pair) => pair.map(encodeURIComponent).join('='));
    const url = `${publicUrl}${request.api.base}/${path}${query.length > 0 ? '?' : ''}`;
    return `<${url}${query.join('&')}>; rel="${relation}"`;
  };
  const links = [link('first')];
  if (page.previous !== undefined) links.push(link('prev', page.previous));
  if (page.next !== undefined) links.push(link('next', page.next));
  reply.header('link', links.join(', '));
  if (page.total !== undefined) reply.header('total-count', page.total);
  const { members } = list;
  const items =
    members === undefined ? page.items : page.items.map((item) => sparse(item, members));
  return sendJson(request, reply, items);
}

/** The item with these members alone. */
const sparse = (item: object, members: readonly string[]): object =>
  Object.fromEntries(Object.entries(item).filter(([name]) => members.includes(name)));
