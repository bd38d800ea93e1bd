/**
 * The shape of a frozen version as text: the definitions that would make a service of it alone, with
 * nothing left to a default. So it is read as all definitions are, a reviewer sees in the difference
 * what a change means to the clients of that version, and no default of a later generator alters it.
 * A field is one line, and the lines are sorted, so that branches that add fields merge.
 */
import type { ServiceDefinition } from '../definition/types.ts';
import { yamlLines, collectionKeys, serviceKeys } from './definition-yaml.ts';

/** A file of a shape, by its path below the folder of the version. */
interface ContractFile {
  readonly path: string;
  readonly text: string;
}

/** The files of a version, given as a service of its own. */
export function contractFiles(view: ServiceDefinition): readonly ContractFile[] {
  const heading = `# What the clients of version ${view.versions.join()} rely on; create-service writes it.\n`;
  return [
    { path: 'service.yaml', text: heading + yamlLines(serviceKeys(view)) },
    ...view.collections.map((collection) => ({
      path: `collections/${collection.name}.yaml`,
      text: heading + yamlLines(collectionKeys(collection)),
    })),
  ];
}
