/** Builds the Fastify instance: hooks, plugins and routes. It does not listen. */
import cors from '@fastify/cors';
import Fastify, { LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';

import { collections } from './collections/index.ts';
import type { Config } from './config.ts';
import { FEATURES } from './features.ts';
import { authenticate } from './platform/auth/authenticate.ts';
import { tokensRoutes } from './platform/auth/tokens.ts';
import { usersRoutes } from './platform/auth/users.ts';
import { databaseCounts } from './platform/database/counts.ts';
import type { OpenDatabase } from './platform/database/database.ts';
import { readSecret, schemaState } from './platform/database/migrate.ts';
import { acceptJsonBodies } from './platform/http/body.ts';
import { cursorsWith } from './platform/http/cursor.ts';
import { answerClientError, answerErrors, sendError } from './platform/http/error-handler.ts';
import { healthRoutes } from './platform/http/health.ts';
import { sweepExpiredAnswers } from './platform/http/idempotency.ts';
import { answerUnmatchedRequests, MAX_PARAM_LENGTH } from './platform/http/methods.ts';
import { createMetrics, metricsRoute } from './platform/http/metrics.ts';
import { limitRate, LIMITS, refuseUntilOpen, shedLoad } from './platform/http/limits.ts';
import type { Limits } from './platform/http/limits.ts';
import { decorateEntityTags } from './platform/http/preconditions.ts';
import { originForm, prepareRequests, requestId } from './platform/http/request.ts';
import { logMalformedRequests, logRequests } from './platform/http/request-log.ts';
import {
  BASES,
  negotiateVersion,
  REFUSE_VERSION,
  refuseRetired,
  ROUTES_BY_ACCEPT,
} from './platform/http/versions.ts';
import { makeLog } from './platform/log.ts';
import { registerDocuments } from './platform/openapi/documents.ts';
import { docsRoutes, openapiRoutes } from './platform/openapi/routes.ts';
import type { Services } from './platform/services.ts';

/** Seconds that browsers may cache the answer to a preflight request. */
const PREFLIGHT_MAX_AGE = 600;

/** Headers of responses that scripts of other origins may read. */
const EXPOSED_HEADERS = [
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'Retry-After',
  'Total-Count',
  'X-Request-Id',
  ...FEATURES.flatMap(({ exposedHeaders = [] }) => exposedHeaders),
].toSorted();

/** Milliseconds in which the headers of a request must arrive, and the whole request. */
const HEADERS_TIMEOUT = 10_000;
const REQUEST_TIMEOUT = 30_000;
/** Milliseconds between two checks of these timeouts. */
const TIMEOUT_CHECK_INTERVAL = 1_000;
/** Milliseconds without traffic in either direction after which a connection is closed. */
const IDLE_TIMEOUT = 60_000;

/** What the process passes in; tests replace single options. */
export interface AppOptions {
  readonly log: FastifyBaseLogger;
  /** Whether the process is shutting down. */
  readonly isDraining: () => boolean;
  /** Whether the event loop is delayed too much to take on requests. */
  readonly isOverloaded: () => boolean;
  /** The time in milliseconds, for the rate limit. */
  readonly clock: () => number;
  /** How many requests are processed at once. */
  readonly limits: Limits;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Loads secrets and state from the migrated database, and starts to accept requests. */
    open: () => Promise<void>;
  }
}

/** Builds the service on a migrated database, ready for requests. */
export async function buildApp(
  config: Config,
  database: OpenDatabase,
  options: Partial<AppOptions> = {},
): Promise<FastifyInstance> {
  const app = await buildClosedApp(config, database, options);
  await app.open();
  return app;
}

/**
 * Builds the service without querying the database. Until `app.open()` has succeeded, all requests
 * except those to `/health` and `/metrics` are answered 503.
 */
