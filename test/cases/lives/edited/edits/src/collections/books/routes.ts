/** The endpoints of books. */
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
  createBook,
  deleteBook,
  findBook,
  listBooks,
  BOOK_RESOURCE,
  updateBook,
} from './repository.ts';
import type { Book } from './schema.ts';
import { bookBodies, BookBody, bookLists, bookPermissions, BookShape } from './schema.ts';

/** All endpoints. */
export function booksRoutes(app: FastifyInstance, services: Services): void {
  const { database } = services;
  const tags = ['Books'];
  const updateHooks = [
    allow(bookPermissions.update),
    requireItem(database, BOOK_RESOURCE),
    checkPreconditions,
  ];

  app.get(
    '/books',
    {
      schema: {
        operationId: 'listBooks',
        tags,
        summary: 'List books',
        querystring: listQuery(bookLists),
        response: { 200: pageOf(BookShape, bookLists) },
      },
      onRequest: allow(bookPermissions.read),
    },
    async (request, reply) => {
      const list = readList(request, bookLists, services, 'books');
      const page = await listBooks(database, list);
      return sendPage(request, reply, list, page, services);
    },
  );

  app.post(
    '/books',
    {
      schema: {
        operationId: 'createBook',
        tags,
        summary: 'Create a book',
        headers: idempotencyKey,
        body: BookBody,
        response: { 201: BookShape },
      },
      onRequest: allow(bookPermissions.create),
    },
    async (request, reply) => {
      refuseParameters(request);
      return createOnce(request, reply, services, async (inside) => {
        const values = bookBodies.create(request);
        const item = await createBook(inside, values, { principal: request.principal });
        return createdAnswer(request, 'books', item);
      });
    },
  );

  app.get(
    '/books/:id',
    {
      schema: {
        operationId: 'getBook',
        tags,
        summary: 'Get a book',
        headers: ifNoneMatch,
        response: { 200: BookShape },
      },
      onRequest: allow(bookPermissions.read),
    },
    async (request, reply) => {
      const item = await findBook(database, idOf(request, BOOK_RESOURCE));
      refuseParameters(request);
      return sendItem(request, reply, item);
    },
  );

  app.put(
    '/books/:id',
    {
      schema: {
        operationId: 'replaceBook',
        tags,
        summary: 'Replace a book',
        headers: ifMatch,
        body: BookBody,
        response: { 200: BookShape },
      },
      onRequest: updateHooks,
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, BOOK_RESOURCE);
      const item = await updateBook(
        database,
        id,
        expectedRevision(request),
        (stored) => bookBodies.replace(request, stored),
        { principal: request.principal },
      );
      return sendUpdated(request, reply, item);
    },
  );

  app.patch(
    '/books/:id',
    {
      schema: {
        operationId: 'updateBook',
        tags,
        summary: 'Update a book',
        headers: ifMatch,
        body: BookBody,
        response: { 200: BookShape },
      },
      onRequest: updateHooks,
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, BOOK_RESOURCE);
      const item = await updateBook(
        database,
        id,
        expectedRevision(request),
        (stored) => bookBodies.patch(request, stored),
        { principal: request.principal },
      );
      return sendUpdated(request, reply, item);
    },
  );

  app.delete(
    '/books/:id',
    {
      schema: {
        operationId: 'deleteBook',
        tags,
        summary: 'Delete a book',
        headers: ifMatch,
        response: { 204: noContent },
      },
      onRequest: [
        allow(bookPermissions.delete),
        requireItem(database, BOOK_RESOURCE),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, BOOK_RESOURCE);
      await deleteBook(database, id, expectedRevision(request), { principal: request.principal });
      return reply.code(204).send();
    },
  );

  // The newest, for the shop window.
  app.get('/books/newest', async (request, reply) => {
    refuseParameters(request);
    const [book] = await database.query<Book>({
      text: 'select "id", "title" from "books" order by "id" desc limit 1',
    });
    return reply.send(book ?? null);
  });
}
