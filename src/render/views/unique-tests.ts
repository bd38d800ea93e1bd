/** Tests of members that are unique, alone or together. */
import type { Field } from '../../definition/types.ts';
import { isKeptValue } from '../../model/check-values.ts';
import { allGroups } from '../../model/samples.ts';
import { makerOf, ofAnother } from './tested-collection.ts';
import type { MemberCode, TestedCollection, UsesAnother } from './tested-collection.ts';

/** Members that are unique together. */
export interface UniqueView {
  readonly words: string;
  readonly title: string;
  readonly members: readonly string[];
  /** Those that are references, and the others. */
  readonly references: readonly string[];
  readonly values: readonly string[];
  /** Code of the members that the first item is given beyond what a fixture gives. */
  readonly given: readonly MemberCode[];
  /** Whether several may have none. */
  readonly clearable: readonly string[];
  /** Whether a second item is possible with other values. */
  readonly mayChange: boolean;
}

/** A test for each group of members that are unique; none if tests cannot create items. */
export function uniqueTests(tested: TestedCollection): (UniqueView & UsesAnother)[] {
  if (!tested.creates) return [];
  const { collection, samples } = tested;
  const { definition } = collection;
  const alone = new Set(definition.fields.filter(({ unique }) => unique).map(({ name }) => name));
  // A member that is unique by itself leaves nothing for the others to say.
  const groups = allGroups(collection).filter(
    (group) => group.length === 1 || !group.some((name) => alone.has(name)),
  );
  return groups.flatMap((group): (UniqueView & UsesAnother)[] => {
    const fields = group.flatMap(
      (name) => definition.fields.find((field) => field.name === name) ?? [],
    );
    const base = new Set(samples.members.map(({ field }) => field));
    if (fields.length !== group.length || fields.some(({ readOnly }) => readOnly)) return [];
    const given = fields.filter((field) => !base.has(field)).map((field) => givenOf(field, tested));
    if (!given.every((one) => one !== undefined)) return [];
    return [
      {
        words: group.join(' and '),
        title: `${group.join(' and ')} ${group.length > 1 ? 'are unique together' : 'is unique'}`,
        members: group,
        references: fields.filter(({ type }) => type.type === 'reference').map(({ name }) => name),
        values: fields.filter(({ type }) => type.type !== 'reference').map(({ name }) => name),
        given: given.map(({ name, code }) => ({ name, code })),
        usesAnother: given.some(({ usesAnother }) => usesAnother),
        clearable: fields
          .filter((field) => !field.required && isKeptValue(samples.checks, field, null))
          .map(({ name }) => name),
        mayChange: samples.capacity > 2 && fields.every(({ immutable }) => !immutable),
      },
    ];
  });
}

/** What the first item is given for a member; undefined if no value is known. */
function givenOf(
  field: Field,
  { relations, all, values }: TestedCollection,
): (MemberCode & UsesAnother) | undefined {
  const { name } = field;
  const relation = relations.find((one) => one.field === field);
  if (relation !== undefined) {
    return { name, code: `(await ${makerOf(relation, all)}(service)).id`, usesAnother: false };
  }
  const value = values.another.get(name);
  return value === undefined
    ? undefined
    : { name, code: ofAnother(field, value), usesAnother: true };
}
