/** The outputs of an existing project: those that its definitions and its imports ask for, rendered or from the cache. */
import type { Project } from '../disk/project.ts';
import { readTemplate } from '../disk/templates.ts';
import type { Model } from '../model/types.ts';
import { neededOutputs } from '../plan/needed-outputs.ts';
import { OFFERED_PATHS, offeredOutputs, planOutputs } from '../plan/outputs.ts';
import type { Output } from '../plan/outputs.ts';
import type { CachedFile, CacheHits } from '../project/render-cache.ts';
import { teamFilesIn } from '../project/team-files.ts';
import { fillOnce, renderFiles } from '../render/render.ts';
import { importedFiles } from '../shared/imports.ts';
import type { RenderProjectOptions } from '../project/render-project.ts';

/** Where the files are that imports decide on: those of collections go with their definitions. */
const SHARED = /^(?:src\/platform|test\/support)\/(?!items\/)/;

/** A shared file that this version of the tool no longer has. */
interface GoneFile {
  readonly target: string;
}

interface NeededFiles extends CacheHits {
  /** All outputs but migrations. */
  readonly outputs: readonly Output[];
  /** Shared files that this version of the tool no longer has, and that code of the team imports. */
  readonly importedGone: ReadonlySet<string>;
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
  const gone = [...recorded].filter(
    (file) => SHARED.test(file) && !targets.has(file) && !moves.has(file),
  );
  const textOnDisk = (file: string): string => {
    const there = project.diskFile(file);
    return there.kind === 'text' ? there.text : '';
  };

  const textOf = fillOnce(readTemplate);
  const hits = new Map<Output, CachedFile>();
  const textToScan = (output: Output): string => {
    // What is written once is the team's: its imports are those of the file on disk.
    if (output.ownership === 'once' && recorded.has(output.target)) return '';
    const hit = hits.get(output);
    // The record of a file that the team has edited or deleted may be of an older text.
    return hit !== undefined && 'text' in hit ? hit.text : textOf(output);
  };
  const needed = neededOutputs<Output | GoneFile>({
    outputs: decided,
    offered: [...offeredOutputs(model, options), ...gone.map((target) => ({ target }))],
    importsOf: (file) =>
      importedFiles(file.target, 'template' in file ? textToScan(file) : textOnDisk(file.target)),
    team: teamFilesIn(project, (file) => targets.has(file), moves),
  });
  const outputs: Output[] = [];
  const importedGone = new Set<string>();
  function* toRender(): Generator<Output> {
    for (const output of needed) {
      if (!('template' in output)) {
        importedGone.add(output.target);
        continue;
      }
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
    importedGone,
  };
}
