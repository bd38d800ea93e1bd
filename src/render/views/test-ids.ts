/** Ids in emitted tests: values of `test/support/expected.ts`. */
import type { CollectionDefinition } from '../../definition/types.ts';
import { keySpec, LONGEST_ID } from '../../types/key.ts';
import type { FieldType } from '../../types/registry.ts';
import { stringLiteral } from '../../shared/literals.ts';

/** The ids of a collection in its tests. */
export interface TestIdsView {
  /** The names of an id that no item has, and of a matcher of all ids. */
  readonly noId: string;
  readonly anId: string;
  /** Code of ids that no item can have. */
  readonly malformedIds: readonly string[];
}

export function testIds({ key }: CollectionDefinition): TestIdsView {
  const { unusedName, matcherName, refused } = keySpec(key);
  const texts = refused.flatMap(([, value]) => (typeof value === 'string' ? [value] : []));
  return {
    noId: unusedName,
    anId: matcherName,
    malformedIds:
      { uuid: [stringLiteral('no-id')], string: [`'x'.repeat(${LONGEST_ID + 1})`] }[
        key as string
      ] ?? texts.map(stringLiteral),
  };
}

/** The name of the constant with an id that no item of the target of a reference has. */
export const unusedIdOf = (type: FieldType): string =>
  keySpec((type.type === 'reference' ? type.key : undefined) ?? 'uuid').unusedName;
