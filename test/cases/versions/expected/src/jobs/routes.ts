/** The endpoint of jobs: what became of work that was accepted with 202. */
import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Services } from '../app.ts';
import { unauthorized } from '../auth/authenticate.ts';
import { isAdmin } from '../auth/principal.ts';
import { workPaths } from '../collections/works.ts';
import type { Database } from '../database/database.ts';
import { missing } from '../database/missing.ts';
import { forbidden } from '../http/errors.ts';
import { idOf, sendItem } from '../http/item.ts';
import { refuseParameters } from '../http/query.ts';
import { isUuid } from '../http/uuid.ts';
import { findJob, JOB_KIND } from './jobs.ts';
import type { Job } from './jobs.ts';

/** Registers the endpoint, below the path of a version. There is no list of jobs. */
export function jobsRoutes(app: FastifyInstance, services: Services): void {
  const { database, publicUrl } = services;
  const own = { onRequest: async (request: FastifyRequest) => refuseOthers(database, request) };

  app.get('/jobs/:id', own, async (request, reply) => {
    refuseParameters(request);
    const id = idOf(request, JOB_KIND);
    const job = await findJob(database, id);
    if (job === undefined) throw await missing(database, JOB_KIND, id);
    return sendItem(request, reply, shownJob(request, job, publicUrl));
  });
}

/** A job as clients read it; its item has a URL in the version that the client asks in. */
export function shownJob(
  { api }: FastifyRequest,
  { id, collection, item_id: item, status, error, created_at, updated_at }: Job,
  publicUrl: string,
) {
  const paths = Object.hasOwn(workPaths, collection) ? workPaths[collection] : undefined;
  // A version that does not have the collection has no URL for its items.
  const path = paths?.[api.version];
  const hasItem = status === 'succeeded' && path !== undefined;
  const resource = hasItem ? `${publicUrl}${api.base}/${path}/${item}` : null;
  return { id, status, resource, error, created_at, updated_at };
}

/**
 * A job is for who asked for it, and for administrators. What somebody unknown asked for is for
 * whoever knows its id: no other caller is told it, and it says nothing of the item but its URL.
 */
async function refuseOthers(database: Database, request: FastifyRequest): Promise<void> {
  const { principal } = request;
  const { id } = request.params as { id: string };
  const job = isUuid(id) ? await findJob(database, id) : undefined;
  if (job?.creator_id === null) return;
  if (principal === undefined) throw unauthorized('This needs a credential in Authorization.');
  if (job === undefined) throw await missing(database, JOB_KIND, idOf(request, JOB_KIND));
  if (isAdmin(principal) || job.creator_id === principal.userId) return;
  throw forbidden('This is the job of somebody else.');
}
