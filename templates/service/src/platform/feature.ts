/** `Feature`: what a part of the service adds that not every service has. `src/features.ts` lists those of this one. */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';

import type { LoginCounts } from './auth/login-throttle.ts';
import type { OpenDatabase } from './database/database.ts';
import type { SharedCounts } from './http/limits.ts';
import type { DocumentContext } from './openapi/schemas.ts';
import type { RouteContext, Services } from './services.ts';
import type { Settings } from './settings.ts';

/** What a feature adds; each member is optional. What it adds to the database, `platform/features.ts` lists. */
export interface Feature {
  /** The members that its modules have declared for `Services`, as far as they need no database. */
  readonly services?: (config: Settings) => Partial<Services>;
  /** Routes below the path of each version. */
  readonly routes?: readonly RegisterRoutes[];
  /** Headers of responses that scripts of other origins may read. */
  readonly exposedHeaders?: readonly string[];
  /** Makes the `webhooks` of the OpenAPI document of a version; one feature at most. */
  readonly describeWebhooks?: (
    version: number,
    context: DocumentContext,
  ) => Readonly<Record<string, object>>;
  /** Counts requests and logins instead of the database, unless it returns undefined; one feature at most. */
  readonly makeCounts?: (
    app: FastifyInstance,
    config: Settings,
    inDatabase: Counts,
  ) => Counts | undefined;
  /**
   * Adds hooks and metrics before the service listens.
   * @returns what begins once the database is migrated, if something does.
   */
  readonly register?: (app: FastifyInstance, context: FeatureContext) => StartFeature | undefined;
  /** Makes ready to work in a process that serves no HTTP. @returns what begins to work. */
  readonly prepareWork?: (
    database: OpenDatabase,
    config: Settings,
    log: FastifyBaseLogger,
  ) => Promise<() => BackgroundWorker>;
}

export type RegisterRoutes = (app: FastifyInstance, ...context: RouteContext) => void;

/** The counters of the rate limit and the login throttle, which all processes share. */
export type Counts = SharedCounts & LoginCounts;

/** What features are registered with. */
export interface FeatureContext {
  readonly config: Settings;
  readonly database: OpenDatabase;
  readonly services: Services;
}

export type StartFeature = () => void | Promise<void>;

/** Work beside requests, or in a process of its own. */
export interface BackgroundWorker {
  /**
   * Begins nothing more, waits for what is running, and gives back what is unfinished to other workers.
   * @param grace milliseconds that what is running has to finish.
   */
  stop(grace: number): Promise<void>;
}
