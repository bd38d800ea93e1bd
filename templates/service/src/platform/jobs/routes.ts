/** `GET /jobs/{id}`: the status of a creation that was accepted with 202. */
import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Services } from '../services.ts';
import { unauthorized } from '../auth/authenticate.ts';
import { isAdmin } from '../auth/principal.ts';
import { guard } from '../auth/permissions.ts';
import type { Database } from '../database/database.ts';
import { forbidden } from '../http/errors.ts';
import { idOf, sendItem } from '../http/item.ts';
import { refuseParameters } from '../http/query.ts';
import { itemShape, object, oneOf, optional, string } from '../http/shapes.ts';
import { isUuid } from '../http/uuid.ts';
import { ifNoneMatch } from '../openapi/parameters.ts';
import { findJob, JOB_RESOURCE, jobNotFoundError } from './job-store.ts';
import type { Job } from './job-store.ts';
import type { Queue } from './queue.ts';
import type { AnyWork } from './work.ts';

declare module '../services.ts' {
  interface Services {
    readonly jobs: Queue;
    /** How items are created in the background, by collection. */
    readonly works: Readonly<Record<string, AnyWork>>;
  }
}

/** A job as clients read it. */
export const JobShape = itemShape(
  'Job',
  'Work that was accepted with 202. `resource` is the URL of the item once the job has succeeded, `error` a sentence once it has failed.',
  object({}),
  {
    readOnly: object({
      status: oneOf(['queued', 'running', 'succeeded', 'failed']),
      resource: optional(string()),
      error: optional(string()),
    }),
  },
);

/** Registers the endpoint below the base path of a version. There is no list of jobs. */
export function jobsRoutes(app: FastifyInstance, services: Services): void {
  const { database } = services;

  app.get(
    '/jobs/:id',
    {
      schema: {
        operationId: 'getJob',
        tags: ['Jobs'],
        summary: 'Get a job',
        headers: ifNoneMatch,
        response: { 200: JobShape },
      },
      onRequest: guard([['owner']], async (request) => requireOwnJob(database, request)),
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, JOB_RESOURCE);
      const job = await findJob(database, id);
      if (job === undefined) throw jobNotFoundError(id);
      return sendItem(request, reply, jobResource(request, job, services));
    },
  );
}

/** A job as clients read it. `resource` is the URL of the item in the requested version. */
export function jobResource(
  { api }: FastifyRequest,
  { id, collection, item_id: item, status, error, created_at, updated_at }: Job,
  { publicUrl, works }: Services,
) {
  const work = Object.hasOwn(works, collection) ? works[collection] : undefined;
  // Undefined if the version does not have the collection.
  const path = work?.paths[api.version];
  const hasItem = status === 'succeeded' && path !== undefined;
  const resource = hasItem ? `${publicUrl}${api.base}/${path}/${item}` : null;
  return { id, status, resource, error, created_at, updated_at };
}

/**
 * An `onRequest` hook: only the creator of a job and administrators may read it. A job that was
 * created without a credential can be read by everybody who knows its id, which is random.
 */
async function requireOwnJob(database: Database, request: FastifyRequest): Promise<void> {
  const { principal } = request;
  const { id } = request.params as { id: string };
  const job = isUuid(id) ? await findJob(database, id) : undefined;
  if (job?.creator_id === null) return;
  if (principal === undefined)
    throw unauthorized('Authentication is required: send an Authorization header.');
  if (job === undefined) throw jobNotFoundError(idOf(request, JOB_RESOURCE));
  if (isAdmin(principal) || job.creator_id === principal.userId) return;
  throw forbidden('This job belongs to another user.');
}
