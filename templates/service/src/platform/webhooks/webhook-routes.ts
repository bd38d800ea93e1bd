/** The endpoints of webhooks. Only administrators manage them. */
import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Services } from '../services.ts';
import { allow } from '../auth/permissions.ts';
import type { Resource } from '../database/constraints.ts';
import type { Database } from '../database/database.ts';
import { requireItem } from '../database/not-found.ts';
import type { ListTable } from '../database/pages.ts';
import { crudRepository } from '../database/repository.ts';
import type { SelectedColumns, WrittenColumns } from '../database/repository.ts';
import { bodyReader } from '../http/body.ts';
import { byEnum } from '../http/filters.ts';
import { refuseKey } from '../http/idempotency.ts';
import { createdAnswer, idOf, sendCreated, sendItem, sendUpdated } from '../http/item.ts';
import { readList } from '../http/list.ts';
import type { ListOptions } from '../http/list.ts';
import { sendPage } from '../http/page.ts';
import { checkPreconditions, expectedRevision } from '../http/preconditions.ts';
import { refuseParameters } from '../http/query.ts';
import { refuse } from '../http/validation.ts';
import type { Problem } from '../http/validation.ts';
import { VERSIONS } from '../service.ts';
import { ifMatch, ifNoneMatch, listQuery } from '../openapi/parameters.ts';
import { noContent, pageOf } from '../openapi/responses.ts';
import { beginDeliveries, giveUpDeliveries } from './delivery-store.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { urlProblem } from './receiver-url.ts';
import type { ReceiverRules } from './receiver-url.ts';
import { addSecret, newSecret } from './secrets.ts';
import { eventTypes } from './event-types.ts';
import type { VersionedType } from './event-types.ts';
import {
  WEBHOOK_STATUSES,
  webhookBody,
  webhookShape,
  webhookWithSecret,
} from './webhook-shapes.ts';
import type { Webhook, WebhookBodyValues, WebhookValues } from './webhook-shapes.ts';

declare module '../services.ts' {
  interface Services {
    /** Which URLs webhooks may have. */
    readonly receivers: ReceiverRules;
  }
}

/** What the list of webhooks supports. */
const WEBHOOK_LISTS: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: [
    'id',
    'url',
    'events',
    'version',
    'status',
    'description',
    'disabled_reason',
    'disabled_at',
    'delivery_failed_at',
    'created_at',
    'updated_at',
  ],
  sort: ['created_at'],
  filter: { status: byEnum(WEBHOOK_STATUSES) },
};

const WEBHOOK_RESOURCE: Resource = {
  collection: 'webhooks',
  item: 'webhook',
  anItem: 'a webhook',
  table: '"webhooks"',
  unique: {},
};

const COLUMNS: SelectedColumns<Webhook> = {
  id: '"webhooks"."id"',
  url: '"webhooks"."url"',
  events: '"webhooks"."events"',
  version: '"webhooks"."version"',
  status: '"webhooks"."status"',
  description: '"webhooks"."description"',
  disabled_reason: '"webhooks"."disabled_reason"',
  disabled_at: '"webhooks"."disabled_at"',
  delivery_failed_at: '"webhooks"."delivery_failed_at"',
  created_at: '"webhooks"."created_at"',
  updated_at: '"webhooks"."updated_at"',
};

/** The values of written columns. */
const WRITTEN: WrittenColumns<WebhookValues> = {
  url: ({ url }) => url,
  events: ({ events }) => events,
  version: ({ version }) => version,
  status: ({ status }) => status,
  description: ({ description }) => description,
  disabled_reason: (values) => values.disabled_reason,
  disabled_at: (values) => values.disabled_at,
};

const TABLE: ListTable = {
  name: '"webhooks"',
  members: COLUMNS,
  columns: {
    created_at: { name: '"webhooks"."created_at"', type: 'timestamptz' },
    status: { name: '"webhooks"."status"', type: 'text' },
  },
};

