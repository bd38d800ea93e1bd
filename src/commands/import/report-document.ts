/**
 * The report of an import as a JSON document. Its form is public: members are added, never renamed or removed.
 */
import { DIFFERENCES } from '../../import/difference.ts';
import type { ImportReport } from '../../import/import-report.ts';

export const reportDocument = ({
  database,
  serverVersion,
  tables,
  counts,
}: ImportReport): object => ({
  ok: true,
  database,
  serverVersion,
  tables,
  differences: counts.map(({ code, tables: count }) => ({
    code,
    tables: count,
    title: DIFFERENCES[code],
  })),
});
