/**
 * The report of an import as a JSON document, for scripts. Its form is public: members are added, never renamed or removed.
 */
import { DIFFERENCES, differenceKind } from '../../import/difference.ts';
import type { ImportPlan } from '../../import/plan-import.ts';

export const reportJson = ({
  database,
  serverVersion,
  serviceSchema,
  tables,
  counts,
  moreWithUtc,
}: ImportPlan): object => ({
  ok: true,
  database,
  serverVersion,
  adopt: serviceSchema !== undefined,
  ...(moreWithUtc !== undefined && { moreWithUtc }),
  tables: tables.map((table) => ({
    ...table,
    columns: table.columns.map(({ column, member }) => ({ column, member })),
    differences: table.differences.map(({ code, columns, text }) => ({ code, columns, text })),
  })),
  differences: counts.map(({ code, tables: count }) => ({
    code,
    tables: count,
    kind: differenceKind(code, serviceSchema !== undefined),
    title: DIFFERENCES[code].title,
  })),
});
