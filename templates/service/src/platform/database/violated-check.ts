/** Checks over several members, as constraints of the database that an error names. */
import { violation } from '../http/checks.ts';
import type { Check, Checks } from '../http/checks.ts';
import { unprocessable } from '../http/errors.ts';
import type { DatabaseError, Resource, Violation } from './constraints.ts';

declare module './constraints.ts' {
  interface Resource {
    /** The checks over several members, by the name of the constraint. */
    readonly checks?: Checks<never>;
  }
}

/** SQLSTATE (PostgreSQL's documentation, appendix A). */
const CHECK_VIOLATION = '23514';

/** The check that an error of the database is about; undefined if it is about another rule. */
export function violatedCheck(error: unknown, { checks = {} }: Resource): Check<never> | undefined {
  const { code, constraint = '' } = (error ?? {}) as Partial<DatabaseError>;
  const isOurs = code === CHECK_VIOLATION && Object.hasOwn(checks, constraint);
  return isOurs ? checks[constraint] : undefined;
}

/** 422 for a check: a hook changed values after the body was checked. */
export const brokenCheck: Violation = (error, resource) => {
  const check = violatedCheck(error, resource);
  if (check === undefined) return undefined;
  const { member, text } = violation(check);
  return unprocessable(`${member} ${text}.`);
};
