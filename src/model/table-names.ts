/** The tables that a service has. */
import { hasEvents } from './events.ts';
import { hasJobs } from './jobs.ts';
import type { Model } from './types.ts';

/** The tables of webhooks, in an order in which they can be dropped. */
export const WEBHOOK_TABLES = ['_deliveries', '_webhook_secrets', '_webhook_cursor', 'webhooks'];

/** The names of tables that collections, events and jobs have, unquoted. No collection has that of another table. */
export const tableNames = (model: Model): ReadonlySet<string> =>
  new Set([
    ...model.collections.map(({ table }) => table.name),
    ...(hasEvents(model) ? ['events', ...WEBHOOK_TABLES] : []),
    ...(hasJobs(model) ? ['jobs'] : []),
  ]);
