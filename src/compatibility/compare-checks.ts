/** Compares the checks of two states of a collection: a rule that refuses more than before breaks clients. */
import { isReadableCheck } from '../definition/checks.ts';
import type { CheckDefinition, CollectionDefinition } from '../definition/types.ts';
import { renameMembers } from '../expressions/expression.ts';
import type { Expression } from '../expressions/expression.ts';
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
 * @param nowCalled the current name of a member of before.
 */
export function narrowerChecks(
  before: readonly CheckDefinition[],
  after: readonly CheckDefinition[],
  nowCalled: (name: string) => string,
): readonly CheckDefinition[] {
  const known = new Set(
    before
      .flatMap(({ expression }) => conjuncts(renameMembers(expression, nowCalled)))
      .map(ruleText),
  );
  return after.filter(({ expression }) => !isImplied(expression, known));
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

/** A rule and all of its parts that hold if it does. */
export const conjuncts = (expression: Expression): readonly Expression[] =>
  expression.kind === 'and' ? [expression, ...expression.parts.flatMap(conjuncts)] : [expression];

/** Whether a rule cannot be false if none of the known ones is, nor anything but true if all are; undecided is no. */
export function isImplied(expression: Expression, known: ReadonlySet<string>): boolean {
  if (known.has(ruleText(expression))) return true;
  if (expression.kind === 'and') return expression.parts.every((part) => isImplied(part, known));
  return expression.kind === 'or' && expression.parts.some((part) => isImplied(part, known));
}
