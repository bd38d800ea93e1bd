/** What a project consists of: each output with its template, its owner and its data. */
import type { Ownership } from '../shared/files.ts';
import { hasJobs, isBackground } from '../model/jobs.ts';
import { hasLimitedItems } from '../model/permissions.ts';
import { plainestOf, samplesOf } from '../model/samples.ts';
import { usesModule } from '../model/type-modules.ts';
import { hasSearch } from '../model/search.ts';
import { testTargetsOf } from '../model/test-targets.ts';
import type { TestTarget } from '../model/test-targets.ts';
import type { Collection, Model } from '../model/types.ts';
import type { PackageManager } from '../shared/package-manager.ts';
import { currentOf, isConverted, isVersioned, teamMembers } from '../model/versions.ts';
import type { View } from '../model/versions.ts';

/**
 * Which view an output is filled in with; `none`: its template is the output; `commands`: it is but
 * for the commands of npm in it, which are those of whatever package manager the project has.
 */
export type Data =
  | 'none'
  | 'commands'
  | 'service'
  | 'schema'
  | 'manager'
  | 'package'
  | 'readme'
  | 'guide'
  | 'changes'
  | 'collection'
  | 'views'
  | 'version'
  | 'fixture'
  | 'items'
  | 'collection-test'
  | 'permission-test'
  | 'repository-test'
  | 'authentication'
  | 'conventions'
  | 'jobs-test'
  | 'versions-test';

export interface Output {
  /** Below `templates/`. */
  readonly template: string;
  /** Below the project. */
  readonly target: string;
  readonly ownership: Ownership;
  readonly data: Data;
  /** Of an output that repeats for each collection: as it is stored, and as a version has it. */
  readonly collection?: Collection;
  readonly view?: View;
  /** Of a test: what it sees. */
  readonly seen?: TestTarget;
}

/** Whether some column holds JSON. */
const hasJson = ({ collections }: Model): boolean =>
  collections.some(({ table }) => table.columns.some(({ isJson }) => isJson));

/** Whether some version has values in another form. */
const hasConversions = ({ versions }: Model): boolean =>
  [...(versions?.collections.values() ?? [])].some(({ views }) =>
    views.some(({ members }) => members.some(isConverted)),
  );

/** Whether some version is going to end. */
const hasDeprecated = ({ service }: Model): boolean =>
  service.lifecycles.some(({ deprecated }) => deprecated !== undefined);

/** Whether some version is going to end, or has ended. */
const hasEnds = (model: Model): boolean => hasDeprecated(model) || model.service.retired.length > 0;

