/**
 * `Idempotency-Key` for POST: the first successful response is stored and replayed when the request
 * is repeated.
 *
 * A key belongs to the user (or to the client address, without a credential) and to the path without
 * the version prefix. Repeated bodies are compared as JSON values, so whitespace and the order of
 * members do not matter.
 */
import { createHash, createHmac } from 'node:crypto';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Services } from '../services.ts';
import { deleteExpiredAnswers, findOrCreate } from '../database/idempotency-store.ts';
import type { Answer, IdempotentRequest } from '../database/idempotency-store.ts';
import type { Database } from '../database/database.ts';
import { isUnavailable } from '../database/unavailable.ts';
import { readObject } from './body.ts';
import { badRequest, unprocessable } from './errors.ts';
import { sendCreated } from './item.ts';
import { canonicalJson } from './json.ts';

/** Milliseconds between two deletions of expired responses. */
const SWEEP_INTERVAL = 10 * 60_000;

/** Visible ASCII. Node joins repeated headers with a comma and a space, which does not match. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Creates an item and sends the response, or replays the stored one of an `Idempotency-Key`.
 * @param create validates the body, creates the item and returns the response (see `createdAnswer`). All its
 * statements must use the given database, which is a transaction if there is a key. After a deadlock it
 * is called again.
 */
export async function createOnce(
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
  create: (database: Database) => Promise<Answer>,
): Promise<FastifyReply> {
  const { database } = services;
  const key = idempotencyKeyOf(request);
  if (key === undefined) {
    return sendCreated(request, reply, await create(database), services);
  }
  const identity = identityOf(request, key);
  const { answer, isNew } = await findOrCreate(database, identity, create);
  if (answer.content !== identity.content) {
    throw unprocessable(
      'This Idempotency-Key was used for a request with another body: use a new key.',
    );
  }
  if (!isNew) reply.header('idempotency-replayed', 'true');
  return sendCreated(request, reply, answer, services);
}

/** For a POST whose response must not be stored. @throws 400 if it has an `Idempotency-Key`. */
export function refuseKey({ headers }: FastifyRequest): void {
  if (headers['idempotency-key'] === undefined) return;
  throw badRequest(
    'Idempotency-Key is not supported here: the response contains a secret that is shown only once.',
  );
}

/** Deletes expired responses periodically until the service closes. */
export function sweepExpiredAnswers(app: FastifyInstance, database: Database): void {
  const sweep = async (): Promise<void> => {
    try {
      await deleteExpiredAnswers(database);
    } catch (error) {
      // The next sweep deletes them.
      if (!isUnavailable(error)) {
        app.log.error({ err: error }, 'expired idempotent responses could not be deleted');
      }
    }
  };
  const timer = setInterval(() => void sweep(), SWEEP_INTERVAL).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

/** The `Idempotency-Key` of a request. @throws 400 for a malformed or repeated one. */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const { 'idempotency-key': key } = headers;
  if (key === undefined) return undefined;
  if (typeof key === 'string' && KEY.test(key)) return key;
  throw badRequest('Idempotency-Key must be a single value of 1 to 255 visible ASCII characters.');
}

/**
 * The stored identity of a request: digests only. The digest of the body is keyed with the
 * `Idempotency-Key`, which is not stored, so that passwords in bodies cannot be guessed from the
 * database.
 */
function identityOf(request: FastifyRequest, key: string): IdempotentRequest {
  const { principal, ip, method, routeOptions, api } = request;
  const { id } = request.params as { id?: string };
  const path = routeOptions.url?.slice(api.base.length);
  const parts = [principal?.userId ?? ip, method, path, id?.toLowerCase(), key];
  const content = `${api.version} ${canonicalJson(readObject(request))}`;
  return {
    id: createHash('sha256').update(JSON.stringify(parts)).digest('hex'),
    content: createHmac('sha256', key).update(content).digest('hex'),
  };
}
