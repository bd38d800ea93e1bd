/** The endpoints of books. */
import type { FastifyInstance } from 'fastify';

import { allow } from '../../auth/permissions.ts';
import type { Services } from '../../app.ts';
import { requireItem } from '../../database/missing.ts';
import { createOnce } from '../../http/idempotency.ts';
import { created, idOf, sendItem, updated } from '../../http/item.ts';
import { readList } from '../../http/list.ts';
import { sendPage } from '../../http/page.ts';
import { checkPreconditions, expectedRevision } from '../../http/preconditions.ts';
import { refuseParameters } from '../../http/query.ts';
import {
  createBook,
  deleteBook,
  findBook,
  listBooks,
  BOOK_KIND,
  updateBook,
} from './repository.ts';
import { bookBodies, bookLists, bookPermissions } from './schema.ts';

/** Registers the endpoints, below the path of a version. */
export function booksRoutes(app: FastifyInstance, services: Services): void {
  const { database, cursors } = services;

  app.get('/books', { onRequest: allow(bookPermissions.read) }, async (request, reply) => {
    const path = 'books';
    const list = readList(request, bookLists, cursors, path);
    const page = await listBooks(database, list);
    return sendPage(request, reply, path, list, page, services);
  });

  app.post('/books', { onRequest: allow(bookPermissions.create) }, async (request, reply) => {
    refuseParameters(request);
    return createOnce(request, reply, services, {
      read: () => bookBodies.create(request),
      create: async (inside, values) => created(request, 'books', await createBook(inside, values)),
    });
  });

  app.get('/books/:id', { onRequest: allow(bookPermissions.read) }, async (request, reply) => {
    const item = await findBook(database, idOf(request, BOOK_KIND));
    refuseParameters(request);
    return sendItem(request, reply, item);
  });

  app.put(
    '/books/:id',
    {
      onRequest: [
        allow(bookPermissions.update),
        requireItem(database, BOOK_KIND),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, BOOK_KIND);
      const item = await updateBook(database, id, expectedRevision(request), (stored) =>
        bookBodies.replace(request, stored),
      );
      return updated(request, reply, item);
    },
  );

  app.patch(
    '/books/:id',
    {
      onRequest: [
        allow(bookPermissions.update),
        requireItem(database, BOOK_KIND),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, BOOK_KIND);
      const item = await updateBook(database, id, expectedRevision(request), (stored) =>
        bookBodies.patch(request, stored),
      );
      return updated(request, reply, item);
    },
  );

  app.delete(
    '/books/:id',
    {
      onRequest: [
        allow(bookPermissions.delete),
        requireItem(database, BOOK_KIND),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, BOOK_KIND);
      await deleteBook(database, id, expectedRevision(request));
      return reply.code(204).send();
    },
  );
}
