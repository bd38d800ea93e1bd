/** Tests of members that are unique, alone or together. */
import { hasSoftDelete } from '../../model/existing.ts';
import type { Field } from '../../definition/types.ts';
import { searchBudget } from '../../expressions/find-values.ts';
import { ruleText } from '../../expressions/rule-text.ts';
import { isKeptValue } from '../../model/check-values.ts';
import { mayHaveSameValues, whereValues } from '../../model/unique-where-values.ts';
import { isBackground } from '../../model/jobs.ts';
import type { Collection } from '../../model/types.ts';
import { madeCode, memberOptions } from './member-values.ts';
import { codeText, tellingOptions } from './options.ts';
import type { Option, Options } from './options.ts';
import { anotherValueCode } from './tested-collection.ts';
import type { TestedCollection } from './tested-collection.ts';

/** What `uniqueTests` is called with: each group of members; none if tests cannot create items. */
export function uniqueTests(tested: TestedCollection): Options[] {
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
  return groups.flatMap((group) => {
    const shared = groupOf(group, tested);
    if (shared === undefined) return [];
    const { fields, options } = shared;
    return [
      tellingOptions({
        ...options,
        clearable: fields
          .filter((field) => !field.required && isKeptValue(samples.checks, field, null))
          .map(({ name }) => name),
        mayChange: samples.capacity > 2 && fields.every(({ immutable }) => !immutable),
        again: answerAgain(group, collection),
      }),
    ];
  });
}

/** What a POST with the values of a removed item answers. */
function answerAgain(group: readonly string[], collection: Collection): Option {
  const { definition } = collection;
  const staysThere = hasSoftDelete(definition);
  // The key of a row that stays.
  if (staysThere && group.join() === definition.keyFields?.join()) return [409, ...group];
  // An id, which no other item has even after a removal.
  if (group.join() === 'id') return [409, staysThere ? 'id' : 'removed'];
  return isBackground(collection) ? 202 : 201;
}

/** What `uniqueWhereTests` is called with: each rule for which values are known; none if tests cannot create items. */
export function uniqueWhereTests(tested: TestedCollection): Options[] {
  if (!tested.creates) return [];
  const { samples, collection } = tested;
  const { definition } = collection;
  const budget = searchBudget();
  return definition.unique.flatMap((rule) => {
    const { fields: names, where } = rule;
    const group = groupOf(names, tested);
    const values = whereValues(rule, samples, budget);
    if (where === undefined || group === undefined || values === undefined) return [];
    const inside = memberOptions(values.inside, tested);
    if (inside === undefined) return [];
    // Another rule would refuse it, and be named.
    if (!mayHaveSameValues(rule, names, values.inside, values.inside, samples)) return [];
    const outside =
      values.outside !== undefined &&
      mayHaveSameValues(rule, names, values.inside, values.outside, samples)
        ? memberOptions(values.outside, tested)
        : undefined;
    const changed = definition.fields.filter(({ name }) => Object.hasOwn(values.inside, name));
    return [
      {
        where: ruleText(where.expression),
        inside,
        ...tellingOptions({
          ...group.options,
          outside,
          mayChange: changed.every(({ immutable }) => !immutable),
        }),
      },
    ];
  });
}

/** The members of one test, and their fields; undefined if no values are known. */
function groupOf(
  group: readonly string[],
  tested: TestedCollection,
): { readonly fields: readonly Field[]; readonly options: Options } | undefined {
  const { definition } = tested.collection;
  const fields = group.flatMap(
    (name) => definition.fields.find((field) => field.name === name) ?? [],
  );
  const base = new Set(tested.samples.members.map(({ field }) => field));
  if (fields.length !== group.length || fields.some(({ readOnly }) => readOnly)) return undefined;
  const given = fields
    .filter((field) => !base.has(field))
    .map((field) => [field.name, givenOf(field, tested)] as const);
  if (given.some(([, value]) => value === undefined)) return undefined;
  return {
    fields,
    options: {
      members: group,
      references: fields.filter(({ type }) => type.type === 'reference').map(({ name }) => name),
      given: Object.fromEntries(given),
    },
  };
}

/** What the first item is given for a member beyond a body; undefined if no value is known. */
function givenOf(field: Field, { relations, values }: TestedCollection): Option {
  const { name } = field;
  if (relations.some((one) => one.field === field)) return madeCode(name);
  const value = values.another.get(name);
  return value === undefined ? undefined : codeText(anotherValueCode(field, value), 'full');
}
