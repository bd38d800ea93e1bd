/**
 * The lines at the head of a migration that say how it is applied: written by `migration-text.ts`, and read by the
 * emitted `migrations.ts`, whose README describes them.
 */
import { quoted } from '../shared/sql.ts';

/** Processes of an older version go on after the file. */
export const EXPAND = '-- expand';
/** The file waits until no process of an older version runs. */
export const CONTRACT = '-- contract';
/** Each statement is applied by itself. */
export const NO_TRANSACTION = '-- no transaction';

/** The views of `views.sql` are made in the transaction of the file. */
export const CHANGES_VIEWS = '-- views';

/** The statements are applied to ranges of the rows of a table. @param table unquoted. */
export const batchLine = (table: string): string => `-- batch: ${quoted(table)}`;

/** The file reads or writes all rows of these tables. @param tables unquoted. */
export const tablesLine = (tables: readonly string[]): string =>
  `-- tables: ${tables.map(quoted).join(', ')}`;

export interface HeaderLines {
  readonly kind: 'transaction' | 'statements' | 'batch';
  readonly isExpand: boolean;
  readonly isContract: boolean;
  readonly changesViews: boolean;
}

/** Reads these lines, as the emitted service does. */
export function readHeaderLines(text: string): HeaderLines {
  const lines = new Set(text.split(/\r?\n/));
  const isBatch = /^-- batch: /m.test(text);
  return {
    kind: isBatch ? 'batch' : lines.has(NO_TRANSACTION) ? 'statements' : 'transaction',
    isExpand: lines.has(EXPAND),
    isContract: lines.has(CONTRACT),
    changesViews: lines.has(CHANGES_VIEWS),
  };
}
