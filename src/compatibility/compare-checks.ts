/** Compares the checks of two states of a collection: a rule that refuses more than before breaks clients. */
import { isReadableCheck } from '../definition/checks.ts';
import type { CheckDefinition, CollectionDefinition } from '../definition/types.ts';
import type { Expression } from '../expressions/expression.ts';
import { ruleImplies } from '../expressions/rule-implies.ts';
import { ruleText } from '../expressions/rule-text.ts';
import { plainAdvice } from './types.ts';
import type { Break } from './types.ts';

/** Whether the contract of a version can state a check: the version has its members and values. */
export const isContractCheck = (
  check: CheckDefinition,
  { fields }: Pick<CollectionDefinition, 'fields'>,
): boolean => check.inView === undefined && isReadableCheck(check, fields);

/**
 * The checks that may refuse values that were accepted.
 * @param current a rule of before with the current names.
 */
export function narrowerChecks(
  before: readonly CheckDefinition[],
  after: readonly CheckDefinition[],
  current: (rule: Expression) => Expression,
): readonly CheckDefinition[] {
  const parts = before.map(({ expression }) => current(expression));
  return after.filter(({ expression }) => !ruleImplies({ kind: 'and', parts }, expression));
}

/** The breaking change of such a check. */
export const checkBreak = (
  check: CheckDefinition,
  before: readonly CheckDefinition[],
  collection: string,
  at: Break['at'],
): Break => {
  const { name, expression } = check;
  const had = before.some((one) => one.name === name);
  return {
    code: 'check-new',
    at,
    what: `collection ${collection} has ${had ? 'another rule in' : 'the new'} check ${name} (${ruleText(expression)})`,
    who: 'clients that send values that violate it get 422',
    advice: plainAdvice(
      `${had ? `Write the former rule of "${name}"` : `Leave "${name}" out of "checks"`}, or extend it by "or": a check is about what is stored, and so holds for all versions.`,
    ),
  };
};
