/** Figures of this process, for Prometheus. */
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

import type { OpenDatabase } from '../database/database.ts';
import { refuseParameters } from './query.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** All figures; `addGauge` adds another. */
    metrics: Registry;
  }
}

/** What is counted of a request: of each there are few, whatever clients send. */
export interface Labels {
  readonly method: string;
  /** The pattern of the path, never the path itself. */
  readonly route: string;
  readonly status: string;
}

/** Makes `app.metrics`, with what is true of every process. @returns records a request. */
export function measure(
  app: FastifyInstance,
  database: OpenDatabase,
): (labels: Labels, seconds: number) => void {
  const metrics = new Registry();
  app.decorate('metrics', metrics);
  collectDefaultMetrics({ register: metrics });
  addGauge(
    metrics,
    'database_connections_used',
    'Connections to the database in use.',
    () => database.figures().used,
  );
  addGauge(
    metrics,
    'database_connections_idle',
    'Connections to the database at rest.',
    () => database.figures().idle,
  );
  addGauge(
    metrics,
    'database_waiting',
    'Statements that wait for a connection.',
    () => database.figures().waiting,
  );
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long requests took, from their head to the end of the answer.',
    labelNames: ['method', 'route', 'status'],
    registers: [metrics],
  });
  return (labels, seconds) => durations.observe({ ...labels }, seconds);
}

/** Adds a figure that is read each time it is asked for. */
export function addGauge(
  metrics: Registry,
  name: string,
  help: string,
  read: () => number | Promise<number>,
): void {
  const gauge = new Gauge({
    name,
    help,
    registers: [],
    async collect() {
      this.set(await read());
    },
  });
  metrics.registerMetric(gauge);
}

/**
 * Registers `GET /metrics`, in the text format of Prometheus. It asks for no credential: keep it
 * from outside where its figures are nobody's business.
 */
export function metricsRoute(app: FastifyInstance): void {
  app.get('/metrics', async (request, reply) => {
    refuseParameters(request);
    return reply.type(app.metrics.contentType).send(await app.metrics.metrics());
  });
}
