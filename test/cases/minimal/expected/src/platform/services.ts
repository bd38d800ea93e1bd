/** What `app.ts` passes to the routes. */
import type { Database } from './database/database.ts';
import type { Linking, Paging } from './http/page.ts';

/** The dependencies of routes. */
export interface Services extends Linking, Paging {
  readonly database: Database;
}
