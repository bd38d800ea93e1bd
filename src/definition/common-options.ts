/** Reads what fields and properties have in common, beside their type. */
import type { Issues } from '../reading/issues.ts';
import type { FIELD_KEYS } from './keys.ts';
import { isNull } from '../reading/mismatch.ts';
import { quote } from '../reading/quote.ts';
import type { Reading } from '../reading/records.ts';
import type { Tree } from '../reading/tree.ts';
import type { Property } from '../types/object.ts';
import type { FieldType } from '../types/registry.ts';
import type { JsonValue } from '../shared/json.ts';
import type { Position } from '../reading/position.ts';
import { checkRenamed } from './renamed-from.ts';
import { specOf } from '../types/registry.ts';

/** What stands beside the options of a type; a property has only some of it. */
export type CommonOptions = Reading<typeof FIELD_KEYS>;

/** All but the type, with the default and the example checked against it. */
export function readCommonOptions(
  name: string,
  at: Position,
  type: FieldType,
  common: CommonOptions,
  issues: Issues,
): Omit<Property, 'type'> {
  const required = common.required?.value ?? false;
  const description = common.description?.value;
  const initial = readGiven(type, required, 'default', common.default?.value, issues);
  const example = readGiven(type, required, 'example', common.example?.value, issues);
  const backfill = readGiven(type, required, 'backfill', common.backfill?.value, issues);
  const renamedFrom = common.renamed_from?.value;
  checkRenamed(name, common.renamed_from, issues);
  return {
    name,
    ...(description !== undefined && description.trim() !== '' && { description }),
    required,
    ...(initial !== undefined && { default: initial }),
    ...(example !== undefined && { example }),
    ...(renamedFrom !== undefined && { renamedFrom }),
    ...(backfill !== undefined && { backfill }),
    at,
  };
}

function readGiven(
  type: FieldType,
  required: boolean,
  what: 'default' | 'example' | 'backfill',
  tree: Tree | undefined,
  issues: Issues,
): JsonValue | undefined {
  if (tree === undefined) return undefined;
  if (isNull(tree)) {
    // An optional field is null where nothing is given: saying so adds nothing.
    if (!required) return undefined;
    const message = `${what} is null, and the field is required. Write a value, or leave it out.`;
    issues.add(tree.at, 'bad-value', message);
    return undefined;
  }
  const spec = specOf(type);
  const current = spec.currentDefault;
  if (what !== 'example' && tree.kind === 'scalar' && current !== undefined) {
    if (tree.value === current) return current;
    if (typeof tree.value === 'string' && /^(?:now|today)$/i.test(tree.value)) {
      const message = `${what} ${quote(tree.value)} does not fit a ${type.type}. Write "${current}".`;
      issues.add(tree.at, 'bad-value', message);
      return undefined;
    }
  }
  return spec.readValue(type, tree, what, issues);
}
