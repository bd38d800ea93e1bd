/**
 * `SchemaStep`: a change of the schema that comes with a version of this tool, not with a change of
 * definitions. It concerns the service's own tables, or how tables of collections are made.
 */
import type { Model } from '../model/types.ts';

/** One change of a schema, from a version on. */
export interface SchemaStep {
  /** The first version whose new projects begin with it. */
  readonly version: string;
  /** A sentence: what it does. */
  readonly summary: string;
  /**
   * The statements, under the names of before; none where the project has nothing that they are
   * about. They lose no data, and do nothing the second time (`if not exists`, `create or replace`):
   * of two branches that were both upgraded a database meets them twice.
   */
  readonly sql: (before: Model) => readonly string[];
}
