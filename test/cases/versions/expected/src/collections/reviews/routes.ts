/** The endpoints of reviews. */
import type { FastifyInstance } from 'fastify';

import { ownItemsFilter, requireOwnItem } from '../../platform/auth/ownership.ts';
import { allow } from '../../platform/auth/permissions.ts';
import { requireItem } from '../../platform/database/not-found.ts';
import { createOnce } from '../../platform/http/idempotency.ts';
import { idOf, sendItem, sendUpdated } from '../../platform/http/item.ts';
import { readList } from '../../platform/http/list.ts';
import { sendPage } from '../../platform/http/page.ts';
import { checkPreconditions, expectedRevision } from '../../platform/http/preconditions.ts';
import { refuseParameters } from '../../platform/http/query.ts';
import { acceptJob } from '../../platform/jobs/accept-job.ts';
import { JobShape } from '../../platform/jobs/routes.ts';
import {
  idempotencyKey,
  ifMatch,
  ifNoneMatch,
  listQuery,
} from '../../platform/openapi/parameters.ts';
import { noContent, pageOf, taken } from '../../platform/openapi/responses.ts';
import { bodyBelow } from '../../platform/openapi/schemas.ts';
import type { Services } from '../../platform/services.ts';
import { deleteReview, dryRunReview, findReview, listReviews, updateReview } from './repository.ts';
import { reviewPermissions } from './schema.ts';
import { reviewViews } from './views.ts';

/** Registers the endpoints that a version has, below its path. */
export function reviewsRoutes(app: FastifyInstance, services: Services, version: number): void {
  const view = reviewViews[version];
  if (view === undefined) return;
  const { path, resource, bodies, lists, table, nested, show, doc } = view;
  const { database } = services;
  const tags = [doc.tag];
  const updateHooks = [
    allow(reviewPermissions.update, reviewPermissions.read),
    requireOwnItem(database, resource, reviewPermissions.read),
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
      onRequest: allow(reviewPermissions.read),
    },
    async (request, reply) => {
      const list = readList(request, lists, services, path);
      const page = await listReviews(
        database,
        list,
        ownItemsFilter(request, resource, reviewPermissions.read),
        table,
      );
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
        response: { 202: JobShape, ...taken(...doc.unique) },
      },
      onRequest: allow(reviewPermissions.create),
    },
    async (request, reply) => {
      refuseParameters(request);
      return createOnce(request, reply, services, async (inside) => {
        const values = bodies.create(request);
        return acceptJob(request, reply, inside, services, {
          collection: 'reviews',
          values,
          check: (transaction, itemId) => dryRunReview(transaction, values, itemId, resource),
        });
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
      onRequest: [
        allow(reviewPermissions.read),
        requireOwnItem(database, resource, reviewPermissions.read),
      ],
    },
    async (request, reply) => {
      const item = await findReview(database, idOf(request, resource), resource);
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
      const item = await updateReview(
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
      const item = await updateReview(
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
        allow(reviewPermissions.delete),
        requireItem(database, resource),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, resource);
      await deleteReview(database, id, expectedRevision(request), {
        principal: request.principal,
        resource,
      });
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
        onRequest: [allow(reviewPermissions.read), requireItem(database, byBook.resource)],
      },
      async (request, reply) => {
        const id = idOf(request, byBook.resource);
        const list = readList(request, lists, services, `${byBook.parent}/${id}/${byBook.path}`);
        const page = await listReviews(
          database,
          list,
          [
            { column: '"reviews"."book_id"', id },
            ...ownItemsFilter(request, resource, reviewPermissions.read),
          ],
          table,
        );
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
          response: { 202: JobShape, ...taken(...doc.unique) },
        },
        onRequest: [allow(reviewPermissions.create), requireItem(database, byBook.resource)],
      },
      async (request, reply) => {
        refuseParameters(request);
        const id = idOf(request, byBook.resource);
        return createOnce(request, reply, services, async (inside) => {
          const values = bodies.create(request, { book_id: id });
          return acceptJob(request, reply, inside, services, {
            collection: 'reviews',
            values,
            check: (transaction, itemId) => dryRunReview(transaction, values, itemId, resource),
          });
        });
      },
    );
  }
}
