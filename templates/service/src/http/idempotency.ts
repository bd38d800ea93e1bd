/**
 * Creation that may be asked for again: a POST with an `Idempotency-Key` is done once, and who sends
 * it again is answered as the first time. Without the header nothing of this costs anything.
 *
 * A key belongs to the user (to the address where there is none) and to the collection that it is
 * sent to, whichever way the request names the version. What is compared of the body is its
 * meaning: the order of members and blanks do not count.
 */
import { createHash, createHmac } from 'node:crypto';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Services } from '../app.ts';
import { createAndKeep, findAnswer, forgetAnswers } from '../database/answers.ts';
import type { Answer, KeptAnswer, Repeatable } from '../database/answers.ts';
import type { Database } from '../database/database.ts';
import { isUnavailable } from '../database/unavailable.ts';
import { readObject } from './body.ts';
import { badRequest, unprocessable } from './errors.ts';
import { sendCreated } from './item.ts';
import type { JsonObject } from './json.ts';

/** How something is created, in two steps. */
export interface Creation<Values> {
  /** Reads and checks what is sent. @throws 400 and 422. */
  readonly read: () => Values | Promise<Values>;
  /**
   * Creates it, by statements on this database alone, which may be a transaction, and says what is
   * answered: see `created`. It may be called again where the database asks for another try.
   */
  readonly create: (database: Database, values: Values) => Promise<Answer>;
}

/** Milliseconds between two times that a process looks for answers whose time is over. */
const SWEEP = 10 * 60_000;

/** Visible ASCII (RFC 5234's VCHAR); several of these headers are joined by a comma and a blank. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** Creates what a request asks for, once for each `Idempotency-Key`, and answers it. */
export async function createOnce<Values>(
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
  { read, create }: Creation<Values>,
): Promise<FastifyReply> {
  const { database } = services;
  const key = readKey(request);
  if (key === undefined) {
    return sendCreated(request, reply, await create(database, await read()), services);
  }
  const repeatable = repeatableOf(request, key);
  const again = (kept: KeptAnswer): FastifyReply => {
    refuseOther(kept, repeatable);
    return sendCreated(request, reply.header('idempotency-replayed', 'true'), kept, services);
  };
  const before = await findAnswer(database, repeatable);
  if (before !== undefined) return again(before);
  const values = await read();
  const { kept, isNew } = await createAndKeep(database, repeatable, (transaction) =>
    create(transaction, values),
  );
  return isNew ? sendCreated(request, reply, kept, services) : again(kept);
}

/** For a POST whose answer cannot be kept. @throws 400 where it has an `Idempotency-Key`. */
export function refuseKey({ headers }: FastifyRequest): void {
  if (headers['idempotency-key'] === undefined) return;
  throw badRequest('Idempotency-Key is not possible here: what is answered is shown once.');
}

/** Forgets answers whose time is over, as long as the service runs. */
export function sweepAnswers(app: FastifyInstance, database: Database): void {
  const sweep = async (): Promise<void> => {
    try {
      await forgetAnswers(database);
    } catch (error) {
      // They are forgotten the next time.
      if (!isUnavailable(error)) app.log.error({ err: error }, 'old answers were not removed');
    }
  };
  const timer = setInterval(() => void sweep(), SWEEP).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

function readKey({ headers }: FastifyRequest): string | undefined {
  const { 'idempotency-key': key } = headers;
  if (key === undefined) return undefined;
  if (typeof key === 'string' && KEY.test(key)) return key;
  throw badRequest('Idempotency-Key must be one text of 1 to 255 visible ASCII characters.');
}

/**
 * What is kept of a request: digests alone. That of the body is made with the key, which is not
 * kept: who reads the database cannot try out what the body may have said, a password for one.
 */
function repeatableOf(request: FastifyRequest, key: string): Repeatable {
  const { principal, ip, method, routeOptions, api } = request;
  const { id } = request.params as { id?: string };
  const path = routeOptions.url?.slice(api.base.length);
  const where = [principal?.userId ?? ip, method, path, id?.toLowerCase(), key];
  const content = `${api.version} ${canonical(readObject(request))}`;
  return {
    id: createHash('sha256').update(JSON.stringify(where)).digest('hex'),
    content: createHmac('sha256', key).update(content).digest('hex'),
  };
}

/** JSON text that is the same for all bodies that mean the same: members in one order. */
const canonical = (body: JsonObject): string =>
  JSON.stringify(body, (_name, value: unknown) => {
    // A number that no double holds: see `parseJsonObject`.
    if (value === Infinity || value === -Infinity) return String(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
  });

/** @throws 422 where a key was used for a request that said something else. */
function refuseOther(kept: KeptAnswer, { content }: Repeatable): void {
  if (kept.content === content) return;
  throw unprocessable(
    'This Idempotency-Key was used for a request that said something else: take a new one.',
  );
}
