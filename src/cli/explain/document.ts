/**
 * Endpoints as a JSON document. Its form is public: members are added, never renamed or removed.
 */
import type { ServiceDefinition } from '../../definition/types.ts';
import type { Access } from './access.ts';
import { EVERYWHERE } from './endpoints.ts';
import type { Endpoint } from './endpoints.ts';

export function documentOf(
  service: ServiceDefinition,
  endpoints: readonly Endpoint[],
  access: readonly Access[],
): object {
  const { name, title, versions, versioning } = service;
  return {
    ok: true,
    service: { name, title, versions, versioning },
    everywhere: EVERYWHERE,
    endpoints: endpoints.map(({ method, path, collection, permission, needsRead, statuses }) => ({
      method,
      path,
      collection,
      permission,
      needsRead,
      statuses,
    })),
    access,
  };
}