/** The files of a service, some only where they are needed. A template in `_x` is `.x`: npm leaves some dot files out. */
const SERVICE: readonly (readonly [
  template: string,
  data: Data,
  isNeeded?: (model: Model) => boolean,
])[] = [
  ['AGENTS.md.hbs', 'guide'],
  ['Dockerfile.hbs', 'manager'],
  ['_dockerignore.hbs', 'manager'],
  ['_editorconfig', 'none'],
  ['_env.example', 'none'],
  ['_github/workflows/ci.yml.hbs', 'manager'],
  ['_gitignore.hbs', 'manager'],
  ['_oxlintrc.json', 'none'],
  ['_prettierignore.hbs', 'manager'],
  ['_prettierrc.json', 'none'],
  ['_vscode/extensions.json', 'none'],
  ['_vscode/settings.json', 'none'],
  ['README.md.hbs', 'readme'],
  ['compose.yaml.hbs', 'service'],
  ['package.json', 'package'],
  ['src/admin.ts', 'commands'],
  ['src/app.ts.hbs', 'service'],
  ['src/collections/index.ts.hbs', 'service'],
  ['src/collections/searched-tables.ts.hbs', 'service', hasSearch],
  ['src/config.ts.hbs', 'service'],
  ['src/index-words.ts', 'commands', hasSearch],
  ['src/migrate.ts', 'none'],
  ['src/platform/auth/administrator.ts', 'none'],
  ['src/platform/auth/authenticate.ts.hbs', 'service'],
  ['src/platform/auth/login-throttle.ts', 'none'],
  ['src/platform/auth/ownership.ts', 'none', hasLimitedItems],
  ['src/platform/auth/passwords.ts', 'none'],
  ['src/platform/auth/permissions.ts', 'none'],
  ['src/platform/auth/tokens.ts', 'none'],
  ['src/platform/auth/users.ts.hbs', 'service'],
  ['src/platform/database/apply-migrations.ts', 'none'],
  ['src/platform/database/background-indexing.ts', 'none', hasSearch],
  ['src/platform/database/columns.ts', 'none'],
  ['src/platform/database/connection.ts', 'none'],
  ['src/platform/database/constraints.ts', 'none'],
  ['src/platform/database/counts.ts', 'none'],
  ['src/platform/database/database.ts', 'none'],
  ['src/platform/database/fill-words.ts', 'none', hasSearch],
  ['src/platform/database/hooks.ts', 'none'],
  ['src/platform/database/idempotency-store.ts', 'none'],
  ['src/platform/database/json.ts', 'none', hasJson],
  ['src/platform/database/lock.ts', 'none'],
  ['src/platform/database/migrate.ts.hbs', 'guide'],
  ['src/platform/database/migrations.ts', 'commands'],
  ['src/platform/database/not-found.ts', 'none'],
  ['src/platform/database/open.ts', 'none'],
  ['src/platform/database/pages.ts', 'none'],
  ['src/platform/database/pglite.ts', 'none'],
  ['src/platform/database/pipeline.ts', 'none'],
  ['src/platform/database/pool.ts', 'none'],
  ['src/platform/database/postgres.ts', 'none'],
  ['src/platform/database/repository.ts.hbs', 'service'],
  ['src/platform/database/unavailable.ts', 'none'],
  ['src/platform/http/accept.ts', 'none'],
  ['src/platform/http/body.ts', 'none'],
  ['src/platform/http/client-key.ts', 'none'],
  ['src/platform/http/conversions.ts', 'none', hasConversions],
  ['src/platform/http/cursor.ts', 'none'],
  ['src/platform/http/deprecation.ts.hbs', 'service', hasDeprecated],
  ['src/platform/http/error-handler.ts', 'none'],
  ['src/platform/http/errors.ts', 'none'],
  ['src/platform/http/exact-numbers.ts', 'none', usesModule('exact-numbers')],
  ['src/platform/http/filters.ts', 'none'],
  ['src/platform/http/health.ts', 'none'],
  ['src/platform/http/idempotency.ts', 'none'],
  ['src/platform/http/item.ts', 'none'],
  ['src/platform/http/json.ts', 'none'],
  ['src/platform/http/limits.ts', 'none'],
  ['src/platform/http/list.ts', 'none'],
  ['src/platform/http/methods.ts', 'none'],
  ['src/platform/http/metrics.ts', 'none'],
  ['src/platform/http/page.ts', 'none'],
  ['src/platform/http/preconditions.ts', 'none'],
  ['src/platform/http/query.ts', 'none'],
  ['src/platform/http/redis-counts.ts', 'none'],
  ['src/platform/http/request-log.ts', 'none'],
  ['src/platform/http/request.ts', 'none'],
  ['src/platform/http/search-words.ts', 'none', hasSearch],
  ['src/platform/http/shapes.ts', 'none'],
  ['src/platform/http/uuid.ts', 'none'],
  ['src/platform/http/validation.ts', 'none'],
  ['src/platform/http/values.ts', 'none'],
  ['src/platform/http/versions.ts.hbs', 'service'],
  ['src/platform/http/view.ts', 'none', ({ versions }) => versions !== undefined],
  ['src/platform/log.ts', 'none'],
  ['src/platform/openapi/changes.ts.hbs', 'changes', ({ versions }) => versions !== undefined],
  ['src/platform/openapi/documents.ts.hbs', 'service'],
  ['src/platform/openapi/parameters.ts', 'none'],
  ['src/platform/openapi/responses.ts', 'none'],
  ['src/platform/openapi/routes.ts.hbs', 'service'],
  ['src/platform/openapi/schemas.ts', 'none'],
  ['src/platform/optional-package.ts', 'none'],
  ['src/platform/README.md.hbs', 'service'],
  ['src/platform/services.ts.hbs', 'service'],
  ['src/server.ts', 'none'],
  ['src/write-openapi.ts.hbs', 'service'],
  ['test/authentication.test.ts.hbs', 'authentication'],
  ['test/configuration.test.ts.hbs', 'service'],
  ['test/conventions.test.ts.hbs', 'conventions'],
  ['test/database-away.test.ts.hbs', 'service'],
  ['test/database-rules.test.ts', 'none'],
  ['test/docs.test.ts', 'none'],
  ['test/support/items/users.ts', 'none'],
  ['test/lifecycles.test.ts.hbs', 'service', hasEnds],
  ['test/migrations.test.ts', 'none'],
  ['test/openapi.test.ts.hbs', 'service'],
  ['test/operation.test.ts', 'none'],
  ['test/pages.test.ts', 'none'],
  ['test/platform.test.ts', 'none'],
  ['test/support/callers.ts.hbs', 'service'],
  ['test/support/database.ts', 'none'],
  ['test/support/documented.ts.hbs', 'service'],
  ['test/support/expected.ts', 'none'],
  ['test/support/lists.ts.hbs', 'service'],
  ['test/support/matchers.ts', 'none'],
  ['test/support/raw.ts', 'none'],
  ['test/support/repositories.ts', 'none'],
  ['test/support/rules.ts', 'none'],
  ['test/support/series.ts', 'none'],
  ['test/support/service.ts.hbs', 'service'],
  ['test/support/template.ts', 'none'],
  ['test/support/table.ts', 'none'],
  ['test/support/users.ts', 'none'],
  ['test/support/values.ts', 'none'],
  ['test/tokens.test.ts', 'none'],
  ['test/users.test.ts.hbs', 'service'],
  ['tsconfig.build.json', 'none'],
  ['tsconfig.json', 'none'],
  ['vitest.config.ts', 'none'],
];

