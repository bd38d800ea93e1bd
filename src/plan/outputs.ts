/**
 * What a project can consist of: each output with its template, its owner, and the view that fills its template in.
 * Definitions decide on some outputs, and imports on the others (`needed-outputs.ts`).
 */
import type { Ownership } from '../shared/files.ts';
import { hasEvents } from '../model/events.ts';
import { existingTables } from '../model/existing.ts';
import { hasIncludes, isEmbedded } from '../model/includes.ts';
import { hasJobs, isBackground } from '../model/jobs.ts';
import { simplestSamples, samplesOf } from '../model/samples.ts';
import { hasSearch } from '../model/search.ts';
import { testTargetsOf } from '../model/test-targets.ts';
import type { TestTarget } from '../model/test-targets.ts';
import type { Collection, Model } from '../model/types.ts';
import type { PackageManager } from '../shared/package-manager.ts';
import { currentOf, isVersioned, teamMembers } from '../model/versions.ts';
import { TEST_MODULES, TYPE_MODULES } from '../types/registry.ts';
import type { Renderable } from '../render/render.ts';
import {
  authentication,
  bind,
  constants,
  code,
  collectionTest,
  commands,
  conventions,
  copied,
  eventsTest,
  embedding,
  existingSql,
  fixture,
  guide,
  items,
  jobsTest,
  manager,
  packageManifest,
  permissionTest,
  platformReadme,
  readme,
  repositoryTest,
  routes,
  schema,
  service,
  version,
  versionsTest,
  views,
} from './contents.ts';
import type {
  OutputContent,
  MadeOf,
  OfCollection,
  OfRepositoryTest,
  OfService,
  OfTestTarget,
  OfVersion,
} from './contents.ts';

/** A file of a project, with what renders it. */
export interface Output extends Renderable {
  readonly madeOf: MadeOf;
  /** Of an output that repeats for each collection: as it is stored, or as a version has it. */
  readonly collection?: Collection;
}

/** An output that repeats for each collection. */
interface CollectionOutput extends Output {
  readonly collection: Collection;
  /** Whether it is made of the view of a version: not of what is stored, nor of what the current version has. */
  readonly isOfVersion: boolean;
}

/** Whether some collection has an existing table. */
const hasExisting = (model: Model): boolean => existingTables(model).length > 0;

/** Whether some work is done by a process of its own. */
const hasWorker = (model: Model): boolean => hasJobs(model) || hasEvents(model);

/** Whether the project has seeds. */
const hasSeeds = ({ service: { seeds } }: Model): boolean => seeds;

/** Whether some version is going to end. */
const hasDeprecated = (model: Model): boolean =>
  model.service.lifecycles.some(({ deprecated }) => deprecated !== undefined);

/** Whether some version is going to end, or has ended. */
const hasEnds = (model: Model): boolean => hasDeprecated(model) || model.service.retired.length > 0;

/** Whether there is a collection that can stand for all. */
const hasExample = (model: Model): boolean =>
  simplestSamples(samplesOf(currentOf(model))) !== undefined;

/** Whether only the team knows what values of today are in some older version. */
const hasTeamMembers = ({ collection, model }: OfCollection): boolean =>
  teamMembers(model, collection.definition.name).length > 0;

/** Whether `include` embeds the collection, or something in it. */
const hasEmbedding = ({ collection, model }: OfCollection): boolean =>
  isEmbedded(collection, model);

const isMadeInBackground = ({ collection }: OfCollection): boolean => isBackground(collection);

/** Whether some version has the collection otherwise than it is stored. */
const differsByVersion = ({ collection, model }: OfCollection): boolean =>
  isVersioned(model, collection.definition.name);

/** Whether tests can make items. */
const hasSamples = ({ collection, model }: TestTarget): boolean =>
  samplesOf(model).get(collection.definition.name)?.obstacle === undefined;

const hasFixture = ({ testTarget }: OfTestTarget): boolean =>
  testTarget.hasFixture && hasSamples(testTarget);
const hasTests = ({ testTarget }: OfTestTarget): boolean => testTarget.hasTests;
const isCurrent = ({ testTarget }: OfTestTarget): boolean => testTarget.isCurrent;

