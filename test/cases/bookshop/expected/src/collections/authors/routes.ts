/**
 * The endpoints of authors.
 *
 * Somebody who wrote a book that the shop sells.
 */
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
  createAuthor,
  deleteAuthor,
  findAuthor,
  listAuthors,
  AUTHOR_RESOURCE,
  updateAuthor,
} from './repository.ts';
import { authorBodies, AuthorBody, authorLists, authorPermissions, AuthorShape } from './schema.ts';

/** Registers the endpoints, below the path of a version. */
export function authorsRoutes(app: FastifyInstance, services: Services): void {
  const { database } = services;
  const tags = ['Authors'];
  const updateHooks = [
    allow(authorPermissions.update),
    requireItem(database, AUTHOR_RESOURCE),
    checkPreconditions,
  ];

  app.get(
    '/authors',
    {
      schema: {
        operationId: 'listAuthors',
        tags,
        summary: 'List authors',
        querystring: listQuery(authorLists),
        response: { 200: pageOf(AuthorShape, authorLists) },
      },
    },
    async (request, reply) => {
      const list = readList(request, authorLists, services, 'authors');
      const page = await listAuthors(database, list);
      return sendPage(request, reply, list, page, services);
    },
  );

  app.post(
    '/authors',
    {
      schema: {
        operationId: 'createAuthor',
        tags,
        summary: 'Create an author',
        headers: idempotencyKey,
        body: AuthorBody,
        response: { 201: AuthorShape },
      },
      onRequest: allow(authorPermissions.create),
    },
    async (request, reply) => {
      refuseParameters(request);
      return createOnce(request, reply, services, async (inside) => {
        const values = authorBodies.create(request);
        const item = await createAuthor(inside, values, { principal: request.principal });
        return createdAnswer(request, 'authors', item);
      });
    },
  );

  app.get(
    '/authors/:id',
    {
      schema: {
        operationId: 'getAuthor',
        tags,
        summary: 'Get an author',
        headers: ifNoneMatch,
        response: { 200: AuthorShape },
      },
    },
    async (request, reply) => {
      const item = await findAuthor(database, idOf(request, AUTHOR_RESOURCE));
      refuseParameters(request);
      return sendItem(request, reply, item);
    },
  );

  app.put(
    '/authors/:id',
    {
      schema: {
        operationId: 'replaceAuthor',
        tags,
        summary: 'Replace an author',
        headers: ifMatch,
        body: AuthorBody,
        response: { 200: AuthorShape },
      },
      onRequest: updateHooks,
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, AUTHOR_RESOURCE);
      const item = await updateAuthor(
        database,
        id,
        expectedRevision(request),
        (stored) => authorBodies.replace(request, stored),
        { principal: request.principal },
      );
      return sendUpdated(request, reply, item);
    },
  );

  app.patch(
    '/authors/:id',
    {
      schema: {
        operationId: 'updateAuthor',
        tags,
        summary: 'Update an author',
        headers: ifMatch,
        body: AuthorBody,
        response: { 200: AuthorShape },
      },
      onRequest: updateHooks,
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, AUTHOR_RESOURCE);
      const item = await updateAuthor(
        database,
        id,
        expectedRevision(request),
        (stored) => authorBodies.patch(request, stored),
        { principal: request.principal },
      );
      return sendUpdated(request, reply, item);
    },
  );

  app.delete(
    '/authors/:id',
    {
      schema: {
        operationId: 'deleteAuthor',
        tags,
        summary: 'Delete an author',
        headers: ifMatch,
        response: { 204: noContent },
      },
      onRequest: [
        allow(authorPermissions.delete),
        requireItem(database, AUTHOR_RESOURCE),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, AUTHOR_RESOURCE);
      await deleteAuthor(database, id, expectedRevision(request), { principal: request.principal });
      return reply.code(204).send();
    },
  );
}
