/** The endpoints of loans. */
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
import { bodyBelow } from '../../platform/openapi/schemas.ts';
import type { Services } from '../../platform/services.ts';
import { createLoan, deleteLoan, findLoan, listLoans, updateLoan } from './repository.ts';
import { loanPermissions } from './schema.ts';
import { loanViews } from './views.ts';

/** Registers the endpoints that a version has, below its path. */
export function loansRoutes(app: FastifyInstance, services: Services, version: number): void {
  const view = loanViews[version];
  if (view === undefined) return;
  const { path, resource, bodies, lists, table, nested, show, doc } = view;
  const { database } = services;
  const tags = [doc.tag];
  const updateHooks = [
    allow(loanPermissions.update),
    requireItem(database, resource),
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
      onRequest: allow(loanPermissions.read),
    },
    async (request, reply) => {
      const list = readList(request, lists, services, path);
      const page = await listLoans(database, list, [], table);
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
      onRequest: allow(loanPermissions.create),
    },
    async (request, reply) => {
      refuseParameters(request);
      return createOnce(request, reply, services, async (inside) => {
        const values = bodies.create(request);
        const item = await createLoan(inside, values, { resource });
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
      onRequest: allow(loanPermissions.read),
    },
    async (request, reply) => {
      const item = await findLoan(database, idOf(request, resource), resource);
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
      const item = await updateLoan(
        database,
        id,
        expectedRevision(request),
        (stored) => bodies.replace(request, stored),
        resource,
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
      const item = await updateLoan(
        database,
        id,
        expectedRevision(request),
        (stored) => bodies.patch(request, stored),
        resource,
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
        allow(loanPermissions.delete),
        requireItem(database, resource),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, resource);
      await deleteLoan(database, id, expectedRevision(request), resource);
      return reply.code(204).send();
    },
  );

  const byBook = nested.book_id;
  if (byBook !== undefined) {
    app.get(
      `/${byBook.parent}/:id/${byBook.path}`,
      {
        schema: {
          operationId: `list${byBook.name}`,
          tags,
          summary: `List the ${doc.words} of ${byBook.resource.anItem}`,
          querystring: listQuery(lists),
          response: { 200: pageOf(doc.item, lists) },
        },
        onRequest: [allow(loanPermissions.read), requireItem(database, byBook.resource)],
      },
      async (request, reply) => {
        const id = idOf(request, byBook.resource);
        const list = readList(request, lists, services, `${byBook.parent}/${id}/${byBook.path}`);
        const page = await listLoans(database, list, [{ column: '"loans"."book_id"', id }], table);
        return sendPage(request, reply, list, page, services);
      },
    );

    app.post(
      `/${byBook.parent}/:id/${byBook.path}`,
      {
        schema: {
          operationId: `create${byBook.name}`,
          tags,
          summary: `Create ${resource.anItem} of ${byBook.resource.anItem}`,
          headers: idempotencyKey,
          body: bodyBelow(doc.body, resource.references.book_id),
          response: { 201: doc.item, ...taken(...doc.unique) },
        },
        onRequest: [allow(loanPermissions.create), requireItem(database, byBook.resource)],
      },
      async (request, reply) => {
        refuseParameters(request);
        const id = idOf(request, byBook.resource);
        return createOnce(request, reply, services, async (inside) => {
          const values = bodies.create(request, { book_id: id });
          const item = await createLoan(inside, values, { resource });
          return createdAnswer(request, path, show(item));
        });
      },
    );
  }
}
