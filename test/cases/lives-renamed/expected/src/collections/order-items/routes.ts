/** The endpoints of order items. */
import type { FastifyInstance } from 'fastify';

import { allow } from '../../platform/auth/permissions.ts';
import { requireItem } from '../../platform/database/not-found.ts';
import { createOnce } from '../../platform/http/idempotency.ts';
import { createdAnswer, idOf, sendItem, sendUpdated } from '../../platform/http/item.ts';
import { readList } from '../../platform/http/list.ts';
import { sendPage } from '../../platform/http/page.ts';
import { checkPreconditions, expectedRevision } from '../../platform/http/preconditions.ts';
import { refuseParameters } from '../../platform/http/query.ts';
import {
  idempotencyKey,
  ifMatch,
  ifNoneMatch,
  listQuery,
} from '../../platform/openapi/parameters.ts';
import { noContent, pageOf } from '../../platform/openapi/responses.ts';
import type { Services } from '../../platform/services.ts';
import {
  createOrderItem,
  deleteOrderItem,
  findOrderItem,
  listOrderItems,
  ORDER_ITEM_RESOURCE,
  updateOrderItem,
} from './repository.ts';
import type { OrderItem } from './schema.ts';
import {
  orderItemBodies,
  OrderItemBody,
  orderItemLists,
  orderItemPermissions,
  OrderItemShape,
} from './schema.ts';

/** Registers the endpoints, below the path of a version. */
export function orderItemsRoutes(app: FastifyInstance, services: Services): void {
  const { database } = services;
  const tags = ['Order items'];
  const updateHooks = [
    allow(orderItemPermissions.update),
    requireItem(database, ORDER_ITEM_RESOURCE),
    checkPreconditions,
  ];

  app.get(
    '/order-items',
    {
      schema: {
        operationId: 'listOrderItems',
        tags,
        summary: 'List order items',
        querystring: listQuery(orderItemLists),
        response: { 200: pageOf(OrderItemShape, orderItemLists) },
      },
      onRequest: allow(orderItemPermissions.read),
    },
    async (request, reply) => {
      const list = readList(request, orderItemLists, services, 'order-items');
      const page = await listOrderItems(database, list);
      return sendPage(request, reply, list, page, services);
    },
  );

  app.post(
    '/order-items',
    {
      schema: {
        operationId: 'createOrderItem',
        tags,
        summary: 'Create an order item',
        headers: idempotencyKey,
        body: OrderItemBody,
        response: { 201: OrderItemShape },
      },
      onRequest: allow(orderItemPermissions.create),
    },
    async (request, reply) => {
      refuseParameters(request);
      return createOnce(request, reply, services, async (inside) => {
        const values = orderItemBodies.create(request);
        const item = await createOrderItem(inside, values);
        return createdAnswer(request, 'order-items', item);
      });
    },
  );

  app.get(
    '/order-items/:id',
    {
      schema: {
        operationId: 'getOrderItem',
        tags,
        summary: 'Get an order item',
        headers: ifNoneMatch,
        response: { 200: OrderItemShape },
      },
      onRequest: allow(orderItemPermissions.read),
    },
    async (request, reply) => {
      const item = await findOrderItem(database, idOf(request, ORDER_ITEM_RESOURCE));
      refuseParameters(request);
      return sendItem(request, reply, item);
    },
  );

  app.put(
    '/order-items/:id',
    {
      schema: {
        operationId: 'replaceOrderItem',
        tags,
        summary: 'Replace an order item',
        headers: ifMatch,
        body: OrderItemBody,
        response: { 200: OrderItemShape },
      },
      onRequest: updateHooks,
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, ORDER_ITEM_RESOURCE);
      const item = await updateOrderItem(database, id, expectedRevision(request), (stored) =>
        orderItemBodies.replace(request, stored),
      );
      return sendUpdated(request, reply, item);
    },
  );

  app.patch(
    '/order-items/:id',
    {
      schema: {
        operationId: 'updateOrderItem',
        tags,
        summary: 'Update an order item',
        headers: ifMatch,
        body: OrderItemBody,
        response: { 200: OrderItemShape },
      },
      onRequest: updateHooks,
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, ORDER_ITEM_RESOURCE);
      const item = await updateOrderItem(database, id, expectedRevision(request), (stored) =>
        orderItemBodies.patch(request, stored),
      );
      return sendUpdated(request, reply, item);
    },
  );

  app.delete(
    '/order-items/:id',
    {
      schema: {
        operationId: 'deleteOrderItem',
        tags,
        summary: 'Delete an order item',
        headers: ifMatch,
        response: { 204: noContent },
      },
      onRequest: [
        allow(orderItemPermissions.delete),
        requireItem(database, ORDER_ITEM_RESOURCE),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, ORDER_ITEM_RESOURCE);
      await deleteOrderItem(database, id, expectedRevision(request));
      return reply.code(204).send();
    },
  );

  // The newest, for the shop window.
  app.get('/books/newest', async (request, reply) => {
    refuseParameters(request);
    const [book] = await database.query<OrderItem>({
      text: 'select "id", "title" from "order_items" order by "id" desc limit 1',
    });
    return reply.send(book ?? null);
  });
}
