/** What a project consists of: each output with its template, its owner, and the view that fills its template in. */
import { fieldsOf, hasStepRoles, hasTransitions } from '../model/transitions.ts';
import type { Ownership } from '../shared/files.ts';
import { hasEvents } from '../model/events.ts';
import { existingTables, hasSoftDelete } from '../model/existing.ts';
import { hasIncludes, isEmbedded } from '../model/includes.ts';
import { hasJobs, isBackground } from '../model/jobs.ts';
import { hasCompositeKeys, hasNumericKeys, hasTextKeys, isNumbered } from '../model/keys.ts';
import { hasHiddenOwners, hasOwnerPaths, setsOwners } from '../model/owner-paths.ts';
import { hasDatabaseDefaults, hasMembersSetByHook } from '../model/set-by-code.ts';
import { hasOtherValues } from '../model/other-values.ts';
import { hasLimitedItems } from '../model/permissions.ts';
import { simplestSamples, samplesOf } from '../model/samples.ts';
import { usesType } from '../model/used-types.ts';
import { hasSearch } from '../model/search.ts';
import { testTargetsOf } from '../model/test-targets.ts';
import type { TestTarget } from '../model/test-targets.ts';
import type { Collection, Model } from '../model/types.ts';
import type { PackageManager } from '../shared/package-manager.ts';
import { currentOf, isConverted, isVersioned, teamMembers } from '../model/versions.ts';
import { NUMERIC_IDS } from '../types/key.ts';
import { TEST_MODULES, TYPE_MODULES } from '../types/registry.ts';
import type { Renderable } from '../render/render.ts';
import {
  authentication,
  bind,
  code,
  collectionTest,
  commands,
  constants,
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
  readme,
  repositoryTest,
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

/** Whether some column holds JSON. */
const hasJson = ({ collections }: Model): boolean =>
  collections.some(({ table }) => table.columns.some(({ isJson }) => isJson));

/** Whether some collection has an existing table. */
const hasExisting = (model: Model): boolean => existingTables(model).length > 0;

/** Whether the tables of the service are in a schema of their own. */
const hasSchema = ({ service: { schema: own } }: Model): boolean => own !== undefined;

/** Whether the project has seeds. */
const hasSeeds = ({ service: { seeds } }: Model): boolean => seeds;

/** Whether a path can have a number as an id, or as a part of one. */
const readsNumericIds = (model: Model): boolean => hasNumericKeys(model) || hasCompositeKeys(model);

/** Whether ids that are numbers are needed before their items are created. */
const reservesIds = (model: Model): boolean =>
  model.collections.some(
    (collection) => isNumbered(collection) && (hasSeeds(model) || isBackground(collection)),
  );

/** Whether some collection has rules over several members. */
const hasChecks = ({ collections }: Model): boolean =>
  collections.some(({ table }) => table.checks.length > 0);

/** Whether some of these rules are decided after hooks. */
const hasChecksAfterHooks = ({ collections }: Model): boolean =>
  collections.some(({ table }) => table.checks.some(({ definition }) => definition.afterHooks));

/** Whether removed items of some collection keep their rows. */
const hasSoftDeletes = ({ collections }: Model): boolean =>
  collections.some(({ definition }) => hasSoftDelete(definition));

/** Whether some field has steps from value to value. */
const hasSteps = (model: Model): boolean => hasTransitions(fieldsOf(model));

/** Whether some step is that of certain roles. */
const hasRoleSteps = (model: Model): boolean => hasStepRoles(fieldsOf(model));

/** Whether some version has values in another form. */
const hasConversions = ({ versions }: Model): boolean =>
  [...(versions?.collections.values() ?? [])]
    .flatMap((one) => one.views)
    .some(({ members }) => members.some(isConverted));

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

/** A file that a service has, and where it is needed: everywhere if that is left out. */
type ServiceRow = readonly [
  template: string,
  content: OutputContent<OfService>,
  isNeeded?: (model: Model) => boolean,
];

/** The files of a service, some only where they are needed. A template in `_x` is `.x`: npm leaves some dot files out. */
const SERVICE: readonly ServiceRow[] = [
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
  ['src/collections/index.ts.hbs', service],
  ['src/collections/seeded.ts.hbs', service, hasSeeds],
  ['src/collections/searched-tables.ts.hbs', service, hasSearch],
  ['src/collections/views.ts.hbs', service],
  ['src/config.ts', copied],
  ['src/features.ts.hbs', service],
  ['src/index-words.ts', commands, hasSearch],
  ['src/migrate.ts', commands],
  ['src/platform/auth/administrator.ts', copied],
  ['src/platform/auth/authenticate.ts', copied],
  ['src/platform/auth/login-throttle.ts', copied],
  ['src/platform/auth/ownership.ts', copied, hasLimitedItems],
  ['src/platform/auth/passwords.ts', copied],
  ['src/platform/auth/permissions.ts', copied],
  ['src/platform/auth/principal.ts', copied],
  ['src/platform/auth/rights.ts', copied],
  ['src/platform/auth/sign-ins.ts', copied],
  ['src/platform/auth/step-roles.ts', copied, hasRoleSteps],
  ['src/platform/auth/tokens.ts', copied],
  ['src/platform/auth/users.ts', copied],
  ['src/platform/database/apply-migrations.ts', commands],
  ['src/platform/database/background-indexing.ts', copied, hasSearch],
  ['src/platform/database/change-rule.ts', copied],
  ['src/platform/database/checks-after-hooks.ts', copied, hasChecksAfterHooks],
  ['src/platform/database/completing-hooks.ts', copied, hasMembersSetByHook],
  ['src/platform/database/composite-row-id.ts', copied, hasCompositeKeys],
  ['src/platform/database/connection.ts', copied],
  ['src/platform/database/constraints.ts', copied],
  ['src/platform/database/counts.ts', copied],
  ['src/platform/database/database.ts', copied],
  ['src/platform/database/embed.ts', copied, hasIncludes],
  ['src/platform/database/empty-pglite.ts', copied],
  ['src/platform/database/existing-table.ts', copied, hasExisting],
  ['src/platform/database/existing-tables.ts', copied, hasExisting],
  ['src/platform/database/feature.ts', copied],
  ['src/platform/database/fill-words.ts', copied, hasSearch],
  ['src/platform/database/hooks.ts', copied],
  ['src/platform/database/idempotency-store.ts', copied],
  ['src/platform/database/item-table.ts', copied],
  ['src/platform/database/json.ts', copied, hasJson],
  ['src/platform/database/lock.ts', copied],
  ['src/platform/database/migrate.ts', commands],
  ['src/platform/database/migration-records.ts', copied],
  ['src/platform/database/migrations.ts', commands],
  ['src/platform/database/not-found.ts', copied],
  ['src/platform/database/numeric-row-id.ts', copied, hasNumericKeys],
  ['src/platform/database/open.ts', copied],
  [
    'src/platform/database/owner-path.ts',
    copied,
    (model) => hasOwnerPaths(model) || hasLimitedItems(model),
  ],
  ['src/platform/database/pages.ts', copied],
  ['src/platform/database/pglite-folder.ts', copied],
  ['src/platform/database/pglite.ts', copied],
  ['src/platform/database/pipeline.ts', copied],
  ['src/platform/database/pool.ts', copied],
  ['src/platform/database/pooler.ts', copied],
  ['src/platform/database/postgres.ts', copied],
  ['src/platform/database/processes.ts', copied],
  ['src/platform/database/repeatable-migrations.ts', copied],
  ['src/platform/database/report-migrations.ts', copied],
  ['src/platform/database/repository.ts', copied],
  ['src/platform/database/reserve-id.ts', copied, reservesIds],
  ['src/platform/database/row-id.ts', copied],
  ['src/platform/database/search-path.ts', copied, hasSchema],
  ['src/platform/database/soft-deletion.ts', copied, hasSoftDeletes],
  ['src/platform/database/table-sizes.ts', copied],
  ['src/platform/database/text-row-id.ts', copied, hasTextKeys],
  ['src/platform/database/unavailable.ts', copied],
  ['src/platform/database/views.ts', copied, hasExisting],
  ['src/platform/database/violated-check.ts', copied, hasChecks],
  ['src/platform/environment.ts', copied],
  ['src/platform/feature.ts', copied],
  ['src/platform/features.ts.hbs', service],
  ['src/platform/http/accept.ts', copied],
  ['src/platform/http/body-rate.ts', copied],
  ['src/platform/http/body.ts', copied],
  ['src/platform/http/checks.ts', copied, hasChecks],
  ['src/platform/http/client-key.ts', copied],
  ['src/platform/http/client-shares.ts', copied],
  ['src/platform/http/collection-views.ts', copied],
  ['src/platform/http/composite-ids.ts', copied, hasCompositeKeys],
  ['src/platform/http/conversions.ts', copied, hasConversions],
  ['src/platform/http/cursor.ts', copied],
  ['src/platform/http/database-defaults.ts', copied, hasDatabaseDefaults],
  ['src/platform/http/deprecation.ts', copied, hasDeprecated],
  ['src/platform/http/error-handler.ts', copied],
  ['src/platform/http/errors.ts', copied],
  ['src/platform/http/filters.ts', copied],
  ['src/platform/http/health.ts', copied],
  ['src/platform/http/hidden-owner.ts', copied, hasHiddenOwners],
  ['src/platform/http/idempotency.ts', copied],
  ['src/platform/http/include.ts', copied, hasIncludes],
  ['src/platform/http/item.ts', copied],
  ['src/platform/http/json.ts', copied],
  ['src/platform/http/limits.ts', copied],
  ['src/platform/http/list.ts', copied],
  ['src/platform/http/methods.ts', copied],
  ['src/platform/http/metrics.ts', copied],
  ['src/platform/http/numeric-ids.ts', copied, readsNumericIds],
  ['src/platform/http/other-values.ts', copied, hasOtherValues],
  ['src/platform/http/page.ts', copied],
  ['src/platform/http/preconditions.ts', copied],
  ['src/platform/http/query.ts', copied],
  ['src/platform/http/redis-counts.ts', copied],
  ['src/platform/http/request-log.ts', copied],
  ['src/platform/http/request.ts', copied],
  ['src/platform/http/search-words.ts', copied, hasSearch],
  ['src/platform/http/shapes.ts', copied],
  ['src/platform/http/text-ids.ts', copied, hasTextKeys],
  ['src/platform/http/transitions.ts', copied, hasSteps],
  ['src/platform/http/uuid.ts', copied],
  ['src/platform/http/validation.ts', copied],
  ['src/platform/http/values.ts', copied],
  ['src/platform/http/versions.ts', copied],
  ['src/platform/http/view.ts', copied, ({ versions }) => versions !== undefined],
  ['src/platform/log.ts', copied],
  ['src/platform/openapi/documents.ts', copied],
  ['src/platform/openapi/included.ts', copied, hasIncludes],
  ['src/platform/openapi/owned-body.ts', copied, setsOwners],
  ['src/platform/openapi/parameters.ts', copied],
  ['src/platform/openapi/responses.ts', copied],
  ['src/platform/openapi/routes.ts', copied],
  ['src/platform/openapi/schemas.ts', copied],
  ['src/platform/optional-package.ts', copied],
  ['src/platform/README.md.hbs', service],
  ['src/platform/seeds/check-seeds.ts', copied, hasSeeds],
  ['src/platform/seeds/load-seeds.ts', copied, hasSeeds],
  ['src/platform/seeds/read-seeds.ts', copied, hasSeeds],
  ['src/platform/seeds/seed.ts', copied, hasSeeds],
  ['src/platform/seeds/seeded-collection.ts', copied, hasSeeds],
  ['src/platform/seeds/seeded-users.ts', copied, hasSeeds],
  ['src/platform/service.ts.hbs', constants],
  ['src/platform/services.ts', copied],
  ['src/platform/settings.ts', copied],
  ['src/seed.ts', commands, hasSeeds],
  ['src/server.ts', copied],
  ['src/worker.ts', commands, (model) => hasJobs(model) || hasEvents(model)],
  ['src/write-openapi.ts.hbs', service],
  ['test/authentication.test.ts.hbs', authentication],
  ['test/configuration.test.ts.hbs', service],
  ['test/conventions.test.ts.hbs', conventions],
  ['test/database-away.test.ts.hbs', service],
  ['test/database-rules.test.ts', copied],
  ['test/docs.test.ts', copied],
  ['test/support/items/users.ts', copied],
  ['test/idempotency.test.ts.hbs', conventions, hasExample],
  ['test/include.test.ts.hbs', service, hasIncludes],
  ['test/late-bodies.test.ts', copied],
  ['test/lifecycles.test.ts.hbs', service, hasEnds],
  ['test/openapi.test.ts.hbs', service],
  ['test/operation.test.ts', copied],
  ['test/pages.test.ts', copied],
  ['test/platform.test.ts', copied],
  ['test/support/callers.ts.hbs', service],
  ['test/support/database.ts.hbs', service],
  ['test/support/documented.ts.hbs', service],
  ['test/support/empty-tables.ts', copied],
  ['test/support/expected.ts.hbs', service],
  ['test/support/late-fetch.ts', copied],
  ['test/support/lists.ts.hbs', service],
  ['test/support/matchers.ts', copied],
  ['test/support/raw.ts', copied],
  ['test/support/repositories.ts', copied],
  ['test/support/rules.ts', copied],
  ['test/support/series.ts', copied],
  ['test/support/service.ts.hbs', service],
  ['test/support/template.ts.hbs', service],
  ['test/support/table.ts', copied],
  ['test/support/users.ts', copied],
  ['test/support/values.ts', copied],
  ['test/preconditions.test.ts.hbs', conventions, hasExample],
  ['test/seeds.test.ts', copied, hasSeeds],
  ['test/tokens.test.ts', copied],
  ['test/users.test.ts.hbs', service],
  ['tsconfig.build.json', copied],
  ['tsconfig.json', copied],
  ['vitest.config.ts', copied],
];

/** The modules of types that a service uses, and what tests need of them. */
const TYPES: readonly ServiceRow[] = [
  ...[...TYPE_MODULES.keys()]
    // Also without references: see `SERVICE`.
    .filter((file) => file !== NUMERIC_IDS.file)
    .map((file): ServiceRow => [
      `src/platform/http/${file}.ts`,
      copied,
      usesType(({ module }) => module?.file === file),
    ]),
  ...[...TEST_MODULES.keys()].map((file): ServiceRow => [
    `test/support/${file}.ts`,
    copied,
    usesType(({ listTests }) => listTests?.module?.file === file),
  ]),
];

/** The files of a service that makes items in the background. */
const JOBS: readonly ServiceRow[] = [
  ['src/collections/works.ts.hbs', service],
  ['src/platform/jobs/accept-job.ts', copied],
  ['src/platform/jobs/attempt-timeout.ts', copied],
  ['src/platform/jobs/dry-run.ts', copied],
  ['src/platform/jobs/feature.ts', copied],
  ['src/platform/jobs/job-error.ts', copied],
  ['src/platform/jobs/job-store.ts', copied],
  ['src/platform/jobs/metrics.ts', copied],
  ['src/platform/jobs/queue.ts', commands],
  ['src/platform/jobs/routes.ts', copied],
  ['src/platform/jobs/run-job.ts', copied],
  ['src/platform/jobs/work.ts', copied],
  ['src/platform/jobs/worker.ts', copied],
  ['test/jobs.test.ts.hbs', jobsTest],
];

/** The files of a service with jobs or events. */
const WORKERS: readonly ServiceRow[] = [
  ['src/platform/background-worker.ts', copied],
  ['src/platform/queue-metrics.ts', copied],
];

/** The files of a service with events. */
const EVENTS: readonly ServiceRow[] = [
  ['src/collections/events.ts.hbs', service],
  ['src/platform/events/event-shapes.ts', copied],
  ['src/platform/events/event-store.ts', copied],
  ['src/platform/events/retention.ts', copied],
  ['src/platform/events/routes.ts', copied],
  ['src/platform/events/send-events.ts', copied],
  ['src/platform/events/writes-events.ts', copied],
  ['test/events.test.ts.hbs', eventsTest],
];

/** What sends events to webhooks, in the same services. */
const WEBHOOKS: readonly ServiceRow[] = [
  ['src/platform/webhooks/deliver.ts', copied],
  ['src/platform/webhooks/delivery-routes.ts', copied],
  ['src/platform/webhooks/delivery-store.ts', copied],
  ['src/platform/webhooks/event-types.ts', copied],
  ['src/platform/webhooks/feature.ts', copied],
  ['src/platform/webhooks/metrics.ts', copied],
  ['src/platform/webhooks/openapi.ts', copied],
  ['src/platform/webhooks/receiver-url.ts', copied],
  ['src/platform/webhooks/secrets.ts', copied],
  ['src/platform/webhooks/send.ts', copied],
  ['src/platform/webhooks/settings.ts', copied],
  ['src/platform/webhooks/webhook-routes.ts', copied],
  ['src/platform/webhooks/webhook-shapes.ts', copied],
  ['src/platform/webhooks/worker.ts', copied],
  ['test/support/receiver.ts', copied],
  ['test/webhook-requests.test.ts', copied],
  ['test/webhooks.test.ts.hbs', service],
];

/** The first migration; later ones are not outputs, but made of two models. */
const SCHEMA: ServiceRow = ['migrations/0001_initial.sql.hbs', schema];

/** The views of existing tables. */
const VIEWS: ServiceRow = ['views.sql.hbs', existingSql];

/** The existing tables, as far as the definitions know them; a team may put a dump of its own in the place. */
const EXISTING_TABLES: ServiceRow = ['existing-tables.sql.hbs', existingSql];

/** The settings of a package manager, where it needs some. */
const SETTINGS: Readonly<Record<PackageManager, readonly ServiceRow[]>> = {
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
  ['routes.ts.hbs', 'src/collections/{name}/routes.ts', 'merged', code],
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

/** All outputs of a new project; each path once. */
export function planOutputs(model: Model, options: Omit<OfService, 'model'>): Output[] {
  const of = { model, ...options };
  const outputOf = ([name, content]: ServiceRow, ownership: Ownership): Output => ({
    template: `service/${name}`,
    target: name.replace(/^_/, '.').replace(/\.hbs$/, ''),
    ownership,
    ...bind(content, of),
  });
  const rows = [
    ...[...SERVICE, ...TYPES],
    ...(hasJobs(model) || hasEvents(model) ? WORKERS : []),
    ...(hasEvents(model) ? [...EVENTS, ...WEBHOOKS] : []),
    ...(hasJobs(model) ? JOBS : []),
    ...SETTINGS[options.manager.name],
  ];
  return [
    ...rows
      .filter(([, , isNeeded]) => isNeeded?.(model) ?? true)
      .map((row) => outputOf(row, 'merged')),
    outputOf(SCHEMA, 'append'),
    ...(hasExisting(model)
      ? [outputOf(VIEWS, 'merged'), outputOf(EXISTING_TABLES, 'until-edited')]
      : []),
    ...planCollections(model),
  ];
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
