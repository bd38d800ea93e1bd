/** The endpoints of the deliveries of a webhook: a list, single ones, and redelivery. */
import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Services } from '../services.ts';
import type { Database } from '../database/database.ts';
import { readPage, selectList } from '../database/pages.ts';
import type { ListTable } from '../database/pages.ts';
import type { SelectedColumns } from '../database/repository.ts';
import { ITEM_ID_TYPE } from '../features.ts';
import { conflict, notFound } from '../http/errors.ts';
import { byEnum, byString, byUuid } from '../http/filters.ts';
import type { Filterable } from '../http/filters.ts';
import { idOf, sendItem, sendJson } from '../http/item.ts';
import { readList } from '../http/list.ts';
import type { ListOptions } from '../http/list.ts';
import { sendPage } from '../http/page.ts';
import { refuseParameters } from '../http/query.ts';
import {
  described,
  integer,
  itemShape,
  list,
  object,
  oneOf,
  optional,
  setExample,
  string,
  timestamp,
  uuid,
} from '../http/shapes.ts';
import { isUuid } from '../http/uuid.ts';
import { ifNoneMatch, listQuery } from '../openapi/parameters.ts';
import { pageOf, refusal } from '../openapi/responses.ts';
import { redeliver } from './delivery-store.ts';
import type { Delivery } from './delivery-store.ts';

const STATUSES = ['pending', 'succeeded', 'failed'] as const;

const DeliveryMembers = object({
  event_id: described('The id of the event, which is `webhook-id` of each attempt.', uuid()),
  type: string(),
  item_id:
    ITEM_ID_TYPE === 'uuid'
      ? uuid()
      : described('The id of the item, in the collection that `type` names.', string()),
  status: oneOf(STATUSES),
  attempts: described(
    'The latest 20 attempts, the oldest first.',
    list(
      object({
        at: timestamp(),
        status: described('The HTTP status; null without an answer.', optional(integer())),
        error: described('Why it failed; null if it succeeded.', optional(string())),
      }),
    ),
  ),
  next_attempt_at: described(
    'When the next attempt is due. Null if there is none, or if it waits for an earlier event of the same item.',
    optional(timestamp()),
  ),
});

setExample(DeliveryMembers, {
  event_id: '01890a5d-ac96-774b-bcce-b302099a8058',
  type: 'item.created',
  item_id: '01890a5d-ac96-774b-bcce-b302099a8059',
  status: 'succeeded',
  attempts: [{ at: '2026-01-31T12:00:01.000Z', status: 204, error: null }],
  next_attempt_at: null,
});

/** A delivery as clients read it. */
const DeliveryShape = itemShape(
  'Webhook.delivery',
  'The delivery of one event to one webhook.',
  object({}),
  {
    readOnly: DeliveryMembers,
  },
);

const BY_TEXT_ID: Filterable = {
  ...byString(),
  read: (text) => (isUuid(text) ? text.toLowerCase() : text),
};

/** What the list of deliveries supports. */
const DELIVERY_LISTS: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: [
    'id',
    'event_id',
    'type',
    'item_id',
    'status',
    'attempts',
    'next_attempt_at',
    'created_at',
    'updated_at',
  ],
  sort: ['created_at'],
  filter: {
    status: byEnum(STATUSES),
    event_id: byUuid(),
    item_id: ITEM_ID_TYPE === 'uuid' ? byUuid() : BY_TEXT_ID,
  },
};

const COLUMNS: SelectedColumns<Delivery> = {
  id: '"_deliveries"."id"',
  event_id: '"_deliveries"."event_id"',
  type: '"_deliveries"."type"',
  item_id: '"_deliveries"."item_id"',
  status: '"_deliveries"."status"',
  attempts: '"_deliveries"."attempts"',
  next_attempt_at: '"_deliveries"."due_at"',
  created_at: '"_deliveries"."created_at"',
  updated_at: '"_deliveries"."updated_at"',
};
const TABLE: ListTable = {
  name: '"_deliveries"',
  members: COLUMNS,
  columns: {
    created_at: { name: '"_deliveries"."created_at"', type: 'timestamptz' },
    status: { name: '"_deliveries"."status"', type: 'text' },
    event_id: { name: '"_deliveries"."event_id"', type: 'uuid' },
    item_id: { name: '"_deliveries"."item_id"', type: ITEM_ID_TYPE },
  },
};
const FIND = {
  prepared: true,
  text: `select ${selectList(COLUMNS)} from "_deliveries" where "webhook_id" = $1 and "id" = $2`,
};

