/** Tests of references: to items that do not exist or go, of lists below a parent, and of what can be included. */
import { hasSoftDelete } from '../../model/existing.ts';
import { includedName } from '../../definition/include.ts';
import { isKeptValue } from '../../model/check-values.ts';
import { capacityOf, isUniqueByItself } from '../../model/samples.ts';
import type { Relation } from '../../model/types.ts';
import { nameText, tellingOptions } from './options.ts';
import type { Option, Options } from './options.ts';
import { targetNames } from './fixture.ts';
import { unusedIdOf } from './test-ids.ts';
import type { TestedCollection } from './tested-collection.ts';

/** What `referenceTests`, `nestedTests` and `includeTests` are called with. */
export interface ReferenceTests {
  readonly references: readonly Options[];
  readonly nested: readonly Options[];
  readonly includes: readonly Options[];
}

/** The tests of all references of a collection; none if tests cannot create its items. */
export function referenceTests(tested: TestedCollection): ReferenceTests {
  if (!tested.creates) return { references: [], nested: [], includes: [] };
  const { relations, collection, samples } = tested;
  return {
    references: relations.map((relation) => referenceOptions(relation, tested)),
    nested: relations.flatMap((relation) => nestedOptions(relation, tested)),
    includes: relations
      .filter(({ field }) => collection.definition.include.includes(field.name))
      .map((relation) => ({
        name: includedName(relation.field.name),
        member: relation.field.name,
        to: itemsOf(relation, tested),
        anItem: relation.target.names.anItem,
        ...tellingOptions({
          isOptional: !samples.members.some(
            ({ kind, field }) => kind === 'parent' && field === relation.field,
          ),
          showsUpdates: hasUpdatedAt(relation.target),
        }),
      })),
  };
}

/** The items that a reference leads to, as suites test them. */
const itemsOf = ({ target }: Relation, { all }: TestedCollection): Option =>
  nameText(`test${targetNames(target.collection, all).pascal}`);

/** Whether items that are referred to have the time of their last change. */
const hasUpdatedAt = ({ existing }: Relation['target']): boolean =>
  existing === undefined || existing.times.updated_at !== undefined;

const referenceOptions = (relation: Relation, tested: TestedCollection): Options => ({
  member: relation.field.name,
  to: itemsOf(relation, tested),
  anItem: relation.target.names.anItem,
  noId: nameText(unusedIdOf(relation.field.type)),
  ...tellingOptions({
    mayChange: !relation.field.immutable,
    onRemoval: onRemoval(relation, tested),
    keepsReference:
      relation.onDelete === 'refuse' &&
      hasSoftDelete(tested.collection.definition) &&
      !hasSoftDelete(relation.target),
    isShared: isShared(relation, tested),
    isHidden: relation.field.writeOnly,
  }),
});

/** What the removal of the other item does, as far as tests can try it. */
function onRemoval({ onDelete, field }: Relation, { samples }: TestedCollection): Option {
  if (onDelete === 'clear') {
    return isKeptValue(samples.checks, field, null) ? 'clears' : undefined;
  }
  return onDelete === 'cascade' ? 'cascades' : 'refused';
}

/** Nothing for a reference without a nested path. */
function nestedOptions(relation: Relation, tested: TestedCollection): Options[] {
  const { field, target, nestedPath } = relation;
  if (nestedPath === undefined) return [];
  const parents = capacityOf(tested.all.get(target.collection));
  return [
    {
      member: field.name,
      to: itemsOf(relation, tested),
      path: nestedPath,
      noId: nameText(unusedIdOf(field.type)),
      ...tellingOptions({
        hasOthers: parents > 1,
        hasSeveral: !isUniqueByItself(tested.collection, field),
        isSeparate: parents > 2 && tested.samples.capacity > 2,
        isShared: isShared(relation, tested),
        isHidden: field.writeOnly,
      }),
    },
  ];
}

/** Whether items share what a reference leads to unless told otherwise. */
const isShared = (relation: Relation, { samples }: TestedCollection): boolean =>
  samples.members.some(
    (member) => member.kind === 'parent' && member.shared && member.field === relation.field,
  );
