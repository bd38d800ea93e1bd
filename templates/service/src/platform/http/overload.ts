/**
 * Load shedding: requests beyond a limit are refused with 503 before any work is done for them, so
 * that accepted requests are answered quickly.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';

import { isOperational, onResponseEnd } from './request.ts';
import { starting, unavailable } from './errors.ts';
import { addGauge } from './metrics.ts';

/** The maximum numbers of concurrent requests. */
export interface Limits {
  /** Requests that are being processed. */
  readonly active: number;
  /** Requests whose body is being received; each may buffer up to BODY_LIMIT bytes. */
  readonly arriving: number;
}

/** The default: work for a fraction of a second on a small machine. */
export const LIMITS: Limits = { active: 250, arriving: 200 };

declare module 'fastify' {
  interface FastifyInstance {
    /** The number of requests that are not answered yet. */
    inFlight: () => number;
    /** How many of them are still receiving their body. */
    arriving: () => number;
  }
  interface FastifyRequest {
    /** The limit that the request counts towards; undefined for none. */
    phase: Phase | undefined;
  }
}

type Phase = 'active' | 'arriving';

/**
 * Counts requests in flight and refuses those beyond the limits with 503. Requests that are receiving
 * their body have a limit of their own, so that slow uploads do not block other requests.
 * @param isOverloaded whether the event loop is delayed too much.
 */
export function shedLoad(
  app: FastifyInstance,
  isOverloaded: () => boolean,
  limits: Limits = LIMITS,
): void {
  let all = 0;
  const count: Record<Phase, number> = { active: 0, arriving: 0 };
  const refused = new Counter({
    name: 'http_requests_shed_total',
    help: 'Requests refused because of overload, by reason.',
    labelNames: ['reason'],
    registers: [app.metrics],
  });
  const help = 'Requests that are not answered yet.';
  addGauge(app.metrics, 'http_requests_in_flight', help, () => all);
  const activeHelp = 'Requests that are being processed, without health and metrics.';
  addGauge(app.metrics, 'http_requests_active', activeHelp, () => count.active);
  const arrivingHelp = 'Requests whose body is being received.';
  addGauge(app.metrics, 'http_requests_arriving', arrivingHelp, () => count.arriving);

  const refuse = (reason: string): Error => {
    refused.inc({ reason });
    return unavailable('The service is busy: try again in a second.');
  };
  const setPhase = (request: FastifyRequest, phase: Phase | undefined): void => {
    if (request.phase !== undefined) count[request.phase]--;
    request.phase = phase;
    if (phase !== undefined) count[phase]++;
  };

  app.decorate('inFlight', () => all);
  app.decorate('arriving', () => count.arriving);
  app.decorateRequest('phase');
  app.addHook('onRequest', (request, reply, done) => {
    all++;
    onResponseEnd(reply, () => {
      all--;
      // Hooks may still run after a disconnect; without a phase they do not change the counts.
      setPhase(request, undefined);
    });
    if (!isOperational(request.url)) {
      if (isOverloaded()) throw refuse('event loop');
      if (count.active >= limits.active) throw refuse('requests');
      setPhase(request, 'active');
    }
    done();
  });
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    if (request.phase !== undefined && hasBody(request)) {
      if (count.arriving >= limits.arriving) throw refuse('bodies');
      setPhase(request, 'arriving');
    }
    done();
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.phase === 'arriving') setPhase(request, 'active');
    done();
  });
}

/** Refuses requests with 503 until the service has finished starting. */
export function refuseUntilOpen(app: FastifyInstance, isOpen: () => boolean): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isOpen() && !isOperational(request.url)) throw starting();
    done();
  });
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Milliseconds over which the mean delay is taken. */
const DELAY_INTERVAL = 500;
/** Milliseconds between two samples. */
const DELAY_RESOLUTION = 20;
/** The mean delay, in milliseconds, above which the process counts as overloaded. */
const MAX_DELAY = 1_000;

/**
 * Measures the delay of the event loop.
 * @returns a function that says whether it was too high in both of the last two intervals.
 */
export function watchEventLoop(): () => boolean {
  const delays = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION });
  let isOverloaded = false;
  // A single long task raises the mean of one interval; refusing requests would not help then.
  let wasHigh = false;
  delays.enable();
  setInterval(() => {
    const isHigh = delays.mean / 1e6 > MAX_DELAY;
    isOverloaded = isHigh && wasHigh;
    wasHigh = isHigh;
    delays.reset();
  }, DELAY_INTERVAL).unref();
  return () => isOverloaded;
}