/** A file that a service has once. A template in `_x` is `.x`: npm leaves some dot files out. */
type ServiceRow = readonly [template: string, content: OutputContent<OfService>];

/** A file with what decides whether a service has it: each does if that is left out. */
type DecidedRow = readonly [...ServiceRow, isNeeded?: (model: Model) => boolean];

/** The files that a service has by its definitions, whatever imports them. */
const SERVICE: readonly DecidedRow[] = [
  ['AGENTS.md.hbs', guide],
  ['Dockerfile.hbs', guide],
  ['_dockerignore.hbs', guide],
  ['_editorconfig', copied],
  ['_env.example', copied],
  ['_github/workflows/ci.yml.hbs', manager],
  ['_gitignore.hbs', manager],
  ['_oxlintrc.json', copied],
  ['_prettierignore.hbs', manager],
  ['_prettierrc.json', copied],
  ['_vscode/extensions.json', copied],
  ['_vscode/settings.json', copied],
  ['README.md.hbs', readme],
  ['compose.yaml.hbs', service],
  ['package.json', packageManifest],
  ['src/admin.ts', commands],
  ['src/app.ts', copied],
  ['src/collections/events.ts.hbs', service, hasEvents],
  ['src/collections/index.ts.hbs', service],
  ['src/collections/searched-tables.ts.hbs', service, hasSearch],
  ['src/collections/seeded.ts.hbs', service, hasSeeds],
  ['src/collections/views.ts.hbs', service],
  ['src/collections/works.ts.hbs', service, hasJobs],
  ['src/config.ts', copied],
  ['src/features.ts.hbs', service],
  ['src/index-words.ts', commands, hasSearch],
  ['src/migrate.ts', commands],
  ['src/platform/README.md.hbs', platformReadme],
  ['src/seed.ts', commands, hasSeeds],
  ['src/server.ts', copied],
  ['src/worker.ts', commands, hasWorker],
  ['src/write-openapi.ts.hbs', service],
  ['test/authentication.test.ts.hbs', authentication],
  ['test/configuration.test.ts.hbs', service],
  ['test/conventions.test.ts.hbs', conventions],
  ['test/database-away.test.ts.hbs', service],
  ['test/database-rules.test.ts', copied],
  ['test/docs.test.ts', copied],
  ['test/events.test.ts.hbs', eventsTest, hasEvents],
  ['test/idempotency.test.ts.hbs', conventions, hasExample],
  ['test/include.test.ts.hbs', service, hasIncludes],
  ['test/jobs.test.ts.hbs', jobsTest, hasJobs],
  ['test/late-bodies.test.ts', copied],
  ['test/lifecycles.test.ts.hbs', service, hasEnds],
  ['test/openapi.test.ts.hbs', service],
  ['test/operation.test.ts', copied],
  ['test/pages.test.ts', copied],
  ['test/platform.test.ts', copied],
  ['test/preconditions.test.ts.hbs', conventions, hasExample],
  ['test/seeds.test.ts', copied, hasSeeds],
  // vitest.config.ts names this one and the next.
  ['test/support/matchers.ts', copied],
  ['test/support/template.ts.hbs', service],
  ['test/tokens.test.ts', copied],
  ['test/users.test.ts.hbs', service],
  ['test/webhook-requests.test.ts', copied, hasEvents],
  ['test/webhooks.test.ts.hbs', service, hasEvents],
  ['tsconfig.build.json', copied],
  ['tsconfig.json', copied],
  ['vitest.config.ts', copied],
];

