/**
 * Plans a run of `generate` in memory: merges what the definitions yield now with what they yielded last and with
 * the files on disk. `generate` commits the plan, `check` reports it.
 */
import path from 'node:path';

import { readApplied } from '../project/applied-definitions.ts';
import { parseFolder } from '../definition/index.ts';
import type { Issue, SourceFile } from '../reading/position.ts';
import { fileChanges } from '../disk/changes.ts';
import { asText, DEFINITIONS, definitionTexts, readImportLock } from '../disk/definitions.ts';
import { fingerprintOf, recordedInputs } from '../disk/fingerprint.ts';
import type { FileChange } from '../disk/journal.ts';
import type { WrittenFile } from '../disk/manifest.ts';
import { packageVersion } from '../disk/package.ts';
import { projectFormatter } from '../disk/prettier.ts';
import type { Project } from '../disk/project.ts';
import { userError } from '../shared/errors.ts';
import { migrationPath } from '../shared/files.ts';
import type { FileTree } from '../shared/files.ts';
import {
  alteredContracts,
  readContracts,
  keyPlaces,
  contractTexts,
} from '../project/frozen-contracts.ts';
import { displayPath } from '../shared/display-path.ts';
import { renderOutputs } from '../project/render-project.ts';
import type { RenderProjectOptions } from '../project/render-project.ts';
import { renderNeeded } from './render-needed.ts';
import type { BreakingChange } from '../compatibility/findings.ts';
import { brokenContracts } from '../compatibility/frozen-contracts.ts';
import { widerAccess } from '../compatibility/wider-access.ts';
import type { WiderAccess } from '../compatibility/wider-access.ts';
import type { MergeInput, MergeResult } from '../merge/index.ts';
import { chainProblems, nextMigrations } from '../migration/chain.ts';
import { changeExistingTables } from '../migration/change-existing-tables.ts';
import { planMigration } from '../migration/index.ts';
import type { DataLoss } from '../migration/index.ts';
import {
  authorText,
  recordedOf,
  recordLines,
  recordText,
} from '../migration/recorded-definitions.ts';
import { buildModel } from '../model/build.ts';
import type { Model } from '../model/types.ts';
import { warningsOf } from '../model/warnings.ts';
import {
  hasSameToolAndManager,
  isGeneratedFrom,
  serviceNameOf,
  openProject,
  packageManagerOf,
  readSources,
  toolOf,
} from '../project/open.ts';
import { movesOf, renamedBetween, underNewNames } from '../plan/moves.ts';
import type { RenamedCollection } from '../plan/moves.ts';
import type { Output } from '../plan/outputs.ts';
import { hasNeededFiles } from '../project/needed-files.ts';
import { isOfOneRun, readCache, readWholeCache, unchangedSince } from '../project/render-cache.ts';
import { formatFile } from '../render/format.ts';
import { importRewriter, entriesAfter, rewriteTeamImports } from '../update/moved-imports.ts';
import { renamedFields } from '../update/renamed-fields.ts';
import { mergeFollowing, renamesOf } from '../update/renames.ts';
import type { Renames } from '../update/renames.ts';
import type { ResolveTools } from '../update/resolve-file.ts';
import { isSource, usesOfOldNames } from '../update/old-names.ts';
import { usesOfNewestShapes } from '../update/newest-shapes.ts';
import type { NewestShapeUse } from '../update/newest-shapes.ts';
import type { OldNameUse } from '../update/old-names.ts';
import { movesSince, schemaStepsSince, UPGRADE_STEPS } from '../update/upgrade-steps.ts';
import type { UpgradeSteps } from '../update/upgrade-steps.ts';
import { hashOf } from '../update/text.ts';
import type { ManifestEntry, Outcome } from '../update/types.ts';
import { update } from '../update/update.ts';
import type { Update } from '../update/update.ts';
import { lockedTables } from '../reimport/locked-tables.ts';
import { newest, oldest } from '../update/versions.ts';

/** A migration that a change of definitions, or a merge of two branches, asks for. */
export interface PlannedMigration {
  /** In the order in which they are applied; at least one. */
  readonly files: readonly WrittenFile[];
  /** Tables that are locked until all of their rows are rewritten, and why, in words. */
  readonly locks: ReadonlyMap<string, string>;
  /** What goes of the data, or may not fit. */
  readonly losses: readonly DataLoss[];
}

