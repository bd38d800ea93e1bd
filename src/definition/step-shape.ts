/** `STEPS`: the shape of the steps that `transitions` allows from one value. */
import { Issues } from '../reading/issues.ts';
import { mismatch } from '../reading/mismatch.ts';
import type { Position } from '../reading/position.ts';
import { map } from '../reading/records.ts';
import type { Keys } from '../reading/records.ts';
import { list, text } from '../reading/shapes.ts';
import type { Located, Shape } from '../reading/shapes.ts';
import type { Tree } from '../reading/tree.ts';

/** A step as it is written. */
export interface WrittenStep {
  readonly to: Located<string>;
  readonly by: (Located<readonly Located<string>[]> & { readonly keyAt: Position }) | undefined;
}

const STEP_KEYS = {
  to: {
    shape: text(),
    description: 'The value that the step leads to.',
    missing: '"to: approved"',
  },
  by: {
    shape: list(text({ pattern: '^[a-z]' }), 1),
    description:
      'The roles that may take the step, of those that may update the item. Administrators may take every step. Absent: all who may update the item.',
    examples: [['editor']],
  },
} satisfies Keys;

const STEP_MAP = map(STEP_KEYS);
const TARGET = text({}, 'the value that the step leads to, or { to: …, by: [role] }');

const STEP: Shape<WrittenStep> = {
  schema: { anyOf: [TARGET.schema, STEP_MAP.schema] },
  read(tree, what, issues) {
    if (tree.kind !== 'map') {
      const value = TARGET.read(tree, what, issues);
      return value === undefined ? undefined : { to: { value, at: tree.at }, by: undefined };
    }
    const read = STEP_MAP.read(tree, what, issues);
    return read?.to === undefined ? undefined : { to: read.to, by: read.by };
  },
};

const LISTED = list(STEP);

/** The steps from one value: a list, which is empty if the value is final. */
export const STEPS: Shape<readonly Located<WrittenStep>[]> = {
  schema: LISTED.schema,
  read(tree, what, issues) {
    if (tree.kind === 'list') return LISTED.read(tree, what, issues);
    return mismatch(tree, what, 'a list of steps', listHint(tree), issues);
  },
};

/** What to write in place of a step that stands alone. */
function listHint(tree: Tree): string | undefined {
  const isStep = STEP.read(tree, '', new Issues()) !== undefined;
  return isStep && tree.kind === 'scalar' ? `[${tree.source}]` : undefined;
}
