/** `checksAfterHooks`: decides the checks that name a member which the service sets, once hooks could set it. */
import { violations } from '../http/checks.ts';
import { refuse } from '../http/validation.ts';
import type { ChangeRule } from './change-rule.ts';
import type { Resource } from './constraints.ts';
import { violatedCheck } from './violated-check.ts';

/** @throws 422 if the values violate such checks. */
const refuseViolations = ({ checks = {} }: Resource, values: object): void =>
  // The values are those of the collection that the checks belong to.
  refuse(violations(checks, values as never, [], true));

export const checksAfterHooks: ChangeRule = {
  checkNew: refuseViolations,
  checkChange: (resource, _stored, values) => refuseViolations(resource, values),
  mayBeResolved: (resource, error) => violatedCheck(error, resource)?.afterHooks === true,
};
