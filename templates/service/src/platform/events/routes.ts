/** The endpoint of events: a list that goes on, and that clients poll by its cursors. */
import type { FastifyInstance } from 'fastify';

import { allow } from '../auth/permissions.ts';
import { gone } from '../http/errors.ts';
import { byEnum } from '../http/filters.ts';
import { readList } from '../http/list.ts';
import type { Filter, ListOptions } from '../http/list.ts';
import { listQuery } from '../openapi/parameters.ts';
import { refusal } from '../openapi/responses.ts';
import type { Services } from '../services.ts';
import { sendEvents } from './send-events.ts';
import { dataIn, eventPage, typesOf } from './event-shapes.ts';
import type { EventSource } from './event-shapes.ts';
import { countEvents, findEnd, numberAllEvents, readEvents } from './event-store.ts';
import type { EventPosition } from './event-store.ts';

declare module '../services.ts' {
  interface Services {
    /** The collections with events in each version. */
    readonly events: Readonly<Record<number, readonly EventSource[]>>;
  }
}

const REMOVED =
  'Events after this cursor have been removed, or an older backup was restored: get the link to the last page, read the items again, and follow that link.';

/** Registers the endpoint below the base path of a version. */
export function eventsRoutes(app: FastifyInstance, services: Services, version: number): void {
  const { database } = services;
  const sources = services.events[version] ?? [];
  if (sources.length === 0) return;
  const typesByStored = new Map(sources.flatMap(typesOf).map(({ stored, name }) => [stored, name]));
  const sourcesByStored = new Map(
    sources.flatMap((source) => typesOf(source).map(({ stored }) => [stored, source])),
  );
  const lists: ListOptions = {
    pages: { default: 20, maximum: 100 },
    members: ['id', 'type', 'timestamp', 'data'],
    sort: [],
    filter: { type: byEnum([...typesByStored.values()]) },
  };

  app.get(
    '/events',
    {
      schema: {
        operationId: 'listEvents',
        tags: ['Events'],
        summary: 'List events',
        description:
          'The oldest first. `Link` always has the next page: if a page is empty, request its next page later. ' +
          'The last page is empty, and its next page has the events from now on.',
        querystring: listQuery(lists),
        response: { 200: eventPage(sources, lists), 410: refusal(REMOVED) },
      },
      onRequest: allow(['admin']),
    },
    async (request, reply) => {
      const list = readList(request, lists, services, 'events');
      const { limit, bytes, position } = list;
      const types = [...typesByStored]
        .filter(([, type]) => isListed(type, list.filters))
        .map(([stored]) => stored);
      // Changes that were answered before this request are among the events.
      await numberAllEvents(database);
      const [after = 0, seen = null] = (position?.values ?? []) as [
        number?,
        EventPosition['event_id']?,
      ];
      const { newest, isKnown } = await findEnd(database, { position: after, event_id: seen });
      if (position !== undefined && !isKnown) throw gone(REMOVED);
      const events = await readEvents(database, { after, limit, types, bytes });
      const page = {
        items: events.flatMap(({ event_id: id, type, created_at: timestamp, data }) => {
          const source = sourcesByStored.get(type);
          return source === undefined
            ? []
            : [
                {
                  id,
                  type: typesByStored.get(type),
                  timestamp,
                  data: dataIn(source, data, request.api.version),
                },
              ];
        }),
        next: events.at(-1) ?? newest,
        last: newest,
        total: list.count ? await countEvents(database, types) : undefined,
      };
      return sendEvents(request, reply, list, page, services);
    },
  );
}

/** Whether a type passes the filters. */
const isListed = (type: string, filters: readonly Filter[]): boolean =>
  filters.every(({ operator, value }) => {
    if (operator === 'null') return value === false;
    if (operator === 'in') return (value as readonly string[]).includes(type);
    return operator === 'ne' ? value !== type : value === type;
  });
