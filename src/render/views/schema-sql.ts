/** What the first migration says: the tables of a new service. */
import { placeFunctions } from '../../migration/place-functions.ts';
import {
  addForeignKey,
  createEvents,
  createJobs,
  createTable,
  FUNCTIONS,
  SIGN_INS,
} from '../../migration/statements.ts';
import { CREATE_NUMERIC_KEYS } from '../../migration/numeric-keys.ts';
import { createWebhooks } from '../../migration/webhook-tables.ts';
import { createExistingIds } from '../../migration/existing-tables.ts';
import { isExisting } from '../../model/existing.ts';
import { hasEvents } from '../../model/events.ts';
import { hasNumericKeys, itemIdType } from '../../model/keys.ts';
import { hasJobs } from '../../model/jobs.ts';
import type { ItemIdType } from '../../model/keys.ts';
import type { Model } from '../../model/types.ts';

/** The data of templates/service/migrations/0001_initial.sql.hbs: statements. */
export interface SchemaView {
  readonly functions: string;
  readonly signIns: string;
  /** What numeric keys need, where there are any. */
  readonly numericKeys: string | undefined;
  /** What existing tables need whose ids the service does not generate. */
  readonly existingIds: readonly string[];
  /** The table of jobs, where there are any. */
  readonly jobs: string | undefined;
  /** The tables of events and webhooks, where there are any. */
  readonly events: string | undefined;
  /** Whether the tables are in a schema of their own, and what ties functions to it. */
  readonly schema: boolean;
  /** Whether there are views of existing tables. */
  readonly views: boolean;
  readonly placed: readonly string[];
  readonly tables: readonly string[];
  readonly foreignKeys: readonly string[];
}

export function schemaView(model: Model): SchemaView {
  const { collections } = model;
  return {
    functions: FUNCTIONS,
    signIns: SIGN_INS,
    numericKeys: hasNumericKeys(model) ? CREATE_NUMERIC_KEYS : undefined,
    existingIds: createExistingIds(model),
    jobs: hasJobs(model) ? createJobs(itemIdType(model)) : undefined,
    events: hasEvents(model) ? eventTables(itemIdType(model)) : undefined,
    schema: model.service.schema !== undefined,
    views: collections.some(isExisting),
    placed: placeFunctions(hasNumericKeys(model)),
    tables: collections.filter((collection) => !isExisting(collection)).map(createTable),
    foreignKeys: collections.flatMap(({ table }) =>
      table.foreignKeys.map((key) => addForeignKey(table.name, key)),
    ),
  };
}

const eventTables = (itemId: ItemIdType): string =>
  `${createEvents(itemId)}\n\n${createWebhooks(itemId)}`;
