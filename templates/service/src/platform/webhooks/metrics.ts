/** The Prometheus metrics of deliveries. */
import type { FastifyInstance } from 'fastify';

import type { Database } from '../database/database.ts';
import { addQueueMetrics } from '../queue-metrics.ts';
import { countDeliveries } from './delivery-store.ts';

/** Registers the gauges. */
export const addDeliveryMetrics = (app: FastifyInstance, database: Database): void =>
  addQueueMetrics(app, {
    name: 'webhook_deliveries',
    help: 'Deliveries of events to webhooks by status, counted up to 10000.',
    oldestHelp: 'Age of the oldest delivery by status; 0 without deliveries.',
    count: () => countDeliveries(database),
  });
