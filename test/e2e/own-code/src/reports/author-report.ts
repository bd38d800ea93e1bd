/** `GET /authors/{id}/report`: how many books of an author the shop has, and what readers say. */
import type { FastifyInstance } from 'fastify';

import { AUTHOR_RESOURCE } from '../collections/authors/repository.ts';
import { allow } from '../platform/auth/permissions.ts';
import { requireItem } from '../platform/database/not-found.ts';
import { idOf, sendJson } from '../platform/http/item.ts';
import { refuseParameters } from '../platform/http/query.ts';
import { described, integer, number, object, optional } from '../platform/http/shapes.ts';
import type { Services } from '../platform/services.ts';

const AuthorReport = described(
  'The books of an author, and what readers say of them.',
  object({
    books: integer({ minimum: 0 }),
    published: integer({ minimum: 0 }),
    reviews: integer({ minimum: 0 }),
    rating: described('The average; null without reviews.', optional(number())),
  }),
);

const REPORT = {
  prepared: true,
  text: `select count(distinct "books"."id") as "books",
      count(distinct "books"."id") filter (where "status" = 'published') as "published",
      count("reviews"."id") as "reviews", avg("rating")::float8 as "rating"
    from "books" left join "reviews" on "book_id" = "books"."id"
    where "author_id" = $1`,
};

/** Registers the endpoint, below the path of a version. */
export function reportRoutes(app: FastifyInstance, { database }: Services): void {
  app.get(
    '/authors/:id/report',
    {
      schema: {
        operationId: 'getAuthorReport',
        tags: ['Reports'],
        summary: 'Get a report on an author',
        response: { 200: AuthorReport },
      },
      onRequest: [allow(['editor']), requireItem(database, AUTHOR_RESOURCE)],
    },
    async (request, reply) => {
      refuseParameters(request);
      const [report] = await database.query(REPORT, [idOf(request, AUTHOR_RESOURCE)]);
      return sendJson(request, reply, report);
    },
  );
}
