/** The outputs of an existing project: those that its definitions and its imports ask for, rendered or from the cache. */
import type { Project } from '../disk/project.ts';
import { readTemplate } from '../disk/templates.ts';
import type { Model } from '../model/types.ts';
import { importsIn, neededOutputs } from '../plan/needed-outputs.ts';
import { OFFERED_PATHS, offeredOutputs, planOutputs } from '../plan/outputs.ts';
import type { Output } from '../plan/outputs.ts';
import type { CachedFile, CacheHits } from '../project/render-cache.ts';
import { teamFilesIn } from '../project/team-files.ts';
import { fillOnce, renderFiles } from '../render/render.ts';
import { importedRetiredFiles } from '../update/imported-files.ts';
import type { RenderProjectOptions } from '../project/render-project.ts';

interface NeededFiles extends CacheHits {
  /** All outputs but migrations. */
  readonly outputs: readonly Output[];
  /** Files that this version of the tool no longer generates, and that code of the team imports. */
  readonly importedFiles: ReadonlySet<string>;
}

interface From {
  readonly cached: (output: Output) => CachedFile | undefined;
  /** New paths of files by their old ones. */
  readonly moves: ReadonlyMap<string, string>;
}

/** Renders what the cache lacks. */
export async function renderNeeded(
  project: Project,
  model: Model,
  options: RenderProjectOptions,
  { cached, moves }: From,
): Promise<NeededFiles> {
  const decided = planOutputs(model, options).filter(({ ownership }) => ownership !== 'append');
  const targets = new Set([...decided.map(({ target }) => target), ...OFFERED_PATHS]);
  const recorded = new Set(project.manifest.entries.map(({ path }) => path));
  const team = teamFilesIn(project, (file) => targets.has(file), moves);
  const retired = importedRetiredFiles({
    retired: [...recorded].filter((file) => !targets.has(file) && !moves.has(file)),
    team,
    textOf: (file) => {
      const there = project.diskFile(file);
      return there.kind === 'text' ? there.text : '';
    },
  });

  const textOf = fillOnce(readTemplate);
  const hits = new Map<Output, CachedFile>();
  const importsOf = (output: Output): readonly string[] => {
    // What is written once is the team's: its imports are those of the file on disk.
    if (output.ownership === 'once' && recorded.has(output.target)) return [];
    const hit = hits.get(output);
    const known = hit !== undefined && 'text' in hit ? hit.text : hit?.base;
    return importsIn(output, known ?? textOf(output));
  };
  const needed = neededOutputs({
    outputs: decided,
    offered: offeredOutputs(model, options),
    importsOf,
    team: [
      ...team,
      ...Array.from(retired, ([path, imports]) => ({ path, imports, generatedImports: [] })),
    ],
  });
  const outputs: Output[] = [];
  function* toRender(): Generator<Output> {
    for (const output of needed) {
      outputs.push(output);
      const hit = cached(output);
      if (hit === undefined) yield output;
      else hits.set(output, hit);
    }
  }
  const rendered = await renderFiles(toRender(), textOf);
  const found = [...hits.values()];
  return {
    outputs,
    tree: [...found.flatMap((one) => ('text' in one ? one : [])), ...rendered],
    resolved: found.flatMap((one) => ('text' in one ? [] : one)),
    importedFiles: new Set(retired.keys()),
  };
}