const webhooks = crudRepository<Webhook, WebhookValues>({
  resource: WEBHOOK_RESOURCE,
  lists: TABLE,
  written: WRITTEN,
  hooks: () => ({
    afterCreate: async ({ id }, { database }) => beginDeliveries(database, id),
    afterUpdate: async ({ id, status }, { database, before }) => {
      if (status === 'disabled') await giveUpDeliveries(database, id);
      else if (before.status === 'disabled') await beginDeliveries(database, id);
    },
  }),
});

/** Registers the endpoints below the base path of a version. */
export function webhooksRoutes(app: FastifyInstance, services: Services): void {
  const { database } = services;
  const types = eventTypes(services.events);
  const body = webhookBody([...new Set(types.map(({ name }) => name))]);
  const shape = webhookShape(body);
  const shapeWithSecret = webhookWithSecret(body);
  const bodies = bodyReader(body, shape);
  const check = (values: WebhookBodyValues, stored?: Webhook): WebhookValues => {
    refuse(problemsOf(values, stored, types, services.receivers));
    return withReason(values, stored);
  };
  const administrators = allow(['admin']);
  const existing = [administrators, requireItem(database, WEBHOOK_RESOURCE)];
  const changing = [...existing, checkPreconditions];
  const tags = ['Webhooks'];

  app.get(
    '/webhooks',
    {
      schema: {
        operationId: 'listWebhooks',
        tags,
        summary: 'List webhooks',
        querystring: listQuery(WEBHOOK_LISTS),
        response: { 200: pageOf(shape, WEBHOOK_LISTS) },
      },
      onRequest: administrators,
    },
    async (request, reply) => {
      const query = readList(request, WEBHOOK_LISTS, services, 'webhooks');
      const page = await webhooks.list(database, query);
      return sendPage(request, reply, query, page, services);
    },
  );

  app.post(
    '/webhooks',
    {
      schema: {
        operationId: 'createWebhook',
        tags,
        summary: 'Create a webhook',
        description: 'The answer has the secret, which is not shown again.',
        body,
        response: { 201: shapeWithSecret },
      },
      onRequest: administrators,
    },
    async (request, reply) => {
      refuseParameters(request);
      refuseKey(request);
      const values = check(bodies.create(request));
      const secret = newSecret();
      const webhook = await database.transaction(async (transaction) => {
        const created = await webhooks.create(transaction, values);
        await addSecret(transaction, created.id, secret);
        return created;
      });
      logChange(request, 'webhook created', webhook.id);
      reply.header('cache-control', 'no-store');
      const shownOnce = { ...webhook, secret };
      return sendCreated(request, reply, createdAnswer(request, 'webhooks', shownOnce), services);
    },
  );

  app.get(
    '/webhooks/:id',
    {
      schema: {
        operationId: 'getWebhook',
        tags,
        summary: 'Get a webhook',
        headers: ifNoneMatch,
        response: { 200: shape },
      },
      onRequest: administrators,
    },
    async (request, reply) => {
      refuseParameters(request);
      const webhook = await webhooks.find(database, idOf(request, WEBHOOK_RESOURCE));
      return sendItem(request, reply, webhook);
    },
  );

  app.put(
    '/webhooks/:id',
    {
      schema: {
        operationId: 'replaceWebhook',
        tags,
        summary: 'Replace a webhook',
        headers: ifMatch,
        body,
        response: { 200: shape },
      },
      onRequest: changing,
    },
    async (request, reply) => {
      const webhook = await update(database, request, (stored) =>
        check(bodies.replace(request, stored), stored),
      );
      return sendUpdated(request, reply, webhook);
    },
  );

  app.patch(
    '/webhooks/:id',
    {
      schema: {
        operationId: 'updateWebhook',
        tags,
        summary: 'Update a webhook',
        headers: ifMatch,
        body,
        response: { 200: shape },
      },
      onRequest: changing,
    },
    async (request, reply) => {
      const webhook = await update(database, request, (stored) =>
        check(bodies.patch(request, stored), stored),
      );
      return sendUpdated(request, reply, webhook);
    },
  );

  app.delete(
    '/webhooks/:id',
    {
      schema: {
        operationId: 'deleteWebhook',
        tags,
        summary: 'Delete a webhook',
        description: 'Permanent, with its deliveries: the path answers 410 from then on.',
        headers: ifMatch,
        response: { 204: noContent },
      },
      onRequest: changing,
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, WEBHOOK_RESOURCE);
      await webhooks.delete(database, id, expectedRevision(request));
      logChange(request, 'webhook deleted', id);
      return reply.code(204).send();
    },
  );

  app.post(
    '/webhooks/:id/secrets',
    {
      schema: {
        operationId: 'rotateWebhookSecret',
        tags,
        summary: 'Replace the secret of a webhook',
        description:
          'The answer has the new secret, which is not shown again. The old one signs beside it for 24 hours.',
        response: { 201: shapeWithSecret },
      },
      onRequest: existing,
    },
    async (request, reply) => {
      refuseParameters(request);
      refuseKey(request);
      const id = idOf(request, WEBHOOK_RESOURCE);
      const secret = newSecret();
      const webhook = await database.transaction(async (transaction) => {
        const found = await webhooks.find(transaction, id);
        await addSecret(transaction, id, secret);
        return found;
      });
      logChange(request, 'webhook secret replaced', webhook.id);
      reply.header('cache-control', 'no-store');
      const shownOnce = { ...webhook, secret };
      return sendCreated(request, reply, createdAnswer(request, 'webhooks', shownOnce), services);
    },
  );

  deliveryRoutes(app, services, existing);
}

