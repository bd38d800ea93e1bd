/** The endpoints of to strings. */
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { ownerOf, requireOwnItem, requireReadable } from '../../platform/auth/ownership.ts';
import { allow } from '../../platform/auth/permissions.ts';
import { requireItem } from '../../platform/database/not-found.ts';
import { createOnce } from '../../platform/http/idempotency.ts';
import { created, idOf, sendItem, updated } from '../../platform/http/item.ts';
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
import { CONSTRUCTOR_KIND } from '../constructors/repository.ts';
import { constructorPermissions } from '../constructors/schema.ts';
import {
  createToString,
  deleteToString,
  findToString,
  listToStrings,
  TO_STRING_KIND,
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

  /** A body may refer to what its sender may read, and to nothing else. */
  const checkReferences = (
    { principal }: FastifyRequest,
    values: ToStringValues,
    stored?: object,
  ): Promise<void> =>
    requireReadable(
      database,
      principal,
      [
        {
          member: 'constructor_id',
          kind: CONSTRUCTOR_KIND,
          id: values.constructor_id,
          read: constructorPermissions.read,
        },
        {
          member: 'item_id',
          kind: CONSTRUCTOR_KIND,
          id: values.item_id,
          read: constructorPermissions.read,
        },
      ],
      stored,
    );

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
      const path = 'to-strings';
      const list = readList(request, toStringLists, services, path);
      const page = await listToStrings(database, list);
      return sendPage(request, reply, path, list, page, services);
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
      return createOnce(request, reply, services, {
        read: async () => {
          const values = toStringBodies.create(request);
          await checkReferences(request, values);
          return values;
        },
        create: async (inside, values) =>
          created(request, 'to-strings', await createToString(inside, values, ownerOf(request))),
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
      const item = await findToString(database, idOf(request, TO_STRING_KIND));
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
      onRequest: [
        allow(toStringPermissions.update),
        requireOwnItem(database, TO_STRING_KIND, toStringPermissions.update),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, TO_STRING_KIND);
      const item = await updateToString(database, id, expectedRevision(request), async (stored) => {
        const values = toStringBodies.replace(request, stored);
        await checkReferences(request, values, stored);
        return values;
      });
      return updated(request, reply, item);
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
      onRequest: [
        allow(toStringPermissions.update),
        requireOwnItem(database, TO_STRING_KIND, toStringPermissions.update),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, TO_STRING_KIND);
      const item = await updateToString(database, id, expectedRevision(request), async (stored) => {
        const values = toStringBodies.patch(request, stored);
        await checkReferences(request, values, stored);
        return values;
      });
      return updated(request, reply, item);
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
        requireItem(database, TO_STRING_KIND),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, TO_STRING_KIND);
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
        requireItem(database, CONSTRUCTOR_KIND),
      ],
    },
    async (request, reply) => {
      const id = idOf(request, CONSTRUCTOR_KIND);
      const path = `constructors/${id}/value-ofs`;
      const list = readList(request, toStringLists, services, path);
      const page = await listToStrings(database, list, [
        { column: '"to_strings"."constructor_id"', id },
      ]);
      return sendPage(request, reply, path, list, page, services);
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
        requireItem(database, CONSTRUCTOR_KIND),
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, CONSTRUCTOR_KIND);
      return createOnce(request, reply, services, {
        read: async () => {
          const values = toStringBodies.create(request, { constructor_id: id });
          await checkReferences(request, values);
          return values;
        },
        create: async (inside, values) =>
          created(request, 'to-strings', await createToString(inside, values, ownerOf(request))),
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
        requireItem(database, CONSTRUCTOR_KIND),
      ],
    },
    async (request, reply) => {
      const id = idOf(request, CONSTRUCTOR_KIND);
      const path = `constructors/${id}/items`;
      const list = readList(request, toStringLists, services, path);
      const page = await listToStrings(database, list, [{ column: '"to_strings"."item_id"', id }]);
      return sendPage(request, reply, path, list, page, services);
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
        requireItem(database, CONSTRUCTOR_KIND),
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, CONSTRUCTOR_KIND);
      return createOnce(request, reply, services, {
        read: async () => {
          const values = toStringBodies.create(request, { item_id: id });
          await checkReferences(request, values);
          return values;
        },
        create: async (inside, values) =>
          created(request, 'to-strings', await createToString(inside, values, ownerOf(request))),
      });
    },
  );
}
