/**
 * The endpoints of records.
 *
 * *∕ } process.exit(1); /*
 * `${process.exit(1)}`
 * '; drop table _tombstones; --
 * "
 * \
 * \'
 * </script><script>alert(1)</script>
 * {{name}} {{{name}}} {{#each}}
 * $$ $1 $tag$
 * a
 * b
 * c
 * � evil ��
 * | pipe | `tick` | [link](http://x) <b>bold</b> # head
 * -- sql comment
 * *∕
 * /* nested
 * %s %d %00
 * null
 *   tab
 * 🦄 𝔘𝔫𝔦𝔠𝔬𝔡𝔢
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
  createRecordItem,
  deleteRecordItem,
  findRecordItem,
  listRecords,
  RECORD_RESOURCE,
  updateRecordItem,
} from './repository.ts';
import {
  recordBodies,
  RecordItemBody,
  recordLists,
  recordPermissions,
  RecordItemShape,
} from './schema.ts';

/** Registers the endpoints, below the path of a version. */
export function recordsRoutes(app: FastifyInstance, services: Services): void {
  const { database } = services;
  const tags = ['Records'];
  const updateHooks = [
    allow(recordPermissions.update),
    requireItem(database, RECORD_RESOURCE),
    checkPreconditions,
  ];

  app.get(
    '/records',
    {
      schema: {
        operationId: 'listRecords',
        tags,
        summary: 'List records',
        querystring: listQuery(recordLists),
        response: { 200: pageOf(RecordItemShape, recordLists) },
      },
      onRequest: allow(recordPermissions.read),
    },
    async (request, reply) => {
      const list = readList(request, recordLists, services, 'records');
      const page = await listRecords(database, list);
      return sendPage(request, reply, list, page, services);
    },
  );

  app.post(
    '/records',
    {
      schema: {
        operationId: 'createRecordItem',
        tags,
        summary: 'Create a record',
        headers: idempotencyKey,
        body: RecordItemBody,
        response: { 201: RecordItemShape },
      },
      onRequest: allow(recordPermissions.create),
    },
    async (request, reply) => {
      refuseParameters(request);
      return createOnce(request, reply, services, async (inside) => {
        const values = recordBodies.create(request);
        const item = await createRecordItem(inside, values);
        return createdAnswer(request, 'records', item);
      });
    },
  );

  app.get(
    '/records/:id',
    {
      schema: {
        operationId: 'getRecordItem',
        tags,
        summary: 'Get a record',
        headers: ifNoneMatch,
        response: { 200: RecordItemShape },
      },
      onRequest: allow(recordPermissions.read),
    },
    async (request, reply) => {
      const item = await findRecordItem(database, idOf(request, RECORD_RESOURCE));
      refuseParameters(request);
      return sendItem(request, reply, item);
    },
  );

  app.put(
    '/records/:id',
    {
      schema: {
        operationId: 'replaceRecordItem',
        tags,
        summary: 'Replace a record',
        headers: ifMatch,
        body: RecordItemBody,
        response: { 200: RecordItemShape },
      },
      onRequest: updateHooks,
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, RECORD_RESOURCE);
      const item = await updateRecordItem(database, id, expectedRevision(request), (stored) =>
        recordBodies.replace(request, stored),
      );
      return sendUpdated(request, reply, item);
    },
  );

  app.patch(
    '/records/:id',
    {
      schema: {
        operationId: 'updateRecordItem',
        tags,
        summary: 'Update a record',
        headers: ifMatch,
        body: RecordItemBody,
        response: { 200: RecordItemShape },
      },
      onRequest: updateHooks,
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, RECORD_RESOURCE);
      const item = await updateRecordItem(database, id, expectedRevision(request), (stored) =>
        recordBodies.patch(request, stored),
      );
      return sendUpdated(request, reply, item);
    },
  );

  app.delete(
    '/records/:id',
    {
      schema: {
        operationId: 'deleteRecordItem',
        tags,
        summary: 'Delete a record',
        headers: ifMatch,
        response: { 204: noContent },
      },
      onRequest: [
        allow(recordPermissions.delete),
        requireItem(database, RECORD_RESOURCE),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, RECORD_RESOURCE);
      await deleteRecordItem(database, id, expectedRevision(request));
      return reply.code(204).send();
    },
  );
}
