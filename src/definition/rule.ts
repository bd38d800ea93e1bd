/** Reads a rule over the fields of a collection: that of a check, or of the items that `unique` is about. */
import { candidateValues } from '../expressions/candidate-values.ts';
import type { CandidateValues } from '../expressions/candidate-values.ts';
import { membersOf } from '../expressions/expression.ts';
import type { Expression } from '../expressions/expression.ts';
import { LONGEST_RULE, parseRule } from '../expressions/parse-rule.ts';
import { ruleText } from '../expressions/rule-text.ts';
import type { RuleProblem } from '../expressions/tokens.ts';
import { typeRule } from '../expressions/type-rule.ts';
import type { RuleField } from '../expressions/type-rule.ts';
import type { Issues } from '../reading/issues.ts';
import type { Position } from '../reading/position.ts';
import { text } from '../reading/shapes.ts';
import type { Located, Shape } from '../reading/shapes.ts';
import type { WrittenField } from './written-field.ts';
import { isAssigned, isSetByHook } from './set-by-hook.ts';
import type { Field } from './types.ts';

/** The text of a rule, and where it begins in its file if each place in it is one in the file. */
interface WrittenRule {
  readonly text: string;
  readonly textAt: Position | undefined;
}

/** The shape of a rule. @param example a rule to write where something else is. */
export function ruleShape(example: string): Shape<WrittenRule> {
  const shape = text({ minLength: 1, maxLength: LONGEST_RULE }, `a rule in quotes: '${example}'`);
  return {
    schema: shape.schema,
    read(tree, what, issues) {
      const value = shape.read(tree, what, issues);
      if (value === undefined || tree.kind !== 'scalar') return undefined;
      return { text: value, textAt: tree.textAt };
    },
  };
}

/** The fields that rules of a collection can name. */
export interface RuleFields {
  readonly named: readonly RuleField[];
  /** The names of fields with problems of their own. */
  readonly unreadable: readonly string[];
}

/** The fields of a collection as its rules see them. */
export const ruleFieldsOf = (fields: readonly WrittenField[]): RuleFields => ({
  named: fields.flatMap(({ field }) => (field === undefined ? [] : ruleField(field))),
  unreadable: fields.filter(({ field }) => field === undefined).map(({ name }) => name),
});

const ruleField = (field: Field): RuleField => ({
  ...field,
  isSetLater: isSetByHook(field) || isAssigned(field) || field.hasDatabaseDefault === true,
});

/** Reads a rule; undefined if it has problems. @param what names it in messages: `rule of check "…"`. */
export function readRule(
  { value: rule, at: ruleAt }: Located<WrittenRule>,
  what: string,
  { named, unreadable }: RuleFields,
  issues: Issues,
): Expression | undefined {
  const report = (problem: RuleProblem): void => {
    const found = placeOf(problem, rule, ruleAt);
    issues.add(found.at, 'bad-rule', `${what} ${found.text}`);
  };
  const syntax = parseRule(rule.text);
  if ('message' in syntax) {
    report(syntax);
    return undefined;
  }
  const { expression, problems } = typeRule(syntax, named, unreadable);
  for (const problem of problems) report(problem);
  return expression;
}

/** The place of a problem in its file; where that is not known, the message says its place in the rule. */
function placeOf(
  { at, message }: RuleProblem,
  { text: rule, textAt }: WrittenRule,
  ruleAt: Position,
): { readonly at: Position; readonly text: string } {
  if (textAt !== undefined) {
    return { at: { ...textAt, column: textAt.column + at }, text: message };
  }
  const lines = rule.slice(0, at).split('\n');
  const column = (lines.at(-1) ?? '').length + 1;
  return { at: ruleAt, text: `(${lines.length}:${column}) ${message}` };
}

/** The expression that the text of a rule has in a collection with these fields; undefined if it cannot be written there. */
export function ruleAsWritten(
  expression: Expression,
  fields: readonly Field[],
): Expression | undefined {
  const syntax = parseRule(ruleText(expression));
  return 'message' in syntax ? undefined : typeRule(syntax, fields.map(ruleField)).expression;
}

/** Candidates for the members of some rules. */
export function candidatesOf(
  some: readonly Expression[],
  fields: readonly Field[],
): readonly CandidateValues[] {
  const names = new Set(some.flatMap(membersOf).map(({ name }) => name));
  return candidateValues(
    fields.filter(({ name }) => names.has(name)),
    some,
  );
}
