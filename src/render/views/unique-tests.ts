/** Tests of members that are unique, alone or together. */
import { hasSoftDelete } from '../../model/existing.ts';
import type { Field } from '../../definition/types.ts';
import { searchBudget } from '../../expressions/find-values.ts';
import { ruleText } from '../../expressions/rule-text.ts';
import { isKeptValue } from '../../model/check-values.ts';
import { mayHaveSameValues, whereValues } from '../../model/unique-where-values.ts';
import { membersCode } from './member-values.ts';
import { createFunctionOf, anotherValueCode } from './tested-collection.ts';
import type { MemberCode, TestedCollection, UsesAnother } from './tested-collection.ts';

/** Members that are unique together. */
export interface UniqueView extends GroupView {
  /** Whether several may have none. */
  readonly clearable: readonly string[];
  /** Whether a second item is possible with other values. */
  readonly mayChange: boolean;
  /** Whether it is the id, which no other item has even after a removal. */
  readonly isId: boolean;
  /** Whether it is the key of rows that stay after a removal. */
  readonly isKept: boolean;
}

/** A test for each group of members that are unique; none if tests cannot create items. */
export function uniqueTests(tested: TestedCollection): (UniqueView & UsesAnother)[] {
  if (!tested.creates) return [];
  const { collection, samples } = tested;
  const { definition } = collection;
  const alone = new Set(definition.fields.filter(({ unique }) => unique).map(({ name }) => name));
  // A member that is unique by itself leaves nothing for the others to say.
  const groups = [
    ...[...alone].map((name) => [name]),
    ...definition.unique
      .filter(({ where }) => where === undefined)
      .map((rule) => rule.fields)
      .filter((group) => group.length === 1 || !group.some((name) => alone.has(name))),
  ];
  return groups.flatMap((group): (UniqueView & UsesAnother)[] => {
    const shared = groupView(group, tested);
    if (shared === undefined) return [];
    const { fields, ...view } = shared;
    return [
      {
        ...view,
        clearable: fields
          .filter((field) => !field.required && isKeptValue(samples.checks, field, null))
          .map(({ name }) => name),
        isId: group.join() === 'id',
        isKept: hasSoftDelete(definition) && group.join() === definition.keyFields?.join(),
        mayChange: samples.capacity > 2 && fields.every(({ immutable }) => !immutable),
      },
    ];
  });
}

/** A test of members that are unique among some items. */
export interface UniqueWhereView extends Omit<GroupView, 'words' | 'members'> {
  /** What the error names. */
  readonly named: readonly string[];
  /** Code of members that an item has inside of the rule, and outside; none if no values are known. */
  readonly inside: readonly MemberCode[];
  readonly outside: readonly MemberCode[];
  /** Whether a PATCH can send them. */
  readonly mayChange: boolean;
}

/** A test for each rule of `unique` for which values are known; none if tests cannot create items. */
export function uniqueWhereTests(tested: TestedCollection): (UniqueWhereView & UsesAnother)[] {
  if (!tested.creates) return [];
  const { samples, collection } = tested;
  const { definition } = collection;
  const budget = searchBudget();
  return definition.unique.flatMap((rule): (UniqueWhereView & UsesAnother)[] => {
    const { fields: names, where } = rule;
    const group = groupView(names, tested);
    const values = whereValues(rule, samples, budget);
    if (where === undefined || group === undefined || values === undefined) return [];
    const inside = membersCode(values.inside, tested);
    if (inside === undefined) return [];
    // Another rule would refuse it, and be named.
    if (!mayHaveSameValues(rule, names, values.inside, values.inside, samples)) return [];
    const outside =
      values.outside !== undefined &&
      mayHaveSameValues(rule, names, values.inside, values.outside, samples)
        ? (membersCode(values.outside, tested) ?? [])
        : [];
    const text = ruleText(where.expression);
    const { fields: _fields, title, ...view } = group;
    const changed = definition.fields.filter(({ name }) => Object.hasOwn(values.inside, name));
    return [
      {
        ...view,
        title: `${title} where ${text}`,
        named: [...names, `where ${text}`],
        inside,
        outside,
        mayChange: changed.every(({ immutable }) => !immutable),
      },
    ];
  });
}

/** What tests of members that are unique have in common. */
interface GroupView {
  readonly words: string;
  readonly title: string;
  readonly members: readonly string[];
  /** Those that are references, and the others. */
  readonly references: readonly string[];
  readonly values: readonly string[];
  /** Code of the members that the first item is given beyond what a fixture gives. */
  readonly given: readonly MemberCode[];
}

/** The members of one test, and their fields; undefined if no values are known. */
function groupView(
  group: readonly string[],
  tested: TestedCollection,
): (GroupView & UsesAnother & { readonly fields: readonly Field[] }) | undefined {
  const { definition } = tested.collection;
  const fields = group.flatMap(
    (name) => definition.fields.find((field) => field.name === name) ?? [],
  );
  const base = new Set(tested.samples.members.map(({ field }) => field));
  if (fields.length !== group.length || fields.some(({ readOnly }) => readOnly)) return undefined;
  const given = fields.filter((field) => !base.has(field)).map((field) => givenOf(field, tested));
  if (!given.every((one) => one !== undefined)) return undefined;
  return {
    words: group.join(' and '),
    title: `${group.join(' and ')} ${group.length > 1 ? 'are unique together' : 'is unique'}`,
    members: group,
    references: fields.filter(({ type }) => type.type === 'reference').map(({ name }) => name),
    values: fields.filter(({ type }) => type.type !== 'reference').map(({ name }) => name),
    given: given.map(({ name, code }) => ({ name, code })),
    usesAnother: given.some(({ usesAnother }) => usesAnother),
    fields,
  };
}

/** What the first item is given for a member; undefined if no value is known. */
function givenOf(
  field: Field,
  { relations, all, values }: TestedCollection,
): (MemberCode & UsesAnother) | undefined {
  const { name } = field;
  const relation = relations.find((one) => one.field === field);
  if (relation !== undefined) {
    return {
      name,
      code: `(await ${createFunctionOf(relation, all)}(service)).id`,
      usesAnother: false,
    };
  }
  const value = values.another.get(name);
  return value === undefined
    ? undefined
    : { name, code: anotherValueCode(field, value), usesAnother: true };
}
