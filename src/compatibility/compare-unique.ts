/** Compares the unique fields of two states of a collection: a rule that refuses more than before breaks clients. */
import type { CollectionDefinition, UniqueDefinition } from '../definition/types.ts';
import { renameMembers } from '../expressions/expression.ts';
import type { Expression } from '../expressions/expression.ts';
import { ruleImplies } from '../expressions/rule-implies.ts';
import { ruleText } from '../expressions/rule-text.ts';
import { inlineYaml } from './definition-yaml.ts';
import { plainAdvice } from './types.ts';
import type { Break } from './types.ts';

/** A rule that may refuse values that were accepted. */
interface NarrowerUnique {
  readonly rule: UniqueDefinition;
  /** The former condition of the same fields, with the current names. */
  readonly formerWhere?: Expression;
}

/**
 * The rules that may refuse values that were accepted: none of before is about the same fields or fewer, and
 * about all of their items.
 * @param nowCalled the current name of a member of before.
 * @param current a rule of before with the current names.
 */
export function narrowerUnique(
  before: Pick<CollectionDefinition, 'fields' | 'unique'>,
  after: readonly UniqueDefinition[],
  nowCalled: (name: string) => string,
  current: (rule: Expression) => Expression,
): readonly NarrowerUnique[] {
  const known = [
    ...before.unique.map(({ fields, where }) => ({
      fields: fields.map(nowCalled),
      where: where && current(where.expression),
    })),
    ...before.fields
      .filter(({ unique }) => unique)
      .map(({ name }) => ({ fields: [nowCalled(name)], where: undefined })),
  ];
  return after.flatMap((rule): readonly NarrowerUnique[] => {
    const { fields, where } = rule;
    const ofThem = known.filter((one) => one.fields.every((name) => fields.includes(name)));
    const isKnown = ofThem.some(
      (one) =>
        one.where === undefined ||
        (where !== undefined && ruleImplies(where.expression, one.where)),
    );
    if (isKnown) return [];
    const formerWhere = ofThem.find((one) => one.fields.length === fields.length)?.where;
    return [{ rule, ...(formerWhere && { formerWhere }) }];
  });
}

/** The breaking change of such a rule. @param currentName the name of a member in the definitions. */
export function uniqueBreak(
  { rule: { fields, where }, formerWhere }: NarrowerUnique,
  collection: string,
  currentName: (name: string) => string,
  at: Break['at'],
): Break {
  const among = where === undefined ? '' : ` among items where ${ruleText(where.expression)}`;
  const names = fields.map(currentName);
  const entry = (condition: Expression | undefined): string =>
    condition === undefined
      ? `[${names.join(', ')}]`
      : inlineYaml({ fields: names, where: ruleText(renameMembers(condition, currentName)) });
  return {
    code: 'unique-new',
    at,
    what: `collection ${collection} has ${fields.length === 1 ? `the unique field ${fields[0]}` : `the fields ${fields.toSorted().join(', ')}, unique together`}${among}`,
    who: 'clients that send values that are taken get 409',
    advice: plainAdvice(
      formerWhere === undefined
        ? `Leave ${entry(where?.expression)} out of "unique".`
        : `Write ${entry(formerWhere)} again, or leave it out of "unique".`,
    ),
  };
}
