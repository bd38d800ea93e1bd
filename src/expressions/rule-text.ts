/** The canonical text of an expression: two rules with one text mean the same. */
import type { Expression, LiteralOperand, MemberOperand } from './expression.ts';
import { exactText } from '../types/exact-decimal.ts';
import { specOf } from '../types/registry.ts';
import { KEYWORDS } from './tokens.ts';

/** How tightly an expression binds; what binds less stands in parentheses. */
const BINDING: Readonly<Record<Expression['kind'], number>> = {
  or: 0,
  and: 1,
  not: 2,
  null: 3,
  compare: 3,
  in: 3,
};

/** The text of a rule, with single spaces and only the parentheses that it needs. */
export function ruleText(expression: Expression): string {
  const inside = (part: Expression): string => {
    const text = ruleText(part);
    return BINDING[part.kind] < BINDING[expression.kind] ? `(${text})` : text;
  };
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.parts
        .map((part) => (part.kind === expression.kind ? `(${ruleText(part)})` : inside(part)))
        .join(` ${expression.kind} `);
    case 'not':
      return `not ${inside(expression.part)}`;
    case 'null':
      return `${memberText(expression.member)} ${expression.isNull ? '=' : '!='} null`;
    case 'compare': {
      const { member, operator, other } = expression;
      return `${memberText(member)} ${operator} ${other.kind === 'member' ? memberText(other) : literalText(other)}`;
    }
    case 'in': {
      const { member, values, isNegated } = expression;
      return `${memberText(member)} ${isNegated ? 'not in' : 'in'} (${values.map(literalText).join(', ')})`;
    }
  }
}

const memberText = ({ name }: MemberOperand): string => (KEYWORDS.has(name) ? `"${name}"` : name);

/** A value as a rule writes it. */
function literalText({ value, type }: LiteralOperand): string {
  if (typeof value === 'boolean') return String(value);
  const isText = specOf(type).comparison?.literal === 'text';
  return isText ? `'${String(value).replaceAll("'", "''")}'` : exactText(value as string | number);
}
