/** The endpoints of books. */
import type { FastifyInstance } from 'fastify';

import { requireOwnItem } from '../../platform/auth/ownership.ts';
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
import { bodyBelow } from '../../platform/openapi/schemas.ts';
import type { Services } from '../../platform/services.ts';
import { createBook, deleteBook, findBook, listBooks, updateBook } from './repository.ts';
import { bookPermissions } from './schema.ts';
import { bookViews } from './views.ts';

/** Registers the endpoints that a version has, below its path. */
export function booksRoutes(app: FastifyInstance, services: Services, version: number): void {
  const view = bookViews[version];
  if (view === undefined) return;
  const { path, resource, bodies, lists, table, nested, show, doc } = view;
  const { database } = services;
  const tags = [doc.tag];
  const updateHooks = [
    allow(bookPermissions.update),
    requireOwnItem(database, resource, bookPermissions.update),
    checkPreconditions,
  ];

  app.get(
    `/${path}`,
    {
      schema: {
        operationId: `list${doc.types}`,
        tags,
        summary: `List ${doc.words}`,
        querystring: listQuery(lists),
        response: { 200: pageOf(doc.item, lists) },
      },
    },
    async (request, reply) => {
      const list = readList(request, lists, services, path);
      const page = await listBooks(database, list, [], table);
      return sendPage(request, reply, list, page, services);
    },
  );

  app.post(
    `/${path}`,
    {
      schema: {
        operationId: `create${doc.type}`,
        tags,
        summary: `Create ${resource.anItem}`,
        headers: idempotencyKey,
        body: doc.body,
        response: { 201: doc.item, ...taken(...doc.unique) },
      },
      onRequest: allow(bookPermissions.create),
    },
    async (request, reply) => {
      refuseParameters(request);
      return createOnce(request, reply, services, async (inside) => {
        const values = bodies.create(request);
        const item = await createBook(inside, values, { principal: request.principal, resource });
        return createdAnswer(request, path, show(item));
      });
    },
  );

  app.get(
    `/${path}/:id`,
    {
      schema: {
        operationId: `get${doc.type}`,
        tags,
        summary: `Get ${resource.anItem}`,
        headers: ifNoneMatch,
        response: { 200: doc.item },
      },
    },
    async (request, reply) => {
      const item = await findBook(database, idOf(request, resource), resource);
      refuseParameters(request);
      return sendItem(request, reply, show(item));
    },
  );

  app.put(
    `/${path}/:id`,
    {
      schema: {
        operationId: `replace${doc.type}`,
        tags,
        summary: `Replace ${resource.anItem}`,
        headers: ifMatch,
        body: doc.body,
        response: { 200: doc.item, ...taken(...doc.unique) },
      },
      onRequest: updateHooks,
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, resource);
      const item = await updateBook(
        database,
        id,
        expectedRevision(request),
        (stored) => bodies.replace(request, stored),
        { principal: request.principal, ownedBy: request.ownedBy, resource },
      );
      return sendUpdated(request, reply, show(item));
    },
  );

  app.patch(
    `/${path}/:id`,
    {
      schema: {
        operationId: `update${doc.type}`,
        tags,
        summary: `Update ${resource.anItem}`,
        headers: ifMatch,
        body: doc.body,
        response: { 200: doc.item, ...taken(...doc.unique) },
      },
      onRequest: updateHooks,
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, resource);
      const item = await updateBook(
        database,
        id,
        expectedRevision(request),
        (stored) => bodies.patch(request, stored),
        { principal: request.principal, ownedBy: request.ownedBy, resource },
      );
      return sendUpdated(request, reply, show(item));
    },
  );

  app.delete(
    `/${path}/:id`,
    {
      schema: {
        operationId: `delete${doc.type}`,
        tags,
        summary: `Delete ${resource.anItem}`,
        headers: ifMatch,
        response: { 204: noContent },
      },
      onRequest: [
        allow(bookPermissions.delete),
        requireOwnItem(database, resource, bookPermissions.delete),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, resource);
      await deleteBook(database, id, expectedRevision(request), {
        principal: request.principal,
        ownedBy: request.ownedBy,
        resource,
      });
      return reply.code(204).send();
    },
  );

  const byPerson = nested.person_id;
  if (byPerson !== undefined) {
    app.get(
      `/${byPerson.parent}/:id/${byPerson.path}`,
      {
        schema: {
          operationId: `list${byPerson.name}`,
          tags,
          summary: `List the ${doc.words} of ${byPerson.resource.anItem}`,
          querystring: listQuery(lists),
          response: { 200: pageOf(doc.item, lists) },
        },
        onRequest: requireItem(database, byPerson.resource),
      },
      async (request, reply) => {
        const id = idOf(request, byPerson.resource);
        const list = readList(
          request,
          lists,
          services,
          `${byPerson.parent}/${id}/${byPerson.path}`,
        );
        const page = await listBooks(
          database,
          list,
          [{ column: '"books"."person_id"', id }],
          table,
        );
        return sendPage(request, reply, list, page, services);
      },
    );

    app.post(
      `/${byPerson.parent}/:id/${byPerson.path}`,
      {
        schema: {
          operationId: `create${byPerson.name}`,
          tags,
          summary: `Create ${resource.anItem} of ${byPerson.resource.anItem}`,
          headers: idempotencyKey,
          body: bodyBelow(doc.body, resource.references.person_id),
          response: { 201: doc.item, ...taken(...doc.unique) },
        },
        onRequest: [allow(bookPermissions.create), requireItem(database, byPerson.resource)],
      },
      async (request, reply) => {
        refuseParameters(request);
        const id = idOf(request, byPerson.resource);
        return createOnce(request, reply, services, async (inside) => {
          const values = bodies.create(request, { person_id: id });
          const item = await createBook(inside, values, { principal: request.principal, resource });
          return createdAnswer(request, path, show(item));
        });
      },
    );
  }
}
