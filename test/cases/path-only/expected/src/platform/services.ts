/** The services that `app.ts` passes to routes. */
import type { Database } from './database/database.ts';
import type { Linking, Paging } from './http/page.ts';

/** The dependencies of routes. */
export interface Services extends Linking, Paging {
  readonly database: Database;
}
