/** The `package.json` of a project: the template's, with the name of the service and this tool. */
import { hasJobs } from '../../model/jobs.ts';
import type { Model } from '../../model/types.ts';

interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

/** What only a service with jobs needs. */
const OF_JOBS = { scripts: ['worker'], dependencies: ['pg-boss'] };

/**
 * @param template the text of templates/service/package.json, where the versions of all
 * dependencies stand.
 * @param tool what the project's development dependency on this tool installs from.
 */
export function packageJson(template: string, model: Model, tool: string): string {
  const { service } = model;
  const { name: _name, version, ...rest } = JSON.parse(template) as PackageJson;
  const unused = hasJobs(model) ? { scripts: [], dependencies: [] } : OF_JOBS;
  const developing = { ...rest.devDependencies, 'create-service': tool };
  const project = {
    name: service.name,
    version,
    ...(service.description !== undefined && { description: service.description }),
    ...rest,
    scripts: without(rest.scripts, unused.scripts),
    dependencies: without(rest.dependencies, unused.dependencies),
    devDependencies: Object.fromEntries(
      Object.entries(developing).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ),
  };
  return `${JSON.stringify(project, undefined, 2)}\n`;
}

const without = (
  entries: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, string> =>
  Object.fromEntries(Object.entries(entries).filter(([name]) => !names.includes(name)));
