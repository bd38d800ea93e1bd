/**
 * Files that 0.2.0 moves: the conventions that all collections share are in `src/platform/`, and files
 * are called by what they export.
 */
import path from 'node:path';

/** Files that move to the folder of the same name in `src/platform/`. */
const MOVED: Readonly<Record<string, readonly string[]>> = {
  '': ['event-loop.ts', 'log.ts'],
  auth: [
    'administrator.ts',
    'authenticate.ts',
    'credentials.ts',
    'ownership.ts',
    'passwords.ts',
    'permissions.ts',
    'principal.ts',
    'tokens.ts',
    'users.ts',
  ],
  database: [
    'apply-migrations.ts',
    'constraints.ts',
    'counts.ts',
    'database.ts',
    'fill-words.ts',
    'hooks.ts',
    'json.ts',
    'lock.ts',
    'migrate.ts',
    'migrations.ts',
    'open.ts',
    'pages.ts',
    'pglite.ts',
    'postgres.ts',
    'secrets.ts',
    'transaction.ts',
    'types.ts',
    'unavailable.ts',
    'wait.ts',
  ],
  http: [
    'accept.ts',
    'body.ts',
    'conversions.ts',
    'cursor.ts',
    'deprecation.ts',
    'error-handler.ts',
    'errors.ts',
    'filters.ts',
    'headers.ts',
    'health.ts',
    'idempotency.ts',
    'item.ts',
    'json.ts',
    'list.ts',
    'malformed.ts',
    'merge-patch.ts',
    'methods.ts',
    'metrics.ts',
    'operational.ts',
    'overload.ts',
    'page.ts',
    'preconditions.ts',
    'query.ts',
    'rate-limit.ts',
    'redis-counts.ts',
    'request-id.ts',
    'security-headers.ts',
    'shapes.ts',
    'uuid.ts',
    'validation.ts',
    'values.ts',
    'versions.ts',
    'view.ts',
  ],
  jobs: ['job-error.ts', 'metrics.ts', 'queue.ts', 'routes.ts', 'work.ts', 'worker.ts'],
  openapi: ['changes.ts', 'parameters.ts', 'responses.ts', 'routes.ts', 'schemas.ts'],
};

/** Files that get another name. */
const RENAMED: readonly (readonly [from: string, to: string])[] = [
  ['src/auth/attempts.ts', 'src/platform/auth/login-throttle.ts'],
  ['src/auth/verified.ts', 'src/platform/auth/password-cache.ts'],
  ['src/database/answers.ts', 'src/platform/database/idempotency-store.ts'],
  ['src/database/missing.ts', 'src/platform/database/not-found.ts'],
  ['src/database/room.ts', 'src/platform/database/disk-space.ts'],
  ['src/database/trial.ts', 'src/platform/database/dry-run.ts'],
  ['src/drain.ts', 'src/platform/close-connections.ts'],
  ['src/failure.ts', 'src/platform/error-text.ts'],
  ['src/http/client.ts', 'src/platform/http/client-key.ts'],
  ['src/http/ended.ts', 'src/platform/http/on-response-end.ts'],
  ['src/http/observe.ts', 'src/platform/http/request-log.ts'],
  ['src/http/words.ts', 'src/platform/http/search-words.ts'],
  ['src/jobs/accept.ts', 'src/platform/jobs/accept-job.ts'],
  ['src/jobs/jobs.ts', 'src/platform/jobs/job-store.ts'],
  ['src/jobs/run.ts', 'src/platform/jobs/run-job.ts'],
  ['src/openapi/write.ts', 'src/write-openapi.ts'],
];

/** New paths by old ones. */
export const FILES_0_2_0: readonly (readonly [from: string, to: string])[] = [
  ...Object.entries(MOVED).flatMap(([folder, names]) =>
    names.map((name) => {
      const file = path.posix.join(folder, name);
      return [`src/${file}`, `src/platform/${file}`] as const;
    }),
  ),
  ...RENAMED,
];
