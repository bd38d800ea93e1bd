/** The library that the package is, as src/public.d.ts declares it for those who import it. */
import { formatIssue, parseFolder, parseSingleFile, withSeeds } from './definition/index.ts';
import type { DefinitionResult } from './definition/types.ts';
import type { SourceFile } from './reading/position.ts';
import { packageVersion } from './disk/package.ts';
import { recordOfNew, renderProject } from './project/render-project.ts';
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
  const parsed =
    'path' in definitions
      ? await parseSingleFile(sourceOf(definitions), { fallbackName: name })
      : await parseFiles(definitions.map(sourceOf), name);
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

/** The definitions of a folder, which may have seeds. */
async function parseFiles(
  files: readonly SourceFile[],
  fallbackName: string,
): Promise<DefinitionResult> {
  const seeds = files.filter(({ path }) => SEED.test(path));
  const others = files.filter((file) => !seeds.includes(file));
  const definitions = await parseFolder(others, { fallbackName });
  return definitions.ok ? withSeeds(definitions, seeds) : definitions;
}

const encoder = new TextEncoder();

const sourceOf = ({ path, text }: Public.DefinitionFile): SourceFile => ({
  path,
  bytes: encoder.encode(text),
});
