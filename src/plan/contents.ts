/**
 * How the text of each output is made of its template: by the view that fills it in. A content names what it
 * is made of, so a row of the plan that repeats over something else does not compile.
 */
import type { TestTarget } from '../model/test-targets.ts';
import type { Collection, Model, View } from '../model/types.ts';
import { currentOf } from '../model/versions.ts';
import type { Content } from '../render/render.ts';
import { authenticationView } from '../render/views/authentication.ts';
import { constantsView } from '../render/views/constants.ts';
import { collectionView } from '../render/views/collection.ts';
import { collectionTestView } from '../render/views/collection-test.ts';
import { conventionsView } from '../render/views/conventions.ts';
import { eventsTestView } from '../render/views/events-test.ts';
import { existingSqlView } from '../render/views/existing-sql.ts';
import { embeddingView } from '../render/views/embedding.ts';
import { fixtureView, itemsView } from '../render/views/fixture.ts';
import { jobsTestView } from '../render/views/jobs-test.ts';
import { inWordsOf, managerView } from '../render/views/package-manager.ts';
import { packageJson } from '../render/views/package.ts';
import { permissionTestView } from '../render/views/permission-test.ts';
import { platformReadmeView } from '../render/views/platform-readme.ts';
import { readmeView } from '../render/views/readme.ts';
import { repositoryTestView } from '../render/views/repository-test.ts';
import { routesView } from '../render/views/routes.ts';
import { schemaView } from '../render/views/schema-sql.ts';
import { serviceView } from '../render/views/service.ts';
import { versionView, viewsView } from '../render/views/version.ts';
import { versionsTestView } from '../render/views/versions-test.ts';
import type { ChosenManager } from '../shared/package-manager.ts';

/** An output that a service has once. */
export interface OfService {
  readonly model: Model;
  readonly manager: ChosenManager;
  /** What the project's development dependency on this tool installs from. */
  readonly tool: string;
}

/** An output that repeats for each collection. */
export interface OfCollection {
  readonly model: Model;
  readonly collection: Collection;
}

/** An output that repeats for each view that versions have of a collection. */
export interface OfVersion {
  readonly collection: Collection;
  readonly view: View;
}

/** An output that repeats for each collection as tests of a version see it. */
export interface OfTestTarget {
  readonly model: Model;
  readonly testTarget: TestTarget;
}

/** The tests of a repository, which make items by the newest version that can. */
export interface OfRepositoryTest extends OfCollection, OfTestTarget {}

/**
 * What the text of an output is made of beside its template:
 * - `template`: nothing else.
 * - `manager`: the package manager.
 * - `definitions`: the definitions, and perhaps the package manager.
 * - `tool`: these, and what the project installs this tool from.
 */
export type MadeOf = 'template' | 'manager' | 'definitions' | 'tool';

/** How the text of an output is made. `Of` is what its row repeats over. */
export type OutputContent<Of> =
  | { readonly kind: 'copied'; readonly madeOf: MadeOf }
  | Filled<Of, object>
  | {
      readonly kind: 'rewritten';
      readonly madeOf: MadeOf;
      readonly rewrite: (template: string, of: Of) => string;
    };

/** A template of Handlebars that a view fills in. */
interface Filled<Of, ViewType extends object> {
  readonly kind: 'filled';
  readonly madeOf: MadeOf;
  readonly view: (of: Of) => ViewType;
}

/** The content of one output. */
export function bind<Of>(
  content: OutputContent<Of>,
  of: Of,
): { readonly content: Content; readonly madeOf: MadeOf } {
  const { madeOf } = content;
  switch (content.kind) {
    case 'copied':
      return { content, madeOf };
    case 'filled':
      return { content: { kind: 'filled', view: () => content.view(of) }, madeOf };
    case 'rewritten':
      return {
        content: { kind: 'rewritten', rewrite: (template) => content.rewrite(template, of) },
        madeOf,
      };
  }
}

const filled = <Of, ViewType extends object>(
  view: (of: Of) => ViewType,
  madeOf: MadeOf = 'definitions',
): Filled<Of, ViewType> => ({ kind: 'filled', madeOf, view });

/** The result of the last call: the outputs of a service, or of a collection, are rendered one after the other. */
function rememberLast<Of extends object, Result>(compute: (of: Of) => Result): (of: Of) => Result {
  let last: { readonly of: Of; readonly result: Result } | undefined;
  return (of) => {
    if (last?.of !== of) last = { of, result: compute(of) };
    return last.result;
  };
}

const viewOfService = rememberLast(serviceView);

type OfManager = Pick<OfService, 'manager'>;

// Of a service.
export const copied: OutputContent<unknown> = { kind: 'copied', madeOf: 'template' };
export const commands: OutputContent<OfManager> = {
  kind: 'rewritten',
  madeOf: 'manager',
  rewrite: (template, of) => inWordsOf(managerView(of.manager.name), template),
};
export const packageManifest: OutputContent<OfService> = {
  kind: 'rewritten',
  madeOf: 'tool',
  rewrite: (template, { model, ...options }) => packageJson(template, model, options),
};
export const manager = filled(
  (of: OfManager) => ({ manager: managerView(of.manager.name) }),
  'manager',
);
export const service = filled(({ model }: OfService) => viewOfService(model));
export const guide = filled(({ model, ...of }: OfService) => ({
  ...viewOfService(model),
  manager: managerView(of.manager.name),
}));
export const readme = filled(({ model, ...of }: OfService) => ({
  ...readmeView(model),
  manager: managerView(of.manager.name),
}));
export const platformReadme = filled(({ model }: OfService) => platformReadmeView(model));
export const constants = filled(({ model }: OfService) => constantsView(model));
export const existingSql = filled(({ model }: OfService) => existingSqlView(model));
export const schema = filled(({ model }: OfService) => schemaView(model));
export const authentication = filled(({ model }: OfService) =>
  authenticationView(currentOf(model)),
);
export const conventions = filled(({ model }: OfService) => conventionsView(model));
export const eventsTest = filled(({ model }: OfService) =>
  eventsTestView(currentOf(model), model.versions !== undefined),
);
export const jobsTest = filled(({ model }: OfService) => jobsTestView(currentOf(model)));

// Of a collection.
export const code = filled(
  rememberLast(({ collection, model }: OfCollection) => collectionView(collection, model)),
);
export const routes = filled(({ collection, model }: OfCollection) =>
  routesView(collection, model),
);
export const views = filled(({ collection, model }: OfCollection) => viewsView(collection, model));
export const embedding = filled(({ collection, model }: OfCollection) =>
  embeddingView(collection, model),
);
export const versionsTest = filled(({ collection, model }: OfCollection) =>
  versionsTestView(collection, model),
);

// Of a version of a collection.
export const version = filled(({ collection, view }: OfVersion) => versionView(collection, view));

// Of a collection as tests see it.
export const fixture = filled(({ testTarget }: OfTestTarget) => fixtureView(testTarget));
export const items = filled(({ testTarget }: OfTestTarget) => itemsView(testTarget));
export const collectionTest = filled(({ testTarget }: OfTestTarget) =>
  collectionTestView(testTarget),
);
export const permissionTest = filled(({ testTarget, model }: OfTestTarget) =>
  permissionTestView(testTarget.collection, currentOf(model)),
);

// Of a collection and of how tests make its items.
export const repositoryTest = filled(({ collection, testTarget }: OfRepositoryTest) =>
  repositoryTestView(collection, testTarget),
);
