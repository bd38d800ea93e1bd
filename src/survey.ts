/**
 * All that a run of `generate` would do, decided in memory: what the definitions yield now is brought
 * together with what they yielded last and with what the team has made of it.
 */
import path from 'node:path';

import { parseFolder } from './definition/index.ts';
import type { Issue, SourceFile } from './definition/types.ts';
import { changesOf } from './disk/changes.ts';
import { asText, DEFINITIONS, definitionTexts } from './disk/definitions.ts';
import { fingerprintOf } from './disk/fingerprint.ts';
import type { Change } from './disk/journal.ts';
import { RECORD } from './disk/manifest.ts';
import type { WrittenFile } from './disk/manifest.ts';
import { packageVersion } from './disk/package.ts';
import type { Project } from './disk/project.ts';
import { userError } from './errors.ts';
import type { FileTree } from './files.ts';
import { alteredShapes, keptShapes, placesIn, writtenShapes } from './frozen-shapes.ts';
import { renderOutputs, renderSome, shownFrom } from './generate.ts';
import type { Definitions, RenderProjectOptions } from './generate.ts';
import type { BreakingChange } from './guard/findings.ts';
import { brokenShapes } from './guard/frozen.ts';
import type { MergeInput, MergeResult } from './merge/index.ts';
import { chainProblems, nextMigration } from './migration/chain.ts';
import { planMigration } from './migration/index.ts';
import type { Loss } from './migration/index.ts';
import { buildModel } from './model/build.ts';
import type { Model } from './model/types.ts';
import {
  isInstalledAsThen,
  isMadeOf,
  nameOf,
  openProject,
  packageManagerOf,
  readSources,
  toolOf,
} from './opened.ts';
import { movesOf, renamedBetween, underNewNames } from './plan/moves.ts';
import type { RenamedCollection } from './plan/moves.ts';
import { planOutputs } from './plan/outputs.ts';
import type { Output } from './plan/outputs.ts';
import { isOfOneRun, recall, recallAll, unchangedSince } from './recall.ts';
import { formatFile } from './render/format.ts';
import { mergeFollowing, renamesOf } from './update/renames.ts';
import type { Renames } from './update/renames.ts';
import type { Tools } from './update/settle.ts';
import { movesSince, schemaStepsSince, STEPS } from './update/steps.ts';
import type { Steps } from './update/steps.ts';
import { hashOf } from './update/text.ts';
import type { Known, Outcome } from './update/types.ts';
import { update } from './update/update.ts';
import type { Update } from './update/update.ts';
import { newest, oldest } from './update/versions.ts';

/** A migration that a change of definitions, or a merge of two branches, asks for. */
export interface PlannedMigration {
  readonly path: string;
  readonly text: string;
  /** What goes of the data, or may not fit. */
  readonly losses: readonly Loss[];
}

export interface SurveyRequest {
  /** The project, absolute. */
  readonly folder: string;
  /** Absolute: messages name paths as from here. */
  readonly cwd: string;
  /** A definition that is not on disk yet. */
  readonly added?: SourceFile;
  /** What this version asks of projects of older ones. */
  readonly steps?: Steps;
}

/** All that a run would do. */
export interface Survey {
  readonly ok: true;
  readonly project: Project;
  /** What the service is called. */
  readonly name: string;
  /** What is done file by file, new definitions and migrations included. */
  readonly outcomes: readonly Outcome[];
  readonly migration: PlannedMigration | undefined;
  /** Files that the team made beside those of a collection that has moved or gone. */
  readonly strays: readonly string[];
  /** What clients of frozen versions rely on and would not get any more. */
  readonly breaking: readonly BreakingChange[];
  /** The version that generated last, and this one. */
  readonly versions: { readonly was: string; readonly is: string };
  readonly changes: readonly Change[];
}

