/** Compares the unique fields of two states of a collection: a rule that refuses more than before breaks clients. */
import type { CollectionDefinition, UniqueRule } from '../definition/types.ts';
import { renameMembers } from '../expressions/expression.ts';
import { ruleText } from '../expressions/rule-text.ts';
import { conjuncts, isImplied } from './compare-checks.ts';
import { inlineYaml } from './definition-yaml.ts';
import { plainAdvice } from './types.ts';
import type { Break } from './types.ts';

/**
 * The rules that may refuse values that were accepted: none of before is about the same fields or fewer, and
 * about all of their items.
 * @param nowCalled the current name of a member of before.
 */
export function narrowerUnique(
  before: Pick<CollectionDefinition, 'fields' | 'unique'>,
  after: readonly UniqueRule[],
  nowCalled: (name: string) => string,
): readonly UniqueRule[] {
  const known = [
    ...before.unique.map(({ fields, where }) => ({
      fields: fields.map(nowCalled),
      where: where && renameMembers(where.expression, nowCalled),
    })),
    ...before.fields
      .filter(({ unique }) => unique)
      .map(({ name }) => ({ fields: [nowCalled(name)], where: undefined })),
  ];
  return after.filter(({ fields, where }) => {
    const parts = new Set(where && conjuncts(where.expression).map(ruleText));
    return !known.some(
      (one) =>
        one.fields.every((name) => fields.includes(name)) &&
        (one.where === undefined || isImplied(one.where, parts)),
    );
  });
}

/** The breaking change of such a rule. @param currentName the name of a member in the definitions. */
export function uniqueBreak(
  { fields, where }: UniqueRule,
  collection: string,
  currentName: (name: string) => string,
  at: Break['at'],
): Break {
  const ruleOf = (nameOf: (name: string) => string): string | undefined =>
    where && ruleText(renameMembers(where.expression, nameOf));
  const among = where === undefined ? '' : ` among items where ${ruleOf((name) => name)}`;
  const names = fields.map(currentName);
  const written =
    where === undefined
      ? `[${names.join(', ')}]`
      : inlineYaml({ fields: names, where: ruleOf(currentName) });
  return {
    code: 'unique-new',
    at,
    what: `collection ${collection} has ${fields.length === 1 ? `the unique field ${fields[0]}` : `the fields ${fields.toSorted().join(', ')}, unique together`}${among}`,
    who: 'clients that send values that are taken get 409',
    advice: plainAdvice(`Leave ${written} out of "unique".`),
  };
}
