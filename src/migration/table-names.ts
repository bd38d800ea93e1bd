/** The tables that a service has. */
import { hasEvents } from '../model/events.ts';
import { hasJobs } from '../model/jobs.ts';
import type { Model } from '../model/types.ts';
import { WEBHOOK_TABLES } from './webhook-tables.ts';

/** The names of tables that collections, events and jobs have, unquoted. No collection has that of another table. */
export const tableNames = (model: Model): ReadonlySet<string> =>
  new Set([
    ...model.collections.map(({ table }) => table.name),
    ...(hasEvents(model) ? ['events', ...WEBHOOK_TABLES] : []),
    ...(hasJobs(model) ? ['jobs'] : []),
  ]);
