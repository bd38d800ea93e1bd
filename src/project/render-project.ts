/** The rendering pipeline: definitions → model → outputs → files in memory. Commands and the library share it. */
import type { ParsedDefinitions } from '../definition/types.ts';
import { DEFINITIONS, asText } from '../disk/definitions.ts';
import { fingerprintOf, recordedInputs } from '../disk/fingerprint.ts';
import type { WrittenFile } from '../disk/manifest.ts';
import { recordOf } from '../disk/manifest.ts';
import { packageVersion } from '../disk/package.ts';
import { readTemplate } from '../disk/templates.ts';
import { recordText, recordedOf, recordLines } from '../migration/recorded-definitions.ts';
import { buildModel } from '../model/build.ts';
import type { Model } from '../model/types.ts';
import { warningsOf } from '../model/warnings.ts';
import { neededOutputs } from '../plan/needed-outputs.ts';
import { offeredOutputs, planOutputs } from '../plan/outputs.ts';
import type { Output } from '../plan/outputs.ts';
import { fillOnce, renderFiles } from '../render/render.ts';
import type { FileTree, OutputFile } from '../shared/files.ts';
import { importedFiles } from '../shared/imports.ts';
import type { ChosenManager } from '../shared/package-manager.ts';
import { contractTexts } from './frozen-contracts.ts';

export interface RenderProjectOptions {
  /** What the project's development dependency on this tool installs from. */
  readonly tool: string;
  readonly manager: ChosenManager;
}

/** Renders all outputs of a project without code of a team; sorted by path. */
export async function renderOutputs(
  model: Model,
  options: RenderProjectOptions,
): Promise<FileTree> {
  const textOf = fillOnce(readTemplate);
  const outputs = neededOutputs({
    outputs: planOutputs(model, options),
    offered: offeredOutputs(model, options),
    importsOf: (output) => importedFiles(output.target, textOf(output)),
    team: [],
  });
  return renderFiles(outputs, textOf);
}

/** Renders some of the outputs of a model; sorted by path. */
export const renderSome = async (outputs: readonly Output[]): Promise<FileTree> =>
  renderFiles(outputs, fillOnce(readTemplate));

/** Renders all files of a project but those of `.create-service/`; sorted by path. */
export async function renderProject(
  definitions: ParsedDefinitions,
  options: RenderProjectOptions,
): Promise<FileTree> {
  const tree = await renderOutputs(buildModel(definitions.service), options);
  const decoder = new TextDecoder();
  const sources = [...definitions.files, ...definitions.seeds].map((file): OutputFile => ({
    path: file.path,
    text: decoder.decode(file.bytes),
    ownership: 'once',
  }));
  const record = recordText({ version: packageVersion(), now: recordedOf(definitions.plain) });
  return [
    ...tree.map((file) => (isMigration(file) ? { ...file, text: file.text + record } : file)),
    ...sources,
  ].toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** The SQL of the first migration that a new project of these definitions begins with. */
export async function firstMigration(
  { service }: ParsedDefinitions,
  options: RenderProjectOptions,
): Promise<string> {
  const outputs = planOutputs(buildModel(service), options);
  const [first] = await renderSome(outputs.filter(({ ownership }) => ownership === 'append'));
  return first?.text ?? '';
}

const isMigration = ({ ownership }: OutputFile): boolean => ownership === 'append';

/**
 * The files of `.create-service/` of a new project.
 * @param files what is written beside them: outputs, and definitions.
 * @param own definitions that stand in the project already, by their paths in it.
 * @param manager the package manager that the outputs were rendered for.
 */
export function recordOfNew(
  definitions: ParsedDefinitions,
  files: FileTree,
  own: readonly WrittenFile[],
  manager: ChosenManager,
): readonly WrittenFile[] {
  const version = packageVersion();
  const isDefinition = ({ path: file }: OutputFile): boolean => file.startsWith(`${DEFINITIONS}/`);
  // Seeds are the team's from the beginning: later runs neither change nor remove them.
  const seeds = new Set(definitions.seeds.map((file) => file.path));
  const outputs = files.filter((file) => !isDefinition(file) && !seeds.has(file.path));
  const inputs = fingerprintOf(
    version,
    manager.name,
    [...files.filter(isDefinition), ...own],
    recordedInputs(
      recordLines(files.filter(isMigration).map(({ path: name, text }) => ({ name, text }))),
      outputs,
    ),
  );
  const texts = definitions.files.map(asText);
  const applied = fingerprintOf(version, manager.name, texts);
  const contracts = contractTexts(definitions.service);
  const warnings = warningsOf(definitions.service).length;
  return recordOf(outputs, { version, inputs, applied, warnings, definitions: texts, contracts });
}
