/** `POST /books/{id}/publication`: publishes a book together with its first review. */
import type { FastifyInstance } from 'fastify';

import { BOOK_RESOURCE, updateBook } from '../collections/books/repository.ts';
import { bookPermissions } from '../collections/books/schema.ts';
import type { Book } from '../collections/books/schema.ts';
import { createReview } from '../collections/reviews/repository.ts';
import { views } from '../collections/views.ts';
import { allow } from '../platform/auth/permissions.ts';
import { requireItem } from '../platform/database/not-found.ts';
import { conflict } from '../platform/http/errors.ts';
import { createOnce } from '../platform/http/idempotency.ts';
import { createdAnswer, idOf } from '../platform/http/item.ts';
import { refuseParameters } from '../platform/http/query.ts';
import { idempotencyKey } from '../platform/openapi/parameters.ts';
import { refusal } from '../platform/openapi/responses.ts';
import { bodyBelow } from '../platform/openapi/schemas.ts';
import type { Services } from '../platform/services.ts';

const PUBLISHED = 'This book is published already.';

function publish(book: Book): Book {
  if (book.status === 'published') throw conflict(PUBLISHED);
  return { ...book, status: 'published', published_at: new Date().toISOString() };
}

/** Registers the endpoint, below the path of a version. */
export function publicationRoutes(app: FastifyInstance, services: Services, version: number): void {
  const reviews = views.reviews(version);
  app.post(
    '/books/:id/publication',
    {
      schema: {
        operationId: 'publishBook',
        tags: ['Books'],
        summary: 'Publish a book with its first review',
        headers: idempotencyKey,
        body: bodyBelow(reviews.body, 'book_id'),
        response: { 201: reviews.shape, 409: refusal(PUBLISHED) },
      },
      onRequest: [allow(bookPermissions.update), requireItem(services.database, BOOK_RESOURCE)],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, BOOK_RESOURCE);
      return createOnce(request, reply, services, (database) => {
        const values = reviews.bodies.create(request, { book_id: id });
        return database.transaction(async (transaction) => {
          const by = { principal: request.principal };
          // The book first: every transaction that locks both must lock them in this order.
          await updateBook(transaction, id, undefined, publish, by);
          const names = { ...by, resource: reviews.resource };
          const review = await createReview(transaction, values, names);
          return createdAnswer(request, reviews.path, reviews.show(review));
        });
      });
    },
  );
}
