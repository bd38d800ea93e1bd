/** Steps between the values of a member that only some roles may take. */
import { forbidden } from '../http/errors.ts';
import { changesOf, listed } from '../http/transitions.ts';
import type { WithTransitions } from '../http/transitions.ts';
import { unauthorized } from './authenticate.ts';
import { isAdmin } from './principal.ts';
import type { Principal } from './principal.ts';

/** @throws 403 if the change is a step of roles that the caller does not have, 401 without a credential. */
export function requireStepRoles(
  resource: WithTransitions,
  principal: Principal | undefined,
  before: object,
  after: object,
): void {
  if (isAdmin(principal)) return;
  for (const { name, quoted, from, to, steps } of changesOf(resource, before, after)) {
    const by = steps.find((step) => step.to === to)?.by;
    if (by === undefined || by.some((role) => principal?.roles.has(role) === true)) continue;
    if (principal === undefined) {
      throw unauthorized('Authentication is required for this step: send an Authorization header.');
    }
    throw forbidden(
      `The change of ${name} from ${quoted(from)} to ${quoted(to)} needs the role ${listed(by)}.`,
    );
  }
}
