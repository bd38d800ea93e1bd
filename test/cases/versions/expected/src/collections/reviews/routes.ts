/** The endpoints of reviews. */
import type { FastifyInstance } from 'fastify';

import { ownScope, requireOwnItem } from '../../auth/ownership.ts';
import { allow } from '../../auth/permissions.ts';
import type { Services } from '../../app.ts';
import { requireItem } from '../../database/missing.ts';
import { createOnce } from '../../http/idempotency.ts';
import { idOf, sendItem, updated } from '../../http/item.ts';
import { readList } from '../../http/list.ts';
import { sendPage } from '../../http/page.ts';
import { checkPreconditions, expectedRevision } from '../../http/preconditions.ts';
import { refuseParameters } from '../../http/query.ts';
import { accept } from '../../jobs/accept.ts';
import { deleteReview, findReview, listReviews, tryReview, updateReview } from './repository.ts';
import { reviewPermissions } from './schema.ts';
import { reviewViews } from './views.ts';

/** Registers the endpoints that a version has, below its path. */
export function reviewsRoutes(app: FastifyInstance, services: Services, version: number): void {
  const view = reviewViews[version];
  if (view === undefined) return;
  const { path, kind, bodies, lists, table, nested, show } = view;
  const { database, cursors } = services;

  app.get(`/${path}`, { onRequest: allow(reviewPermissions.read) }, async (request, reply) => {
    const list = readList(request, lists, cursors, path);
    const page = await listReviews(
      database,
      list,
      ownScope(request, kind, reviewPermissions.read),
      table,
    );
    return sendPage(request, reply, path, list, page, services);
  });

  app.post(`/${path}`, { onRequest: allow(reviewPermissions.create) }, async (request, reply) => {
    refuseParameters(request);
    return createOnce(request, reply, services, {
      read: () => bodies.create(request),
      create: (inside, values) =>
        accept(request, reply, inside, services, {
          collection: 'reviews',
          values,
          check: (transaction) => tryReview(transaction, values, kind),
        }),
    });
  });

  app.get(
    `/${path}/:id`,
    {
      onRequest: [
        allow(reviewPermissions.read),
        requireOwnItem(database, kind, reviewPermissions.read),
      ],
    },
    async (request, reply) => {
      const item = await findReview(database, idOf(request, kind), kind);
      refuseParameters(request);
      return sendItem(request, reply, show(item));
    },
  );

  app.put(
    `/${path}/:id`,
    {
      onRequest: [
        allow(reviewPermissions.update, reviewPermissions.read),
        requireOwnItem(database, kind, reviewPermissions.read),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, kind);
      const item = await updateReview(
        database,
        id,
        expectedRevision(request),
        (stored) => bodies.replace(request, stored),
        kind,
      );
      return updated(request, reply, show(item));
    },
  );

  app.patch(
    `/${path}/:id`,
    {
      onRequest: [
        allow(reviewPermissions.update, reviewPermissions.read),
        requireOwnItem(database, kind, reviewPermissions.read),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, kind);
      const item = await updateReview(
        database,
        id,
        expectedRevision(request),
        (stored) => bodies.patch(request, stored),
        kind,
      );
      return updated(request, reply, show(item));
    },
  );

  app.delete(
    `/${path}/:id`,
    {
      onRequest: [allow(reviewPermissions.delete), requireItem(database, kind), checkPreconditions],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, kind);
      await deleteReview(database, id, expectedRevision(request), kind);
      return reply.code(204).send();
    },
  );

  const byBook = nested.book_id;
  if (byBook !== undefined) {
    app.get(
      `/${byBook.parent}/:id/${byBook.path}`,
      { onRequest: [allow(reviewPermissions.read), requireItem(database, byBook.kind)] },
      async (request, reply) => {
        const id = idOf(request, byBook.kind);
        const below = `${byBook.parent}/${id}/${byBook.path}`;
        const list = readList(request, lists, cursors, below);
        const page = await listReviews(
          database,
          list,
          [
            { column: '"reviews"."book_id"', id },
            ...ownScope(request, kind, reviewPermissions.read),
          ],
          table,
        );
        return sendPage(request, reply, below, list, page, services);
      },
    );

    app.post(
      `/${byBook.parent}/:id/${byBook.path}`,
      { onRequest: [allow(reviewPermissions.create), requireItem(database, byBook.kind)] },
      async (request, reply) => {
        refuseParameters(request);
        const id = idOf(request, byBook.kind);
        return createOnce(request, reply, services, {
          read: () => bodies.create(request, { book_id: id }),
          create: (inside, values) =>
            accept(request, reply, inside, services, {
              collection: 'reviews',
              values,
              check: (transaction) => tryReview(transaction, values, kind),
            }),
        });
      },
    );
  }
}
