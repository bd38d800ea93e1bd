/** The endpoints of wishes. */
import type { FastifyInstance, FastifyRequest } from 'fastify';

import {
  ownByDefault,
  requireOwnCreation,
  requireOwnItem,
  requireReadable,
} from '../../platform/auth/ownership.ts';
import { allow } from '../../platform/auth/permissions.ts';
import { requireUser, USER_RESOURCE } from '../../platform/auth/users.ts';
import type { Database } from '../../platform/database/database.ts';
import { createOnce } from '../../platform/http/idempotency.ts';
import { createdAnswer, idOf, sendItem, sendUpdated } from '../../platform/http/item.ts';
import { readList } from '../../platform/http/list.ts';
import { sendPage } from '../../platform/http/page.ts';
import { checkPreconditions, expectedRevision } from '../../platform/http/preconditions.ts';
import { refuseParameters } from '../../platform/http/query.ts';
import { ownedBody } from '../../platform/openapi/owned-body.ts';
import {
  idempotencyKey,
  ifMatch,
  ifNoneMatch,
  listQuery,
} from '../../platform/openapi/parameters.ts';
import { noContent, pageOf, refusal } from '../../platform/openapi/responses.ts';
import { bodyBelow } from '../../platform/openapi/schemas.ts';
import type { Services } from '../../platform/services.ts';
import { REMINDER_RESOURCE } from '../reminders/repository.ts';
import { reminderPermissions } from '../reminders/schema.ts';
import {
  createWish,
  deleteWish,
  findWish,
  listWishes,
  WISH_RESOURCE,
  updateWish,
} from './repository.ts';
import { wishBodies, WishBody, wishLists, wishPermissions, WishShape } from './schema.ts';
import type { WishValues } from './schema.ts';

