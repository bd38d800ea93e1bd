/** The `package.json` of a project: the template's, with the name of the service and this tool. */
import { hasEvents } from '../../model/events.ts';
import { hasJobs } from '../../model/jobs.ts';
import { hasSearch } from '../../model/search.ts';
import type { Model } from '../../model/types.ts';
import type { ChosenManager, PackageManager } from '../../shared/package-manager.ts';

interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly overrides: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

/** The dependencies that only a service with jobs needs. */
const OF_JOBS = ['pg-boss'];

/** The dependencies that only a service with events needs, to send them to webhooks. */
const OF_WEBHOOKS = ['ipaddr.js', 'standardwebhooks'];

/** The dependencies that only a service that counts in Redis needs. */
const OF_REDIS = ['ioredis'];

/** The scripts that only a service with jobs or events needs. */
const OF_WORKERS = ['worker'];

/** What only a project with seeds needs. */
const OF_SEEDS = { scripts: ['seed'], dependencies: ['yaml'] };

/** The scripts that only a service with searches needs. */
const OF_SEARCH = ['index-words'];

/** Where the versions of all dependencies stand. */
export const PACKAGE_JSON = 'service/package.json';

/** The packages that package managers are published as; the template has the version of each. */
const PUBLISHED = { pnpm: 'pnpm', yarn: '@yarnpkg/cli-dist', bun: 'bun' } as const;

/**
 * @param template the text of templates/service/package.json, where the versions of all
 * dependencies stand, and of package managers.
 * @param tool what the project's development dependency on this tool installs from.
 */
export function packageJson(
  template: string,
  model: Model,
  { tool, manager }: { readonly tool: string; readonly manager: ChosenManager },
): string {
  const { service } = model;
  const {
    name: _name,
    version,
    scripts,
    dependencies,
    devDependencies,
    overrides,
    ...rest
  } = JSON.parse(template) as PackageJson;
  const unused = {
    scripts: [
      ...(hasJobs(model) || hasEvents(model) ? [] : OF_WORKERS),
      ...(hasSearch(model) ? [] : OF_SEARCH),
      ...(service.seeds ? [] : OF_SEEDS.scripts),
    ],
    dependencies: [
      ...(hasJobs(model) ? [] : OF_JOBS),
      ...(hasEvents(model) ? [] : OF_WEBHOOKS),
      ...(service.redis ? [] : OF_REDIS),
      ...(service.seeds ? [] : OF_SEEDS.dependencies),
    ],
  };
  const developing = {
    ...without(devDependencies, Object.values(PUBLISHED)),
    'create-service': tool,
  };
  const project = {
    name: service.name,
    version,
    ...(service.description !== undefined && { description: service.description }),
    ...rest,
    ...named(manager, template),
    scripts: without(scripts, unused.scripts),
    dependencies: without(dependencies, unused.dependencies),
    devDependencies: Object.fromEntries(
      Object.entries(developing).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ),
    ...overridden(manager.name, overrides),
  };
  return `${JSON.stringify(project, undefined, 2)}\n`;
}

/** The version of a package manager that is known to work; npm comes with Node. */
export function knownVersion(name: PackageManager, template: string): string | undefined {
  if (name === 'npm') return undefined;
  return (JSON.parse(template) as PackageJson).devDependencies[PUBLISHED[name]];
}

/** The field that names the package manager, for Corepack and all others; npm needs none. */
function named({ name, version }: ChosenManager, template: string): { packageManager?: string } {
  if (name === 'npm') return {};
  return { packageManager: `${name}@${version ?? knownVersion(name, template)}` };
}

/** Where a package manager reads what stands in the place of what packages ask for; pnpm has a file. */
function overridden(
  manager: PackageManager,
  overrides: PackageJson['overrides'],
): Readonly<Record<string, object>> {
  if (manager === 'pnpm') return {};
  if (manager === 'yarn') {
    return { resolutions: overrides, dependenciesMeta: { esbuild: { built: false } } };
  }
  return { overrides };
}

const without = (
  entries: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, string> =>
  Object.fromEntries(Object.entries(entries).filter(([name]) => !names.includes(name)));
