/** The services that `app.ts` passes to routes. */
import type { Database } from './database/database.ts';
import type { Cursors } from './http/cursor.ts';

/** The dependencies of routes. Modules of features that need more add members to this interface. */
export interface Services {
  readonly database: Database;
  readonly cursors: Cursors;
  /** The origin of absolute links; empty for relative links. */
  readonly publicUrl: string;
  /** The maximum size of a page, in bytes; a single larger item is still served. */
  readonly pageBytes: number;
}

/** What functions of routes get beside the Fastify instance: `version` is that of the API whose paths they have. */
export type RouteContext = [services: Services, version: number];
