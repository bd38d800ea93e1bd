/** Tests of what is refused unless a hook makes it keep a check: values, and steps of a field with transitions. */
import { isSetByHook } from '../../definition/set-by-hook.ts';
import { isBackground } from '../../model/jobs.ts';
import type { Collection } from '../../model/types.ts';
import type { CheckTest } from './check-tests.ts';
import { tellingOptions } from './options.ts';
import type { Options } from './options.ts';
import type { StepTests } from './step-tests.ts';

/** The tests of a collection. */
export interface AfterHooksTests {
  /** The object with the hooks, and its module below `src/collections/`. */
  readonly hooks: { readonly name: string; readonly module: string };
  readonly options: Options;
}

/** Undefined if no check is decided after hooks. */
export function afterHooksTests(
  collection: Collection,
  all: readonly CheckTest[],
  steps: StepTests | undefined,
): AfterHooksTests | undefined {
  const { itemCamel, kebab } = collection.code;
  // A job decides after `process`, and the POST does not wait for it. What only `beforeCreate` sets, it sets.
  const mayCreate = !isBackground(collection) && !collection.definition.fields.some(isSetByHook);
  const checks = all
    .filter(({ afterHooks, mayChange }) => afterHooks && (mayCreate || mayChange))
    .map(({ name, named, violating, mayChange }) => ({
      name,
      named,
      violating,
      ...tellingOptions({ mayCreate, mayChange }),
    }));
  const refused = steps?.needsHook ?? [];
  if (checks.length + refused.length === 0) return undefined;
  return {
    hooks: { name: `${itemCamel}Hooks`, module: `${kebab}/hooks.ts` },
    options: tellingOptions({ checks, steps: refused }),
  };
}
