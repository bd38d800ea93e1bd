/** Plan → files in memory: every template filled in and formatted. */
import type { FileTree, OutputFile } from '../files.ts';
import type { Model } from '../model/types.ts';
import type { Output } from '../plan/outputs.ts';
import { formatFile } from './format.ts';
import { fill } from './handlebars.ts';
import { authenticationView } from './views/authentication.ts';
import { collectionView } from './views/collection.ts';
import { collectionTestView } from './views/collection-test.ts';
import { conventionsView } from './views/conventions.ts';
import { fixtureView } from './views/fixture.ts';
import { jobsTestView } from './views/jobs-test.ts';
import { openapiView } from './views/openapi.ts';
import { packageJson } from './views/package.ts';
import { permissionTestView } from './views/permission-test.ts';
import { schemaView } from './views/schema-sql.ts';
import { serviceView } from './views/service.ts';

export interface RenderOptions {
  /** Gives the text of a template by its path below `templates/`. */
  readonly readTemplate: (path: string) => string;
  /** What the project's development dependency on this tool installs from. */
  readonly tool: string;
}

/** Renders all outputs, sorted by path. */
export async function render(
  model: Model,
  outputs: readonly Output[],
  { readTemplate, tool }: RenderOptions,
): Promise<FileTree> {
  const service = serviceView(model);
  const textOf = ({ template, target, data, collection }: Output): string => {
    switch (data) {
      case 'none':
        return readTemplate(template);
      case 'package':
        return packageJson(readTemplate(template), model, tool);
      case 'service':
        return fill(template, readTemplate, target, service);
      case 'conventions':
        return fill(template, readTemplate, target, conventionsView(model));
      case 'jobs-test':
        return fill(template, readTemplate, target, jobsTestView(model));
      case 'authentication':
        return fill(template, readTemplate, target, authenticationView(model));
      case 'schema':
        return fill(template, readTemplate, target, schemaView(model));
      case 'collection':
        if (collection === undefined) throw new Error(`${target} has no collection`);
        return fill(template, readTemplate, target, collectionView(collection, model));
      case 'openapi':
        if (collection === undefined) throw new Error(`${target} has no collection`);
        return fill(template, readTemplate, target, openapiView(collection, model));
      case 'fixture':
        if (collection === undefined) throw new Error(`${target} has no collection`);
        return fill(template, readTemplate, target, fixtureView(collection, model));
      case 'collection-test':
        if (collection === undefined) throw new Error(`${target} has no collection`);
        return fill(template, readTemplate, target, collectionTestView(collection, model));
      case 'permission-test':
        if (collection === undefined) throw new Error(`${target} has no collection`);
        return fill(template, readTemplate, target, permissionTestView(collection, model));
    }
  };
  const files = await Promise.all(
    outputs.map(async (output): Promise<OutputFile> => {
      const text = textOf(output);
      return {
        path: output.target,
        text: output.data === 'none' ? text : await formatFile(output.target, text),
        ownership: output.ownership,
      };
    }),
  );
  return files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}
