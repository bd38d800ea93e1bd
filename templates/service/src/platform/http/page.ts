/** Sends a page of a list, with `Link` (RFC 8288) and `Total-Count` headers. */
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Services } from '../services.ts';
import type { KeysetPosition } from './cursor.ts';
import { HttpError } from './errors.ts';
import { sendText } from './item.ts';
import type { ListRequest } from './list.ts';
import { readQuery } from './query.ts';

/** The items of a page, and the positions of the pages before and after it. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly previous: KeysetPosition | undefined;
  readonly next: KeysetPosition | undefined;
  /** The number of items of the whole list, if the request has `count=true`. */
  readonly total: number | undefined;
}

/**
 * The maximum length of the `Link` header. HTTP clients, Node's among them, refuse responses with more
 * than 16 KB of headers; the other headers need less than 2 KB.
 */
const MAX_LINK_LENGTH = 14 * 1024;

/** The query that links repeat: all parameters but the cursor. */
const repeatedQuery = (request: FastifyRequest): string =>
  [...readQuery(request)]
    .filter(([name]) => name !== 'cursor')
    .flatMap(([name, values]) =>
      values.map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`),
    )
    .join('&');

/** @throws 414 if the links to the first, previous and next page would be too long for clients. */
export function refuseLongLinks(request: FastifyRequest): void {
  refuseLonger(3 * repeatedQuery(request).length);
}

function refuseLonger(length: number): void {
  if (length <= MAX_LINK_LENGTH) return;
  throw new HttpError(
    414,
    'The query is too long: the links to the pages of this list repeat it, and would not fit into ' +
      'the 16 KB of headers that HTTP clients take. Send fewer or shorter parameters.',
  );
}

/** Sends a page of the list that `readList` has parsed. @param json the items, if they are JSON already. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  list: ListRequest,
  page: Page<object>,
  { cursors, publicUrl }: Pick<Services, 'cursors' | 'publicUrl'>,
  json?: string,
): FastifyReply {
  const repeated = repeatedQuery(request);
  const link = (relation: string, position?: KeysetPosition): string => {
    const cursor = position === undefined ? '' : `cursor=${cursors.write(position, list.identity)}`;
    const query = [repeated, cursor].filter((part) => part !== '').join('&');
    const url = `${publicUrl}${request.api.base}/${list.path}${query === '' ? '' : '?'}`;
    return `<${url}${query}>; rel="${relation}"`;
  };
  const links = [link('first')];
  if (page.previous !== undefined) links.push(link('prev', page.previous));
  if (page.next !== undefined) links.push(link('next', page.next));
  const header = links.join(', ');
  refuseLonger(header.length);
  reply.header('link', header);
  if (page.total !== undefined) reply.header('total-count', page.total);
  const items = page.items.map((item) => membersOf(item, list.members));
  return sendText(request, reply, json ?? JSON.stringify(items));
}

/** The item reduced to the given members; undefined keeps all. */
export const membersOf = (item: object, members: readonly string[] | undefined): object =>
  members === undefined
    ? item
    : Object.fromEntries(Object.entries(item).filter(([name]) => members.includes(name)));
