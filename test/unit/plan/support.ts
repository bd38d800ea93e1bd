/** The files of services, without formatting them. */
import { parseFolder, parseSingleFile } from '../../../src/definition/index.ts';
import { readTemplate } from '../../../src/disk/templates.ts';
import { buildModel } from '../../../src/model/build.ts';
import type { Model } from '../../../src/model/types.ts';
import { neededOutputs } from '../../../src/plan/needed-outputs.ts';
import type { TeamFile } from '../../../src/plan/needed-outputs.ts';
import { offeredOutputs, planOutputs } from '../../../src/plan/outputs.ts';
import { fillOnce } from '../../../src/render/render.ts';
import { importedFiles } from '../../../src/shared/imports.ts';
import { NPM } from '../../../src/shared/package-manager.ts';

export const OPTIONS = { tool: '0.0.0', manager: NPM } as const;

export interface Source {
  readonly path: string;
  readonly text: string;
}

/** The model of definitions: of one file, or of all of a folder. */
export async function modelOf(...sources: readonly Source[]): Promise<Model> {
  const encoder = new TextEncoder();
  const files = sources
    .filter(({ path }) => !path.startsWith('seeds/'))
    .map(({ path, text }) => ({ path, bytes: encoder.encode(text) }));
  const [file] = files;
  const options = { fallbackName: 'shop' };
  const result =
    file !== undefined && files.length === 1
      ? await parseSingleFile(file, options)
      : await parseFolder(files, options);
  if (!result.ok) throw new Error(result.issues.map(({ message }) => message).join('\n'));
  return buildModel(result.service);
}

/** The files of a project of a model. @param team files of the team, by their paths. */
export function neededFiles(model: Model, team: Readonly<Record<string, string>> = {}): string[] {
  const textOf = fillOnce(readTemplate);
  const outputs = neededOutputs({
    outputs: planOutputs(model, OPTIONS),
    offered: offeredOutputs(model, OPTIONS),
    importsOf: (output) => importedFiles(output.target, textOf(output)),
    team: Object.entries(team).map(([path, text]): TeamFile => ({
      path,
      imports: importedFiles(path, text),
      isGenerated: false,
      generatedImports: [],
    })),
  });
  return Array.from(outputs, ({ target }) => target).toSorted();
}
