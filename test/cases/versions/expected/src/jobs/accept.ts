/** Accepting work: what a direct POST would find wrong is told at once, all else is stored. */
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Services } from '../app.ts';
import type { Answer } from '../database/answers.ts';
import type { Database } from '../database/database.ts';
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
 * Stores a job and queues it; gives what is answered: 202, where it is, and the job. It is there
 * once the transaction that this is part of has ended, whatever happens then.
 * @throws what `check` throws.
 */
export async function accept(
  request: FastifyRequest,
  reply: FastifyReply,
  database: Database,
  { jobs, publicUrl }: Services,
  { collection, values, check }: Order,
): Promise<Answer> {
  const creator = request.principal?.userId ?? null;
  const job = await database.transaction(async (transaction) => {
    await check(transaction);
    return addJob(transaction, jobs, {
      collection,
      creator_id: creator,
      values,
      version: request.api.version,
    });
  });
  // Not before it is stored, which it may not be yet.
  reply.raw.once('finish', () => jobs.announce());
  const body = JSON.stringify(shownJob(request, job, publicUrl));
  return { status: 202, location: `jobs/${job.id}`, etag: null, body };
}