const DELIVERY_ID = {
  type: 'object',
  properties: {
    id: { type: 'string', format: 'uuid', description: 'The id of the webhook.' },
    delivery_id: { type: 'string', format: 'uuid', description: 'The id of the delivery.' },
  },
} as const;

/**
 * Registers the endpoints below the base path of a version.
 * @param existing the hooks that check the caller and the webhook.
 */
export function deliveryRoutes(
  app: FastifyInstance,
  services: Services,
  existing: ((request: FastifyRequest) => Promise<void>)[],
): void {
  const { database } = services;
  const tags = ['Webhooks'];

  app.get(
    '/webhooks/:id/deliveries',
    {
      schema: {
        operationId: 'listDeliveriesOfWebhook',
        tags,
        summary: 'List the deliveries of a webhook',
        querystring: listQuery(DELIVERY_LISTS),
        response: { 200: pageOf(DeliveryShape, DELIVERY_LISTS) },
      },
      onRequest: existing,
    },
    async (request, reply) => {
      const id = webhookOf(request);
      const query = readList(request, DELIVERY_LISTS, services, `webhooks/${id}/deliveries`);
      const fixedFilters = [{ column: '"_deliveries"."webhook_id"', id }];
      const page = await readPage<Delivery>(database, TABLE, query, fixedFilters);
      return sendPage(request, reply, query, page, services);
    },
  );

  app.get(
    '/webhooks/:id/deliveries/:delivery_id',
    {
      schema: {
        operationId: 'getDeliveryOfWebhook',
        tags,
        summary: 'Get a delivery of a webhook',
        params: DELIVERY_ID,
        headers: ifNoneMatch,
        response: { 200: DeliveryShape },
      },
      onRequest: existing,
    },
    async (request, reply) => {
      refuseParameters(request);
      return sendItem(request, reply, await findDelivery(database, request));
    },
  );

  app.post(
    '/webhooks/:id/deliveries/:delivery_id/redeliveries',
    {
      schema: {
        operationId: 'repeatDeliveryOfWebhook',
        tags,
        summary: 'Deliver an event again',
        description:
          'As soon as no other event of the item is on its way; a retry that is pending is made at once. `Location` is the URL of the delivery.',
        params: DELIVERY_ID,
        response: { 202: DeliveryShape, 409: refusal('The webhook is disabled.') },
      },
      onRequest: existing,
    },
    async (request, reply) => {
      refuseParameters(request);
      const { id } = await findDelivery(database, request);
      const webhook = webhookOf(request);
      if (!(await redeliver(database, webhook, id))) {
        throw conflict('This webhook is disabled: PATCH its status to "active" first.');
      }
      const path = `webhooks/${webhook}/deliveries/${id}`;
      reply.header('location', `${services.publicUrl}${request.api.base}/${path}`).code(202);
      return sendJson(request, reply, await findDelivery(database, request));
    },
  );
}

const webhookOf = (request: FastifyRequest): string => idOf(request, { item: 'webhook' });

/** The delivery in the path. @throws 404 if the webhook has no such delivery. */
async function findDelivery(database: Database, request: FastifyRequest): Promise<Delivery> {
  const { delivery_id: id } = request.params as { delivery_id: string };
  const [delivery] = isUuid(id)
    ? await database.query<Delivery>(FIND, [webhookOf(request), id])
    : [];
  if (delivery === undefined) throw notFound(`This webhook has no delivery ${JSON.stringify(id)}.`);
  return delivery;
}
