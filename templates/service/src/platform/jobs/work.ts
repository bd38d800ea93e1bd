/** The types of collections whose items are created in the background. */
import type { FastifyBaseLogger } from 'fastify';

import type { Principal } from '../auth/principal.ts';
import type { Database } from '../database/database.ts';
import type { Hooks } from '../database/hooks.ts';

/** The context of `process`. */
export interface JobContext {
  readonly jobId: string;
  /** The id that the item will have, the same in every attempt. */
  readonly itemId: string;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** The user who sent the POST, with their present roles; undefined without a credential, or if they were removed. */
  readonly principal: Principal | undefined;
  /**
   * Aborts when the attempt has taken longer than `job_timeout` of the definition, and when this process loses the
   * job. Nobody waits for the attempt then: pass the signal to everything that takes long.
   */
  readonly signal: AbortSignal;
  /** The database, outside of any transaction. */
  readonly database: Database;
  readonly log: FastifyBaseLogger;
}

/** The hooks of a collection whose items are created in the background. */
export interface BackgroundHooks<Item, Values> extends Hooks<Item, Values> {
  /**
   * Does the slow work and returns the values to store. It may run more than once for a job, because
   * a process can die at any moment, and an attempt can take too long: make its side effects idempotent, with `itemId` as the key. A
   * `JobError` (see job-error.ts) fails the job with a message for the client; all other errors are
   * retried with increasing delays.
   */
  readonly process?: (values: Values, context: JobContext) => Values | Promise<Values>;
}

/** The item to store after `process`. */
export interface NewItem<Values> {
  readonly id: string;
  readonly values: Values;
  /** The user who sent the POST. */
  readonly principal: Principal | undefined;
  /** The version of the POST. */
  readonly version: number;
}

/** How the items of a collection are created in the background. */
export interface BackgroundWork<Values> {
  /** The paths of the collection, by version; versions that do not have it are left out. */
  readonly paths: Readonly<Record<number, string>>;
  /** The seconds that an attempt may take. */
  readonly timeout: number;
  /** Takes the id of the item from a sequence, when its job is accepted; absent: ids are UUIDs. */
  readonly reserveId?: (transaction: Database) => Promise<string>;
  readonly process: (values: Values, context: JobContext) => Values | Promise<Values>;
  /** Stores the item, and runs `finish` in the same transaction. */
  readonly create: (
    database: Database,
    item: NewItem<Values>,
    finish: (transaction: Database) => Promise<void>,
  ) => Promise<unknown>;
}

/** `BackgroundWork` for a collection that is known only at run time. */
export type AnyWork = BackgroundWork<object>;

/** Erases the type of the values: a job stores the collection together with values of its type. */
export const anyWork = <Values extends object>(work: BackgroundWork<Values>): AnyWork =>
  work as unknown as AnyWork;
