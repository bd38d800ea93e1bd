/** Whether a rule implies another one, for the comparison of definitions. */
import { specOf } from '../types/registry.ts';
import { orderOfValues, OPERATOR_TESTS } from './evaluate.ts';
import { MIRRORED } from './expression.ts';
import type { ComparisonExpression, Expression, LiteralOperand, NullTest } from './expression.ts';
import { withoutNot } from './without-not.ts';
import type { PositiveExpression } from './without-not.ts';

/** An expression of `and`, `or` and single tests. */
type Plain =
  | { readonly kind: 'and'; readonly parts: readonly Plain[] }
  | { readonly kind: 'or'; readonly parts: readonly Plain[] }
  | NullTest
  | ComparisonExpression;

/**
 * Whether one rule implies another: that is true where it is true, and false only where it is false.
 * A yes is certain. A no may be wrong: values are not searched, so that the time is bounded by the product of the lengths.
 */
export function ruleImplies(one: Expression, other: Expression): boolean {
  const known = new Map<Plain, Map<Plain, boolean>>();
  const remembered = (left: Plain, right: Plain): boolean => {
    const ofLeft = known.get(left) ?? new Map<Plain, boolean>();
    known.set(left, ofLeft);
    const before = ofLeft.get(right);
    if (before !== undefined) return before;
    const result = decide(left, right);
    ofLeft.set(right, result);
    return result;
  };
  const decide = (left: Plain, right: Plain): boolean => {
    if (left.kind === 'or') return left.parts.every((part) => remembered(part, right));
    if (right.kind === 'and') return right.parts.every((part) => remembered(left, part));
    if (left.kind === 'and' && left.parts.some((part) => remembered(part, right))) return true;
    if (right.kind === 'or') return right.parts.some((part) => remembered(left, part));
    if (left.kind === 'and') return false;
    return left.kind === 'null' || right.kind === 'null'
      ? isSameNullTest(left, right)
      : comparisonImplies(left, right);
  };
  return remembered(plain(withoutNot(one)), plain(withoutNot(other)));
}

/** `in` as equalities. */
function plain(expression: PositiveExpression): Plain {
  switch (expression.kind) {
    case 'and':
      return { kind: 'and', parts: expression.parts.map(plain) };
    case 'or':
      return { kind: 'or', parts: expression.parts.map(plain) };
    case 'in': {
      const { member, values, isNegated } = expression;
      const operator = isNegated ? '!=' : '=';
      const parts = values.map((other): Plain => ({ kind: 'compare', operator, member, other }));
      return { kind: isNegated ? 'and' : 'or', parts };
    }
    case 'null':
    case 'compare':
      return expression;
  }
}

const isSameNullTest = (
  one: NullTest | ComparisonExpression,
  other: NullTest | ComparisonExpression,
): boolean =>
  one.kind === 'null' &&
  other.kind === 'null' &&
  one.member.name === other.member.name &&
  one.isNull === other.isNull;

function comparisonImplies(one: ComparisonExpression, other: ComparisonExpression): boolean {
  const [left, right] = [ordered(one), ordered(other)];
  if (left.member.name !== right.member.name) return false;
  if (left.other.kind === 'member' || right.other.kind === 'member') {
    const isSame =
      left.other.kind === 'member' &&
      right.other.kind === 'member' &&
      left.other.name === right.other.name;
    return isSame && isWithin(left, right, 0);
  }
  const order = orderOfLiterals(left.other, right.other);
  return order !== undefined && isWithin(left, right, order);
}

/** A comparison of two members with the first name, by the alphabet, on the left. */
function ordered(comparison: ComparisonExpression): ComparisonExpression {
  const { member, operator, other, kind } = comparison;
  return other.kind === 'member' && other.name < member.name
    ? { kind, operator: MIRRORED[operator], member: other, other: member }
    : comparison;
}

/** The order of two values; undefined if their types cannot be compared. */
function orderOfLiterals(one: LiteralOperand, other: LiteralOperand): number | undefined {
  const isComparable = specOf(one.type).comparison?.with.includes(other.type.type) === true;
  return isComparable ? orderOfValues(one.value, other.value, one.type, other.type) : undefined;
}

/**
 * Whether all values that pass one comparison pass another one.
 * @param order of the value of the one to that of the other.
 */
function isWithin(one: ComparisonExpression, other: ComparisonExpression, order: number): boolean {
  // A place before, between and behind the two values, and each of them: its order to the one and to the other.
  const places =
    order === 0
      ? [
          [-1, -1],
          [0, 0],
          [1, 1],
        ]
      : [
          [-1, -1],
          [0, order],
          [-order, order],
          [-order, 0],
          [1, 1],
        ];
  return places.every(
    ([toOne, toOther]) =>
      !OPERATOR_TESTS[one.operator](toOne!) || OPERATOR_TESTS[other.operator](toOther!),
  );
}
