/** The endpoints of books. */
import type { FastifyInstance } from 'fastify';

import { ownerOf, requireOwnItem } from '../../auth/ownership.ts';
import { allow } from '../../auth/permissions.ts';
import type { Services } from '../../app.ts';
import { requireItem } from '../../database/missing.ts';
import { createOnce } from '../../http/idempotency.ts';
import { created, idOf, sendItem, updated } from '../../http/item.ts';
import { readList } from '../../http/list.ts';
import { sendPage } from '../../http/page.ts';
import { checkPreconditions, expectedRevision } from '../../http/preconditions.ts';
import { refuseParameters } from '../../http/query.ts';
import { createBook, deleteBook, findBook, listBooks, updateBook } from './repository.ts';
import { bookPermissions } from './schema.ts';
import { bookViews } from './views.ts';

/** Registers the endpoints that a version has, below its path. */
export function booksRoutes(app: FastifyInstance, services: Services, version: number): void {
  const view = bookViews[version];
  if (view === undefined) return;
  const { path, kind, bodies, lists, table, nested, show } = view;
  const { database, cursors } = services;

  app.get(`/${path}`, async (request, reply) => {
    const list = readList(request, lists, cursors, path);
    const page = await listBooks(database, list, [], table);
    return sendPage(request, reply, path, list, page, services);
  });

  app.post(`/${path}`, { onRequest: allow(bookPermissions.create) }, async (request, reply) => {
    refuseParameters(request);
    return createOnce(request, reply, services, {
      read: () => bodies.create(request),
      create: async (inside, values) =>
        created(request, path, show(await createBook(inside, values, ownerOf(request), kind))),
    });
  });

  app.get(`/${path}/:id`, async (request, reply) => {
    const item = await findBook(database, idOf(request, kind), kind);
    refuseParameters(request);
    return sendItem(request, reply, show(item));
  });

  app.put(
    `/${path}/:id`,
    {
      onRequest: [
        allow(bookPermissions.update),
        requireOwnItem(database, kind, bookPermissions.update),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, kind);
      const item = await updateBook(
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
        allow(bookPermissions.update),
        requireOwnItem(database, kind, bookPermissions.update),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, kind);
      const item = await updateBook(
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
      onRequest: [
        allow(bookPermissions.delete),
        requireOwnItem(database, kind, bookPermissions.delete),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, kind);
      await deleteBook(database, id, expectedRevision(request), kind);
      return reply.code(204).send();
    },
  );

  const byPerson = nested.person_id;
  if (byPerson !== undefined) {
    app.get(
      `/${byPerson.parent}/:id/${byPerson.path}`,
      { onRequest: requireItem(database, byPerson.kind) },
      async (request, reply) => {
        const id = idOf(request, byPerson.kind);
        const below = `${byPerson.parent}/${id}/${byPerson.path}`;
        const list = readList(request, lists, cursors, below);
        const page = await listBooks(
          database,
          list,
          [{ column: '"books"."person_id"', id }],
          table,
        );
        return sendPage(request, reply, below, list, page, services);
      },
    );

    app.post(
      `/${byPerson.parent}/:id/${byPerson.path}`,
      { onRequest: [allow(bookPermissions.create), requireItem(database, byPerson.kind)] },
      async (request, reply) => {
        refuseParameters(request);
        const id = idOf(request, byPerson.kind);
        return createOnce(request, reply, services, {
          read: () => bodies.create(request, { person_id: id }),
          create: async (inside, values) =>
            created(request, path, show(await createBook(inside, values, ownerOf(request), kind))),
        });
      },
    );
  }
}