/** The files that a service has as they are if one of its other files imports them (`needed-outputs.ts`), by folder. */
const OFFERED: Readonly<Record<string, readonly string[]>> = {
  'src/platform': [
    'background-worker.ts',
    'environment.ts',
    'feature.ts',
    'log.ts',
    'optional-package.ts',
    'queue-metrics.ts',
    'services.ts',
    'settings.ts',
  ],
  'src/platform/auth': [
    'administrator.ts',
    'authenticate.ts',
    'login-throttle.ts',
    'ownership.ts',
    'passwords.ts',
    'permissions.ts',
    'principal.ts',
    'rights.ts',
    'sign-ins.ts',
    'step-roles.ts',
    'tokens.ts',
    'users.ts',
  ],
  'src/platform/database': [
    'background-indexing.ts',
    'change-rule.ts',
    'checks-after-hooks.ts',
    'completing-hooks.ts',
    'composite-row-id.ts',
    'connection.ts',
    'constraints.ts',
    'counts.ts',
    'database.ts',
    'embed.ts',
    'empty-pglite.ts',
    'existing-table.ts',
    'existing-tables.ts',
    'feature.ts',
    'fill-words.ts',
    'hooks.ts',
    'idempotency-store.ts',
    'item-table.ts',
    'json.ts',
    'lock.ts',
    'migration-records.ts',
    'not-found.ts',
    'numeric-row-id.ts',
    'open.ts',
    'owner-path.ts',
    'pages.ts',
    'pglite-folder.ts',
    'pglite.ts',
    'pipeline.ts',
    'pool.ts',
    'pooler.ts',
    'postgres.ts',
    'processes.ts',
    'repeatable-migrations.ts',
    'report-migrations.ts',
    'repository.ts',
    'reserve-id.ts',
    'row-id.ts',
    'search-path.ts',
    'soft-deletion.ts',
    'table-sizes.ts',
    'text-row-id.ts',
    'unavailable.ts',
    'views.ts',
    'violated-check.ts',
  ],
  'src/platform/events': [
    'event-shapes.ts',
    'event-store.ts',
    'retention.ts',
    'routes.ts',
    'send-events.ts',
    'writes-events.ts',
  ],
  'src/platform/http': [
    'accept.ts',
    'body-rate.ts',
    'body.ts',
    'checks.ts',
    'client-key.ts',
    'client-shares.ts',
    'collection-views.ts',
    'conversions.ts',
    'cursor.ts',
    'database-defaults.ts',
    'deprecation.ts',
    'error-handler.ts',
    'errors.ts',
    'filters.ts',
    'health.ts',
    'hidden-owner.ts',
    'idempotency.ts',
    'include.ts',
    'item.ts',
    'json.ts',
    'limits.ts',
    'list.ts',
    'methods.ts',
    'metrics.ts',
    'other-values.ts',
    'page.ts',
    'preconditions.ts',
    'query.ts',
    'redis-counts.ts',
    'redis-settings.ts',
    'request-log.ts',
    'request.ts',
    'search-words.ts',
    'search.ts',
    'shapes.ts',
    'transitions.ts',
    'uuid.ts',
    'validation.ts',
    'values.ts',
    'versions.ts',
    'view.ts',
  ],
  'src/platform/jobs': [
    'accept-job.ts',
    'attempt-timeout.ts',
    'dry-run.ts',
    'feature.ts',
    'job-error.ts',
    'job-store.ts',
    'metrics.ts',
    'routes.ts',
    'run-job.ts',
    'work.ts',
    'worker.ts',
  ],
  'src/platform/openapi': [
    'documents.ts',
    'included.ts',
    'owned-body.ts',
    'parameters.ts',
    'responses.ts',
    'routes.ts',
    'schemas.ts',
  ],
  'src/platform/seeds': [
    'check-seeds.ts',
    'load-seeds.ts',
    'read-seeds.ts',
    'seed.ts',
    'seeded-collection.ts',
    'seeded-users.ts',
  ],
  'src/platform/webhooks': [
    'deliver.ts',
    'delivery-routes.ts',
    'delivery-store.ts',
    'event-types.ts',
    'feature.ts',
    'metrics.ts',
    'openapi.ts',
    'receiver-url.ts',
    'secrets.ts',
    'send.ts',
    'settings.ts',
    'webhook-routes.ts',
    'webhook-shapes.ts',
    'worker.ts',
  ],
  'test/support': [
    'assigned.ts',
    'callers.ts',
    'check-tests.ts',
    'collection-tests.ts',
    'creator-tests.ts',
    'documented.ts',
    'empty-tables.ts',
    'existing-table-tests.ts',
    'expected.ts',
    'include-tests.ts',
    'list-tests.ts',
    'lists.ts',
    'member-tests.ts',
    'nested-tests.ts',
    'owner-path-tests.ts',
    'owner-path.ts',
    'owner-tests.ts',
    'permission-tests.ts',
    'raw.ts',
    'receiver.ts',
    'reference-tests.ts',
    'repository-key-tests.ts',
    'repository-owner-tests.ts',
    'repository-tests.ts',
    'rules.ts',
    'search-tests.ts',
    'searches.ts',
    'send-request.ts',
    'series.ts',
    'service.ts',
    'steps.ts',
    'suite.ts',
    'table.ts',
    'test-items.ts',
    'transition-tests.ts',
    'unique-tests.ts',
    'users.ts',
    'values.ts',
    'version-job-tests.ts',
    'version-permission-tests.ts',
    'version-tests.ts',
  ],
  'test/support/items': ['users.ts'],
};