export type Refused = { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * Decides what a run does; writes nothing.
 * @throws UserError where the project cannot be read, or was made by a newer version.
 */
export async function survey(request: SurveyRequest): Promise<Survey | Refused> {
  const { folder, cwd, added, steps = STEPS } = request;
  const shown = (file: string): string => shownFrom(cwd, path.join(folder, file));

  // 1. Read what is known of the last run. Where that was of just this, no more is read.
  const project = openProject(folder, shown);
  const sources = readSources(folder, cwd, added);
  const texts = definitionTexts(folder, cwd, sources);
  const same = added === undefined ? await surveyOfSame(project, texts, steps) : undefined;
  if (same !== undefined) return same;
  const was = newest(project.manifest.generators) ?? '0.0.0';
  const is = packageVersion();

  // 2. Read the definitions, those of now and those of then, and check them.
  const definitions = await parseFolder(sources, { fallbackName: nameOf(project) });
  if (!definitions.ok) return definitions;
  const now = buildModel(definitions.service);
  const isSame = isApplied(definitions, project);
  const unchanged = new Map(
    texts.map(({ path: file, text }, at) => [`${file}\n${text}`, sources[at]]),
  );
  const applied = isSame
    ? definitions.service
    : await appliedBefore(project, shown, ({ path: file, text }) =>
        unchanged.get(`${file}\n${text}`),
      );
  const before = isSame ? now : buildModel(applied);

  // 3. Hold them against what the clients of frozen versions rely on.
  const { service } = definitions;
  const kept = await keptShapes(project, shown);
  const placeOf = placesIn(sources, shown(`${DEFINITIONS}/service.yaml`));
  const breaking = brokenShapes(kept, applied, service, placeOf);

  // 4. Render what they yield, but for what the last run made of the same.
  const options = { tool: toolOf(project) ?? is, manager: packageManagerOf(project) };
  const outputs = planOutputs(now, options.manager.name).filter(
    ({ ownership }) => ownership !== 'append',
  );
  const isSameAsLast = unchangedSince(
    project,
    { model: before, manager: options.manager.name },
    { model: now, files: definitions.files },
  );
  const { tree: recalled, settled, rest } = recall(project, outputs, isSameAsLast);
  const tree = [...recalled, ...(await renderSome(now, rest, options))];

  // 5. Bring it together with what stands on disk, file by file.
  const renamed = renamedBetween(before, now);
  const moves = new Map([...movesSince(was, steps), ...movesOf(renamed, before, now)]);
  const { known, open } = project.manifest;
  const earlier = moves.size === 0 ? NO_TEXTS : await textsOf(before, options);
  const renames = await renamesFrom(before, renamed, earlier, moves, options);
  const updated = await update(
    { now: tree, settled, known, open, found: project.found, moves },
    toolsFor(project, { renames, earlier }),
  );

  // 6. Plan the migration: of the schema, and of the ends that merged branches left.
  // Of branches that met one may have been generated by an older version.
  const least = oldest(project.manifest.generators) ?? was;
  const planned = planMigration(before, now, schemaStepsSince(least, steps));
  if (planned !== undefined && planned.issues.length > 0) {
    return { ok: false, issues: planned.issues };
  }
  const next = nextMigration(project.migrations, planned);
  const [broken] = next === undefined ? [] : chainProblems(project.migrations);
  if (broken !== undefined) {
    throw userError('chain-broken', { ...broken, name: migrationPath(broken.name) });
  }
  const migration = next && {
    path: migrationPath(next.name),
    text: next.text,
    losses: planned?.losses ?? [],
  };

  // 7. List what is to be written.
  const additions = [
    ...(added === undefined ? [] : [asText(added)]),
    ...(migration === undefined ? [] : [{ path: migration.path, text: migration.text }]),
  ];
  const changes = changesOf(project, withMigration(updated, migration), {
    version: is,
    inputs: fingerprintOf(is, options.manager.name, texts),
    applied: fingerprintOf(is, options.manager.name, definitions.files.map(asText)),
    definitions: definitions.files.map(asText),
    shapes: writtenShapes(service),
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
  const { name } = service;
  return { ok: true, project, name, outcomes, migration, strays, breaking, versions, changes };
}

/**
 * The same where this version has generated from just these definitions, and the record is whole:
 * nothing is parsed, rendered or compared but what stands on disk with what was generated.
 * Undefined where it is not so.
 */
async function surveyOfSame(
  project: Project,
  texts: readonly WrittenFile[],
  steps: Steps,
): Promise<Survey | undefined> {
  const { manifest } = project;
  const is = packageVersion();
  const [inputs] = manifest.inputs;
  const [applied] = manifest.applied;
  if (inputs === undefined || applied === undefined) return undefined;
  const isWhole =
    isMadeOf(project, texts) &&
    isOfOneRun(project, packageManagerOf(project).name) &&
    manifest.open.length === 0 &&
    // Else what the clients of frozen versions rely on is held against the definitions.
    manifest.shapes.every(({ hashes }) => hashes.length === 1) &&
    alteredShapes(project).length === 0 &&
    nextMigration(project.migrations, undefined) === undefined &&
    movesSince(is, steps).size === 0 &&
    schemaStepsSince(is, steps).length === 0 &&
    isInstalledAsThen(project, is);
  const recalled = isWhole ? recallAll(project) : undefined;
  if (recalled === undefined) return undefined;
  const { tree: now, settled } = recalled;
  const { known, open } = manifest;
  const updated = await update(
    { now, settled, known, open, found: project.found, moves: new Map() },
    toolsFor(project, { renames: undefined, earlier: NO_TEXTS }),
  );
  const definitions = project.applied;
  const shapes = [...project.shapes.values()].flat();
  const next = { version: is, inputs, applied, definitions, shapes, added: [] };
  return {
    ok: true,
    project,
    name: nameOf(project),
    outcomes: updated.outcomes,
    migration: undefined,
    strays: [],
    breaking: [],
    versions: { was: is, is },
    changes: changesOf(project, updated, next),
  };
}

/** What settling files needs of the project and of the stages around it. */
const toolsFor = (
  project: Project,
  { renames, earlier }: { renames: Renames | undefined; earlier: ReadonlyMap<string, string> },
): Tools => ({
  merge: (texts) =>
    renames === undefined
      ? merge(texts)
      : mergeFollowing(texts, renames, { merge, format: formatted }),
  format: formatted,
  // Of what is the team's from the first day no text is kept: it is what it was made from.
  baseOf: (file) => project.baseOf(file) ?? earlier.get(file),
  nextOf: project.nextOf,
  isFree: (file) => project.found(file).kind === 'nothing',
});

/**
 * The definitions that the code and the migrations amount to.
 * @param sameAs the definition of now that says the same to the letter: it is read already.
 */
async function appliedBefore(
  project: Project,
  shown: (file: string) => string,
  sameAs: (file: WrittenFile) => SourceFile | undefined,
): Promise<Definitions['service']> {
  const encoder = new TextEncoder();
  const files = project.applied.map(({ path: file, text }) => ({
    path: shown(`${RECORD}/${file}`),
    bytes: encoder.encode(text),
  }));
  const same = new Map(project.applied.map((file, at) => [files[at]?.path, sameAs(file)] as const));
  const fallbackName = nameOf(project);
  const read = await parseFolder(files, {
    fallbackName,
    sameAs: ({ path: file }) => same.get(file),
  });
  // Messages name the files of the record.
  const result = read.ok ? read : await parseFolder(files, { fallbackName });
  if (result.ok) return result.service;
  const [first] = result.issues;
  throw userError('applied-damaged', {
    path: first?.at.file ?? shown(RECORD),
    line: first?.at.line ?? 1,
    message: first?.message ?? '',
  });
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
  const known = new Set(manifest.known.map((one) => one.path));
  const beside = new Set(manifest.open.map((one) => one.beside));
  return [...new Set(folders)]
    .flatMap(filesIn)
    .filter((file) => !known.has(file) && !beside.has(file))
    .toSorted();
}

const COLLECTION_FOLDER = /^src\/collections\/[^/]+$/;

const migrationPath = (name: string): string => `migrations/${name}.sql`;

/** What is remembered of a migration: that nobody writes it again, and its hash. */
function withMigration(updated: Update, migration: PlannedMigration | undefined): Update {
  if (migration === undefined) return updated;
  const { path: file, text } = migration;
  const known: Known = { path: file, ownership: 'append', hashes: [hashOf(text)] };
  return { ...updated, known: [...updated.known, known] };
}

/** All that is generated but migrations: the first is written once, and others follow it. */
async function generated(model: Model, options: RenderProjectOptions): Promise<FileTree> {
  const tree = await renderOutputs(model, options);
  return tree.filter(({ ownership }) => ownership !== 'append');
}

/** Whether the definitions of now are those that are applied, to the byte. */
function isApplied({ files }: Definitions, { applied }: Project): boolean {
  const texts = new Map(applied.map(({ path: file, text }) => [file, text]));
  return (
    files.length === texts.size && files.every((file) => texts.get(file.path) === asText(file).text)
  );
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
  (await import('./merge/index.ts')).merge(input);

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