/** Tests of what holds for every collection, by one that stands for all: where there is such a one. */
const BY_EXAMPLE: readonly string[] = [
  'test/idempotency.test.ts.hbs',
  'test/preconditions.test.ts.hbs',
];

/** The files of a service that makes items in the background. */
const JOBS: typeof SERVICE = [
  ['src/collections/works.ts.hbs', 'service'],
  ['src/platform/database/dry-run.ts', 'none'],
  ['src/platform/jobs/accept-job.ts.hbs', 'service'],
  ['src/platform/jobs/job-error.ts', 'none'],
  ['src/platform/jobs/job-store.ts.hbs', 'service'],
  ['src/platform/jobs/metrics.ts', 'none'],
  ['src/platform/jobs/queue.ts', 'commands'],
  ['src/platform/jobs/routes.ts.hbs', 'service'],
  ['src/platform/jobs/run-job.ts.hbs', 'service'],
  ['src/platform/jobs/work.ts.hbs', 'service'],
  ['src/platform/jobs/worker.ts', 'none'],
  ['src/worker.ts', 'commands'],
  ['test/jobs.test.ts.hbs', 'jobs-test'],
];

/** The settings of a package manager, where it needs some. */
const SETTINGS: Readonly<Record<PackageManager, typeof SERVICE>> = {
  npm: [],
  pnpm: [['pnpm-workspace.yaml', 'none']],
  yarn: [['_yarnrc.yml', 'none']],
  bun: [],
};

/** The files that repeat for each collection, in `src/collections/<name>/`. */
const COLLECTION: readonly (readonly [template: string, ownership: Ownership, data: Data])[] = [
  ['hooks.ts.hbs', 'once', 'collection'],
  ['repository.ts.hbs', 'merged', 'collection'],
  ['routes.ts.hbs', 'merged', 'collection'],
  ['schema.ts.hbs', 'merged', 'collection'],
];

/** Beside them, for a collection that versions have otherwise. */
const VERSIONED: typeof COLLECTION = [['views.ts.hbs', 'merged', 'views']];

/** And where only the team knows what values of today are in an older version. */
const CONVERTED: typeof COLLECTION = [['versions.ts.hbs', 'once', 'collection']];

/** Beside them, for a collection whose items are made in the background. */
const BACKGROUND: typeof COLLECTION = [['work.ts.hbs', 'merged', 'collection']];

