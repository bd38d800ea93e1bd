/**
 * The frozen contract of a version as text: the definitions of a service of this version alone, with the defaults of
 * the service and its collections written out. Options of a field that are off are left out, so their defaults must
 * never change. It is parsed as all definitions are. A field is one line, and fields are sorted by name, so that
 * branches that add fields merge.
 */
import type { ServiceDefinition } from '../definition/types.ts';
import { yamlLines, collectionKeys, serviceKeys } from './definition-yaml.ts';

/** A file of a frozen contract, by its path in the folder of the version. */
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