export async function buildClosedApp(
  config: Config,
  database: OpenDatabase,
  {
    log = makeLog(config),
    isDraining = never,
    isOverloaded = never,
    clock = Date.now,
    limits = LIMITS,
  }: Partial<AppOptions> = {},
): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    loggerInstance: log,
    // `logRequests` writes the line of each request.
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'request_id',
    }),
    bodyLimit: config.bodyLimit,
    trustProxy: [...config.trustProxy],
    requestTimeout: REQUEST_TIMEOUT,
    connectionTimeout: IDLE_TIMEOUT,
    genReqId: requestId,
    // During shutdown, requests on open connections are still answered.
    return503OnClosing: false,
    http: {
      headersTimeout: HEADERS_TIMEOUT,
      connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL,
      // `prepareRequests` checks it: Node would answer without the error payload.
      requireHostHeader: false,
    },
    rewriteUrl: (request) => originForm(request.url ?? '/'),
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, constraints: ROUTES_BY_ACCEPT },
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
    clientErrorHandler: (error, socket) => answerClientError(error, socket, onMalformed),
  });
  // Node drops headers after the 2,000th by default. The size of all headers is limited anyway.
  app.server.maxHeadersCount = 0;
  const record = createMetrics(app, database);
  const onMalformed = logMalformedRequests(log, record);

  logRequests(app, record);
  // Hooks of all requests use `done` instead of promises: with about a dozen of them, the promises
  // would cost as much as the hooks themselves.
  prepareRequests(app, config);
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // Kept-alive connections would delay the shutdown.
    if (isDraining()) reply.header('connection', 'close');
    done();
  });
  // `open` sets both before any handler runs.
  let secret = '';
  let schema = '';
  const { publicUrl, pageBytes } = config;
  // What needs the migrated database, features add when it is open.
  const services = Object.assign(
    { database, cursors: cursorsWith(() => secret), publicUrl, pageBytes },
    ...FEATURES.map((one) => one.services?.(config)),
  ) as Services;
  const inDatabase = databaseCounts(database);
  // What features stop when the service closes may need the counters until then.
  const counts =
    FEATURES.find((one) => one.makeCounts)?.makeCounts?.(app, config, inDatabase) ?? inDatabase;
  const starts = FEATURES.map((one) => one.register?.(app, { config, database, services }));
  answerErrors(app, onMalformed);
  shedLoad(app, isOverloaded, limits);
  let isOpen = false;
  refuseUntilOpen(app, () => isOpen);
  limitRate(app, config.rateLimit, counts, clock);
  if (config.corsOrigins.length > 0) {
    await app.register(cors, {
      origin: [...config.corsOrigins],
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exposedHeaders: EXPOSED_HEADERS,
      maxAge: PREFLIGHT_MAX_AGE,
      // `answerUnmatchedRequests` answers OPTIONS, with `Allow`.
      strictPreflight: false,
      preflightContinue: true,
    });
  }

  registerDocuments(app, {
    publicUrl: config.publicUrl,
    describeWebhooks: FEATURES.find((one) => one.describeWebhooks)?.describeWebhooks,
  });
  sweepExpiredAnswers(app, database);
  refuseRetired(app);
  answerUnmatchedRequests(app, REFUSE_VERSION);
  docsRoutes(app);

  const ofFeatures = FEATURES.flatMap((one) => one.routes ?? []);
  const routes = [...collections, ...ofFeatures, usersRoutes, tokensRoutes, openapiRoutes];
  for (const base of BASES) {
    await app.register(
      async (api) => {
        negotiateVersion(api, base);
        authenticate(api, database, counts, () => secret);
        decorateEntityTags(api, () => schema);
        acceptJsonBodies(api);
        for (const register of routes) register(api, services, base.version);
      },
      { prefix: base.path },
    );
  }
  healthRoutes(app, database, { isOpen: () => isOpen, isDraining });
  metricsRoute(app);
  app.decorate('open', async () => {
    secret = await readSecret(database, 'cursor');
    schema = await schemaState(database);
    for (const start of starts) await start?.();
    isOpen = true;
  });
  return app;
}

const never = (): boolean => false;
