/**
 * Endpoints as a JSON document. Its form is public: members are added, never renamed or removed.
 */
import type { ServiceDefinition } from '../../definition/types.ts';
import type { Issue } from '../../reading/position.ts';
import { issuesDocument } from '../../definition/index.ts';
import type { Access } from '../../model/access.ts';
import type { ItemOwner } from './access.ts';
import type { Deletion } from './deletions.ts';
import { COMMON_STATUSES } from './endpoints.ts';
import type { ExplainedInclude } from './includes.ts';
import type { ExplainedCheck } from './checks.ts';
import type { ExplainedTransitions } from './transitions.ts';
import type { OlderVersion } from './older-versions.ts';
import type { EndpointAccess } from './endpoints.ts';
import type { ExplainedUnique } from './uniques.ts';

/** What a document has beside the endpoints. */
interface Beside {
  readonly deletions?: readonly Deletion[];
  readonly checks?: readonly ExplainedCheck[];
  readonly uniques?: readonly ExplainedUnique[];
  readonly transitions?: readonly ExplainedTransitions[];
  readonly includes?: readonly ExplainedInclude[];
  readonly older?: readonly OlderVersion[];
  readonly owners?: readonly ItemOwner[];
  readonly warnings?: readonly Issue[];
}

export function documentOf(
  service: ServiceDefinition,
  endpoints: readonly EndpointAccess[],
  access: readonly Access[],
  {
    deletions = [],
    checks = [],
    uniques = [],
    transitions = [],
    includes = [],
    older = [],
    owners = [],
    warnings = [],
  }: Beside = {},
): object {
  const { name, title, versions, versioning } = service;
  const told = (endpoint: EndpointAccess) => {
    const { method, path, collection, permission, needsRead, needsReadOf, statuses } = endpoint;
    const above = needsReadOf === undefined ? {} : { needsReadOf };
    return { method, path, collection, permission, needsRead, ...above, statuses };
  };
  return {
    ok: true,
    service: { name, title, versions, versioning },
    everywhere: COMMON_STATUSES,
    endpoints: endpoints.map(told),
    access,
    checks,
    unique: uniques,
    transitions,
    includes,
    deletions,
    owners,
    warnings: issuesDocument(warnings),
    ...(older.length > 0 && {
      older: older.map(({ version, endpoints: own, next, changes }) => ({
        version,
        endpoints: own.map(told),
        next,
        changes,
      })),
    }),
  };
}
