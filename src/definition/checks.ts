/** Reads the checks of a collection: rules over several of its members. */
import { membersOf } from '../expressions/expression.ts';
import type { Expression } from '../expressions/expression.ts';
import { findValues, ruleCondition, searchBudget } from '../expressions/find-values.ts';
import type { SearchBudget } from '../expressions/find-values.ts';
import { ruleText } from '../expressions/rule-text.ts';
import { key } from '../reading/common-keys.ts';
import type { Issues } from '../reading/issues.ts';
import { enumerate, quote, quoteAll } from '../reading/quote.ts';
import { map } from '../reading/records.ts';
import type { Keys } from '../reading/records.ts';
import { text } from '../reading/shapes.ts';
import type { Located } from '../reading/shapes.ts';
import type { Entry } from '../reading/tree.ts';
import type { WrittenField } from './written-field.ts';
import { checkSnakeCase } from './names.ts';
import { candidatesOf, readRule, ruleAsWritten, ruleFieldsOf, ruleShape } from './rule.ts';
import type { RuleFields } from './rule.ts';
import type { CheckDefinition, Field } from './types.ts';

/** The most checks of a collection. */
export const MOST_CHECKS = 50;
const LONGEST_MESSAGE = 300;

const CHECK_KEYS = {
  rule: key(
    ruleShape('ends_at > starts_at'),
    'What holds for each item: fields and values with =, !=, <, <=, >, >=, in, and, or, not and null; a text stands in single quotes.',
    {
      missing: `"rule:" with one such as 'ends_at > starts_at'`,
      examples: ['ends_at > starts_at'],
    },
  ),
  message: key(
    text({ minLength: 1, maxLength: LONGEST_MESSAGE }),
    'The error message for values that violate the rule. Absent: the rule itself.',
    { examples: ['The end is after the start.'] },
  ),
} satisfies Keys;

/** A check as it is written. */
export const CHECK = map(CHECK_KEYS);

/** Reads the checks, and refuses those that no item can keep, or that none can break. */
export function readChecks(
  entries: readonly Entry[],
  fields: readonly WrittenField[],
  issues: Issues,
): readonly CheckDefinition[] {
  const named = ruleFieldsOf(fields);
  const before = issues.count;
  if (entries.length > MOST_CHECKS) {
    const message = `checks has ${entries.length} entries: a collection has at most ${MOST_CHECKS}. Join some with "and".`;
    issues.add(entries[0]!.at, 'out-of-range', message);
  }
  const rules = new Map<string, string>();
  const setByService = new Set(
    fields.flatMap(({ field }) => (field?.readOnly === true ? [field.name] : [])),
  );
  const checks = entries.flatMap((entry): CheckDefinition[] => {
    const check = readCheck(entry, named, setByService, issues);
    if (check === undefined) return [];
    const rule = ruleText(check.expression);
    const other = rules.get(rule);
    if (other !== undefined) {
      const message = `check ${quote(check.name)} has the rule of ${quote(other)}. Remove one.`;
      issues.add(entry.at, 'duplicate-entry', message);
    }
    rules.set(rule, check.name);
    return [check];
  });
  if (issues.count === before)
    refuseImpossible(
      checks,
      fields.flatMap(({ field }) => field ?? []),
      issues,
    );
  return checks;
}

/** Whether a check could be written in a collection with these fields. */
export function isReadableCheck(
  { expression }: CheckDefinition,
  fields: readonly Field[],
): boolean {
  const own = ruleAsWritten(expression, fields);
  if (own === undefined) return false;
  const candidates = candidatesOf([own], fields);
  return [true, false].every(
    (holds) => !findValues(candidates, [ruleCondition(own, holds)]).isImpossible,
  );
}

