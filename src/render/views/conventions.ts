/** What the templates of the tests that are about no collection in particular say. */
import { isBackground } from '../../model/jobs.ts';
import type { Names } from '../../model/names.ts';
import { simplestSamples, samplesOf } from '../../model/samples.ts';
import type { Collection, Model } from '../../model/types.ts';
import { currentOf, pathIn } from '../../model/versions.ts';
import { stringLiteral } from '../../shared/literals.ts';
import { moduleImports, when } from './module-imports.ts';
import type { ModuleImport } from './module-imports.ts';
import { serviceView } from './service.ts';
import type { ServiceView } from './service.ts';
import { versionsView } from './versions.ts';

/** The data of templates/service/test/conventions.test.ts.hbs. */
export interface ConventionsView extends ServiceView {
  /** The collection that stands for all; absent where there is none, or none has items yet. */
  readonly resource: ResourceView | undefined;
  /** What conventions.test.ts imports: from Vitest, and below `src/` and `test/`. */
  readonly vitest: readonly string[];
  readonly imports: readonly ModuleImport[];
  readonly constants: readonly { readonly name: string; readonly text: string }[];
  /** Code of the headers of all raw requests, and of paths that answer 404. */
  readonly commonHeaders: readonly string[];
  readonly unknownPaths: readonly string[];
  /** A version that is not served. */
  readonly unknown: number;
  readonly older: number;
  /** An older version that has the resource at the same path; absent where none has. */
  readonly beside: number | undefined;
}

interface ResourceView {
  readonly names: Names;
  /** What a POST is answered. */
  readonly created: 201 | 202;
  /** The collection that `Location` leads into then. */
  readonly located: string;
  readonly pages: { readonly default: number; readonly maximum: number };
  readonly tooMany: number;
  /** What the path of the collection is, in the versions that have it. */
  readonly paths: readonly { readonly version: number; readonly path: string }[];
  /** Queries of other lists of the collection. */
  readonly queries: readonly string[];
  /** Code of the versions that have it, with its path there if versions differ; what tests call them; and the path. */
  readonly served: readonly (string | number)[];
  readonly parameters: readonly string[];
  readonly path: string;
  /** Code of a path that all versions have. */
  readonly everywhere: string;
}

export function conventionsView(model: Model): ConventionsView {
  const current = currentOf(model);
  const service = { ...serviceView(current), ...versionsView(model) };
  const chosen = simplestSamples(samplesOf(current))?.collection;
  const resource = chosen && resourceOf(chosen, model, service.differs);
  const highest = Math.max(...service.versions);
  return {
    ...service,
    resource,
    vitest: [...when(resource !== undefined, 'beforeEach'), 'describe', 'expect', 'test'],
    imports: importsOf(service, resource),
    constants: constantsOf(service, resource),
    commonHeaders: [
      'host',
      `'Connection: close'`,
      ...when(!service.byPath, '`Accept: ${VENDOR}`'),
      '`Authorization: ${service.credential}`',
    ],
    unknownPaths: [
      ...['/', '/nothing', '/api', '/api/nothing'].map(stringLiteral),
      '`${API}/nothing`',
      ...when(resource !== undefined, '`${API}${PATH}/${NO_ID}/nothing`'),
    ],
    unknown: highest + 1,
    older: service.versions.at(-2) ?? highest,
    beside: resource?.paths.findLast(
      ({ version, path }) => version !== highest && path === resource.names.kebab,
    )?.version,
  };
}

function resourceOf(collection: Collection, model: Model, differs: boolean): ResourceView {
  const { definition, names, code } = collection;
  const [sort] = definition.sort;
  const { versions } = model.service;
  const stored = model.collections.find((one) => one.code === code);
  const paths = versions.flatMap((version) => {
    const path = stored && pathIn(model, stored, version);
    return path === undefined ? [] : [{ version, path }];
  });
  return {
    names,
    created: isBackground(collection) ? 202 : 201,
    located: isBackground(collection) ? 'jobs' : names.kebab,
    pages: definition.pages,
    tooMany: definition.pages.maximum + 1,
    paths,
    queries: [
      ...when(sort !== undefined, `sort=${sort}`),
      ...when(definition.search.length > 0, 'q=word'),
    ],
    served: differs
      ? paths.map(({ version, path }) => `[${version}, ${stringLiteral(`/${path}`)}]`)
      : versions,
    parameters: differs ? ['version', 'path'] : ['version'],
    path: differs ? 'path' : 'PATH',
    everywhere: differs ? `'/api/users'` : '`/api${PATH}`',
  };
}

function constantsOf(
  { vendor, byPath }: ServiceView,
  resource: ResourceView | undefined,
): ConventionsView['constants'] {
  return [
    ...(resource !== undefined || !byPath ? [{ name: 'VENDOR', text: vendor }] : []),
    ...(resource !== undefined && byPath
      ? [{ name: 'JSON_TYPE', text: 'application/json; charset=utf-8' }]
      : []),
    ...(resource === undefined ? [] : [{ name: 'PATH', text: `/${resource.names.kebab}` }]),
  ];
}

function importsOf(
  { byAccept, search }: ServiceView,
  resource: ResourceView | undefined,
): ModuleImport[] {
  const { type = '', itemCamel = '', kebab = '' } = resource?.names ?? {};
  const has = resource !== undefined;
  return moduleImports([
    ['import type', `../src/collections/${kebab}/schema.ts`, when(has && byAccept, type)],
    ['import', `./support/items/${kebab}.ts`, when(has, `${itemCamel}Body`, `create${type}`)],
    ['import', '../src/platform/http/search-words.ts', when(search, 'searchWords')],
    ['import', './support/expected.ts', when(has, 'NO_ID')],
    ['import', './support/lists.ts', when(has, 'linksOf')],
    ['import', './support/raw.ts', ['sendRaw']],
    ['import', './support/service.ts', ['API', 'sharedService']],
  ]);
}
