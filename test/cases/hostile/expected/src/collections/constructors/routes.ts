/**
 * The endpoints of constructors.
 *
 * All that an object and an array have already.
 */
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
import { noContent, pageOf, taken } from '../../platform/openapi/responses.ts';
import type { Services } from '../../platform/services.ts';
import {
  createConstructor,
  deleteConstructor,
  findConstructor,
  listConstructors,
  CONSTRUCTOR_RESOURCE,
  updateConstructor,
} from './repository.ts';
import {
  constructorBodies,
  ConstructorBody,
  constructorLists,
  constructorPermissions,
  ConstructorShape,
} from './schema.ts';

/** Registers the endpoints, below the path of a version. */
export function constructorsRoutes(app: FastifyInstance, services: Services): void {
  const { database } = services;
  const tags = ['Constructors'];
  const updateHooks = [
    allow(constructorPermissions.update),
    requireItem(database, CONSTRUCTOR_RESOURCE),
    checkPreconditions,
  ];

  app.get(
    '/constructors',
    {
      schema: {
        operationId: 'listConstructors',
        tags,
        summary: 'List constructors',
        querystring: listQuery(constructorLists),
        response: { 200: pageOf(ConstructorShape, constructorLists) },
      },
      onRequest: allow(constructorPermissions.read),
    },
    async (request, reply) => {
      const list = readList(request, constructorLists, services, 'constructors');
      const page = await listConstructors(database, list);
      return sendPage(request, reply, list, page, services);
    },
  );

  app.post(
    '/constructors',
    {
      schema: {
        operationId: 'createConstructor',
        tags,
        summary: 'Create a constructor',
        headers: idempotencyKey,
        body: ConstructorBody,
        response: { 201: ConstructorShape, ...taken('constructor', 'value_of', 'length') },
      },
      onRequest: allow(constructorPermissions.create),
    },
    async (request, reply) => {
      refuseParameters(request);
      return createOnce(request, reply, services, async (inside) => {
        const values = constructorBodies.create(request);
        const item = await createConstructor(inside, values);
        return createdAnswer(request, 'constructors', item);
      });
    },
  );

  app.get(
    '/constructors/:id',
    {
      schema: {
        operationId: 'getConstructor',
        tags,
        summary: 'Get a constructor',
        headers: ifNoneMatch,
        response: { 200: ConstructorShape },
      },
      onRequest: allow(constructorPermissions.read),
    },
    async (request, reply) => {
      const item = await findConstructor(database, idOf(request, CONSTRUCTOR_RESOURCE));
      refuseParameters(request);
      return sendItem(request, reply, item);
    },
  );

  app.put(
    '/constructors/:id',
    {
      schema: {
        operationId: 'replaceConstructor',
        tags,
        summary: 'Replace a constructor',
        headers: ifMatch,
        body: ConstructorBody,
        response: { 200: ConstructorShape, ...taken('constructor', 'value_of', 'length') },
      },
      onRequest: updateHooks,
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, CONSTRUCTOR_RESOURCE);
      const item = await updateConstructor(database, id, expectedRevision(request), (stored) =>
        constructorBodies.replace(request, stored),
      );
      return sendUpdated(request, reply, item);
    },
  );

  app.patch(
    '/constructors/:id',
    {
      schema: {
        operationId: 'updateConstructor',
        tags,
        summary: 'Update a constructor',
        headers: ifMatch,
        body: ConstructorBody,
        response: { 200: ConstructorShape, ...taken('constructor', 'value_of', 'length') },
      },
      onRequest: updateHooks,
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, CONSTRUCTOR_RESOURCE);
      const item = await updateConstructor(database, id, expectedRevision(request), (stored) =>
        constructorBodies.patch(request, stored),
      );
      return sendUpdated(request, reply, item);
    },
  );

  app.delete(
    '/constructors/:id',
    {
      schema: {
        operationId: 'deleteConstructor',
        tags,
        summary: 'Delete a constructor',
        headers: ifMatch,
        response: { 204: noContent },
      },
      onRequest: [
        allow(constructorPermissions.delete),
        requireItem(database, CONSTRUCTOR_RESOURCE),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, CONSTRUCTOR_RESOURCE);
      await deleteConstructor(database, id, expectedRevision(request));
      return reply.code(204).send();
    },
  );
}
