/** What a collection says of the work that makes its items in the background. */
import type { FastifyBaseLogger } from 'fastify';

import type { Database } from '../database/database.ts';
import type { Hooks } from '../database/hooks.ts';

/** What the slow work is told of the job that it is done for. */
export interface JobContext {
  readonly jobId: string;
  /** The id that the item will have: the same in every try. */
  readonly itemId: string;
  /** Which try this is, from 1. */
  readonly attempt: number;
  /** Ends when this process has to give the job up: pass it on to whatever takes long. */
  readonly signal: AbortSignal;
  /** The database, outside of any transaction. */
  readonly database: Database;
  readonly log: FastifyBaseLogger;
}

/** The team's own rules for a collection whose items are made in the background. */
export interface BackgroundHooks<Item, Values> extends Hooks<Item, Values> {
  /**
   * The slow work. Gives back what is to be stored. A process may die at any moment, so it may be
   * done more than once for one job: what it does elsewhere must bear that, `itemId` tells it again.
   * A `JobError` (see job-error.ts) fails the job with a sentence for the client; anything else is
   * tried again, with growing pauses.
   */
  readonly process?: (values: Values, context: JobContext) => Values | Promise<Values>;
}

/** What is stored when the slow work is done. */
export interface NewItem<Values> {
  readonly id: string;
  readonly values: Values;
  /** The user who asked for it, where they are still there. */
  readonly owner: string | null;
  /** The version that it was asked for in. */
  readonly version: number;
}

/** How the items of one collection are made. */
export interface BackgroundWork<Values> {
  /** The path of the collection. */
  readonly path: string;
  readonly process: (values: Values, context: JobContext) => Values | Promise<Values>;
  /** Stores the item, and runs `finish` in the same transaction. */
  readonly create: (
    database: Database,
    item: NewItem<Values>,
    finish: (transaction: Database) => Promise<void>,
  ) => Promise<void>;
}

/** The same, of values that are known by the name of their collection alone. */
export type AnyWork = BackgroundWork<object>;

/** What was stored for a collection is what this collection takes. */
export const anyWork = <Values extends object>(work: BackgroundWork<Values>): AnyWork =>
  work as unknown as AnyWork;