/** All files that a service has only if others import them; the registry names the modules of types. */
const OFFERED_ROWS: readonly ServiceRow[] = [
  ['src/platform/features.ts.hbs', service],
  ['src/platform/service.ts.hbs', constants],
  ['src/platform/database/apply-migrations.ts', commands],
  ['src/platform/database/migrate.ts', commands],
  ['src/platform/database/migrations.ts', commands],
  ['src/platform/jobs/queue.ts', commands],
  ['test/support/database.ts.hbs', service],
  ...Object.entries(OFFERED).flatMap(([folder, files]) =>
    files.map((file): ServiceRow => [`${folder}/${file}`, copied]),
  ),
  ...[...TYPE_MODULES.keys()].map((file): ServiceRow => [`src/platform/http/${file}.ts`, copied]),
  ...[...TEST_MODULES.keys()].map((file): ServiceRow => [`test/support/${file}.ts`, copied]),
];

/** The first migration; later ones are not outputs, but made of two models. */
const SCHEMA: ServiceRow = ['migrations/0001_initial.sql.hbs', schema];

/** The views of existing tables. */
const VIEWS: ServiceRow = ['views.sql.hbs', existingSql];

/** The existing tables, as far as the definitions know them; a team may put a dump of its own in the place. */
const EXISTING_TABLES: ServiceRow = ['existing-tables.sql.hbs', existingSql];

/** The settings of a package manager, where it needs some. */
const SETTINGS: Readonly<Record<PackageManager, readonly DecidedRow[]>> = {
  npm: [],
  pnpm: [['pnpm-workspace.yaml', copied]],
  yarn: [['_yarnrc.yml', copied]],
  bun: [['bunfig.toml', copied]],
};

/**
 * A file that repeats, and where it is needed: everywhere if that is left out. In its path `{name}` is the
 * collection's; tests of an older version are in a folder of that version. `{version}` is the key of a view.
 */
type Row<Of> = readonly [
  template: string,
  target: string,
  ownership: Ownership,
  content: OutputContent<Of>,
  isNeeded?: (of: Of) => boolean,
];

/** The files of each collection. */
const COLLECTION: readonly Row<OfCollection>[] = [
  ['embedding.ts.hbs', 'src/collections/{name}/embedding.ts', 'merged', embedding, hasEmbedding],
  ['hooks.ts.hbs', 'src/collections/{name}/hooks.ts', 'once', code],
  ['repository.ts.hbs', 'src/collections/{name}/repository.ts', 'merged', code],
  ['routes.ts.hbs', 'src/collections/{name}/routes.ts', 'merged', routes],
  ['schema.ts.hbs', 'src/collections/{name}/schema.ts', 'merged', code],
  ['versions.ts.hbs', 'src/collections/{name}/versions.ts', 'once', code, hasTeamMembers],
  ['work.ts.hbs', 'src/collections/{name}/work.ts', 'merged', code, isMadeInBackground],
  ['views.ts.hbs', 'src/collections/{name}/views.ts', 'merged', views, differsByVersion],
  [
    'versions.test.ts.hbs',
    'test/versions/{name}.test.ts',
    'merged',
    versionsTest,
    differsByVersion,
  ],
];

/** The files of each view that versions have of a collection. */
const VERSION: readonly Row<OfVersion>[] = [
  ['version.ts.hbs', 'src/collections/{name}/{version}.ts', 'merged', version],
];

