/** An expression with `not` moved into its comparisons, which keeps what is neither true nor false. */
import { NEGATED } from './expression.ts';
import type { Expression } from './expression.ts';

/** An expression without `not`: the operators of its comparisons say it. */
export type PositiveExpression =
  | Exclude<Expression, { readonly kind: 'and' | 'or' | 'not' }>
  | PositiveChain;

/** Expressions joined by `and` or by `or`; none of the parts is joined by the same word. */
interface PositiveChain {
  readonly kind: 'and' | 'or';
  readonly parts: readonly PositiveExpression[];
}

export const isChain = (part: PositiveExpression): part is PositiveChain =>
  part.kind === 'and' || part.kind === 'or';

/** The expression, or what it is not, without `not`. */
export function withoutNot(expression: Expression, isNegated = false): PositiveExpression {
  switch (expression.kind) {
    case 'and':
    case 'or': {
      const kind = isNegated ? OTHER[expression.kind] : expression.kind;
      const parts = expression.parts.map((part) => withoutNot(part, isNegated));
      return { kind, parts: parts.flatMap((part) => (part.kind === kind ? part.parts : [part])) };
    }
    case 'not':
      return withoutNot(expression.part, !isNegated);
    case 'null':
      return { ...expression, isNull: expression.isNull !== isNegated };
    case 'in':
      return { ...expression, isNegated: expression.isNegated !== isNegated };
    case 'compare':
      return isNegated ? { ...expression, operator: NEGATED[expression.operator] } : expression;
  }
}

const OTHER = { and: 'or', or: 'and' } as const;
