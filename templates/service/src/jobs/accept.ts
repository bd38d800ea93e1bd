/** Accepting work: what a direct POST would find wrong is told at once, all else is stored. */
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Services } from '../app.ts';
import type { Database } from '../database/database.ts';
import { sendJson } from '../http/item.ts';
import { addJob } from './jobs.ts';
import { shownJob } from './routes.ts';

/** What a request asks to be made. */
interface Order {
  readonly collection: string;
  readonly values: object;
  /** Throws what a direct POST would run into. */
  readonly check: (transaction: Database) => Promise<void>;
}

/**
 * Stores a job and queues it; it is there once this returns, whatever happens then. 202, where it
 * is, and the job.
 * @throws what `check` throws.
 */
export async function accept(
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
  { collection, values, check }: Order,
): Promise<FastifyReply> {
  const { database, jobs, publicUrl } = services;
  const creator = request.principal?.userId ?? null;
  const job = await database.transaction(async (transaction) => {
    await check(transaction);
    return addJob(transaction, jobs, { collection, creator_id: creator, values });
  });
  jobs.announce();
  reply.code(202).header('location', `${publicUrl}${request.api.base}/jobs/${job.id}`);
  return sendJson(request, reply, shownJob(request, job, publicUrl));
}
