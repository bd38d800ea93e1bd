/**
 * The pipeline of `create`: definitions are read first, and all files are written in one commit at the end. Before
 * that, the run only cleans up after runs that were killed.
 */
import path from 'node:path';

import { renameService } from '../definition/rename-service.ts';
import type { ParsedDefinitions } from '../definition/types.ts';
import type { Issue, SourceFile } from '../reading/position.ts';
import { commitProject } from '../disk/commit.ts';
import {
  asText,
  DEFINITIONS,
  definitionTexts,
  IMPORT_LOCK,
  readDefinitions,
  readImportLock,
} from '../disk/definitions.ts';
import type { DefinitionSources } from '../disk/definitions.ts';
import { realFileSystem as fs } from '../disk/file-system.ts';
import { fingerprintOf, recordedInputs } from '../disk/fingerprint.ts';
import { recordOf } from '../disk/manifest.ts';
import type { WrittenFile } from '../disk/manifest.ts';
import { packageVersion } from '../disk/package.ts';
import { readTemplate } from '../disk/templates.ts';
import { finishMoves, removeStale } from '../disk/staging.ts';
import type { Owner } from '../disk/staging.ts';
import { examineTarget } from '../disk/target.ts';
import { displayPath } from '../shared/display-path.ts';
import { userError } from '../shared/errors.ts';
import type { FileTree, OutputFile } from '../shared/files.ts';
import { importedFiles } from '../shared/imports.ts';
import { throwIfInterrupted } from './interruption.ts';
import { contractTexts } from '../project/frozen-contracts.ts';
import { nameFromPath, parseSources } from '../project/parse-sources.ts';
import { recordedOf, recordLines, recordText } from '../migration/recorded-definitions.ts';
import { buildModel } from '../model/build.ts';
import { warningsOf } from '../model/warnings.ts';
import type { Model } from '../model/types.ts';
import { OLDEST_VERSIONS } from '../shared/package-manager.ts';
import type { ChosenManager, PackageManager } from '../shared/package-manager.ts';
import { compareVersions } from '../update/versions.ts';
import { neededOutputs } from '../plan/needed-outputs.ts';
import { offeredOutputs, planOutputs } from '../plan/outputs.ts';
import type { Output } from '../plan/outputs.ts';
import { fillOnce, renderFiles } from '../render/render.ts';
import { knownVersion, PACKAGE_JSON } from '../render/views/package.ts';

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

export interface CreateRequest {
  /** The file or folder of the definitions; absolute. */
  readonly from: string;
  /** The folder to make, absolute; absent, one that has the name of the service, in `cwd`. */
  readonly target: string | undefined;
  readonly cwd: string;
  /** What the service is called whatever its definitions say. */
  readonly name: string | undefined;
  /** What the project's development dependency on this tool installs from. */
  readonly tool: string;
  /** Its version is ignored if it is too old. */
  readonly manager: ChosenManager;
  /** Whether to stop before anything is written. */
  readonly dryRun: boolean;
  /** Until the commit begins, an abort means that nothing is written. */
  readonly interrupted: AbortSignal;
  readonly owner: Owner;
  /** Whether a process of this machine is still there. */
  readonly isAlive: (pid: number) => boolean;
}

export type CreateResult =
  | { readonly ok: false; readonly issues: readonly Issue[] }
  | {
      readonly ok: true;
      readonly service: ParsedDefinitions['service'];
      /** Absolute. */
      readonly folder: string;
      readonly files: FileTree;
    };

/**
 * Makes a project, whole or not at all.
 * @throws UserError where a file cannot be read, or the target is not free.
 */
