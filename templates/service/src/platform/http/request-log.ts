/** What is logged of requests: one line for each, and one for each event that concerns credentials. */
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';

import { DatabaseUnavailable } from '../database/unavailable.ts';
import { onResponseEnd } from './request.ts';
import type { Labels } from './metrics.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The internal error that the request failed with; it is logged and never sent. */
    failure: unknown;
  }
}

/** The maximum length of a logged path, in UTF-16 code units. */
const MAX_PATH_LENGTH = 500;

/**
 * Logs and records each request when its response has ended, also if the client disconnected. Header,
 * query and body are not logged, because they can hold credentials and personal data.
 */
export function logRequests(
  app: FastifyInstance,
  record: (labels: Labels, seconds: number) => void,
): void {
  app.decorateRequest('failure');
  app.addHook('onRequest', (request, reply, done) => {
    const start = performance.now();
    // A closed socket has no address any more.
    const address = request.ip;
    onResponseEnd(reply, () => {
      const duration = performance.now() - start;
      const { method, failure } = request;
      // `answerClientError` writes 408 to the socket directly, so the response is never finished.
      const isAnswered = reply.raw.writableFinished || reply.raw.statusCode === 408;
      const status = isAnswered ? reply.raw.statusCode : undefined;
      record(
        { method, route: request.routeOptions.url ?? 'none', status: String(status ?? 'aborted') },
        duration / 1000,
      );
      const line = {
        method,
        path: request.url.split('?', 1)[0]?.slice(0, MAX_PATH_LENGTH),
        status,
        ms: Math.round(duration * 10) / 10,
        address,
        user: request.principal?.userId,
        ...(failure !== undefined && { err: failure }),
      };
      const message = isAnswered ? 'request' : 'request aborted';
      if (failure === undefined) request.log.info(line, message);
      else if (failure instanceof DatabaseUnavailable || (status ?? 500) < 500) {
        request.log.warn(line, message);
      } else request.log.error(line, message);
    });
    done();
  });
}

/** @returns a function that logs and records a malformed request, whose method and path are unknown. */
export function logMalformedRequests(
  log: FastifyBaseLogger,
  record: (labels: Labels, seconds: number) => void,
): (status: number, requestId: string, reason: string) => void {
  return (status, requestId, reason) => {
    record({ method: 'none', route: 'none', status: String(status) }, 0);
    log.info({ request_id: requestId, status, reason }, 'malformed request');
  };
}

type SecurityEvent =
  | 'login failed'
  | 'login refused'
  | 'password changed'
  | 'roles changed'
  | 'token created'
  | 'token revoked';

/** Usernames in requests can be longer than those of users; the log truncates them. */
const MAX_USERNAME_LENGTH = 100;

/**
 * Logs an event with the client address and the user who caused it. The level is `warn`, so that
 * events are logged with `LOG_LEVEL=warn` too.
 * @param username the user whose credential or roles are concerned.
 * @param details more members of the line; never a password, token or hash.
 */
export function logSecurityEvent(
  { log, ip, principal }: FastifyRequest,
  event: SecurityEvent,
  username: string,
  details: Readonly<Record<string, unknown>> = {},
): void {
  const line = {
    event,
    username: username.slice(0, MAX_USERNAME_LENGTH),
    address: ip,
    by: principal?.username,
    ...details,
  };
  log.warn(line, 'security event');
}
