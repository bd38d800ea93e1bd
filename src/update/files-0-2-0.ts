/**
 * Files that 0.2.0 moves: the conventions that all collections share are in `src/platform/`, and files
 * are called by what they export.
 */
import path from 'node:path';

/** Files that move to the folder of the same name in `src/platform/`. */
const MOVED: Readonly<Record<string, readonly string[]>> = {
  '': ['log.ts'],
  auth: [
    'administrator.ts',
    'authenticate.ts',
    'ownership.ts',
    'passwords.ts',
    'permissions.ts',
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
    'unavailable.ts',
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
    'health.ts',
    'idempotency.ts',
    'item.ts',
    'json.ts',
    'list.ts',
    'methods.ts',
    'metrics.ts',
    'page.ts',
    'preconditions.ts',
    'query.ts',
    'redis-counts.ts',
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
  ['src/database/answers.ts', 'src/platform/database/idempotency-store.ts'],
  ['src/database/missing.ts', 'src/platform/database/not-found.ts'],
  ['src/database/trial.ts', 'src/platform/database/dry-run.ts'],
  ['src/http/client.ts', 'src/platform/http/client-key.ts'],
  ['src/http/observe.ts', 'src/platform/http/request-log.ts'],
  ['src/http/words.ts', 'src/platform/http/search-words.ts'],
  ['src/jobs/accept.ts', 'src/platform/jobs/accept-job.ts'],
  ['src/jobs/jobs.ts', 'src/platform/jobs/job-store.ts'],
  ['src/jobs/run.ts', 'src/platform/jobs/run-job.ts'],
  ['src/openapi/write.ts', 'src/write-openapi.ts'],
  ['test/fixtures/users.ts', 'test/support/items/users.ts'],
];

/** Files that are part of another file now. Imports of them lead there. */
const MERGED: readonly (readonly [from: string, to: string])[] = [
  ['src/auth/credentials.ts', 'src/platform/auth/authenticate.ts'],
  ['src/auth/principal.ts', 'src/platform/auth/authenticate.ts'],
  ['src/auth/verified.ts', 'src/platform/auth/passwords.ts'],
  ['src/database/room.ts', 'src/platform/database/pglite.ts'],
  ['src/database/secrets.ts', 'src/platform/database/migrate.ts'],
  ['src/database/transaction.ts', 'src/platform/database/connection.ts'],
  ['src/database/types.ts', 'src/platform/database/postgres.ts'],
  ['src/database/wait.ts', 'src/platform/database/open.ts'],
  ['src/event-loop.ts', 'src/platform/http/limits.ts'],
  ['src/http/rate-limit.ts', 'src/platform/http/limits.ts'],
  ['src/http/overload.ts', 'src/platform/http/limits.ts'],
  ['src/failure.ts', 'src/platform/log.ts'],
  ['src/http/ended.ts', 'src/platform/http/request.ts'],
  ['src/http/headers.ts', 'src/platform/http/request.ts'],
  ['src/http/malformed.ts', 'src/platform/http/request.ts'],
  ['src/http/merge-patch.ts', 'src/platform/http/json.ts'],
  ['src/http/operational.ts', 'src/platform/http/request.ts'],
  ['src/http/security-headers.ts', 'src/platform/http/request.ts'],
  ['src/http/request-id.ts', 'src/platform/http/request.ts'],
];

/** New paths by old ones. Of several old paths of one file, the last is the one whose edits move along. */
export const FILES_0_2_0: readonly (readonly [from: string, to: string])[] = [
  ...MERGED,
  ...Object.entries(MOVED).flatMap(([folder, names]) =>
    names.map((name) => {
      const file = path.posix.join(folder, name);
      return [`src/${file}`, `src/platform/${file}`] as const;
    }),
  ),
  ...RENAMED,
];
