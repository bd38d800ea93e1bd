/** The endpoints of loans. */
import type { FastifyInstance } from 'fastify';

import { allow } from '../../platform/auth/permissions.ts';
import { requireItem } from '../../platform/database/not-found.ts';
import { createOnce } from '../../platform/http/idempotency.ts';
import { created, idOf, sendItem, updated } from '../../platform/http/item.ts';
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
import { noContent, pageOf, taken } from '../../platform/openapi/responses.ts';
import { bodyBelow } from '../../platform/openapi/schemas.ts';
import type { Services } from '../../platform/services.ts';
import { createLoan, deleteLoan, findLoan, listLoans, updateLoan } from './repository.ts';
import { loanPermissions } from './schema.ts';
import { loanViews } from './views.ts';

/** Registers the endpoints that a version has, below its path. */
export function loansRoutes(app: FastifyInstance, services: Services, version: number): void {
  const view = loanViews[version];
  if (view === undefined) return;
  const { path, kind, bodies, lists, table, nested, show, doc } = view;
  const { database } = services;
  const tags = [doc.tag];

  app.get(
    `/${path}`,
    {
      schema: {
        operationId: `list${doc.types}`,
        tags,
        summary: `List ${doc.words}`,
        querystring: listQuery(lists),
        response: { 200: pageOf(doc.item, lists) },
      },
      onRequest: allow(loanPermissions.read),
    },
    async (request, reply) => {
      const list = readList(request, lists, services, path);
      const page = await listLoans(database, list, [], table);
      return sendPage(request, reply, path, list, page, services);
    },
  );

  app.post(
    `/${path}`,
    {
      schema: {
        operationId: `create${doc.type}`,
        tags,
        summary: `Create ${kind.constraints.item}`,
        headers: idempotencyKey,
        body: doc.body,
        response: { 201: doc.item, ...taken(...doc.unique) },
      },
      onRequest: allow(loanPermissions.create),
    },
    async (request, reply) => {
      refuseParameters(request);
      return createOnce(request, reply, services, {
        read: () => bodies.create(request),
        create: async (inside, values) =>
          created(request, path, show(await createLoan(inside, values, kind))),
      });
    },
  );

  app.get(
    `/${path}/:id`,
    {
      schema: {
        operationId: `get${doc.type}`,
        tags,
        summary: `Get ${kind.constraints.item}`,
        headers: ifNoneMatch,
        response: { 200: doc.item },
      },
      onRequest: allow(loanPermissions.read),
    },
    async (request, reply) => {
      const item = await findLoan(database, idOf(request, kind), kind);
      refuseParameters(request);
      return sendItem(request, reply, show(item));
    },
  );

  app.put(
    `/${path}/:id`,
    {
      schema: {
        operationId: `replace${doc.type}`,
        tags,
        summary: `Replace ${kind.constraints.item}`,
        headers: ifMatch,
        body: doc.body,
        response: { 200: doc.item, ...taken(...doc.unique) },
      },
      onRequest: [allow(loanPermissions.update), requireItem(database, kind), checkPreconditions],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, kind);
      const item = await updateLoan(
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
      schema: {
        operationId: `update${doc.type}`,
        tags,
        summary: `Update ${kind.constraints.item}`,
        headers: ifMatch,
        body: doc.body,
        response: { 200: doc.item, ...taken(...doc.unique) },
      },
      onRequest: [allow(loanPermissions.update), requireItem(database, kind), checkPreconditions],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, kind);
      const item = await updateLoan(
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
      schema: {
        operationId: `delete${doc.type}`,
        tags,
        summary: `Delete ${kind.constraints.item}`,
        headers: ifMatch,
        response: { 204: noContent },
      },
      onRequest: [allow(loanPermissions.delete), requireItem(database, kind), checkPreconditions],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, kind);
      await deleteLoan(database, id, expectedRevision(request), kind);
      return reply.code(204).send();
    },
  );

  const byBook = nested.book_id;
  if (byBook !== undefined) {
    app.get(
      `/${byBook.parent}/:id/${byBook.path}`,
      {
        schema: {
          operationId: `list${byBook.name}`,
          tags,
          summary: `List the ${doc.words} of ${byBook.anItem}`,
          querystring: listQuery(lists),
          response: { 200: pageOf(doc.item, lists) },
        },
        onRequest: [allow(loanPermissions.read), requireItem(database, byBook.kind)],
      },
      async (request, reply) => {
        const id = idOf(request, byBook.kind);
        const below = `${byBook.parent}/${id}/${byBook.path}`;
        const list = readList(request, lists, services, below);
        const page = await listLoans(database, list, [{ column: '"loans"."book_id"', id }], table);
        return sendPage(request, reply, below, list, page, services);
      },
    );

    app.post(
      `/${byBook.parent}/:id/${byBook.path}`,
      {
        schema: {
          operationId: `create${byBook.name}`,
          tags,
          summary: `Create ${kind.constraints.item} of ${byBook.anItem}`,
          headers: idempotencyKey,
          body: bodyBelow(doc.body, kind.references.book_id),
          response: { 201: doc.item, ...taken(...doc.unique) },
        },
        onRequest: [allow(loanPermissions.create), requireItem(database, byBook.kind)],
      },
      async (request, reply) => {
        refuseParameters(request);
        const id = idOf(request, byBook.kind);
        return createOnce(request, reply, services, {
          read: () => bodies.create(request, { book_id: id }),
          create: async (inside, values) =>
            created(request, path, show(await createLoan(inside, values, kind))),
        });
      },
    );
  }
}
