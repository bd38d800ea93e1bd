/**
 * Overload: a request that could not be answered in good time is refused at once, before anything
 * was done for it, so that those that were taken on are answered, and soon.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';

import { onEnd } from './ended.ts';
import { unavailable } from './errors.ts';
import { addGauge } from './metrics.ts';
import { isOperational } from './operational.ts';

/** How many requests are taken on at once. */
export interface Limits {
  /** Those that are worked on. */
  readonly active: number;
  /** Those whose body is on its way: each may take memory up to the limit of a body. */
  readonly arriving: number;
}

/** What a process takes on: a fraction of a second's work on a small machine. */
export const LIMITS: Limits = { active: 250, arriving: 200 };

declare module 'fastify' {
  interface FastifyInstance {
    /** How many requests have come and are not answered yet. */
    inFlight: () => number;
  }
  interface FastifyRequest {
    /** What a request that is in flight is counted as. */
    phase: Phase | undefined;
  }
}

type Phase = 'active' | 'arriving';

/**
 * Counts requests in flight, and refuses with 503 those that are too many. One whose body is on its
 * way is counted apart: who sends slowly keeps nobody from reading.
 * @param isLate tells that this process cannot follow what happens.
 */
export function shedLoad(
  app: FastifyInstance,
  isLate: () => boolean,
  limits: Limits = LIMITS,
): void {
  let all = 0;
  const count: Record<Phase, number> = { active: 0, arriving: 0 };
  const refused = new Counter({
    name: 'http_requests_shed_total',
    help: 'Requests that were refused because of overload, by what there was too much of.',
    labelNames: ['reason'],
    registers: [app.metrics],
  });
  const help = 'Requests that have come and are not answered yet.';
  addGauge(app.metrics, 'http_requests_in_flight', help, () => all);

  const refuse = (reason: string): Error => {
    refused.inc({ reason });
    return unavailable('The service is busy: try again in a second.');
  };
  const enter = (request: FastifyRequest, phase: Phase): void => {
    if (request.phase !== undefined) count[request.phase]--;
    request.phase = phase;
    count[phase]++;
  };

  app.decorate('inFlight', () => all);
  app.decorateRequest('phase');
  app.addHook('onRequest', (request, reply, done) => {
    all++;
    onEnd(reply, () => {
      all--;
      if (request.phase !== undefined) count[request.phase]--;
    });
    if (!isOperational(request.url)) {
      if (isLate()) throw refuse('event loop');
      if (count.active >= limits.active) throw refuse('requests');
      enter(request, 'active');
    }
    done();
  });
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    if (request.phase !== undefined && hasBody(request)) {
      if (count.arriving >= limits.arriving) throw refuse('bodies');
      enter(request, 'arriving');
    }
    done();
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.phase === 'arriving') enter(request, 'active');
    done();
  });
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
