/**
 * The report of an import as a JSON document, for scripts. Its form is public: members are added, never renamed or removed.
 */
import { DIFFERENCES } from '../../import/difference.ts';
import type { ImportPlan } from '../../import/plan-import.ts';

export const reportJson = ({ database, serverVersion, tables, counts }: ImportPlan): object => ({
  ok: true,
  database,
  serverVersion,
  tables,
  differences: counts.map(({ code, tables: count }) => ({
    code,
    tables: count,
    kind: DIFFERENCES[code].kind,
    title: DIFFERENCES[code].title,
  })),
});
