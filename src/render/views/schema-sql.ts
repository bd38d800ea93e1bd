/** What the first migration says: the tables of a new service. */
import {
  addForeignKey,
  createEvents,
  createJobs,
  createTable,
  FUNCTIONS,
} from '../../migration/statements.ts';
import { createWebhooks } from '../../migration/webhook-tables.ts';
import { hasEvents } from '../../model/events.ts';
import { hasJobs } from '../../model/jobs.ts';
import type { Model } from '../../model/types.ts';

/** The data of templates/service/migrations/0001_initial.sql.hbs: statements. */
export interface SchemaView {
  readonly functions: string;
  /** The table of jobs, where there are any. */
  readonly jobs: string | undefined;
  /** The tables of events and webhooks, where there are any. */
  readonly events: string | undefined;
  readonly tables: readonly string[];
  readonly foreignKeys: readonly string[];
}

export function schemaView(model: Model): SchemaView {
  const { collections } = model;
  return {
    functions: FUNCTIONS,
    jobs: hasJobs(model) ? createJobs(model.versions !== undefined) : undefined,
    events: hasEvents(model) ? `${createEvents()}\n\n${createWebhooks()}` : undefined,
    tables: collections.map(createTable),
    foreignKeys: collections.flatMap(({ table }) =>
      table.foreignKeys.map((key) => addForeignKey(table.name, key)),
    ),
  };
}