/** Updates a webhook and logs it. */
async function update(
  database: Database,
  request: FastifyRequest,
  change: (stored: Webhook) => WebhookValues,
): Promise<Webhook> {
  refuseParameters(request);
  const id = idOf(request, WEBHOOK_RESOURCE);
  const webhook = await webhooks.update(database, id, expectedRevision(request), change);
  logChange(request, 'webhook changed', webhook.id);
  return webhook;
}

/** Logs who changed a webhook. The URL is not logged, because it may contain a credential. */
const logChange = ({ log, principal }: FastifyRequest, message: string, webhook: string): void =>
  log.info({ webhook, username: principal?.username }, message);

/**
 * What is wrong with a URL that may not be used, and with types that the version does not have.
 * @param stored the webhook as it is; undefined for a new one. What stays the same is not checked.
 */
function problemsOf(
  { url, events, version }: WebhookBodyValues,
  stored: Webhook | undefined,
  types: readonly VersionedType[],
  receivers: ReceiverRules,
): Problem[] {
  const problems: Problem[] = [];
  const add = (name: string, text: string): void =>
    void problems.push({ name, member: name, text });
  const unusable = url === stored?.url ? undefined : urlProblem(url, receivers);
  if (unusable !== undefined) add('url', unusable);
  if (!VERSIONS.includes(version)) {
    add('version', `must be one of ${VERSIONS.join(', ')}`);
    return problems;
  }
  const names = types.filter((one) => one.version === version).map(({ name }) => name);
  // Types that the webhook has already stay valid: their collection may have no events any more.
  const kept = stored?.version === version ? (stored.events ?? []) : [];
  const unknown = (events ?? []).filter((name) => !names.includes(name) && !kept.includes(name));
  if (unknown.length > 0) {
    const which = `has ${unknown.join(', ')}, which version ${version} does not have`;
    add('events', `${which}: choose from ${names.join(', ')}`);
  }
  return problems;
}

/** The values with when and why the webhook was disabled. */
function withReason(values: WebhookBodyValues, stored: Webhook | undefined): WebhookValues {
  if (values.status === 'active') return { ...values, disabled_reason: null, disabled_at: null };
  if (stored?.status === 'disabled') {
    const { disabled_reason, disabled_at } = stored;
    return { ...values, disabled_reason, disabled_at };
  }
  return {
    ...values,
    disabled_reason: 'An administrator disabled it.',
    disabled_at: new Date().toISOString(),
  };
}
