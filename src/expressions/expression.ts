/**
 * `Expression`: a rule over the members of an item whose names and types are known.
 *
 * Its logic has three values, as in SQL: a comparison with a member that is null is neither true nor false. A
 * rule is violated only if it is false, as a CHECK of PostgreSQL is.
 */
import type { JsonValue } from '../shared/json.ts';
import type { FieldType } from '../types/registry.ts';
import type { Operator } from './tokens.ts';

/** A member of an item. */
export interface MemberOperand {
  readonly kind: 'member';
  readonly name: string;
  readonly type: FieldType;
  /** Whether it is never null. */
  readonly isRequired: boolean;
}

/** A value, in the canonical form of the type that it is compared as. */
export interface LiteralOperand {
  readonly kind: 'literal';
  readonly value: JsonValue;
  readonly type: FieldType;
}

/** Tests a member for null. */
export interface NullTest {
  readonly kind: 'null';
  readonly member: MemberOperand;
  readonly isNull: boolean;
}

/** Compares a member with a value or with another member. */
export interface ComparisonExpression {
  readonly kind: 'compare';
  readonly operator: Operator;
  readonly member: MemberOperand;
  readonly other: MemberOperand | LiteralOperand;
}

/** Whether the value of a member is one of a list. */
export interface MembershipExpression {
  readonly kind: 'in';
  readonly member: MemberOperand;
  readonly values: readonly LiteralOperand[];
  readonly isNegated: boolean;
}

export type Expression =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Expression[] }
  | { readonly kind: 'not'; readonly part: Expression }
  | NullTest
  | ComparisonExpression
  | MembershipExpression;

/** The members that an expression names, each once, in the order of their first mention. */
export function membersOf(expression: Expression): readonly MemberOperand[] {
  const found = new Map<string, MemberOperand>();
  const add = (member: MemberOperand): void => {
    if (!found.has(member.name)) found.set(member.name, member);
  };
  const visit = (one: Expression): void => {
    switch (one.kind) {
      case 'and':
      case 'or':
        for (const part of one.parts) visit(part);
        return;
      case 'not':
        visit(one.part);
        return;
      case 'null':
      case 'in':
        add(one.member);
        return;
      case 'compare':
        add(one.member);
        if (one.other.kind === 'member') add(one.other);
    }
  };
  visit(expression);
  return [...found.values()];
}

/** The comparisons of two members. */
export function memberComparisons(
  expression: Expression,
): readonly (readonly [MemberOperand, MemberOperand])[] {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.parts.flatMap(memberComparisons);
    case 'not':
      return memberComparisons(expression.part);
    case 'compare':
      return expression.other.kind === 'member' ? [[expression.member, expression.other]] : [];
    case 'null':
    case 'in':
      return [];
  }
}

/** How many comparisons an expression has at most. */
export function comparisonsOf(expression: Expression): number {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.parts.reduce((sum, part) => sum + comparisonsOf(part), 0);
    case 'not':
      return comparisonsOf(expression.part);
    case 'in':
      return expression.values.length;
    case 'null':
    case 'compare':
      return 1;
  }
}

/** The expression with other members in the place of its own. */
export function withMembers(
  expression: Expression,
  replace: (member: MemberOperand) => MemberOperand,
): Expression {
  switch (expression.kind) {
    case 'and':
    case 'or': {
      const { kind, parts } = expression;
      return { kind, parts: parts.map((part) => withMembers(part, replace)) };
    }
    case 'not':
      return { kind: 'not', part: withMembers(expression.part, replace) };
    case 'null':
    case 'in':
      return { ...expression, member: replace(expression.member) };
    case 'compare': {
      const { member, other } = expression;
      return {
        ...expression,
        member: replace(member),
        other: other.kind === 'member' ? replace(other) : other,
      };
    }
  }
}

/** The expression with other values in the place of its own. */
export function withValues(
  expression: Expression,
  replace: (value: JsonValue, member: string) => JsonValue,
): Expression {
  const replaced = (literal: LiteralOperand, { name }: MemberOperand): LiteralOperand => ({
    ...literal,
    value: replace(literal.value, name),
  });
  switch (expression.kind) {
    case 'and':
    case 'or': {
      const { kind, parts } = expression;
      return { kind, parts: parts.map((part) => withValues(part, replace)) };
    }
    case 'not':
      return { kind: 'not', part: withValues(expression.part, replace) };
    case 'null':
      return expression;
    case 'in': {
      const { member, values } = expression;
      return { ...expression, values: values.map((value) => replaced(value, member)) };
    }
    case 'compare': {
      const { member, other } = expression;
      return other.kind === 'member'
        ? expression
        : { ...expression, other: replaced(other, member) };
    }
  }
}

/** The expression with other names for its members. */
export const renameMembers = (
  expression: Expression,
  nameOf: (name: string) => string,
): Expression => withMembers(expression, (member) => ({ ...member, name: nameOf(member.name) }));

/** The operator that compares the same with the sides exchanged. */
export const MIRRORED: Readonly<Record<Operator, Operator>> = {
  '=': '=',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/** The operator that is true where another one is false, and false where it is true. */
export const NEGATED: Readonly<Record<Operator, Operator>> = {
  '=': '!=',
  '!=': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};