export interface RunRequest {
  /** The project, absolute. */
  readonly folder: string;
  /** Absolute: messages name paths as from here. */
  readonly cwd: string;
  /** A definition that is not on disk yet. */
  readonly added?: SourceFile;
  /** What this version asks of projects of older ones. */
  readonly steps?: UpgradeSteps;
  /** The generated file in which what an edit removed is written again, relative to the project. */
  readonly restore?: string | undefined;
}

/** All that a run would do. */
export interface RunPlan {
  readonly ok: true;
  readonly project: Project;
  /** What the service is called. */
  readonly name: string;
  /** What is done file by file, new definitions and migrations included. */
  readonly outcomes: readonly Outcome[];
  readonly migration: PlannedMigration | undefined;
  /** What the team has to run on existing tables, unless it has done so. */
  readonly tableSql: readonly string[];
  /** Files that the team made beside those of a collection that has moved or gone. */
  readonly strays: readonly string[];
  /** Lines of the team's own code that use names which this run removes or renames. */
  readonly oldNames: readonly OldNameUse[];
  /** Lines of the team's own code that use shapes of the newest version, where an older version has others. */
  readonly newestShapes: readonly NewestShapeUse[];
  /** What clients of frozen versions rely on and would not get any more. */
  readonly breaking: readonly BreakingChange[];
  /** What somebody may read or write, and could not with the definitions of the last run. */
  readonly wider: readonly WiderAccess[];
  /** Of the definitions: they refuse nothing. */
  readonly warnings: readonly Issue[];
  /** The version that generated last, and this one. */
  readonly versions: { readonly was: string; readonly is: string };
  readonly changes: readonly FileChange[];
}

