/** The endpoints of notes. */
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
import { noContent, pageOf } from '../../platform/openapi/responses.ts';
import type { Services } from '../../platform/services.ts';
import {
  createNote,
  deleteNote,
  findNote,
  listNotes,
  NOTE_RESOURCE,
  updateNote,
} from './repository.ts';
import { noteBodies, NoteBody, noteLists, notePermissions, NoteShape } from './schema.ts';

/** Registers the endpoints, below the path of a version. */
export function notesRoutes(app: FastifyInstance, services: Services): void {
  const { database } = services;
  const tags = ['Notes'];
  const updateHooks = [
    allow(notePermissions.update),
    requireItem(database, NOTE_RESOURCE),
    checkPreconditions,
  ];

  app.get(
    '/notes',
    {
      schema: {
        operationId: 'listNotes',
        tags,
        summary: 'List notes',
        querystring: listQuery(noteLists),
        response: { 200: pageOf(NoteShape, noteLists) },
      },
      onRequest: allow(notePermissions.read),
    },
    async (request, reply) => {
      const list = readList(request, noteLists, services, 'notes');
      const page = await listNotes(database, list);
      return sendPage(request, reply, list, page, services);
    },
  );

  app.post(
    '/notes',
    {
      schema: {
        operationId: 'createNote',
        tags,
        summary: 'Create a note',
        headers: idempotencyKey,
        body: NoteBody,
        response: { 201: NoteShape },
      },
      onRequest: allow(notePermissions.create),
    },
    async (request, reply) => {
      refuseParameters(request);
      return createOnce(request, reply, services, async (inside) => {
        const values = noteBodies.create(request);
        const item = await createNote(inside, values, { principal: request.principal });
        return createdAnswer(request, 'notes', item);
      });
    },
  );

  app.get(
    '/notes/:id',
    {
      schema: {
        operationId: 'getNote',
        tags,
        summary: 'Get a note',
        headers: ifNoneMatch,
        response: { 200: NoteShape },
      },
      onRequest: allow(notePermissions.read),
    },
    async (request, reply) => {
      const item = await findNote(database, idOf(request, NOTE_RESOURCE));
      refuseParameters(request);
      return sendItem(request, reply, item);
    },
  );

  app.put(
    '/notes/:id',
    {
      schema: {
        operationId: 'replaceNote',
        tags,
        summary: 'Replace a note',
        headers: ifMatch,
        body: NoteBody,
        response: { 200: NoteShape },
      },
      onRequest: updateHooks,
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, NOTE_RESOURCE);
      const item = await updateNote(
        database,
        id,
        expectedRevision(request),
        (stored) => noteBodies.replace(request, stored),
        { principal: request.principal },
      );
      return sendUpdated(request, reply, item);
    },
  );

  app.patch(
    '/notes/:id',
    {
      schema: {
        operationId: 'updateNote',
        tags,
        summary: 'Update a note',
        headers: ifMatch,
        body: NoteBody,
        response: { 200: NoteShape },
      },
      onRequest: updateHooks,
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, NOTE_RESOURCE);
      const item = await updateNote(
        database,
        id,
        expectedRevision(request),
        (stored) => noteBodies.patch(request, stored),
        { principal: request.principal },
      );
      return sendUpdated(request, reply, item);
    },
  );

  app.delete(
    '/notes/:id',
    {
      schema: {
        operationId: 'deleteNote',
        tags,
        summary: 'Delete a note',
        headers: ifMatch,
        response: { 204: noContent },
      },
      onRequest: [
        allow(notePermissions.delete),
        requireItem(database, NOTE_RESOURCE),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, NOTE_RESOURCE);
      await deleteNote(database, id, expectedRevision(request), { principal: request.principal });
      return reply.code(204).send();
    },
  );
}
