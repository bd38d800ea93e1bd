/**
 * Checks: rules over several members of an item. The database has each as a CHECK constraint, for changes
 * by hooks and by SQL.
 */
import type { BodyRule } from './body.ts';
import { refuse } from './validation.ts';
import type { Problem } from './validation.ts';

/** A check in error messages. */
interface CheckMessage {
  /** The members that it is about. */
  readonly members: readonly string[];
  /** The rule that they must keep, as a sentence. */
  readonly message: string;
}

/** A rule over members of an item. */
export interface Check<Values> extends CheckMessage {
  /** Whether the values keep it. As in SQL, a comparison with null violates nothing. */
  readonly holds: (values: Values) => boolean;
  /** Whether it names a member that the service sets: it is decided after hooks, not with the body. */
  readonly afterHooks?: boolean;
}

/** The checks of a collection, by the names of their constraints. */
export type Checks<Values> = Readonly<Record<string, Check<Values>>>;

/**
 * The problems of values that violate checks.
 * @param invalid problems of single members: checks of these members are left out.
 * @param afterHooks whether those are meant that are decided after hooks, or the others.
 */
export function violations<Values>(
  checks: Checks<Values>,
  values: Values,
  invalid: readonly Problem[] = [],
  afterHooks = false,
): Problem[] {
  const names = new Set(invalid.map(({ name }) => name));
  return Object.values(checks)
    .filter((check) => (check.afterHooks ?? false) === afterHooks)
    .filter(({ members, holds }) => !members.some((member) => names.has(member)) && !holds(values))
    .map(violation);
}

/** Refuses bodies that violate checks. */
export const keepsChecks = <Values>(checks: Checks<Values>): BodyRule<Values> => ({
  check: (values, found) => violations(checks, values, found),
});

/** The problem of a violated check. */
export function violation({ members, message }: CheckMessage): Problem {
  const last = members.at(-1) ?? 'the values';
  const others = members.slice(0, -1).join(', ');
  return {
    name: '',
    member: `${others === '' ? last : `${others} and ${last}`}:`,
    text: message.replace(/\.$/, ''),
  };
}

/** The values themselves. @throws 422 if they violate checks. */
export function checked<Values>(checks: Checks<Values>, values: Values): Values {
  refuse(violations(checks, values));
  return values;
}

/** Compares integers and decimals exactly: negative, zero or positive. Decimals may have different scales. */
export function compareExact(left: number | string, right: number | string): number {
  const [one, other] = [String(left), String(right)];
  const scale = Math.max(scaleOf(one), scaleOf(other));
  const difference = unitsOf(one, scale) - unitsOf(other, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

const scaleOf = (number: string): number => number.split('.')[1]?.length ?? 0;

/** A number as a multiple of its last digit at a scale: `1.5` is 150 at scale 2. */
function unitsOf(number: string, scale: number): bigint {
  const [whole = '', fraction = ''] = number.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
}

/** Compares canonical timestamps, which have three or six digits of a second: negative, zero or positive. */
export function compareTimestamps(left: string, right: string): number {
  const [one, other] = [left, right].map((timestamp) => timestamp.slice(0, -1).padEnd(26, '0'));
  return one === other ? 0 : (one ?? '') < (other ?? '') ? -1 : 1;
}
