/** Prometheus metrics of this process, at `GET /metrics`. */
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

import type { OpenDatabase } from '../database/database.ts';
import { refuseParameters } from './query.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The registry of the metrics of this service. */
    metrics: Registry;
  }
}

/** Those of Node.js. They are collected once: their observers last as long as the process, whatever services it starts and stops. */
const processMetrics = new Registry();
collectDefaultMetrics({ register: processMetrics });

/** The labels of a request. Each has few values, whatever clients send. */
export interface Labels {
  readonly method: string;
  /** The path pattern of the route, never the requested path. */
  readonly route: string;
  readonly status: string;
}

/**
 * Decorates `app.metrics` with the metrics of the database connections and requests.
 * @returns a function that records the duration of a request.
 */
export function createMetrics(
  app: FastifyInstance,
  database: OpenDatabase,
): (labels: Labels, seconds: number) => void {
  const metrics = new Registry();
  app.decorate('metrics', metrics);
  for (const [name, help, state] of [
    ['database_connections_used', 'Database connections in use.', 'used'],
    ['database_connections_idle', 'Idle database connections.', 'idle'],
    ['database_waiting', 'Statements that wait for a database connection.', 'waiting'],
  ] as const) {
    addGauge(metrics, name, help, () => database.connectionStats()[state]);
  }
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of requests, from their headers to the end of the response.',
    labelNames: ['method', 'route', 'status'],
    registers: [metrics],
  });
  return (labels, seconds) => durations.observe({ ...labels }, seconds);
}

/** Registers a gauge whose value is read at each scrape. */
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
 * Registers `GET /metrics` in the Prometheus text format. It needs no credential: restrict access to
 * it at your proxy if the metrics are confidential.
 */
export function metricsRoute(app: FastifyInstance): void {
  const schema = {
    operationId: 'getMetrics',
    tags: ['Service'],
    summary: 'Get the metrics of this process',
    response: { 200: { content: { 'text/plain': { schema: { type: 'string' } } } } },
  };
  app.get('/metrics', { schema }, async (request, reply) => {
    refuseParameters(request);
    const all = Registry.merge([processMetrics, app.metrics]);
    return reply.type(all.contentType).send(await all.metrics());
  });
}