export type InvalidDefinitions = { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * Decides what a run does; writes nothing.
 * @throws UserError where the project cannot be read, or was made by a newer version.
 */
export async function planRun(request: RunRequest): Promise<RunPlan | InvalidDefinitions> {
  const { folder, cwd, added, steps = UPGRADE_STEPS, restore } = request;
  const shown = (file: string): string => displayPath(cwd, path.join(folder, file));

  // 1. Read the record of the last run. If it had the same inputs, nothing needs to be rendered.
  const project = openProject(folder, shown);
  const sources = readSources(folder, cwd, added);
  const texts = definitionTexts(folder, cwd, sources);
  const isPlain = added === undefined && restore === undefined;
  const same = isPlain ? await planUnchangedRun(project, sources, texts, steps) : undefined;
  if (same !== undefined) return same;
  const was = newest(project.manifest.generators) ?? '0.0.0';
  const is = packageVersion();

  // 2. Read the definitions: the current ones, those of the last run, and those that migrations apply.
  const definitions = await parseFolder(sources, { fallbackName: serviceNameOf(project) });
  if (!definitions.ok) return definitions;
  const now = buildModel(definitions.service);
  const {
    applied,
    generated: last,
    kept,
  } = await readApplied({
    ...{ project, sources, texts, shown },
    now: definitions,
  });
  const before = last === definitions.service ? now : buildModel(last);
  const schema = [now, before].find((model) => model.service === applied.service);
  const migrated = schema ?? buildModel(applied.service);

  // 3. Check compatibility with the contracts of frozen versions, and find wider access.
  const { service } = definitions;
  const contracts = await readContracts(project, shown);
  const placeOf = keyPlaces(sources, shown(`${DEFINITIONS}/service.yaml`));
  const today = new Date().toISOString().slice(0, 10);
  const breaking = brokenContracts(contracts, last, service, placeOf, today);
  const known = lockedTables(readImportLock(path.join(folder, DEFINITIONS), shown));
  const wider = widerAccess(kept === last ? before : buildModel(kept), now, {
    placeOf,
    lacksColumn: (table, column) =>
      known.hasTable(table) && known.column(table, column) === undefined,
  });

  // 4. Render the outputs that are not in the render cache.
  const options = { tool: toolOf(project) ?? is, manager: packageManagerOf(project) };
  const renamed = renamedBetween(before, now);
  const moves = new Map([...movesSince(was, steps), ...movesOf(renamed, before, now)]);
  const isSameAsLast = unchangedSince(
    project,
    { model: before, manager: options.manager.name },
    { model: now, files: definitions.files },
  );
  const { outputs, tree, resolved, importedGone } = await renderNeeded(project, now, options, {
    cached: readCache(project, (output) => output.target !== restore && isSameAsLast(output)),
    moves,
  });

  // 5. Merge with the files on disk, file by file.
  const { entries, openConflicts } = project.manifest;
  const earlier = moves.size === 0 ? NO_TEXTS : await textsOf(before, options);
  const renames = await renamesFrom(before, renamed, earlier, moves, options);
  const rewriteImports = await importRewriter(moves);
  const fields = renamedFields(before, now, outputs);
  const tools = {
    ...toolsFor(project, shown, { renames, earlier, fields }),
    rewriteImports,
    restoredPath: restore,
    importedFiles: importedGone,
  };
  const updated = await withTeamImports(
    project,
    await update(
      {
        generated: tree,
        resolved,
        entries,
        openConflicts,
        diskFile: project.diskFile,
        moves,
      },
      tools,
    ),
    tools,
  );

  if (restore !== undefined) requireRestored(shown(restore), restore, outputs, updated);

  // 6. Plan the migration: of the schema, and to join the chains of merged branches.
  const recorded = recordedOf(definitions.plain);
  const { generators } = applied.generators.length > 0 ? applied : project.manifest;
  // Of branches that met one may have been migrated by an older version.
  const oldestGenerator = oldest(generators) ?? was;
  const tableSql = changeExistingTables(migrated, now, known);
  const upgrades = schemaStepsSince(oldestGenerator, steps);
  const planned = planMigration(migrated, now, upgrades, tableSql);
  if (planned !== undefined && planned.issues.length > 0) {
    return { ok: false, issues: planned.issues };
  }
  const nextFiles = nextMigrations(
    project.migrations,
    planned,
    recordText({
      ...{ version: is, before: applied.recorded, now: recorded, agreedPaths: applied.agreedPaths },
    }),
    authorText(is),
  );
  const [broken] = nextFiles.length === 0 ? [] : chainProblems(project.migrations);
  if (broken !== undefined) {
    throw userError('chain-broken', { ...broken, name: migrationPath(broken.name) });
  }
  const migration =
    nextFiles.length === 0
      ? undefined
      : {
          files: nextFiles.map(({ name, text }) => ({ path: migrationPath(name), text })),
          locks: planned?.locks ?? new Map<string, string>(),
          losses: planned?.losses ?? [],
        };

  // 7. List the changes to write.
  const warnings = warningsOf(service);
  const additions = [...(added === undefined ? [] : [asText(added)]), ...(migration?.files ?? [])];
  const recordedUpdate = withMigration(updated, project, migration);
  const changes = fileChanges(project, recordedUpdate, {
    version: is,
    inputs: fingerprintOf(
      is,
      options.manager.name,
      texts,
      recordedInputs(recordLines([...project.migrations, ...nextFiles]), recordedUpdate.entries),
    ),
    applied: fingerprintOf(is, options.manager.name, definitions.files.map(asText)),
    warnings: warnings.length,
    definitions: definitions.files.map(asText),
    contracts: contractTexts(service),
    added: additions,
  });
  const outcomes = [
    ...additions.map(({ path: file, text }): Outcome => ({
      path: file,
      action: 'added',
      after: text,
    })),
    ...updated.outcomes,
  ].toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const versions = { was, is };
  const strays = straysIn(project, updated, outputs);
  const own = ownCodeIn(project, tree, updated);
  const oldNames = oldNamesIn(own, { before, now, updated, renames });
  const newestShapes = usesOfNewestShapes({ model: now, ...own });
  const { name } = service;
  return {
    ok: true,
    project,
    name,
    outcomes,
    migration,
    tableSql,
    strays,
    oldNames,
    newestShapes,
    breaking,
    wider,
    warnings,
    versions,
    changes,
  };
}

/**
 * The plan of a run whose inputs are those of the last one, if its record is complete: files on disk are compared
 * with the recorded output, and nothing is rendered. Undefined otherwise.
 */
async function planUnchangedRun(
  project: Project,
  sources: readonly SourceFile[],
  texts: readonly WrittenFile[],
  steps: UpgradeSteps,
): Promise<RunPlan | undefined> {
  const { manifest } = project;
  const is = packageVersion();
  const [inputs] = manifest.inputs;
  const [applied] = manifest.applied;
  if (inputs === undefined || applied === undefined) return undefined;
  const isWhole =
    isGeneratedFrom(project, texts) &&
    isOfOneRun(project, packageManagerOf(project).name) &&
    manifest.openConflicts.length === 0 &&
    // Otherwise the definitions are checked against the frozen contracts.
    manifest.contracts.every(({ hashes }) => hashes.length === 1) &&
    alteredContracts(project).length === 0 &&
    nextMigrations(project.migrations, undefined).length === 0 &&
    movesSince(is, steps).size === 0 &&
    schemaStepsSince(is, steps).length === 0 &&
    hasSameToolAndManager(project, is);
  const cached = isWhole ? readWholeCache(project) : undefined;
  if (cached === undefined || !hasNeededFiles(project, cached)) return undefined;
  const { tree: now, resolved } = cached;
  const { entries, openConflicts } = manifest;
  const updated = await update(
    {
      generated: now,
      resolved,
      entries,
      openConflicts,
      diskFile: project.diskFile,
      moves: new Map(),
    },
    // No file is added, so no path is named in an error of the formatter.
    toolsFor(project, (file) => file, { renames: undefined, earlier: NO_TEXTS, fields: new Map() }),
  );
  const definitions = project.applied;
  const contracts = [...project.contracts.values()].flat();
  const hasNoWarnings = manifest.warnings.length === 1 && manifest.warnings[0] === '0';
  const warnings = hasNoWarnings ? [] : await warningsIn(sources);
  const recorded = { inputs, applied, warnings: warnings.length };
  const next = { version: is, ...recorded, definitions, contracts, added: [] };
  return {
    ok: true,
    project,
    name: serviceNameOf(project),
    outcomes: updated.outcomes,
    migration: undefined,
    tableSql: [],
    strays: [],
    oldNames: [],
    newestShapes: [],
    breaking: [],
    wider: [],
    warnings,
    versions: { was: is, is },
    changes: fileChanges(project, updated, next),
  };
}

/** @throws UserError if nothing could be restored in a file. */
function requireRestored(
  shown: string,
  file: string,
  outputs: readonly Output[],
  { outcomes }: Update,
): void {
  if (outputs.every(({ target }) => target !== file)) {
    throw userError('usage', {
      problem: `--restore: ${shown} is not a file that is generated`,
      hint: 'Give the path of a generated file. create-service generate names the files that lack generated code.',
    });
  }
  const { action, restored } = outcomes.find(({ path: one }) => one === file) ?? {};
  if (action === 'added' || action === 'conflict' || restored !== undefined) return;
  throw userError('usage', {
    problem: `--restore: nothing can be restored in ${shown}`,
    hint: 'It restores members, elements, routes and imports that an edit removed of a TypeScript file without syntax errors, no statements within functions; and files that are deleted. For the whole generated text, delete the file first.',
  });
}

/** The warnings of valid definitions. */
export async function warningsIn(sources: readonly SourceFile[]): Promise<readonly Issue[]> {
  const definitions = await parseFolder(sources, { fallbackName: 'service' });
  return definitions.ok ? warningsOf(definitions.service) : [];
}

/** What merges need to know of names. */
interface MergeNames {
  readonly renames: Renames | undefined;
  /** Texts that were generated last, if collections were renamed. */
  readonly earlier: ReadonlyMap<string, string>;
  /** By the path of a file of a collection: new names of fields, by their old ones. */
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

const mergeWith = async (texts: MergeInput, renames: Renames | undefined): Promise<MergeResult> =>
  renames === undefined
    ? merge(texts)
    : mergeFollowing(texts, renames, { merge, format: formatted });

/** What resolving files needs of the project and of other stages. */
const toolsFor = (
  project: Project,
  shown: (file: string) => string,
  { renames, earlier, fields }: MergeNames,
): ResolveTools => ({
  merge: async (texts) => mergeWith({ ...texts, renamedMembers: fields.get(texts.path) }, renames),
  mergeTeamOwned: async (texts) => {
    if (!texts.path.endsWith('.ts')) return { kind: 'conflict', places: [] };
    const { mergeFixture } = await import('../merge/fixture.ts');
    const names = fields.get(texts.path) ?? new Map<string, string>();
    return mergeFixture(texts, names, async (aligned) => mergeWith(aligned, renames));
  },
  format: formatted,
  style: projectFormatter(project.folder, shown),
  // Files that are generated once have no stored base: their text of an earlier run is used.
  baseOf: (file) => project.baseOf(file) ?? earlier.get(file),
  conflictTextOf: project.conflictTextOf,
  isFree: (file) => project.diskFile(file).kind === 'nothing',
  restoreGenerated: findMissing,
});

/** An update, with the imports of moved files in files that are the team's own. */
async function withTeamImports(
  project: Project,
  updated: Update,
  tools: ResolveTools,
): Promise<Update> {
  if (tools.rewriteImports === undefined) return updated;
  const decided = updated.outcomes.filter(({ action }) => action !== 'left');
  const decidedPaths = new Set([
    ...decided.flatMap(({ path: file, from = file }) => [file, from]),
    // Generated files have correct imports already; edits of them were rewritten by the merge.
    ...updated.entries.flatMap(({ path: file, ownership }) => (ownership === 'merged' ? file : [])),
  ]);
  const team = await rewriteTeamImports({
    paths: project.sourceFiles().filter((file) => !decidedPaths.has(file)),
    diskFile: project.diskFile,
    tools,
  });
  const rewritten = new Set(team.outcomes.map(({ path: file }) => file));
  return {
    ...updated,
    outcomes: [...updated.outcomes.filter((one) => !rewritten.has(one.path)), ...team.outcomes],
    writes: [...updated.writes, ...team.writes],
    entries: entriesAfter(updated.entries, team),
  };
}

/** The team's own files in the folders of collections of which nothing is generated there now. */
function straysIn(
  { manifest, filesIn }: Project,
  { outcomes }: Update,
  outputs: readonly Output[],
): string[] {
  const folders = outcomes
    .filter(({ action, from }) => from !== undefined || action === 'removed' || action === 'left')
    .map(({ path: file, from = file }) => path.posix.dirname(from))
    .filter((folder) => COLLECTION_FOLDER.test(folder))
    .filter((folder) => outputs.every(({ target }) => path.posix.dirname(target) !== folder));
  const generatedPaths = new Set(manifest.entries.map((one) => one.path));
  const newFiles = new Set(manifest.openConflicts.map((one) => one.newFile));
  return [...new Set(folders)]
    .flatMap(filesIn)
    .filter((file) => !generatedPaths.has(file) && !newFiles.has(file))
    .toSorted();
}

/** The source files of the project as they will be, beside what is generated for them. */
interface OwnCode {
  readonly generated: (path: string) => string | undefined;
  readonly fixture: (path: string) => string | undefined;
  readonly isKnown: (path: string) => boolean;
  readonly files: () => Iterable<WrittenFile>;
}

/** Where the team's own code uses names of fields, collections and exports that are gone. */
function oldNamesIn(
  own: OwnCode,
  {
    before,
    now,
    updated,
    renames,
  }: {
    readonly before: Model;
    readonly now: Model;
    readonly updated: Update;
    readonly renames: Renames | undefined;
  },
): readonly OldNameUse[] {
  const { outcomes } = updated;
  return usesOfOldNames({ before, now, outcomes, renamed: renames?.names ?? new Map(), ...own });
}

function ownCodeIn(project: Project, tree: FileTree, updated: Update): OwnCode {
  const { outcomes } = updated;
  const texts = new Map(tree.map((file) => [file.path, file]));
  const entriesByPath = new Map(updated.entries.map((one) => [one.path, one]));
  const outcomeAt = new Map(outcomes.map((outcome) => [outcome.path, outcome]));
  const moved = new Set(outcomes.flatMap(({ from = [] }) => from));
  const textAt = (file: string): string | undefined => {
    const { after, from = file } = outcomeAt.get(file) ?? {};
    const diskState = project.diskFile(from);
    return after ?? (diskState.kind === 'text' ? diskState.text : undefined);
  };
  const isFixture = (file: string): boolean =>
    entriesByPath.get(file)?.ownership === 'until-edited';
  return {
    generated: (file) => {
      if (isFixture(file)) {
        const text = textAt(file);
        const isUnedited = entriesByPath.get(file)?.hashes.includes(hashOf(text ?? ''));
        return isUnedited === true ? text : undefined;
      }
      const { action, from = file } = outcomeAt.get(file) ?? {};
      const rendered = texts.get(file);
      const text = rendered?.ownership === 'merged' ? rendered.text : project.baseOf(file);
      // A file in conflict still has the lines that were generated last.
      return action === 'conflict' ? `${project.baseOf(from) ?? ''}\n${text ?? ''}` : text;
    },
    fixture: (file) => (isFixture(file) ? texts.get(file)?.text : undefined),
    isKnown: (file) => entriesByPath.has(file),
    *files() {
      const files = new Set([...project.sourceFiles(), ...outcomeAt.keys()]);
      for (const file of files) {
        if (!isSource(file) || file.startsWith('migrations/') || moved.has(file)) continue;
        const text = textAt(file);
        if (text !== undefined) yield { path: file, text };
      }
    },
  };
}

const COLLECTION_FOLDER = /^src\/collections\/[^/]+$/;

/**
 * The update with the manifest entries of migrations. The entry of a deleted migration is removed if no other follows
 * it: the team has withdrawn it, as after a merge of branches whose migrations conflicted.
 */
function withMigration(
  updated: Update,
  project: Project,
  migration: PlannedMigration | undefined,
): Update {
  const followedMigrations = new Set(
    chainProblems(project.migrations).map(({ name }) => migrationPath(name)),
  );
  const entries = updated.entries.filter(
    ({ path: file, ownership }) =>
      ownership !== 'append' ||
      // All migrations missing is a mistake: nobody withdraws all of them.
      project.migrations.length === 0 ||
      followedMigrations.has(file) ||
      project.diskFile(file).kind !== 'nothing',
  );
  if (migration === undefined) return { ...updated, entries };
  const added = migration.files.map(({ path: file, text }): ManifestEntry => ({
    path: file,
    ownership: 'append',
    hashes: [hashOf(text)],
  }));
  return { ...updated, entries: [...entries, ...added] };
}

/** All that is generated but migrations: the first is written once, and others follow it. */
async function generated(model: Model, options: RenderProjectOptions): Promise<FileTree> {
  const tree = await renderOutputs(model, options);
  return tree.filter(({ ownership }) => ownership !== 'append');
}

const NO_TEXTS: ReadonlyMap<string, string> = new Map();

/** What the renames of collections do to all files; undefined where there are none. */
async function renamesFrom(
  before: Model,
  renamed: readonly RenamedCollection[],
  earlier: ReadonlyMap<string, string>,
  moves: ReadonlyMap<string, string>,
  options: RenderProjectOptions,
): Promise<Renames | undefined> {
  if (renamed.length === 0) return undefined;
  const anew = await textsOf(underNewNames(before, renamed), options);
  const retold = [...earlier].flatMap(([file, text]) => {
    const target = moves.get(file) ?? file;
    const now = anew.get(target);
    return now === undefined ? [] : [[target, { before: text, now }] as const];
  });
  const words = renamed.flatMap(({ before: { definition, names } }) => [
    ...[definition.name, definition.singular, names.kebab, names.camel, names.itemCamel],
  ]);
  return renamesOf(new Map(retold), new Set(words));
}

/** Loaded where it is needed: nothing else takes that long. */
const merge = async (input: MergeInput): Promise<MergeResult> =>
  (await import('../merge/index.ts')).merge(input);

/** What an edit removed of a generated file, and its text with it. */
export const findMissing: NonNullable<ResolveTools['restoreGenerated']> = async (...texts) =>
  (await import('../merge/index.ts')).restoreGenerated(...texts);

async function textsOf(
  model: Model,
  options: RenderProjectOptions,
): Promise<ReadonlyMap<string, string>> {
  const tree = await generated(model, options);
  return new Map(tree.map(({ path: file, text }) => [file, text]));
}

async function formatted(file: string, text: string): Promise<string> {
  try {
    return await formatFile(file, text);
  } catch {
    return text;
  }
}
