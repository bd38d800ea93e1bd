/**
 * The endpoints of reviews.
 *
 * What one reader says of one book.
 */
import type { FastifyInstance } from 'fastify';

import { requireOwnItem } from '../../platform/auth/ownership.ts';
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
import { bodyBelow } from '../../platform/openapi/schemas.ts';
import type { Services } from '../../platform/services.ts';
import { BOOK_RESOURCE } from '../books/repository.ts';
import {
  createReview,
  deleteReview,
  findReview,
  listReviews,
  REVIEW_RESOURCE,
  updateReview,
} from './repository.ts';
import { reviewBodies, ReviewBody, reviewLists, reviewPermissions, ReviewShape } from './schema.ts';

/** Registers the endpoints, below the path of a version. */
export function reviewsRoutes(app: FastifyInstance, services: Services): void {
  const { database } = services;
  const tags = ['Reviews'];
  const updateHooks = [
    allow(reviewPermissions.update),
    requireOwnItem(database, REVIEW_RESOURCE, reviewPermissions.update),
    checkPreconditions,
  ];

  app.get(
    '/reviews',
    {
      schema: {
        operationId: 'listReviews',
        tags,
        summary: 'List reviews',
        querystring: listQuery(reviewLists),
        response: { 200: pageOf(ReviewShape, reviewLists) },
      },
    },
    async (request, reply) => {
      const list = readList(request, reviewLists, services, 'reviews');
      const page = await listReviews(database, list);
      return sendPage(request, reply, list, page, services);
    },
  );

  app.post(
    '/reviews',
    {
      schema: {
        operationId: 'createReview',
        tags,
        summary: 'Create a review',
        headers: idempotencyKey,
        body: ReviewBody,
        response: { 201: ReviewShape },
      },
      onRequest: allow(reviewPermissions.create),
    },
    async (request, reply) => {
      refuseParameters(request);
      return createOnce(request, reply, services, async (inside) => {
        const values = reviewBodies.create(request);
        const item = await createReview(inside, values, { principal: request.principal });
        return createdAnswer(request, 'reviews', item);
      });
    },
  );

  app.get(
    '/reviews/:id',
    {
      schema: {
        operationId: 'getReview',
        tags,
        summary: 'Get a review',
        headers: ifNoneMatch,
        response: { 200: ReviewShape },
      },
    },
    async (request, reply) => {
      const item = await findReview(database, idOf(request, REVIEW_RESOURCE));
      refuseParameters(request);
      return sendItem(request, reply, item);
    },
  );

  app.put(
    '/reviews/:id',
    {
      schema: {
        operationId: 'replaceReview',
        tags,
        summary: 'Replace a review',
        headers: ifMatch,
        body: ReviewBody,
        response: { 200: ReviewShape },
      },
      onRequest: updateHooks,
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, REVIEW_RESOURCE);
      const item = await updateReview(
        database,
        id,
        expectedRevision(request),
        (stored) => reviewBodies.replace(request, stored),
        { principal: request.principal, ownedBy: request.ownedBy },
      );
      return sendUpdated(request, reply, item);
    },
  );

  app.patch(
    '/reviews/:id',
    {
      schema: {
        operationId: 'updateReview',
        tags,
        summary: 'Update a review',
        headers: ifMatch,
        body: ReviewBody,
        response: { 200: ReviewShape },
      },
      onRequest: updateHooks,
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, REVIEW_RESOURCE);
      const item = await updateReview(
        database,
        id,
        expectedRevision(request),
        (stored) => reviewBodies.patch(request, stored),
        { principal: request.principal, ownedBy: request.ownedBy },
      );
      return sendUpdated(request, reply, item);
    },
  );

  app.delete(
    '/reviews/:id',
    {
      schema: {
        operationId: 'deleteReview',
        tags,
        summary: 'Delete a review',
        headers: ifMatch,
        response: { 204: noContent },
      },
      onRequest: [
        allow(reviewPermissions.delete),
        requireOwnItem(database, REVIEW_RESOURCE, reviewPermissions.delete),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, REVIEW_RESOURCE);
      await deleteReview(database, id, expectedRevision(request), {
        principal: request.principal,
        ownedBy: request.ownedBy,
      });
      return reply.code(204).send();
    },
  );

  app.get(
    '/books/:id/reviews',
    {
      schema: {
        operationId: 'listReviewsOfBook',
        tags,
        summary: 'List the reviews of a book',
        querystring: listQuery(reviewLists),
        response: { 200: pageOf(ReviewShape, reviewLists) },
      },
      onRequest: requireItem(database, BOOK_RESOURCE),
    },
    async (request, reply) => {
      const id = idOf(request, BOOK_RESOURCE);
      const list = readList(request, reviewLists, services, `books/${id}/reviews`);
      const page = await listReviews(database, list, [{ column: '"reviews"."book_id"', id }]);
      return sendPage(request, reply, list, page, services);
    },
  );

  app.post(
    '/books/:id/reviews',
    {
      schema: {
        operationId: 'createReviewsOfBook',
        tags,
        summary: 'Create a review of a book',
        headers: idempotencyKey,
        body: bodyBelow(ReviewBody, 'book_id'),
        response: { 201: ReviewShape },
      },
      onRequest: [allow(reviewPermissions.create), requireItem(database, BOOK_RESOURCE)],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, BOOK_RESOURCE);
      return createOnce(request, reply, services, async (inside) => {
        const values = reviewBodies.create(request, { book_id: id });
        const item = await createReview(inside, values, { principal: request.principal });
        return createdAnswer(request, 'reviews', item);
      });
    },
  );
}
