/** Evaluates an expression over values: what the emitted code and the database do, for the search of examples. */
import { ownMember } from '../shared/json.ts';
import type { JsonValue } from '../shared/json.ts';
import { compareDecimals, exactText } from '../types/exact-decimal.ts';
import { specOf } from '../types/registry.ts';
import type { FieldType } from '../types/registry.ts';
import type { ComparisonExpression, Expression, MemberOperand } from './expression.ts';
import type { Operator } from './tokens.ts';

/** Values by member, in canonical form; a member that is absent is null. */
export interface MemberValues {
  readonly [member: string]: JsonValue;
}

/** Whether a rule holds: it is not false. */
export const holdsFor = (expression: Expression, values: MemberValues): boolean =>
  truthOf(expression, values) !== false;

/** The truth of an expression; undefined if it is neither true nor false. */
export function truthOf(expression: Expression, values: MemberValues): boolean | undefined {
  switch (expression.kind) {
    case 'and':
    case 'or': {
      const decisive = expression.kind === 'or';
      let truth: boolean | undefined = !decisive;
      for (const part of expression.parts) {
        const own = truthOf(part, values);
        if (own === decisive) return decisive;
        if (own === undefined) truth = undefined;
      }
      return truth;
    }
    case 'not': {
      const truth = truthOf(expression.part, values);
      return truth === undefined ? undefined : !truth;
    }
    case 'null':
      return (valueOf(expression.member, values) === null) === expression.isNull;
    case 'compare':
      return comparisonTruth(expression, values);
    case 'in': {
      const value = valueOf(expression.member, values);
      if (value === null) return undefined;
      const { type } = expression.member;
      const isOne = expression.values.some(
        (one) => orderOfValues(value, one.value, type, one.type) === 0,
      );
      return isOne !== expression.isNegated;
    }
  }
}

const valueOf = ({ name }: MemberOperand, values: MemberValues): JsonValue =>
  ownMember(values, name) ?? null;

function comparisonTruth(
  { member, operator, other }: ComparisonExpression,
  values: MemberValues,
): boolean | undefined {
  const left = valueOf(member, values);
  const right = other.kind === 'member' ? valueOf(other, values) : other.value;
  if (left === null || right === null) return undefined;
  return OPERATOR_TESTS[operator](orderOfValues(left, right, member.type, other.type));
}

/** Whether a comparison is true, by the order of its sides. */
export const OPERATOR_TESTS: Readonly<Record<Operator, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** Negative, zero or positive; of values without an order, zero if they are equal. */
export function orderOfValues(
  left: JsonValue,
  right: JsonValue,
  leftType: FieldType,
  rightType: FieldType,
): number {
  const { comparison, compare } = specOf(leftType);
  if (comparison?.isOrdered !== true || compare === undefined) return left === right ? 0 : 1;
  const [one, other] = [left as string | number, right as string | number];
  return leftType.type === rightType.type
    ? compare(one, other)
    : compareDecimals(exactText(one), exactText(other));
}
