/**
 * The report of the import of an OpenAPI document as a JSON document, for scripts. Its form is public: members are
 * added, never renamed or removed.
 */
import { OPERATION_CHANGES } from '../../import-openapi/compare-operation.ts';
import type { OperationChangeCode } from '../../import-openapi/compare-operation.ts';
import type {
  OpenApiImportPlan,
  OperationResult,
} from '../../import-openapi/plan-openapi-import.ts';

export function openApiReportJson(plan: OpenApiImportPlan): object {
  const { title, openapi, prefixes, servicePrefix, collections, operations } = plan;
  const { same, changed, notTaken } = operationCounts(plan);
  return {
    ok: true,
    title,
    openapi,
    prefixes,
    servicePrefix,
    counts: { operations: operations.length, same, changed, notTaken },
    changes: changeCounts(plan),
    collections,
    operations,
  };
}

/** How many operations have each result. */
export function operationCounts({
  operations,
}: Pick<OpenApiImportPlan, 'operations'>): Readonly<
  Record<'same' | 'changed' | 'notTaken', number>
> {
  const count = (result: OperationResult): number =>
    operations.filter((one) => one.result === result).length;
  return { same: count('same'), changed: count('changed'), notTaken: count('not-taken') };
}

interface ChangeCount {
  readonly code: OperationChangeCode;
  readonly operations: number;
  readonly title: string;
}

/** How many operations have each change, the most frequent first. */
export function changeCounts({
  operations,
}: Pick<OpenApiImportPlan, 'operations'>): readonly ChangeCount[] {
  const codes = Object.keys(OPERATION_CHANGES) as OperationChangeCode[];
  return codes
    .map((code) => ({
      code,
      operations: operations.filter(({ changes }) => changes.some((one) => one.code === code))
        .length,
      title: OPERATION_CHANGES[code],
    }))
    .filter((one) => one.operations > 0)
    .toSorted((one, other) => other.operations - one.operations);
}
