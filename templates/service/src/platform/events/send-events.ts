/** Sends a page of events. Its links go on from positions: there is always a next page, and none before. */
import type { FastifyReply, FastifyRequest } from 'fastify';

import { sendJson } from '../http/item.ts';
import type { ListRequest } from '../http/list.ts';
import { membersOf } from '../http/page.ts';
import { readQuery } from '../http/query.ts';
import type { Services } from '../services.ts';
import type { EventPosition } from './event-store.ts';

/** The events of a page, and where others begin. */
interface EventPage {
  readonly items: readonly object[];
  /** The last of these events, or the newest one of all if the page is empty. */
  readonly next: EventPosition;
  /** The newest event. */
  readonly last: EventPosition;
  /** The number of events of the whole list, if the request has `count=true`. */
  readonly total: number | undefined;
}

/** Sends a page of the list that `readList` has parsed. */
export function sendEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  list: ListRequest,
  { items, next, last, total }: EventPage,
  { cursors, publicUrl }: Pick<Services, 'cursors' | 'publicUrl'>,
): FastifyReply {
  const repeated = [...readQuery(request)].filter(([name]) => name !== 'cursor');
  const link = (relation: string, after?: EventPosition): string => {
    const query = new URLSearchParams();
    for (const [name, values] of repeated) {
      for (const value of values) query.append(name, value);
    }
    if (after !== undefined) {
      const values = [after.position, after.event_id];
      query.set('cursor', cursors.write({ direction: 'after', values }, list.identity));
    }
    const url = `${publicUrl}${request.api.base}/events${query.size === 0 ? '' : '?'}`;
    return `<${url}${query.toString()}>; rel="${relation}"`;
  };
  reply.header('link', [link('first'), link('next', next), link('last', last)].join(', '));
  if (total !== undefined) reply.header('total-count', total);
  return sendJson(
    request,
    reply,
    items.map((item) => membersOf(item, list.members)),
  );
}
