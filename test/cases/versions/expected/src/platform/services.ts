/** The services that `app.ts` passes to routes. */
import type { Database } from './database/database.ts';
import type { Linking, Paging } from './http/page.ts';
import type { Queue } from './jobs/queue.ts';
import type { AnyWork } from './jobs/work.ts';

/** The dependencies of routes. */
export interface Services extends Linking, Paging {
  readonly database: Database;
  readonly jobs: Queue;
  /** How items are created in the background, by collection. */
  readonly works: Readonly<Record<string, AnyWork>>;
  /** The paths of these collections, by version. */
  readonly workPaths: Readonly<Record<string, Readonly<Record<number, string>>>>;
}