/** All outputs of a new project; each path once. */
export function planOutputs(model: Model, manager: PackageManager = 'npm'): Output[] {
  return [
    ...[...SERVICE, ...(hasJobs(model) ? JOBS : []), ...SETTINGS[manager]]
      .filter(([, , isNeeded]) => isNeeded?.(model) ?? true)
      .map(([name, data]): Output => ({
        template: `service/${name}`,
        target: targetOf(name),
        ownership: 'merged',
        data,
      })),
    {
      template: 'service/migrations/0001_initial.sql.hbs',
      target: 'migrations/0001_initial.sql',
      ownership: 'append',
      data: 'schema',
    },
    ...model.collections.flatMap((collection) => codeOf(collection, model)),
    ...(plainestOf(samplesOf(currentOf(model))) === undefined ? [] : BY_EXAMPLE).map(
      (name): Output => ({
        template: `service/${name}`,
        target: targetOf(name),
        ownership: 'merged',
        data: 'conventions',
      }),
    ),
    ...testTargetsOf(model).flatMap((seen) => testsOf(seen)),
    ...repositoryTestsOf(model),
    ...model.collections
      .filter(({ definition }) => isVersioned(model, definition.name))
      .map((collection): Output => ({
        template: 'collection/versions.test.ts.hbs',
        target: `test/versions/${collection.names.kebab}.test.ts`,
        ownership: 'merged',
        data: 'versions-test',
        collection,
      })),
  ];
}

/** The code of a collection, and of the versions that have it otherwise. */
function codeOf(collection: Collection, model: Model): Output[] {
  const { name } = collection.definition;
  const folder = `src/collections/${collection.names.kebab}`;
  const { views = [] } = model.versions?.collections.get(name) ?? {};
  const versioned = isVersioned(model, name);
  const rows = [
    ...COLLECTION,
    ...(isBackground(collection) ? BACKGROUND : []),
    ...(versioned ? VERSIONED : []),
    ...(teamMembers(model, name).length > 0 ? CONVERTED : []),
  ];
  return [
    ...rows.map(([template, ownership, data]): Output => ({
      template: `collection/${template}`,
      target: `${folder}/${targetOf(template)}`,
      ownership,
      data,
      collection,
    })),
    ...views.map((view): Output => ({
      template: 'collection/version.ts.hbs',
      target: `${folder}/${view.key}.ts`,
      ownership: 'merged',
      data: 'version',
      collection,
      view,
    })),
  ];
}

/** The tests of a collection as a version has it, and how they make its items where that is possible. */
function testsOf(seen: TestTarget): Output[] {
  const { collection, folder, isCurrent } = seen;
  const { kebab } = collection.names;
  const test = (
    template: string,
    target: string,
    data: Data,
    ownership: Ownership = 'merged',
  ): Output => ({
    template: `collection/${template}`,
    target: `test/${target}.ts`,
    ownership,
    data,
    collection,
    seen,
  });
  return [
    ...(isMade(collection, seen.model) && seen.hasFixture
      ? [
          test('fixture.ts.hbs', `fixtures/${folder}${kebab}`, 'fixture', 'until-edited'),
          test('items.ts.hbs', `support/items/${folder}${kebab}`, 'items'),
        ]
      : []),
    ...(seen.hasTests
      ? [test('test.ts.hbs', `collections/${folder}${kebab}.test`, 'collection-test')]
      : []),
    ...(isCurrent
      ? [test('permissions.test.ts.hbs', `permissions/${kebab}.test`, 'permission-test')]
      : []),
  ];
}

/** The tests of repositories; each makes items by the newest version that can. */
function repositoryTestsOf(model: Model): Output[] {
  const seen = testTargetsOf(model);
  return model.collections.flatMap((collection): Output[] => {
    const { names } = collection;
    const newest = seen.find(
      (one) => one.collection.code.kebab === names.kebab && isMade(one.collection, one.model),
    );
    if (newest === undefined) return [];
    return [
      {
        template: 'collection/repository.test.ts.hbs',
        target: `test/repositories/${names.kebab}.test.ts`,
        ownership: 'merged',
        data: 'repository-test',
        collection,
        seen: newest,
      },
    ];
  });
}

/** Whether tests can make items of a collection. */
const isMade = ({ definition }: Collection, model: Model): boolean =>
  samplesOf(model).get(definition.name)?.obstacle === undefined;

const targetOf = (template: string): string => template.replace(/^_/, '.').replace(/\.hbs$/, '');
