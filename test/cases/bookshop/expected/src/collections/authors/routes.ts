/**
 * The endpoints of authors.
 *
 * Somebody who wrote a book that the shop sells.
 */
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
  createAuthor,
  deleteAuthor,
  findAuthor,
  listAuthors,
  AUTHOR_KIND,
  updateAuthor,
} from './repository.ts';
import { authorBodies, authorLists, authorPermissions } from './schema.ts';

/** Registers the endpoints, below the path of a version. */
export function authorsRoutes(app: FastifyInstance, services: Services): void {
  const { database, cursors } = services;

  app.get('/authors', async (request, reply) => {
    const path = 'authors';
    const list = readList(request, authorLists, cursors, path);
    const page = await listAuthors(database, list);
    return sendPage(request, reply, path, list, page, services);
  });

  app.post('/authors', { onRequest: allow(authorPermissions.create) }, async (request, reply) => {
    refuseParameters(request);
    return createOnce(request, reply, services, {
      read: () => authorBodies.create(request),
      create: async (inside, values) =>
        created(request, 'authors', await createAuthor(inside, values)),
    });
  });

  app.get('/authors/:id', async (request, reply) => {
    const item = await findAuthor(database, idOf(request, AUTHOR_KIND));
    refuseParameters(request);
    return sendItem(request, reply, item);
  });

  app.put(
    '/authors/:id',
    {
      onRequest: [
        allow(authorPermissions.update),
        requireItem(database, AUTHOR_KIND),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, AUTHOR_KIND);
      const item = await updateAuthor(database, id, expectedRevision(request), (stored) =>
        authorBodies.replace(request, stored),
      );
      return updated(request, reply, item);
    },
  );

  app.patch(
    '/authors/:id',
    {
      onRequest: [
        allow(authorPermissions.update),
        requireItem(database, AUTHOR_KIND),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, AUTHOR_KIND);
      const item = await updateAuthor(database, id, expectedRevision(request), (stored) =>
        authorBodies.patch(request, stored),
      );
      return updated(request, reply, item);
    },
  );

  app.delete(
    '/authors/:id',
    {
      onRequest: [
        allow(authorPermissions.delete),
        requireItem(database, AUTHOR_KIND),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, AUTHOR_KIND);
      await deleteAuthor(database, id, expectedRevision(request));
      return reply.code(204).send();
    },
  );
}
