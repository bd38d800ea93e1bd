/** The checks of a domain → the bounds of an integer, or of the integers in an array. */
import type { DatabaseType } from '../database/database-schema.ts';

export interface DomainBounds {
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A comparison of the value with an integer, as `pg_get_constraintdef` writes it without parentheses. */
const COMPARISON =
  /^VALUE(?:::(?:smallint|integer|bigint))? (>=|>|<=|<) '?(-?\d{1,15})'?(?:::(?:smallint|integer|bigint))?$/;

/** Finds the bounds that all checks of a domain come to; undefined if they say anything else, or nothing. */
export function domainBounds({ kind, checks }: DatabaseType): DomainBounds | undefined {
  if (kind !== 'domain' || checks.length === 0) return undefined;
  const minima: number[] = [];
  const maxima: number[] = [];
  const comparisons = checks.flatMap((check) =>
    check
      .replace(/^CHECK /, '')
      .replaceAll(/[()]/g, '')
      .split(' AND '),
  );
  for (const comparison of comparisons) {
    const [, operator, number = ''] = COMPARISON.exec(comparison) ?? [];
    if (operator === undefined) return undefined;
    if (operator.startsWith('>')) minima.push(Number(number) + (operator === '>' ? 1 : 0));
    else maxima.push(Number(number) - (operator === '<' ? 1 : 0));
  }
  return {
    ...(minima.length > 0 && { minimum: Math.max(...minima) }),
    ...(maxima.length > 0 && { maximum: Math.min(...maxima) }),
  };
}
