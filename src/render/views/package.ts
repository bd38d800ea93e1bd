/** The `package.json` of a project: the template's, with the name of the service and this tool. */
import type { ServiceDefinition } from '../../definition/types.ts';

interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

/**
 * @param template the text of templates/service/package.json, where the versions of all
 * dependencies stand.
 * @param tool what the project's development dependency on this tool installs from.
 */
export function packageJson(template: string, service: ServiceDefinition, tool: string): string {
  const { name: _name, version, ...rest } = JSON.parse(template) as PackageJson;
  const dependencies = { ...rest.devDependencies, 'create-service': tool };
  const project = {
    name: service.name,
    version,
    ...(service.description !== undefined && { description: service.description }),
    ...rest,
    devDependencies: Object.fromEntries(
      Object.entries(dependencies).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ),
  };
  return `${JSON.stringify(project, undefined, 2)}\n`;
}
