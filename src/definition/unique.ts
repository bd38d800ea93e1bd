/** Reads the entries of `unique`: fields that are unique together, among all items or those that a rule is true for. */
import { truthOf } from '../expressions/evaluate.ts';
import { comparisonsOf, membersOf } from '../expressions/expression.ts';
import type { Expression } from '../expressions/expression.ts';
import { findValues, searchBudget } from '../expressions/find-values.ts';
import type { SearchBudget, ValueCondition } from '../expressions/find-values.ts';
import { ruleText } from '../expressions/rule-text.ts';
import type { Issues } from '../reading/issues.ts';
import { enumerate, quote } from '../reading/quote.ts';
import type { Located } from '../reading/shapes.ts';
import { checkGroup } from './field-lists.ts';
import type { WrittenUnique } from './unique-shape.ts';
import type { WrittenField } from './written-field.ts';
import { candidatesOf, readRule, ruleAsWritten, ruleFieldsOf } from './rule.ts';
import type { Field, MemberRule, UniqueDefinition } from './types.ts';

/** The most entries with a rule. */
export const MOST_RULES = 50;

/** Reads all entries, and refuses those that say nothing that others do not say. */
export function readUnique(
  entries: readonly Located<WrittenUnique>[],
  fields: readonly WrittenField[],
  times: readonly string[],
  issues: Issues,
): readonly UniqueDefinition[] {
  const before = issues.count;
  const conditional = entries.filter(({ value }) => value.where !== undefined);
  if (conditional.length > MOST_RULES) {
    const message = `unique has ${conditional.length} entries with "where": a collection has at most ${MOST_RULES}. Remove some.`;
    issues.add(conditional[0]!.at, 'out-of-range', message);
  }
  const rules = entries.flatMap((entry) => readEntry(entry, fields, times, issues) ?? []);
  refuseRepeated(rules, issues);
  if (issues.count > before) return rules;
  const known = fields.flatMap(({ field }) => field ?? []);
  const budget = searchBudget();
  for (const rule of rules) {
    refuseWithoutEffect(rule, rules, known, issues);
    refuseUndecided(rule, known, budget, issues);
  }
  return rules;
}

function readEntry(
  { value: { fields: written, where, name }, at }: Located<WrittenUnique>,
  fields: readonly WrittenField[],
  times: readonly string[],
  issues: Issues,
): UniqueDefinition | undefined {
  if (written === undefined) return undefined;
  const known = new Map(fields.map((field) => [field.name, field]));
  checkGroup('unique', written.value, written.at, known, times, issues);
  const names = written.value.map(({ value }) => value);
  const named = name === undefined ? {} : { name: name.value };
  if (where === undefined) return { fields: names, ...named, at };
  const expression = readRule(
    where,
    `where of unique [${names.join(', ')}]`,
    ruleFieldsOf(fields),
    issues,
  );
  return expression && { fields: names, ...named, where: { expression }, at };
}

/** The order of the fields matters to an index, and not to what is unique. */
function refuseRepeated(rules: readonly UniqueDefinition[], issues: Issues): void {
  const seen = new Set<string>();
  for (const { fields, where, at } of rules) {
    const rule = where && ruleText(where.expression);
    const same = JSON.stringify([fields.toSorted(), rule]);
    if (seen.has(same)) {
      const what = rule === undefined ? 'this list of fields' : 'these fields with this rule';
      issues.add(at, 'duplicate-entry', `unique has ${what} twice. Remove one.`);
    }
    seen.add(same);
  }
}

/** Refuses a rule of fields that are unique among all items anyway. */
function refuseWithoutEffect(
  { fields, where, at }: UniqueDefinition,
  rules: readonly UniqueDefinition[],
  known: readonly Field[],
  issues: Issues,
): void {
  if (where === undefined) return;
  const whole = [
    ...known.filter(({ unique }) => unique).map(({ name }) => [name]),
    ...rules.filter((rule) => rule.where === undefined).map((rule) => rule.fields),
  ].find((names) => names.every((name) => fields.includes(name)));
  if (whole === undefined) return;
  const message = `unique [${fields.join(', ')}] has a "where", and [${whole.join(', ')}] is unique among all items already. Remove one of the two.`;
  issues.add(at, 'contradiction', message);
}

/** Refuses a rule that is true for all values that its fields can have, or for none. */
function refuseUndecided(
  { fields, where, at }: UniqueDefinition,
  known: readonly Field[],
  budget: SearchBudget,
  issues: Issues,
): void {
  if (where === undefined) return;
  const { expression } = where;
  const candidates = candidatesOf([expression], known);
  const start = `where of unique [${fields.join(', ')}], ${quote(ruleText(expression))}, is true for`;
  if (findValues(candidates, [whereCondition(expression, false)], budget).isImpossible) {
    const message = `${start} all values that its fields can have. Write [${fields.join(', ')}] in place of the map.`;
    issues.add(at, 'bad-rule', message);
  } else if (findValues(candidates, [whereCondition(expression, true)], budget).isImpossible) {
    const message = `${start} no values that its fields can have: nothing would be unique. Compare other values, or remove the entry.`;
    issues.add(at, 'bad-rule', message);
  } else {
    const clashing = [whereCondition(expression, true), ...fields.map(notNull)];
    if (!findValues(candidates, clashing, budget).isImpossible) return;
    const message = `${start} no item in which ${enumerate(fields, 'and')} have values, and null clashes with nothing. Leave the fields out that have to be null, or compare other values.`;
    issues.add(at, 'bad-rule', message);
  }
}

/** The condition that a field has a value, as far as the rule names it. */
const notNull = (name: string): ValueCondition => ({
  names: [name],
  cost: 1,
  accepts: (values) => values[name] !== null,
});

/** The condition that a rule is true, or that it is false or unknown. */
export const whereCondition = (expression: Expression, isTrue: boolean): ValueCondition => ({
  names: membersOf(expression).map(({ name }) => name),
  cost: comparisonsOf(expression),
  accepts: (values) => (truthOf(expression, values) === true) === isTrue,
});

/** Whether a rule could be written in a collection with these fields. */
export function isReadableWhere(
  { expression, inView }: MemberRule,
  fields: readonly Field[],
): boolean {
  const own = inView === undefined ? ruleAsWritten(expression, fields) : undefined;
  if (own === undefined) return false;
  const candidates = candidatesOf([own], fields);
  return [true, false].every(
    (isTrue) => !findValues(candidates, [whereCondition(own, isTrue)]).isImpossible,
  );
}
