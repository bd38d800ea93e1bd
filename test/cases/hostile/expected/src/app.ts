/** The service, put together but not listening. */
import cors from '@fastify/cors';
import Fastify, { LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';

import { authenticate } from './auth/authenticate.ts';
import { tokensRoutes } from './auth/tokens.ts';
import { usersRoutes } from './auth/users.ts';
import { collections } from './collections/index.ts';
import type { Config } from './config.ts';
import type { Database, OpenDatabase } from './database/database.ts';
import { databaseCounts } from './database/counts.ts';
import { schemaState } from './database/migrate.ts';
import { readSecret } from './database/secrets.ts';
import { acceptJsonBodies } from './http/body.ts';
import { cursorsWith } from './http/cursor.ts';
import { answerClientError, answerErrors, sendError } from './http/error-handler.ts';
import { healthRoutes } from './http/health.ts';
import { answerOtherMethods } from './http/methods.ts';
import { refuseMalformed } from './http/malformed.ts';
import { sweepAnswers } from './http/idempotency.ts';
import { tagItems } from './http/preconditions.ts';
import { limitRate } from './http/rate-limit.ts';
import type { SharedCounts } from './http/rate-limit.ts';
import { measure, metricsRoute } from './http/metrics.ts';
import { observeMalformed, observeRequests } from './http/observe.ts';
import { LIMITS, shedLoad } from './http/overload.ts';
import type { Limits } from './http/overload.ts';
import { requestId } from './http/request-id.ts';
import { SECURITY_HEADERS } from './http/security-headers.ts';
import type { Linking } from './http/page.ts';
import { BASES, negotiateVersion } from './http/versions.ts';
import { makeLog } from './log.ts';
import { docsRoutes } from './openapi/page.ts';
import { openapiRoutes } from './openapi/routes.ts';

/** What the routes of a collection work with. */
export interface Services extends Linking {
  readonly database: Database;
}

/** How long a browser remembers what a preflight told it, in seconds. */
const PREFLIGHT_AGE = 600;

/** How long the head of a request may take to arrive, in milliseconds, and the whole of it. */
const HEAD_TIMEOUT = 10_000;
const REQUEST_TIMEOUT = 30_000;
/** How often that is looked at, in milliseconds. */
const TIMEOUT_CHECK = 1_000;
/** After how many milliseconds without a byte, either way, a connection is given up. */
const SILENCE = 60_000;

/** What is known of the process that runs the service. */
export interface Surroundings {
  readonly log: FastifyBaseLogger;
  /** Whether the process is stopping. */
  readonly isDraining: () => boolean;
  /** Whether the process cannot follow what happens. */
  readonly isLate: () => boolean;
  readonly limits: Limits;
}

/** Builds the service over a database that is migrated. */
export async function buildApp(
  config: Config,
  database: OpenDatabase,
  {
    log = makeLog(config),
    isDraining = no,
    isLate = no,
    limits = LIMITS,
  }: Partial<Surroundings> = {},
): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    loggerInstance: log,
    // One line a request, by observeRequests.
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'request_id',
    }),
    bodyLimit: config.bodyLimit,
    trustProxy: [...config.trustProxy],
    requestTimeout: REQUEST_TIMEOUT,
    connectionTimeout: SILENCE,
    genReqId: requestId,
    // A process that is stopping still answers what it has taken on.
    return503OnClosing: false,
    http: {
      headersTimeout: HEAD_TIMEOUT,
      connectionsCheckingInterval: TIMEOUT_CHECK,
      // Node answers a request without Host by itself, and not with our payload.
      requireHostHeader: false,
    },
    rewriteUrl: (request) => pathOf(request.url ?? '/'),
    routerOptions: { maxParamLength: 16_384 },
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
    clientErrorHandler: (error, socket) => answerClientError(error, socket, onMalformed),
  });
  const record = measure(app, database);
  const onMalformed = observeMalformed(log, record);

  observeRequests(app, record);
  // Hooks that every request passes call back instead of giving a promise: a dozen promises would
  // cost as much as the rest of what they do.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS).header('x-request-id', request.id).header('vary', 'Accept');
    refuseMalformed(request.raw);
    done();
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // Who keeps the connection would keep a process that is stopping.
    if (isDraining()) reply.header('connection', 'close');
    done();
  });
  answerErrors(app, onMalformed);
  shedLoad(app, isLate, limits);
  limitRate(app, config.rateLimit, await sharedCounts(app, config, database));
  if (config.corsOrigins.length > 0) {
    await app.register(cors, {
      origin: [...config.corsOrigins],
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exposedHeaders: [
        'ETag',
        'Idempotency-Replayed',
        'Link',
        'Location',
        'Retry-After',
        'Total-Count',
        'X-Request-Id',
      ],
      maxAge: PREFLIGHT_AGE,
    });
  }

  sweepAnswers(app, database);
  answerOtherMethods(app);
  healthRoutes(app, database, isDraining);
  metricsRoute(app);
  docsRoutes(app);

  const secret = await readSecret(database, 'cursor');
  const schema = await schemaState(database);
  const services = { database, cursors: cursorsWith(secret), publicUrl: config.publicUrl };
  for (const base of BASES) {
    await app.register(
      async (api) => {
        negotiateVersion(api, base);
        authenticate(api, database);
        tagItems(api, schema);
        acceptJsonBodies(api);
        for (const register of [usersRoutes, tokensRoutes, openapiRoutes, ...collections]) {
          register(api, services);
        }
      },
      { prefix: base.path },
    );
  }

  return app;
}

const no = (): boolean => false;

/** Where requests are counted for all processes together. */
async function sharedCounts(
  app: FastifyInstance,
  config: Config,
  database: Database,
): Promise<SharedCounts> {
  const inDatabase = databaseCounts(database);
  if (config.redisUrl === undefined) return inDatabase;
  // Loaded here alone: a service without Redis does without.
  const { redisCounts } = await import('./http/redis-counts.ts');
  const counts = redisCounts(config.redisUrl, inDatabase, app.log);
  app.addHook('onClose', async () => counts.close());
  return counts;
}

/** The path of a request target; proxies send a whole URL (RFC 9112, section 3.2.2). */
function pathOf(target: string): string {
  const authority = /^https?:\/\/[^/?#]*/i.exec(target)?.[0];
  if (authority === undefined) return target;
  const path = target.slice(authority.length);
  return path.startsWith('/') ? path : `/${path}`;
}