/** Registers the endpoints, below the path of a version. */
export function wishesRoutes(app: FastifyInstance, services: Services): void {
  const { database } = services;
  const tags = ['Wishes'];
  const updateHooks = [
    allow(wishPermissions.update),
    requireOwnItem(database, WISH_RESOURCE, wishPermissions.update),
    checkPreconditions,
  ];

  app.get(
    '/wishes',
    {
      schema: {
        operationId: 'listWishes',
        tags,
        summary: 'List wishes',
        querystring: listQuery(wishLists),
        response: { 200: pageOf(WishShape, wishLists) },
      },
    },
    async (request, reply) => {
      const list = readList(request, wishLists, services, 'wishes');
      const page = await listWishes(database, list);
      return sendPage(request, reply, list, page, services);
    },
  );

  app.post(
    '/wishes',
    {
      schema: {
        operationId: 'createWish',
        tags,
        summary: 'Create a wish',
        headers: idempotencyKey,
        body: ownedBody(WishBody, 'author_id'),
        response: {
          201: WishShape,
          403: refusal(
            'You do not have the permission, or the wish would not belong to you, and you may create only your own.',
          ),
        },
      },
    },
    async (request, reply) => {
      refuseParameters(request);
      return createOnce(request, reply, services, async (inside) => {
        const values = wishBodies.create(
          request,
          ownByDefault(request, 'author_id', 'author_id', wishPermissions.update),
        );
        await requireOwnCreation(
          inside,
          request,
          WISH_RESOURCE,
          values.author_id,
          wishPermissions.update,
        );
        await checkReferences(inside, request, values);
        const item = await createWish(inside, values, { principal: request.principal });
        return createdAnswer(request, 'wishes', item);
      });
    },
  );

  app.get(
    '/wishes/:id',
    {
      schema: {
        operationId: 'getWish',
        tags,
        summary: 'Get a wish',
        headers: ifNoneMatch,
        response: { 200: WishShape },
      },
    },
    async (request, reply) => {
      const item = await findWish(database, idOf(request, WISH_RESOURCE));
      refuseParameters(request);
      return sendItem(request, reply, item);
    },
  );

  app.put(
    '/wishes/:id',
    {
      schema: {
        operationId: 'replaceWish',
        tags,
        summary: 'Replace a wish',
        headers: ifMatch,
        body: WishBody,
        response: { 200: WishShape },
      },
      onRequest: updateHooks,
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, WISH_RESOURCE);
      const item = await updateWish(
        database,
        id,
        expectedRevision(request),
        async (stored) => {
          const values = wishBodies.replace(request, stored);
          await checkReferences(database, request, values, stored);
          return values;
        },
        { principal: request.principal, ownedBy: request.ownedBy },
      );
      return sendUpdated(request, reply, item);
    },
  );

  app.patch(
    '/wishes/:id',
    {
      schema: {
        operationId: 'updateWish',
        tags,
        summary: 'Update a wish',
        headers: ifMatch,
        body: WishBody,
        response: { 200: WishShape },
      },
      onRequest: updateHooks,
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, WISH_RESOURCE);
      const item = await updateWish(
        database,
        id,
        expectedRevision(request),
        async (stored) => {
          const values = wishBodies.patch(request, stored);
          await checkReferences(database, request, values, stored);
          return values;
        },
        { principal: request.principal, ownedBy: request.ownedBy },
      );
      return sendUpdated(request, reply, item);
    },
  );

  app.delete(
    '/wishes/:id',
    {
      schema: {
        operationId: 'deleteWish',
        tags,
        summary: 'Delete a wish',
        headers: ifMatch,
        response: { 204: noContent },
      },
      onRequest: [
        allow(wishPermissions.delete),
        requireOwnItem(database, WISH_RESOURCE, wishPermissions.delete),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, WISH_RESOURCE);
      await deleteWish(database, id, expectedRevision(request), {
        principal: request.principal,
        ownedBy: request.ownedBy,
      });
      return reply.code(204).send();
    },
  );

  app.get(
    '/users/:id/wishes',
    {
      schema: {
        operationId: 'listWishesOfUser',
        tags,
        summary: 'List the wishes of a user',
        querystring: listQuery(wishLists),
        response: { 200: pageOf(WishShape, wishLists) },
      },
      onRequest: [allow('authenticated'), requireUser(database)],
    },
    async (request, reply) => {
      const id = idOf(request, USER_RESOURCE);
      const list = readList(request, wishLists, services, `users/${id}/wishes`);
      const page = await listWishes(database, list, [{ column: '"wishes"."author_id"', id }]);
      return sendPage(request, reply, list, page, services);
    },
  );

  app.post(
    '/users/:id/wishes',
    {
      schema: {
        operationId: 'createWishesOfUser',
        tags,
        summary: 'Create a wish of a user',
        headers: idempotencyKey,
        body: bodyBelow(WishBody, 'author_id'),
        response: {
          201: WishShape,
          403: refusal(
            'You do not have the permission, or the wish would not belong to you, and you may create only your own.',
          ),
        },
      },
      onRequest: [allow('authenticated'), requireUser(database)],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, USER_RESOURCE);
      return createOnce(request, reply, services, async (inside) => {
        const values = wishBodies.create(request, { author_id: id });
        await requireOwnCreation(
          inside,
          request,
          WISH_RESOURCE,
          values.author_id,
          wishPermissions.update,
        );
        await checkReferences(inside, request, values);
        const item = await createWish(inside, values, { principal: request.principal });
        return createdAnswer(request, 'wishes', item);
      });
    },
  );

  app.get(
    '/reminders/:id/wishes',
    {
      schema: {
        operationId: 'listWishesOfReminder',
        tags,
        summary: 'List the wishes of a reminder',
        querystring: listQuery(wishLists),
        response: { 200: pageOf(WishShape, wishLists) },
      },
      onRequest: [
        allow(reminderPermissions.read),
        requireOwnItem(database, REMINDER_RESOURCE, reminderPermissions.read),
      ],
    },
    async (request, reply) => {
      const id = idOf(request, REMINDER_RESOURCE);
      const list = readList(request, wishLists, services, `reminders/${id}/wishes`);
      const page = await listWishes(database, list, [{ column: '"wishes"."reminder_id"', id }]);
      return sendPage(request, reply, list, page, services);
    },
  );

  app.post(
    '/reminders/:id/wishes',
    {
      schema: {
        operationId: 'createWishesOfReminder',
        tags,
        summary: 'Create a wish of a reminder',
        headers: idempotencyKey,
        body: ownedBody(bodyBelow(WishBody, 'reminder_id'), 'author_id'),
        response: {
          201: WishShape,
          403: refusal(
            'You do not have the permission, or the wish would not belong to you, and you may create only your own.',
          ),
        },
      },
      onRequest: [
        allow(reminderPermissions.read),
        requireOwnItem(database, REMINDER_RESOURCE, reminderPermissions.read),
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, REMINDER_RESOURCE);
      return createOnce(request, reply, services, async (inside) => {
        const values = wishBodies.create(request, {
          reminder_id: id,
          ...ownByDefault(request, 'author_id', 'author_id', wishPermissions.update),
        });
        await requireOwnCreation(
          inside,
          request,
          WISH_RESOURCE,
          values.author_id,
          wishPermissions.update,
        );
        await checkReferences(inside, request, values);
        const item = await createWish(inside, values, { principal: request.principal });
        return createdAnswer(request, 'wishes', item);
      });
    },
  );
}

/** Refuses references to items that the caller may not read (422). */
function checkReferences(
  database: Database,
  { principal }: FastifyRequest,
  values: WishValues,
  stored?: object,
): Promise<void> {
  return requireReadable(
    database,
    principal,
    [
      {
        member: 'author_id',
        resource: USER_RESOURCE,
        id: values.author_id,
        read: ['clerk', 'owner'],
      },
      {
        member: 'reminder_id',
        resource: REMINDER_RESOURCE,
        id: values.reminder_id,
        read: reminderPermissions.read,
      },
    ],
    stored,
  );
}
