/** Accepts a creation in the background: validates it as a direct POST would, and queues a job. */
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Services } from '../services.ts';
import type { Answer } from '../database/idempotency-store.ts';
import type { Database } from '../database/database.ts';
import { newId } from '../http/uuid.ts';
import { addJob } from './job-store.ts';
import { jobResource } from './routes.ts';

/** The requested creation. */
interface JobRequest {
  readonly collection: string;
  readonly values: object;
  /** Throws the errors that a direct POST would throw now, for an item with this id. */
  readonly check: (transaction: Database, id: string) => Promise<void>;
}

/**
 * Stores and queues a job in the transaction that `database` is, if it is one.
 * @returns the 202 response with the job.
 * @throws the errors of `check`.
 */
export async function acceptJob(
  request: FastifyRequest,
  reply: FastifyReply,
  database: Database,
  services: Services,
  { collection, values, check }: JobRequest,
): Promise<Answer> {
  const creator = request.principal?.userId ?? null;
  const { version } = request.api;
  const work = services.works[collection];
  if (work === undefined) {
    throw new Error(`items of ${collection} are not created in the background`);
  }
  const job = await database.transaction(async (transaction) => {
    const item = (await work.reserveId?.(transaction)) ?? newId();
    await check(transaction, item);
    return addJob(transaction, services.jobs, {
      collection,
      item_id: item,
      creator_id: creator,
      values,
      version,
    });
  });
  // When the response is sent, the transaction around this call has committed.
  reply.raw.once('finish', () => services.jobs.announce());
  const body = JSON.stringify(jobResource(request, job, services));
  return { status: 202, location: `jobs/${job.id}`, etag: null, body };
}
