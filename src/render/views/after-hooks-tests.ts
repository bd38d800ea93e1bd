/** Tests of what is refused unless a hook makes it keep a check: values, and steps of a field with transitions. */
import { isSetByHook } from '../../definition/set-by-hook.ts';
import { isBackground } from '../../model/jobs.ts';
import type { Collection } from '../../model/types.ts';
import type { CheckTest, CheckTestView } from './check-tests.ts';
import type { StepTests } from './step-tests.ts';

/** A test of one check, which is skipped where the collection has a hook that may set what the check asks for. */
interface AfterHooksTestView extends CheckTestView {
  /** Code for whether there is such a hook. */
  readonly isMended: string;
  /** One element each, if a POST, and if a PATCH and a PUT are tried. */
  readonly created: readonly true[];
  readonly changed: readonly true[];
}

/** The tests of a collection. */
export interface AfterHooksTestsView {
  /** The object with the hooks, and its module below `src/collections/`. */
  readonly hooks: string;
  readonly module: string;
  readonly checks: readonly AfterHooksTestView[];
  /** The table of steps, if there are some. */
  readonly steps: readonly { readonly rows: readonly string[] }[];
}

/** One element, or none if no check is decided after hooks. */
export function afterHooksTests(
  collection: Collection,
  all: readonly CheckTest[],
  steps: StepTests | undefined,
): readonly AfterHooksTestsView[] {
  const { itemCamel, kebab } = collection.code;
  const hooks = `${itemCamel}Hooks`;
  // A job decides after `process`, and the POST does not wait for it. What only `beforeCreate` sets, it sets.
  const creates = !isBackground(collection) && !collection.definition.fields.some(isSetByHook);
  const checks = all
    .filter(({ afterHooks, mayChange }) => afterHooks && (creates || mayChange))
    .map((check) => ({
      ...check,
      isMended: creates
        ? `(${hooks}.beforeCreate ?? ${hooks}.beforeUpdate) !== undefined`
        : `${hooks}.beforeUpdate !== undefined`,
      created: creates ? ([true] as const) : [],
      changed: check.mayChange ? ([true] as const) : [],
    }));
  const rows = steps?.needsHook ?? [];
  if (checks.length + rows.length === 0) return [];
  return [
    { hooks, module: `${kebab}/hooks.ts`, checks, steps: rows.length === 0 ? [] : [{ rows }] },
  ];
}
