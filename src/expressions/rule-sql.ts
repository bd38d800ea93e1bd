/** An expression as a condition of SQL: that of a CHECK constraint, or over other values in place of the columns. */
import { columnName, quoted } from '../shared/sql.ts';
import { specOf } from '../types/registry.ts';
import type { Expression, LiteralOperand, MemberOperand } from './expression.ts';

/** The condition. @param valueOf SQL for the value of a member; absent: its column. */
export function ruleSql(
  expression: Expression,
  valueOf: (member: MemberOperand) => string = ({ name }) => quoted(columnName(name)),
): string {
  const inside = (part: Expression): string =>
    part.kind === 'and' || part.kind === 'or'
      ? `(${ruleSql(part, valueOf)})`
      : ruleSql(part, valueOf);
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.parts.map(inside).join(` ${expression.kind} `);
    case 'not':
      return `not (${ruleSql(expression.part, valueOf)})`;
    case 'null':
      return `${valueOf(expression.member)} is ${expression.isNull ? 'null' : 'not null'}`;
    case 'compare': {
      const { member, operator, other } = expression;
      const right = other.kind === 'member' ? valueOf(other) : literalSql(other);
      return `${valueOf(member)} ${operator === '!=' ? '<>' : operator} ${right}`;
    }
    case 'in': {
      const { member, values, isNegated } = expression;
      return `${valueOf(member)} ${isNegated ? 'not in' : 'in'} (${values.map(literalSql).join(', ')})`;
    }
  }
}

const literalSql = ({ type, value }: LiteralOperand): string => specOf(type).literal(type, value);