export async function create(request: CreateRequest): Promise<CreateResult> {
  const { cwd, owner, isAlive } = request;
  const shown = (file: string): string => displayPath(cwd, file);

  // 1. Read the definitions.
  const read = readDefinitions(request.from, shown);
  const sources = named(read, request.name);

  // 2. Check them: all that is wrong is told at once.
  const fallbackName = request.name ?? path.basename(request.target ?? nameFromPath(request.from));
  const definitions = await parseSources(sources, fallbackName);
  if (!definitions.ok) return definitions;
  const { service } = definitions;

  // 3. Look at where the project is to go, and finish or clear away what killed runs left.
  const wanted = request.target ?? path.join(cwd, service.name);
  if (!request.dryRun) {
    removeStale(fs, path.dirname(wanted), owner.host, isAlive);
    removeStale(fs, wanted, owner.host, isAlive);
    finishMoves(fs, wanted);
  }
  const { folder, inPlace } = examineTarget(fs, wanted, {
    shown: shown(wanted),
    cwd,
    sources: [request.from, ...(sources.kind === 'folder' ? [sources.folder] : [])],
  });

  const own = definitionsOf(folder, sources);
  if (own.some((file) => !fileIsIn(file, definitionsOf(folder, read)))) {
    throw userError('usage', {
      problem: `the definitions in ${shown(folder)} do not name the service ${request.name}`,
      hint: 'Change the name there, or leave --name out.',
    });
  }

  // 4. Model, plan and render: all files in memory.
  const { tool } = request;
  const manager = knownToWork(request.manager);
  const rendered = await renderProject(definitions, { tool, manager });
  // Seeds of a project that is made around its definitions are there already.
  const isSeed = ({ path: file }: OutputFile): boolean =>
    own.length > 0 && definitions.seeds.some((seed) => seed.path === file);
  const files = without(rendered, own).filter((file) => !isSeed(file));

  const lock = own.length > 0 ? [] : lockOf(sources, shown);

  // 5. Commit. A signal that came meanwhile has its turn first.
  await throwIfInterrupted(request.interrupted);
  if (!request.dryRun) {
    const texts = definitionTexts(folder, cwd, own);
    const record = recordOfNew(definitions, files, texts, manager);
    const written = [...files, ...lock, ...record];
    commitProject(fs, { target: folder, shown: shown(wanted), files: written, inPlace, owner });
  }
  return { ok: true, service, folder, files: [...files, ...lock] };
}

/** What the definitions were imported from goes with them. */
function lockOf(sources: DefinitionSources, shown: (file: string) => string): FileTree {
  const text = sources.kind === 'folder' ? readImportLock(sources.folder, shown) : undefined;
  return text === undefined
    ? []
    : [{ path: `${DEFINITIONS}/${IMPORT_LOCK}`, text, ownership: 'once' }];
}

/** With the version on this machine, unless it is too old, or of an older major than the tested one. */
function knownToWork({ name, version }: ChosenManager): ChosenManager {
  const tested = testedVersion(name);
  const isTaken =
    version !== undefined &&
    tested !== undefined &&
    majorOf(version) >= majorOf(tested) &&
    compareVersions(version, OLDEST_VERSIONS[name] ?? version) >= 0;
  return { name, version: isTaken ? version : undefined };
}

const majorOf = (version: string): number => Number.parseInt(version, 10);

/** The version of a package manager that a project names if the one on this machine is too old; none for npm. */
export const testedVersion = (name: PackageManager): string | undefined =>
  knownVersion(name, readTemplate(PACKAGE_JSON));

/** The definitions with another name for the service, in the file that holds its keys. */
function named(sources: DefinitionSources, name: string | undefined): DefinitionSources {
  if (name === undefined) return sources;
  if (sources.kind === 'file') return { ...sources, file: renameService(sources.file, name) };
  const files = sources.files.map((file) => (isService(file) ? renameService(file, name) : file));
  return { ...sources, files };
}

const isService = ({ path: file }: SourceFile): boolean =>
  /(?:^|\/)service\.[a-z]+$/.test(file) && !/(?:^|\/)collections\/[^/]+$/.test(file);

/** The definitions that stand in the project's own folder already: they are the team's. */
const definitionsOf = (project: string, sources: DefinitionSources): readonly SourceFile[] =>
  sources.kind === 'folder' && sources.folder === path.join(project, DEFINITIONS)
    ? sources.files
    : [];

const fileIsIn = ({ path: file, bytes }: SourceFile, files: readonly SourceFile[]): boolean =>
  files.some((other) => other.path === file && other.bytes === bytes);

const stem = (file: string): string => file.replace(/\.[^./]+$/, '');

/** A tree without the definitions that are there, in whatever format. */
function without(tree: FileTree, own: readonly SourceFile[]): FileTree {
  const there = own.map((file) => stem(file.path));
  const isThere = (file: string): boolean =>
    there.some((one) => one === stem(file) || one.endsWith(`/${stem(file)}`));
  return tree.filter((file) => !isThere(file.path));
}
