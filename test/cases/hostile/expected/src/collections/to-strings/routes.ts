/** The endpoints of to strings. */
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { ownerOf, requireOwnItem, requireReadable } from '../../platform/auth/ownership.ts';
import { allow } from '../../platform/auth/permissions.ts';
import type { Database } from '../../platform/database/database.ts';
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
import { bodyBelow } from '../../platform/openapi/schemas.ts';
import type { Services } from '../../platform/services.ts';
import { CONSTRUCTOR_RESOURCE } from '../constructors/repository.ts';
import { constructorPermissions } from '../constructors/schema.ts';
import {
  createToString,
  deleteToString,
  findToString,
  listToStrings,
  TO_STRING_RESOURCE,
  updateToString,
} from './repository.ts';
import {
  toStringBodies,
  ToStringBody,
  toStringLists,
  toStringPermissions,
  ToStringShape,
} from './schema.ts';
import type { ToStringValues } from './schema.ts';

/** Registers the endpoints, below the path of a version. */
export function toStringsRoutes(app: FastifyInstance, services: Services): void {
  const { database } = services;
  const tags = ['To strings'];
  const updateHooks = [
    allow(toStringPermissions.update),
    requireOwnItem(database, TO_STRING_RESOURCE, toStringPermissions.update),
    checkPreconditions,
  ];

  app.get(
    '/to-strings',
    {
      schema: {
        operationId: 'listToStrings',
        tags,
        summary: 'List to strings',
        querystring: listQuery(toStringLists),
        response: { 200: pageOf(ToStringShape, toStringLists) },
      },
      onRequest: allow(toStringPermissions.read),
    },
    async (request, reply) => {
      const list = readList(request, toStringLists, services, 'to-strings');
      const page = await listToStrings(database, list);
      return sendPage(request, reply, list, page, services);
    },
  );

  app.post(
    '/to-strings',
    {
      schema: {
        operationId: 'createToString',
        tags,
        summary: 'Create a to string',
        headers: idempotencyKey,
        body: ToStringBody,
        response: { 201: ToStringShape },
      },
      onRequest: allow(toStringPermissions.create),
    },
    async (request, reply) => {
      refuseParameters(request);
      return createOnce(request, reply, services, async (inside) => {
        const values = toStringBodies.create(request);
        await checkReferences(inside, request, values);
        const item = await createToString(inside, values, { owner: ownerOf(request) });
        return createdAnswer(request, 'to-strings', item);
      });
    },
  );

  app.get(
    '/to-strings/:id',
    {
      schema: {
        operationId: 'getToString',
        tags,
        summary: 'Get a to string',
        headers: ifNoneMatch,
        response: { 200: ToStringShape },
      },
      onRequest: allow(toStringPermissions.read),
    },
    async (request, reply) => {
      const item = await findToString(database, idOf(request, TO_STRING_RESOURCE));
      refuseParameters(request);
      return sendItem(request, reply, item);
    },
  );

  app.put(
    '/to-strings/:id',
    {
      schema: {
        operationId: 'replaceToString',
        tags,
        summary: 'Replace a to string',
        headers: ifMatch,
        body: ToStringBody,
        response: { 200: ToStringShape },
      },
      onRequest: updateHooks,
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, TO_STRING_RESOURCE);
      const item = await updateToString(database, id, expectedRevision(request), async (stored) => {
        const values = toStringBodies.replace(request, stored);
        await checkReferences(database, request, values, stored);
        return values;
      });
      return sendUpdated(request, reply, item);
    },
  );

  app.patch(
    '/to-strings/:id',
    {
      schema: {
        operationId: 'updateToString',
        tags,
        summary: 'Update a to string',
        headers: ifMatch,
        body: ToStringBody,
        response: { 200: ToStringShape },
      },
      onRequest: updateHooks,
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, TO_STRING_RESOURCE);
      const item = await updateToString(database, id, expectedRevision(request), async (stored) => {
        const values = toStringBodies.patch(request, stored);
        await checkReferences(database, request, values, stored);
        return values;
      });
      return sendUpdated(request, reply, item);
    },
  );

  app.delete(
    '/to-strings/:id',
    {
      schema: {
        operationId: 'deleteToString',
        tags,
        summary: 'Delete a to string',
        headers: ifMatch,
        response: { 204: noContent },
      },
      onRequest: [
        allow(toStringPermissions.delete),
        requireItem(database, TO_STRING_RESOURCE),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, TO_STRING_RESOURCE);
      await deleteToString(database, id, expectedRevision(request));
      return reply.code(204).send();
    },
  );

  app.get(
    '/constructors/:id/value-ofs',
    {
      schema: {
        operationId: 'listValueOfsOfConstructor',
        tags,
        summary: 'List the to strings of a constructor',
        querystring: listQuery(toStringLists),
        response: { 200: pageOf(ToStringShape, toStringLists) },
      },
      onRequest: [
        allow(constructorPermissions.read),
        allow(toStringPermissions.read),
        requireItem(database, CONSTRUCTOR_RESOURCE),
      ],
    },
    async (request, reply) => {
      const id = idOf(request, CONSTRUCTOR_RESOURCE);
      const list = readList(request, toStringLists, services, `constructors/${id}/value-ofs`);
      const page = await listToStrings(database, list, [
        { column: '"to_strings"."constructor_id"', id },
      ]);
      return sendPage(request, reply, list, page, services);
    },
  );

  app.post(
    '/constructors/:id/value-ofs',
    {
      schema: {
        operationId: 'createValueOfsOfConstructor',
        tags,
        summary: 'Create a to string of a constructor',
        headers: idempotencyKey,
        body: bodyBelow(ToStringBody, 'constructor_id'),
        response: { 201: ToStringShape },
      },
      onRequest: [
        allow(constructorPermissions.read),
        allow(toStringPermissions.create),
        requireItem(database, CONSTRUCTOR_RESOURCE),
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, CONSTRUCTOR_RESOURCE);
      return createOnce(request, reply, services, async (inside) => {
        const values = toStringBodies.create(request, { constructor_id: id });
        await checkReferences(inside, request, values);
        const item = await createToString(inside, values, { owner: ownerOf(request) });
        return createdAnswer(request, 'to-strings', item);
      });
    },
  );

  app.get(
    '/constructors/:id/items',
    {
      schema: {
        operationId: 'listItemsOfConstructor',
        tags,
        summary: 'List the to strings of a constructor',
        querystring: listQuery(toStringLists),
        response: { 200: pageOf(ToStringShape, toStringLists) },
      },
      onRequest: [
        allow(constructorPermissions.read),
        allow(toStringPermissions.read),
        requireItem(database, CONSTRUCTOR_RESOURCE),
      ],
    },
    async (request, reply) => {
      const id = idOf(request, CONSTRUCTOR_RESOURCE);
      const list = readList(request, toStringLists, services, `constructors/${id}/items`);
      const page = await listToStrings(database, list, [{ column: '"to_strings"."item_id"', id }]);
      return sendPage(request, reply, list, page, services);
    },
  );

  app.post(
    '/constructors/:id/items',
    {
      schema: {
        operationId: 'createItemsOfConstructor',
        tags,
        summary: 'Create a to string of a constructor',
        headers: idempotencyKey,
        body: bodyBelow(ToStringBody, 'item_id'),
        response: { 201: ToStringShape },
      },
      onRequest: [
        allow(constructorPermissions.read),
        allow(toStringPermissions.create),
        requireItem(database, CONSTRUCTOR_RESOURCE),
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, CONSTRUCTOR_RESOURCE);
      return createOnce(request, reply, services, async (inside) => {
        const values = toStringBodies.create(request, { item_id: id });
        await checkReferences(inside, request, values);
        const item = await createToString(inside, values, { owner: ownerOf(request) });
        return createdAnswer(request, 'to-strings', item);
      });
    },
  );
}

/** Refuses references to items that the caller may not read (422). */
function checkReferences(
  database: Database,
  { principal }: FastifyRequest,
  values: ToStringValues,
  stored?: object,
): Promise<void> {
  return requireReadable(
    database,
    principal,
    [
      {
        member: 'constructor_id',
        resource: CONSTRUCTOR_RESOURCE,
        id: values.constructor_id,
        read: constructorPermissions.read,
      },
      {
        member: 'item_id',
        resource: CONSTRUCTOR_RESOURCE,
        id: values.item_id,
        read: constructorPermissions.read,
      },
    ],
    stored,
  );
}
