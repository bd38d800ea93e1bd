/** The library that the package is, as src/public.d.ts declares it for those who import it. */
import { formatIssue } from './definition/index.ts';
import type { SourceFile } from './reading/position.ts';
import { packageVersion } from './disk/package.ts';
import type { DefinitionSources } from './disk/definitions.ts';
import { recordOfNew, renderProject } from './commands/create.ts';
import { parseSources } from './project/parse-sources.ts';
import type * as Public from './public.d.ts';

export class DefinitionError extends Error implements Public.DefinitionError {
  override readonly name = 'DefinitionError';
  readonly issues: readonly Public.DefinitionIssue[];

  constructor(issues: readonly Public.DefinitionIssue[]) {
    const lines = issues.map(({ file, line, column, code, message }) =>
      formatIssue({ at: { file, line, column }, code, message }),
    );
    super(lines.join('\n'));
    this.issues = issues;
  }
}

export const render: typeof Public.render = async (definitions, options = {}) => {
  const { name = 'service', tool = packageVersion(), packageManager = 'npm' } = options;
  const manager = { name: packageManager, version: undefined };
  const parsed = await parseSources(sourcesOf(definitions), name);
  if (!parsed.ok) {
    throw new DefinitionError(
      parsed.issues.map(({ at: { file, line, column }, code, message }) => ({
        ...{ file, line, column },
        ...{ code, message },
      })),
    );
  }
  const files = await renderProject(parsed, { tool, manager });
  return [...files, ...recordOfNew(parsed, files, [], manager)]
    .map(({ path, text }) => ({ path, text }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
};

const SEED = /(?:^|\/)seeds\/[^/]+\.ya?ml$/;

/** One file, or those of a folder with the seeds apart. */
function sourcesOf(definitions: Parameters<typeof Public.render>[0]): DefinitionSources {
  if ('path' in definitions) return { kind: 'file', file: sourceOf(definitions) };
  const all = definitions.map(sourceOf);
  const seeds = all.filter(({ path }) => SEED.test(path));
  return { kind: 'folder', folder: '', files: all.filter((file) => !seeds.includes(file)), seeds };
}

const encoder = new TextEncoder();

const sourceOf = ({ path, text }: Public.DefinitionFile): SourceFile => ({
  path,
  bytes: encoder.encode(text),
});
