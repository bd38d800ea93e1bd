/** What remains of each request: one line in the log, and its part of the figures. */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';

import { DatabaseUnavailable } from '../database/unavailable.ts';
import { onEnd } from './ended.ts';
import type { Labels } from './metrics.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What it failed by, where that is not meant for its client. */
    failure: unknown;
  }
}

/** The longest path in the log, in UTF-16 units. */
const LONGEST_PATH = 500;

/**
 * Logs and counts each request when it is over, also where its client broke off. The line has no
 * header, no query and no body: in them are credentials, and what is nobody's business here.
 */
export function observeRequests(
  app: FastifyInstance,
  record: (labels: Labels, seconds: number) => void,
): void {
  app.decorateRequest('failure');
  app.addHook('onRequest', (request, reply, done) => {
    const begun = performance.now();
    onEnd(reply, () => {
      const took = performance.now() - begun;
      const { method, failure } = request;
      // A request that took too long to arrive was answered on its socket.
      const isAnswered = reply.raw.writableFinished || reply.raw.statusCode === 408;
      const status = isAnswered ? reply.raw.statusCode : undefined;
      record(
        { method, route: request.routeOptions.url ?? 'none', status: String(status ?? 'aborted') },
        took / 1000,
      );
      const line = {
        method,
        path: request.url.split('?', 1)[0]?.slice(0, LONGEST_PATH),
        status,
        ms: Math.round(took * 10) / 10,
        user: request.principal?.userId,
        ...(failure !== undefined && { err: failure }),
      };
      const message = isAnswered ? 'request' : 'request aborted';
      if (failure === undefined) request.log.info(line, message);
      else if (failure instanceof DatabaseUnavailable) request.log.warn(line, message);
      else request.log.error(line, message);
    });
    done();
  });
}

/** Logs and counts what never became a request. Its method and path are not known. */
export function observeMalformed(
  log: FastifyBaseLogger,
  record: (labels: Labels, seconds: number) => void,
): (status: number, requestId: string, reason: string) => void {
  return (status, requestId, reason) => {
    record({ method: 'none', route: 'none', status: String(status) }, 0);
    log.info({ request_id: requestId, status, reason }, 'malformed request');
  };
}
