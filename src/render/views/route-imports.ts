/** The imports of the routes of a collection, from the names that their code uses. */
import type { ImportRow } from './module-imports.ts';

/** What is imported from the modules of the platform, of all the names that code uses. */
export const platformModules = (uses: ReadonlySet<string>): ImportRow[] =>
  Object.entries(PLATFORM).map(([module, names]) => [
    TYPES.includes(names) ? 'import type' : 'import',
    `../../platform/${module}.ts`,
    names.split(' ').filter((name) => uses.has(name)),
  ]);

/** The names that the template itself uses, by whether responses embed references, and whether a creation is a job. */
export const namesInTemplate = (includes: boolean, background: boolean): string[] =>
  [
    'createOnce expectedRevision idempotencyKey idOf ifNoneMatch noContent refuseParameters',
    'sendUpdated Services',
    includes
      ? `${PLATFORM['http/include']} ${PLATFORM['openapi/included']}`
      : 'listQuery pageOf readList sendItem sendPage',
    background ? 'acceptJob JobShape' : 'createdAnswer',
  ].flatMap((names) => names.split(' '));

/** The exports that are types. */
const TYPES: readonly string[] = ['Database', 'Services'];

/** What the platform exports for routes, by module in the order of imports. */
const PLATFORM = {
  'auth/ownership': 'ownByDefault ownItemsFilter requireOwnCreation requireOwnItem requireReadable',
  'auth/permissions': 'allow',
  'auth/step-roles': 'requireStepRoles',
  'auth/users': 'requireUser USER_RESOURCE',
  'database/database': 'Database',
  'database/not-found': 'requireItem',
  'http/idempotency': 'createOnce',
  'http/include':
    'allowIncludes includesOf readInclude readIncludingList sendIncludingItem sendIncludingPage',
  'http/item': 'createdAnswer idOf sendItem sendUpdated',
  'http/list': 'readList',
  'http/page': 'sendPage',
  'http/composite-ids': 'compositeIdParameter',
  'http/numeric-ids': 'numericIdParameter',
  'http/preconditions': 'checkPreconditions expectedRevision requireIfMatch',
  'http/query': 'refuseParameters',
  'http/text-ids': 'textIdParameter',
  'http/transitions': 'stepRefusals',
  'jobs/accept-job': 'acceptJob',
  'jobs/routes': 'JobShape',
  'openapi/included': 'includeQuery includeRefusals includingItem includingListQuery includingPage',
  'openapi/owned-body': 'ownedBody',
  'openapi/parameters': 'idempotencyKey ifMatch ifNoneMatch listQuery requiredIfMatch',
  'openapi/responses': 'noContent pageOf refusal taken',
  'openapi/schemas': 'bodyBelow',
  services: 'Services',
} as const;
