/** Liveness and readiness probes: `/health/live` and `/health/ready`. */
import type { FastifyInstance } from 'fastify';

import type { OpenDatabase } from '../database/database.ts';
import { starting, unavailable } from './errors.ts';
import { refusal } from '../openapi/responses.ts';
import { refuseParameters } from './query.ts';

/** Milliseconds that the database has to answer. */
const PING_TIMEOUT = 2_000;

const health = (status: string): object => ({
  type: 'object',
  properties: { status: { type: 'string', const: status } },
  description: 'The service itself, for those who operate it.',
  examples: [{ status }],
});

const LIVE = {
  operationId: 'getLiveness',
  tags: ['Service'],
  summary: 'Get whether the process is alive',
  response: { 200: health('live') },
};

const READY = {
  operationId: 'getReadiness',
  tags: ['Service'],
  summary: 'Get whether the service is ready for requests',
  response: {
    200: health('ready'),
    503: refusal('The service starts or stops, or its database is unreachable.'),
  },
};

/** The state of the process that readiness depends on, beside the database. */
export interface Lifecycle {
  /** Whether the service has finished starting. */
  readonly isOpen: () => boolean;
  /** Whether the service is shutting down. */
  readonly isDraining: () => boolean;
}

/** Registers `/health/live` and `/health/ready`. */
export function healthRoutes(
  app: FastifyInstance,
  database: OpenDatabase,
  { isOpen, isDraining }: Lifecycle,
): void {
  // Concurrent probes share one ping.
  let ping: Promise<void> | undefined;

  app.get('/health/live', { schema: LIVE }, async (request) => {
    refuseParameters(request);
    return { status: 'live' };
  });

  app.get('/health/ready', { schema: READY }, async (request) => {
    refuseParameters(request);
    if (isDraining()) throw unavailable('The service is stopping.', 5);
    if (!isOpen()) throw starting();
    await (ping ??= database.ping(PING_TIMEOUT).finally(() => (ping = undefined)));
    return { status: 'ready' };
  });
}
