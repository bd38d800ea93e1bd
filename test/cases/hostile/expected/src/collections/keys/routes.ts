/** The endpoints of keys. */
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
  createKeyItem,
  deleteKeyItem,
  findKeyItem,
  listKeys,
  KEY_RESOURCE,
  updateKeyItem,
} from './repository.ts';
import { keyBodies, KeyItemBody, keyLists, keyPermissions, KeyItemShape } from './schema.ts';

/** Registers the endpoints, below the path of a version. */
export function keysRoutes(app: FastifyInstance, services: Services): void {
  const { database } = services;
  const tags = ['Keys'];
  const updateHooks = [
    allow(keyPermissions.update),
    requireItem(database, KEY_RESOURCE),
    checkPreconditions,
  ];

  app.get(
    '/keys',
    {
      schema: {
        operationId: 'listKeys',
        tags,
        summary: 'List keys',
        querystring: listQuery(keyLists),
        response: { 200: pageOf(KeyItemShape, keyLists) },
      },
      onRequest: allow(keyPermissions.read),
    },
    async (request, reply) => {
      const list = readList(request, keyLists, services, 'keys');
      const page = await listKeys(database, list);
      return sendPage(request, reply, list, page, services);
    },
  );

  app.post(
    '/keys',
    {
      schema: {
        operationId: 'createKeyItem',
        tags,
        summary: 'Create a key',
        headers: idempotencyKey,
        body: KeyItemBody,
        response: { 201: KeyItemShape },
      },
      onRequest: allow(keyPermissions.create),
    },
    async (request, reply) => {
      refuseParameters(request);
      return createOnce(request, reply, services, async (inside) => {
        const values = keyBodies.create(request);
        const item = await createKeyItem(inside, values);
        return createdAnswer(request, 'keys', item);
      });
    },
  );

  app.get(
    '/keys/:id',
    {
      schema: {
        operationId: 'getKeyItem',
        tags,
        summary: 'Get a key',
        headers: ifNoneMatch,
        response: { 200: KeyItemShape },
      },
      onRequest: allow(keyPermissions.read),
    },
    async (request, reply) => {
      const item = await findKeyItem(database, idOf(request, KEY_RESOURCE));
      refuseParameters(request);
      return sendItem(request, reply, item);
    },
  );

  app.put(
    '/keys/:id',
    {
      schema: {
        operationId: 'replaceKeyItem',
        tags,
        summary: 'Replace a key',
        headers: ifMatch,
        body: KeyItemBody,
        response: { 200: KeyItemShape },
      },
      onRequest: updateHooks,
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, KEY_RESOURCE);
      const item = await updateKeyItem(database, id, expectedRevision(request), (stored) =>
        keyBodies.replace(request, stored),
      );
      return sendUpdated(request, reply, item);
    },
  );

  app.patch(
    '/keys/:id',
    {
      schema: {
        operationId: 'updateKeyItem',
        tags,
        summary: 'Update a key',
        headers: ifMatch,
        body: KeyItemBody,
        response: { 200: KeyItemShape },
      },
      onRequest: updateHooks,
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, KEY_RESOURCE);
      const item = await updateKeyItem(database, id, expectedRevision(request), (stored) =>
        keyBodies.patch(request, stored),
      );
      return sendUpdated(request, reply, item);
    },
  );

  app.delete(
    '/keys/:id',
    {
      schema: {
        operationId: 'deleteKeyItem',
        tags,
        summary: 'Delete a key',
        headers: ifMatch,
        response: { 204: noContent },
      },
      onRequest: [
        allow(keyPermissions.delete),
        requireItem(database, KEY_RESOURCE),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, KEY_RESOURCE);
      await deleteKeyItem(database, id, expectedRevision(request));
      return reply.code(204).send();
    },
  );
}
