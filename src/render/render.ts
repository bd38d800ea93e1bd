/** Plan → files in memory: every template filled in and formatted. */
import type { FileTree, OutputFile } from '../shared/files.ts';
import type { TestTarget } from '../model/test-targets.ts';
import type { Collection, Model } from '../model/types.ts';
import { currentOf } from '../model/versions.ts';
import type { View } from '../model/versions.ts';
import type { ChosenManager } from '../shared/package-manager.ts';
import type { Output } from '../plan/outputs.ts';
import { formatFile } from './format.ts';
import { fill } from './handlebars.ts';
import { authenticationView } from './views/authentication.ts';
import { changesInWords } from './views/changes.ts';
import { collectionView } from './views/collection.ts';
import type { CollectionView } from './views/collection.ts';
import { collectionTestView } from './views/collection-test.ts';
import { conventionsView } from './views/conventions.ts';
import { fixtureView, itemsView } from './views/fixture.ts';
import { jobsTestView } from './views/jobs-test.ts';
import { inWordsOf, managerView } from './views/package-manager.ts';
import { packageJson } from './views/package.ts';
import { permissionTestView } from './views/permission-test.ts';
import { repositoryTestView } from './views/repository-test.ts';
import { schemaView } from './views/schema-sql.ts';
import { readmeView } from './views/readme.ts';
import { serviceView } from './views/service.ts';
import { versionsTestView } from './views/versions-test.ts';
import { versionView, viewsView } from './views/version.ts';

export interface RenderOptions {
  /** Gives the text of a template by its path below `templates/`. */
  readonly readTemplate: (path: string) => string;
  /** What the project's development dependency on this tool installs from. */
  readonly tool: string;
  readonly manager: ChosenManager;
}

/** How many outputs are under way at once: enough for all threads that format, and no more in memory. */
const AT_ONCE = 16;

/** Renders all outputs, sorted by path. */
export async function render(
  model: Model,
  outputs: readonly Output[],
  { readTemplate, tool, manager: chosen }: RenderOptions,
): Promise<FileTree> {
  const manager = managerView(chosen.name);
  // The files of a collection come one after the other.
  let last: { readonly collection: Collection; readonly view: CollectionView } | undefined;
  const oneView = (collection: Collection): CollectionView => {
    if (last?.collection !== collection) {
      last = { collection, view: collectionView(collection, model) };
    }
    return last.view;
  };
  const current = currentOf(model);
  const textOf = (output: Output): string => {
    const { template, target, data } = output;
    const filled = (view: object): string => fill(template, readTemplate, target, view);
    switch (data) {
      case 'none':
        return readTemplate(template);
      case 'commands':
        return inWordsOf(manager, readTemplate(template));
      case 'manager':
        return filled({ manager });
      case 'package':
        return packageJson(readTemplate(template), model, { tool, manager: chosen });
      case 'service':
        return filled(serviceView(model));
      case 'readme':
        return filled({ ...readmeView(model), manager });
      case 'guide':
        return filled({ ...serviceView(model), manager });
      case 'changes':
        return filled({ changes: changesInWords(model) });
      case 'conventions':
        return filled(conventionsView(model));
      case 'jobs-test':
        return filled(jobsTestView(current, model.versions !== undefined));
      case 'authentication':
        return filled(authenticationView(current));
      case 'schema':
        return filled(schemaView(model));
      case 'collection':
        return filled(oneView(collectionOf(output)));
      case 'views':
        return filled(viewsView(collectionOf(output), model));
      case 'version':
        return filled(versionView(collectionOf(output), viewOf(output)));
      case 'fixture':
        return filled(fixtureView(seenOf(output)));
      case 'items':
        return filled(itemsView(seenOf(output)));
      case 'collection-test':
        return filled(collectionTestView(seenOf(output)));
      case 'versions-test':
        return filled(versionsTestView(collectionOf(output), model));
      case 'permission-test':
        return filled(permissionTestView(collectionOf(output), current));
      case 'repository-test':
        return filled(
          repositoryTestView(collectionOf(output), seenOf(output), model.versions !== undefined),
        );
    }
  };
  const files: OutputFile[] = [];
  const rest = outputs.values();
  const renderRest = async (): Promise<void> => {
    for (const output of rest) {
      const { target, ownership, data } = output;
      const text = textOf(output);
      const formatted = data === 'none' ? text : await formatFile(target, text);
      files.push({ path: target, text: formatted, ownership });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, renderRest));
  return files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

function collectionOf({ collection, target }: Output): Collection {
  if (collection === undefined) throw new Error(`${target} has no collection`);
  return collection;
}

function viewOf({ view, target }: Output): View {
  if (view === undefined) throw new Error(`${target} is of no version`);
  return view;
}

function seenOf({ seen, target }: Output): TestTarget {
  if (seen === undefined) throw new Error(`${target} sees nothing`);
  return seen;
}