function readCheck(
  { name, at, value }: Entry,
  fields: RuleFields,
  setByService: ReadonlySet<string>,
  issues: Issues,
): CheckDefinition | undefined {
  const what = `check ${quote(name)}`;
  checkSnakeCase(name, 'check', at, issues);
  if (value.kind === 'scalar' && typeof value.value === 'string') {
    const message = `${what} is text, not a map. Write { rule: ${JSON.stringify(value.value)} }.`;
    issues.add(value.at, 'wrong-type', message);
    return undefined;
  }
  const read = CHECK.read(value, what, issues);
  if (read?.rule === undefined) return undefined;
  const message = read.message && readMessage(read.message, what, issues);
  const expression = readRule(read.rule, `rule of ${what}`, fields, issues);
  if (expression === undefined) return undefined;
  const afterHooks = membersOf(expression).some((member) => setByService.has(member.name));
  return { name, ...(message !== undefined && { message }), expression, afterHooks, at };
}

/** The message of a check: one sentence of an error. */
function readMessage({ value, at }: Located<string>, what: string, issues: Issues): string {
  const message = value.trim();
  if (message === '' || message.length > LONGEST_MESSAGE) {
    const problem = `message of ${what} has ${message.length} characters. Write one that has from 1 to ${LONGEST_MESSAGE}, or leave it out.`;
    issues.add(at, 'out-of-range', problem);
  } else if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(message)) {
    const problem = `message of ${what} has a line break or another control character. Write it without.`;
    issues.add(at, 'bad-text', problem);
  }
  return message;
}

/** Refuses checks that exclude each other, and those that nothing violates. */
function refuseImpossible(
  checks: readonly CheckDefinition[],
  fields: readonly Field[],
  issues: Issues,
): void {
  const expressions = checks.map(({ expression }) => expression);
  const budget = searchBudget();
  for (const { name, expression, at } of checks) {
    const rule = `the rule of check ${quote(name)}, ${quote(ruleText(expression))},`;
    const candidates = candidatesOf([expression], fields);
    if (findValues(candidates, [ruleCondition(expression, false)], budget).isImpossible) {
      const message = `${rule} holds for all values that its fields can have: nothing can violate it. Remove it, or compare other values.`;
      issues.add(at, 'bad-rule', message);
    } else if (findValues(candidates, [ruleCondition(expression, true)], budget).isImpossible) {
      const message = `${rule} holds for no values that its fields can have: no item could ever be stored. Compare other values.`;
      issues.add(at, 'bad-rule', message);
      return;
    }
  }
  for (const [at, check] of checks.entries()) {
    const some = expressions.slice(0, at + 1);
    const rules = some.map((expression) => ruleCondition(expression, true));
    if (at === 0 || !findValues(candidatesOf(some, fields), rules, budget).isImpossible) continue;
    const others = checks
      .slice(0, at)
      .map(({ name }) => quote(name))
      .join(', ');
    const message = `check ${quote(check.name)} cannot hold together with ${others}: no item could ever be stored. Change one of them.`;
    issues.add(check.at, 'bad-rule', message);
    return;
  }
  refuseImpossibleStart(expressions, fields, budget, issues);
}

/** Refuses checks that exclude the initial values of fields with transitions. */
function refuseImpossibleStart(
  expressions: readonly Expression[],
  fields: readonly Field[],
  budget: SearchBudget,
  issues: Issues,
): void {
  const names = new Set(expressions.flatMap(membersOf).map(({ name }) => name));
  const starting = fields.filter(
    ({ name, transitions }) => transitions !== undefined && names.has(name),
  );
  const [first] = starting;
  if (first === undefined) return;
  const candidates = candidatesOf(expressions, fields).map((one) => {
    const { transitions } = starting.find(({ name }) => name === one.name) ?? {};
    return transitions === undefined ? one : { ...one, values: transitions.initial };
  });
  const rules = expressions.map((expression) => ruleCondition(expression, true));
  if (!findValues(candidates, rules, budget).isImpossible) return;
  const found = enumerate(
    starting.map(({ name, transitions }) => `${name} ${quoteAll(transitions?.initial ?? [])}`),
    'and',
  );
  const message = `no item could ever be created: the checks exclude the initial values of ${found}. Write other initial values, or change a check.`;
  issues.add(first.at, 'bad-rule', message);
}
