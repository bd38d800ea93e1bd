/** The limits of requests: load shedding (503) and the rate limit (429). */
import { monitorEventLoopDelay } from 'node:perf_hooks';

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';

import { demandRate } from './body-rate.ts';
import { clientKey } from './client-key.ts';
import { ClientShares } from './client-shares.ts';
import { HttpError, starting, unavailable } from './errors.ts';
import { addGauge } from './metrics.ts';
import { hasBody, hasWholeBody, isOperational, onResponseEnd } from './request.ts';

/** The maximum numbers of concurrent requests. */
export interface Limits {
  /** Requests that are being processed. */
  readonly active: number;
  /** Requests whose body is being received; each may buffer up to BODY_LIMIT bytes. */
  readonly arriving: number;
  /** How many of these one client may have: an address, or a user. */
  readonly arrivingPerClient: number;
}

/** The default: work for a fraction of a second on a small machine. */
export const LIMITS: Limits = { active: 250, arriving: 200, arrivingPerClient: 20 };

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
    /** Whether the body had not arrived when the hooks of `onRequest` had run. */
    isBodyLate: boolean;
  }
}

type Phase = 'active' | 'arriving';

/**
 * Counts requests in flight and refuses those beyond the limits with 503 before any work is done for them,
 * so that accepted requests are answered quickly. Requests that are receiving
 * their body have a limit of their own, so that slow uploads do not block other requests. Each client
 * has a share of it (429), and a body must keep a minimum rate (408), so that one client cannot occupy
 * all places.
 * @param isOverloaded whether the event loop is delayed too much.
 */
export function shedLoad(
  app: FastifyInstance,
  isOverloaded: () => boolean,
  limits: Limits = LIMITS,
): void {
  let all = 0;
  const count: Record<Phase, number> = { active: 0, arriving: 0 };
  const shares = new ClientShares(limits.arrivingPerClient);
  const refused = new Counter({
    name: 'http_requests_shed_total',
    help: 'Requests refused because of overload, by reason.',
    labelNames: ['reason'],
    registers: [app.metrics],
  });
  const gauge = (state: string, help: string, read: () => number): void =>
    addGauge(app.metrics, `http_requests_${state}`, help, read);
  gauge('in_flight', 'Requests that are not answered yet.', () => all);
  gauge(
    'active',
    'Requests that are being processed, without health and metrics.',
    () => count.active,
  );
  gauge('arriving', 'Requests whose body is being received.', () => count.arriving);

  const refuse = (reason: string): Error => {
    refused.inc({ reason });
    return unavailable('The service is busy: try again in a second.');
  };
  const setPhase = (request: FastifyRequest, phase: Phase | undefined): void => {
    if (request.phase !== undefined) count[request.phase]--;
    if (request.phase === 'arriving') shares.release(...clientsOf(request));
    request.phase = phase;
    if (phase !== undefined) count[phase]++;
  };

  app.decorate('inFlight', () => all);
  app.decorate('arriving', () => count.arriving);
  app.decorateRequest('phase');
  app.decorateRequest('isBodyLate', false);
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
  app.addHook('preParsing', (request, reply, body, done) => {
    if (request.phase === undefined || !hasBody(request.raw)) {
      done();
      return;
    }
    // A small body arrives with the headers, and the parser reads it after this event.
    process.nextTick(() => {
      if (request.phase === undefined || hasWholeBody(request.raw)) {
        done();
      } else if (count.arriving >= limits.arriving) {
        done(refuse('bodies'));
      } else if (shares.take(...clientsOf(request))) {
        setPhase(request, 'arriving');
        request.isBodyLate = true;
        const demanding = demandRate(body);
        // The response may be sent before the body has arrived, for example a 415.
        onResponseEnd(reply, () => demanding.destroy());
        done(null, demanding);
      } else {
        refused.inc({ reason: 'bodies of a client' });
        done(tooManyBodies());
      }
    });
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.phase === 'arriving') setPhase(request, 'active');
    done();
  });
}

/** The clients whose shares the body of a request counts towards: its address, and its user if there is one. */
const clientsOf = ({ ip, principal }: FastifyRequest): string[] => [
  `address ${clientKey(ip)}`,
  ...(principal === undefined ? [] : [`user ${principal.userId}`]),
];

const tooManyBodies = (): HttpError =>
  new HttpError(
    429,
    'Too many of your requests are still sending their body: finish some of them first.',
    {
      'retry-after': '1',
      connection: 'close',
    },
  );

/** Refuses requests with 503 until the service has finished starting. */
export function refuseUntilOpen(app: FastifyInstance, isOpen: () => boolean): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isOpen() && !isOperational(request.url)) throw starting();
    done();
  });
}

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

/** The counters that all processes share. */
export interface SharedCounts {
  /** Adds to the count of a client in a minute. @returns the sum over all processes; undefined if they cannot be reached. */
  add(client: string, minute: number, requests: number): Promise<number | undefined>;
}

/** The count of a client in the current minute. */
interface Count {
  /** The sum over all processes when the shared counter was last updated. */
  shared: number;
  /** Requests in this process since then. */
  own: number;
  /** The value of `own` at which the shared counter is updated. */
  batch: number;
}

const MINUTE = 60_000;

/**
 * Refuses requests beyond a limit per minute and client with 429, over all processes. Health and metrics
 * do not count. Each process counts locally and adds its count to the shared counter in batches of a
 * twentieth of the limit, so most requests need no round trip. Each process may exceed the limit by one
 * batch.
 * @param limit requests per minute; 0 for no limit.
 * @param clock the time in milliseconds.
 */
export function limitRate(
  app: FastifyInstance,
  limit: number,
  shared: SharedCounts,
  clock: () => number = Date.now,
): void {
  if (limit === 0) return;
  const batch = Math.max(1, Math.floor(limit / 20));
  let minute = 0;
  let counts = new Map<string, Count>();

  /** The count of a client in this minute. */
  const countOf = (client: string, now: number): Count => {
    if (minute !== Math.floor(now / MINUTE)) {
      minute = Math.floor(now / MINUTE);
      counts = new Map();
    }
    const existing = counts.get(client);
    if (existing !== undefined) return existing;
    const count = { shared: 0, own: 0, batch: 1 };
    counts.set(client, count);
    return count;
  };
  const addToShared = async (client: string, count: Count): Promise<void> => {
    const { own } = count;
    count.own = 0;
    count.batch = batch;
    const sum = await shared.add(client, minute, own);
    // What could not be added is added with the next request.
    if (sum === undefined) count.own += own;
    else count.shared = sum;
  };
  const refuseTooMany = ({ shared: others, own }: Count, now: number): void => {
    if (others + own <= limit) return;
    const seconds = Math.ceil((MINUTE - (now % MINUTE)) / 1000);
    throw new HttpError(429, `More than ${limit} requests a minute: try again in ${seconds} s.`, {
      'retry-after': String(seconds),
    });
  };

  app.addHook('onRequest', (request, _reply, done) => {
    if (isOperational(request.url)) {
      done();
      return undefined;
    }
    const now = clock();
    const client = clientKey(request.ip);
    const count = countOf(client, now);
    count.own++;
    // Once a client is over the limit, its further requests need no round trip.
    if (count.own >= count.batch && count.shared <= limit) {
      return addToShared(client, count).then(() => refuseTooMany(count, now));
    }
    refuseTooMany(count, now);
    done();
    return undefined;
  });
}