/** The tests of each collection as a version has it, and how they make its items. */
const TESTS: readonly Row<OfTestTarget>[] = [
  ['fixture.ts.hbs', 'test/fixtures/{name}.ts', 'until-edited', fixture, hasFixture],
  ['items.ts.hbs', 'test/support/items/{name}.ts', 'merged', items, hasFixture],
  ['test.ts.hbs', 'test/collections/{name}.test.ts', 'merged', collectionTest, hasTests],
  [
    'permissions.test.ts.hbs',
    'test/permissions/{name}.test.ts',
    'merged',
    permissionTest,
    isCurrent,
  ],
];

/** The tests of each repository of which tests can make an item. */
const REPOSITORY: readonly Row<OfRepositoryTest>[] = [
  ['repository.test.ts.hbs', 'test/repositories/{name}.test.ts', 'merged', repositoryTest],
];

/**
 * The outputs that the definitions decide; each path once. A project also has those of `offeredOutputs` that are
 * imported.
 */
export function planOutputs(model: Model, options: Omit<OfService, 'model'>): Output[] {
  const of = { model, ...options };
  return [
    ...[...SERVICE, ...SETTINGS[options.manager.name]]
      .filter(([, , isNeeded]) => isNeeded?.(model) ?? true)
      .map(([template, content]) => outputOf([template, content], 'merged', of)),
    outputOf(SCHEMA, 'append', of),
    ...(hasExisting(model)
      ? [outputOf(VIEWS, 'merged', of), outputOf(EXISTING_TABLES, 'until-edited', of)]
      : []),
    ...planCollections(model),
  ];
}

/** The outputs that a project has only if another of its files imports them; none is one of `planOutputs`. */
export const offeredOutputs = (model: Model, options: Omit<OfService, 'model'>): Output[] =>
  OFFERED_ROWS.map((row) => outputOf(row, 'merged', { model, ...options }));

/** The paths of all offered outputs, which are the same for all services. */
export const OFFERED_PATHS: ReadonlySet<string> = new Set(
  OFFERED_ROWS.map(([name]) => targetOf(name)),
);

const outputOf = ([name, content]: ServiceRow, ownership: Ownership, of: OfService): Output => ({
  template: `service/${name}`,
  target: targetOf(name),
  ownership,
  ...bind(content, of),
});

function targetOf(template: string): string {
  return template.replace(/^_/, '.').replace(/\.hbs$/, '');
}

/** The outputs that repeat for each collection. */
export function planCollections(model: Model): CollectionOutput[] {
  const testTargets = testTargetsOf(model);
  return [
    ...model.collections.flatMap((collection) => {
      const name = collection.names.kebab;
      const { views: all = [] } = model.versions?.collections.get(collection.definition.name) ?? {};
      return [
        ...repeat(COLLECTION, { model, collection }, { name }, { collection, isOfVersion: false }),
        ...all.flatMap((view) =>
          repeat(
            VERSION,
            { collection, view },
            { name, version: view.key },
            { collection, isOfVersion: true },
          ),
        ),
      ];
    }),
    ...testTargets.flatMap((testTarget) => {
      const { collection, folder, isCurrent: now } = testTarget;
      const name = `${folder}${collection.names.kebab}`;
      return repeat(TESTS, { model, testTarget }, { name }, { collection, isOfVersion: !now });
    }),
    ...model.collections.flatMap((collection) => {
      const { kebab } = collection.names;
      // The newest version that can makes its items.
      const testTarget = testTargets.find(
        (one) => one.collection.code.kebab === kebab && hasSamples(one),
      );
      if (testTarget === undefined) return [];
      return repeat(
        REPOSITORY,
        { model, collection, testTarget },
        { name: kebab },
        { collection, isOfVersion: !testTarget.isCurrent },
      );
    }),
  ];
}

/** The outputs of rows for one of what they repeat over. @param names what stands for `{…}` in their paths. */
function repeat<Of>(
  rows: readonly Row<Of>[],
  of: Of,
  names: { readonly name: string; readonly version?: string },
  beside: Pick<CollectionOutput, 'collection' | 'isOfVersion'>,
): CollectionOutput[] {
  return rows
    .filter(([, , , , isNeeded]) => isNeeded?.(of) ?? true)
    .map(([template, target, ownership, content]) => ({
      template: `collection/${template}`,
      target: target.replace('{name}', names.name).replace('{version}', names.version ?? ''),
      ownership,
      ...bind(content, of),
      ...beside,
    }));
}
