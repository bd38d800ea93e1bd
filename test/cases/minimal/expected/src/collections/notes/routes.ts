/** The endpoints of notes. */
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
  createNote,
  deleteNote,
  findNote,
  listNotes,
  NOTE_KIND,
  updateNote,
} from './repository.ts';
import { noteBodies, noteLists, notePermissions } from './schema.ts';

/** Registers the endpoints, below the path of a version. */
export function notesRoutes(app: FastifyInstance, services: Services): void {
  const { database, cursors } = services;

  app.get('/notes', { onRequest: allow(notePermissions.read) }, async (request, reply) => {
    const path = 'notes';
    const list = readList(request, noteLists, cursors, path);
    const page = await listNotes(database, list);
    return sendPage(request, reply, path, list, page, services);
  });

  app.post('/notes', { onRequest: allow(notePermissions.create) }, async (request, reply) => {
    refuseParameters(request);
    return createOnce(request, reply, services, {
      read: () => noteBodies.create(request),
      create: async (inside, values) => created(request, 'notes', await createNote(inside, values)),
    });
  });

  app.get('/notes/:id', { onRequest: allow(notePermissions.read) }, async (request, reply) => {
    const item = await findNote(database, idOf(request, NOTE_KIND));
    refuseParameters(request);
    return sendItem(request, reply, item);
  });

  app.put(
    '/notes/:id',
    {
      onRequest: [
        allow(notePermissions.update),
        requireItem(database, NOTE_KIND),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, NOTE_KIND);
      const item = await updateNote(database, id, expectedRevision(request), (stored) =>
        noteBodies.replace(request, stored),
      );
      return updated(request, reply, item);
    },
  );

  app.patch(
    '/notes/:id',
    {
      onRequest: [
        allow(notePermissions.update),
        requireItem(database, NOTE_KIND),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, NOTE_KIND);
      const item = await updateNote(database, id, expectedRevision(request), (stored) =>
        noteBodies.patch(request, stored),
      );
      return updated(request, reply, item);
    },
  );

  app.delete(
    '/notes/:id',
    {
      onRequest: [
        allow(notePermissions.delete),
        requireItem(database, NOTE_KIND),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, NOTE_KIND);
      await deleteNote(database, id, expectedRevision(request));
      return reply.code(204).send();
    },
  );
}
