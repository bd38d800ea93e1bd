/**
 * `check`: compares the code, migrations and definitions of a project. It changes no file of the project, and caches
 * a successful replay of the migrations in `node_modules/.cache`. A finding is what a run of `generate` would change,
 * or what the team has to do. An edit alone is no finding.
 */
import path from 'node:path';

import { parseFolder, withSeeds } from '../definition/index.ts';
import type { DefinitionResult, ServiceDefinition } from '../definition/types.ts';
import { readSchema } from '../database/read-schema.ts';
import { withDatabase } from '../database/session.ts';
import type { Issue, Position } from '../reading/position.ts';
import { DEFINITIONS, definitionTexts, readImportLock, readSeeds } from '../disk/definitions.ts';
import { parseLock } from '../reimport/import-lock.ts';
import { renamedColumns } from '../reimport/renamed-columns.ts';
import { realFileSystem as fs } from '../disk/file-system.ts';
import { fingerprintOf } from '../disk/fingerprint.ts';
import { wasInterrupted } from '../disk/journal.ts';
import { basePath, MANIFEST } from '../disk/manifest.ts';
import { packageRoot } from '../disk/package.ts';
import type { Project } from '../disk/project.ts';
import { isLocked } from '../disk/run-lock.ts';
import type { Owner } from '../disk/staging.ts';
import { UserError, userError } from '../shared/errors.ts';
import { alteredContracts } from '../project/frozen-contracts.ts';
import { displayPath } from '../shared/display-path.ts';
import { compareTables } from './check/compare-tables.ts';
import { firstMigration } from '../project/render-project.ts';
import type { BreakCode } from '../compatibility/break-catalogue.ts';
import { chainProblems, chainEnds } from '../migration/chain.ts';
import { buildModel } from '../model/build.ts';
import { existingTables, usesExistingTables } from '../model/existing.ts';
import { hasNeededFiles } from '../project/needed-files.ts';
import {
  isCurrent,
  locateProject,
  serviceNameOf,
  openProject,
  packageManagerOf,
  readSources,
} from '../project/open.ts';
import { replayMigrations } from '../project/replay-migrations.ts';
import type { Replay } from '../project/replay-migrations.ts';
import { findMissing, planRun, warningsIn } from './plan-run.ts';
import { EXISTING_TABLES, migrationPath, VIEWS_FILE } from '../shared/files.ts';
import type { PlannedMigration, RunPlan } from './plan-run.ts';
import { conflictFileText, resolveText } from '../update/conflict-text.ts';
import { markerLine, CONFLICT_MARKERS_LEFT, conflictSides } from '../update/text.ts';
import { missingOf } from '../update/missing.ts';
import type { FileWithMissing } from '../update/missing.ts';
import { usesOfNewestShapes } from '../update/newest-shapes.ts';
import type { Outcome } from '../update/types.ts';

/** What a finding is about. */
export type FindingCode =
  | 'not-generated'
  | 'generator-differs'
  | 'merge-conflict'
  | 'conflict-markers'
  | 'conflict-open'
  | 'breaking-change'
  | 'wider-access'
  | 'migration-not-written'
  | 'migration-missing'
  | 'migration-altered'
  | 'migration-fails'
  | 'views-fail'
  | 'schema-differs'
  | 'table-differs'
  | 'base-missing'
  | 'conversion-missing'
  | 'newest-shape'
  | 'broken-off'
  | 'manifest-missing'
  | 'manifest-damaged'
  | 'applied-damaged'
  | 'record-damaged'
  | 'migrations-unmerged'
  | 'migrations-clash'
  | 'contract-damaged'
  | 'contract-missing'
  | 'contract-altered';

/** One thing that does not agree. */
export interface Finding {
  readonly code: FindingCode;
  /** Relative to the project; absent: the project as a whole. */
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  readonly hint: string;
  /** Of a table: SQL that gives it what it lacks. */
  readonly sql?: string;
  /** Of a breaking change: which (docs/breaking-changes.md), and the versions whose clients break. */
  readonly change?: BreakCode;
  readonly versions?: readonly number[];
}

export type CheckResult =
  | { readonly ok: false; readonly issues: readonly Issue[] }
  | {
      readonly ok: true;
      readonly findings: readonly Finding[];
      /** What `generate` would do, and the texts for a difference to read. */
      readonly pending: readonly Outcome[];
      readonly migration: PlannedMigration | undefined;
      /** Files that hold edits of the team: no findings. */
      readonly edited: readonly string[];
      /** Generated code that edits removed: no findings, for a team may not want it. */
      readonly missing: readonly FileWithMissing[];
      /** Why the schema of the migrations was not compared with that of the definitions. */
      readonly notCompared: string | undefined;
      /** Of the definitions: no findings either. */
      readonly warnings: readonly Issue[];
    };

export interface CheckRequest {
  readonly cwd: string;
  /** The URL of a database whose existing tables are compared with the definitions. */
  readonly database?: string | undefined;
  /** Ends the work on a database. */
  readonly signal?: AbortSignal;
  readonly owner: Owner;
  readonly isAlive: (pid: number) => boolean;
}

/** @throws UserError where there is no project, or it or the database cannot be read. */
export async function check(request: CheckRequest): Promise<CheckResult> {
  const { cwd, owner, isAlive } = request;
  const folder = locateProject(cwd);
  const shown = (file: string): string => displayPath(cwd, path.join(folder, file));
  const lock = { owner, isAlive, shown: shown('.') };
  if (isLocked(fs, folder, lock)) throw userError('busy', { folder: lock.shown, pid: undefined });
  if (wasInterrupted(fs, folder)) return resultOf([BROKEN_OFF]);

  let project: Project;
  let plan: RunPlan | undefined;
  let service: ServiceDefinition;
  try {
    project = openProject(folder, shown);
    // generate would also compare the definitions with a frozen contract that was changed.
    const isDone =
      isCurrent(project, cwd) &&
      chainEnds(project.migrations).length < 2 &&
      hasNeededFiles(project);
    if (!isDone || alteredContracts(project).length > 0) {
      const result = await planRun({ folder, cwd });
      if (!result.ok) return result;
      plan = result;
    }
    // `generate` does not refuse seeds: like hooks, they may follow a change of the definitions.
    const seeds = await seedsOf(project, cwd);
    if (!seeds.ok) return seeds;
    ({ service } = seeds);
  } catch (error) {
    const finding = damageIn(error);
    if (finding === undefined) throw error;
    return resultOf([finding]);
  }
  const outcomes = plan?.outcomes ?? [];
  const pending = outcomes.filter(isPending);
  const migrations = migrationFindings(project);
  const isWhole = migrations.length === 0 && plan?.migration === undefined;
  const replay = isWhole ? await replayOf(project, cwd) : undefined;
  return {
    ok: true,
    findings: [
      ...(plan === undefined ? [] : [...broken(plan, cwd), ...widened(plan, cwd)]),
      ...(plan === undefined ? [] : differences(plan, pending, isCurrent(project, cwd))),
      ...openConflicts(project),
      ...conflictMarkers(project),
      ...migrations,
      ...missingViews(service, project),
      ...replayFindings(replay),
      ...(await tableFindings(service, folder, request)),
      ...missingBases(project),
      ...contractFindings(project),
      ...missingConversions(project),
      ...newestShapes(service, project),
    ],
    pending,
    migration: plan?.migration,
    edited: editedIn(project),
    missing: plan === undefined ? await missingIn(project) : missingOf(plan.outcomes),
    notCompared: replay?.kind === 'skipped' ? replay.reason : undefined,
    warnings: plan?.warnings ?? (await warningsIn(readSources(folder, cwd, undefined))),
  };
}

/** The definitions with their seeds, which may have changed since the last run. */
async function seedsOf(project: Project, cwd: string): Promise<DefinitionResult> {
  const { folder } = project;
  const sources = readSources(folder, cwd, undefined);
  const definitions = await parseFolder(sources, { fallbackName: serviceNameOf(project) });
  const files = readSeeds(folder, (file) => displayPath(cwd, file));
  return definitions.ok ? withSeeds(definitions, files) : definitions;
}

/** Compares the schema that the migrations make with that of the definitions. */
async function replayOf(project: Project, cwd: string): Promise<Replay> {
  const { folder, migrations } = project;
  const sources = readSources(folder, cwd, undefined);
  const manager = packageManagerOf(project);
  const fingerprint = fingerprintOf('', manager.name, definitionTexts(folder, cwd, sources));
  return replayMigrations({
    ...{ folder, migrations, fingerprint },
    existingTables: project.existingTables,
    views: project.views,
    fresh: async () => {
      const definitions = await parseFolder(sources, { fallbackName: serviceNameOf(project) });
      return definitions.ok ? firstMigration(definitions, { tool: '', manager }) : '';
    },
  });
}

/** What to do about a migration that fails: the order of the migrations and its author are known, and no more. */
function failureHint({ file, author, concurrent }: Extract<Replay, { kind: 'failed' }>): string {
  if (concurrent !== undefined) {
    return `${concurrent} comes from another branch and is applied before it. If both make the same change, remove the one that no shared database has applied yet, and run create-service generate.`;
  }
  return author === 'team'
    ? 'create-service did not write this migration: correct its SQL. It runs on the tables that the migrations before it make.'
    : `If the file was edited, restore it: git checkout HEAD -- ${file}. If it was not, this is a bug of create-service: please report it with the definitions before and after. Until it is fixed, correct the SQL of the file, unless a shared database has applied it.`;
}

/** What differs has one cause more often than many. */
const MOST_DIFFERENCES = 20;

function replayFindings(replay: Replay | undefined): readonly Finding[] {
  if (replay?.kind === 'failed') {
    const { file, message } = replay;
    if (file === VIEWS_FILE) {
      return [
        {
          code: 'views-fail',
          path: VIEWS_FILE,
          message: `the views do not fit the tables of ${EXISTING_TABLES}: ${message}`,
          hint: `Bring ${EXISTING_TABLES} up to date with your database, or correct the definitions and run create-service generate.`,
        },
      ];
    }
    return [
      {
        code: 'migration-fails',
        path: file,
        message: `the migration fails on a new database: ${message}`,
        hint: failureHint(replay),
      },
    ];
  }
  if (replay?.kind !== 'differs') return [];
  const { differences: all } = replay;
  const more = all.length - MOST_DIFFERENCES;
  const messages = [
    ...all.slice(0, MOST_DIFFERENCES),
    ...(more > 0 ? [`and ${more} more differences of the schema`] : []),
  ];
  return messages.map((message) => ({
    code: 'schema-differs',
    path: 'migrations',
    message,
    hint: 'Add a migration that corrects it: a file of SQL in migrations/ with the next number.',
  }));
}

/** `generate` leaves out a file that the team has deleted; this one is needed. */
function missingViews(service: ServiceDefinition, { views }: Project): Finding[] {
  if (views !== undefined || !usesExistingTables(service)) return [];
  return [
    {
      code: 'views-fail',
      path: VIEWS_FILE,
      message: 'the file with the views of existing tables is missing',
      hint: 'Restore it, for example with git.',
    },
  ];
}

/** How the existing tables of a database differ from what the definitions say of them. */
async function tableFindings(
  service: ServiceDefinition,
  folder: string,
  { cwd, database, signal = new AbortController().signal }: CheckRequest,
): Promise<Finding[]> {
  if (database === undefined) return [];
  const model = buildModel(service);
  const schemas = [...new Set(existingTables(model).map(({ schema }) => schema))];
  if (schemas.length === 0) {
    throw userError('usage', {
      problem: '--database compares existing tables, and no collection has one',
      hint: 'Leave out --database. create-service explain --database reads the tables of the service.',
    });
  }
  const session = { command: 'check', driverFolder: packageRoot, signal } as const;
  const schema = await withDatabase(database, session, (read) => readSchema(read, schemas));
  const shown = (file: string): string => displayPath(cwd, file);
  const lock = readImportLock(path.join(folder, DEFINITIONS), shown);
  const renamed = renamedColumns(lock === undefined ? undefined : parseLock(lock), schema.tables);
  return compareTables(model.collections, schema, renamed).map(({ at, message, sql }) => ({
    code: 'table-differs',
    path: path.relative(folder, path.resolve(cwd, at.file)),
    line: at.line,
    column: at.column,
    message,
    hint: 'Correct the definition and run create-service generate, or alter the table.',
    ...(sql !== undefined && { sql }),
  }));
}

const resultOf = (findings: readonly Finding[]): CheckResult => ({
  ok: true,
  findings,
  pending: [],
  migration: undefined,
  edited: [],
  missing: [],
  notCompared: undefined,
  warnings: [],
});

const GENERATE = 'Run create-service generate, and commit the result.';

const BROKEN_OFF: Finding = {
  code: 'broken-off',
  message: 'a run was killed while it wrote files',
  hint: 'Run create-service generate, which completes that run first.',
};

const DAMAGES: readonly string[] = [
  'manifest-missing',
  'manifest-damaged',
  'applied-damaged',
  'record-damaged',
  'migrations-unmerged',
  'migrations-clash',
  'contract-damaged',
] satisfies FindingCode[];

/** What is wrong with the record of a project is a finding here. */
function damageIn(error: unknown): Finding | undefined {
  if (!(error instanceof UserError) || !DAMAGES.includes(error.code)) return undefined;
  const { code, message, hint } = error;
  const isOfManifest = code.startsWith('manifest-');
  return { code: code as FindingCode, ...(isOfManifest && { path: MANIFEST }), message, hint };
}

const PENDING: ReadonlySet<string> = new Set([
  'added',
  'updated',
  'merged',
  'moved',
  'removed',
  'left',
  'imports',
]);

const isPending = ({ action, conflict }: Outcome): boolean =>
  PENDING.has(action) || conflict?.isOld === false;

const broken = ({ breaking, project }: RunPlan, cwd: string): readonly Finding[] =>
  breaking.map(({ code, at, versions, message, hint }) => ({
    code: 'breaking-change',
    ...placeIn(project, cwd, at),
    message,
    hint,
    change: code,
    versions,
  }));

const widened = ({ wider, project }: RunPlan, cwd: string): readonly Finding[] =>
  wider.map(({ at, message }) => ({
    code: 'wider-access',
    ...placeIn(project, cwd, at),
    message,
    hint: 'If you intend this, run create-service generate --allow-wider, and commit the result.',
  }));

/** A position relative to the project. */
const placeIn = ({ folder }: Project, cwd: string, { file, line, column }: Position) => ({
  path: path.relative(folder, path.resolve(cwd, file)).split(path.sep).join('/'),
  line,
  column,
});

function differences(
  { versions: { was, is }, migration }: RunPlan,
  pending: readonly Outcome[],
  isSameDefinition: boolean,
): readonly Finding[] {
  const reason = isSameDefinition
    ? 'your code imports other shared files than in the last run, and '
    : 'the definitions have changed since the last run, and ';
  const files = pending.filter(({ conflict }) => conflict === undefined);
  return [
    ...(was === is
      ? []
      : [
          {
            code: 'generator-differs' as const,
            message: `create-service ${was} generated this, and ${is} is installed`,
            hint: GENERATE,
          },
        ]),
    ...(files.length === 0
      ? []
      : [
          {
            code: 'not-generated' as const,
            message: `${was === is ? reason : ''}${files.length} ${files.length === 1 ? 'file is' : 'files are'} not up to date`,
            hint: GENERATE,
          },
        ]),
    ...pending.flatMap(({ path: file, conflict }) =>
      (conflict?.places ?? []).map(({ line, what }): Finding => ({
        code: 'merge-conflict',
        path: file,
        line,
        message: `your edits conflict with the generated changes: ${what}`,
        hint: 'Run create-service generate, which writes the newly generated text beside the file.',
      })),
    ),
    ...(migration === undefined ? [] : unwritten(migration)),
  ];
}

function unwritten({ files, losses }: PlannedMigration): Finding[] {
  const lost = losses.map(({ what }) => what).join('; ');
  return files.map(({ path: file }) => ({
    code: 'migration-not-written',
    path: file,
    message:
      losses.length === 0
        ? 'this migration is needed for a change of definitions, or to join the migrations of two branches'
        : `this migration is needed, and loses data: ${lost}`,
    hint: losses.length === 0 ? GENERATE : 'Run create-service generate, which prints what to do.',
  }));
}

const openConflicts = ({ manifest, diskFile: at }: Project): readonly Finding[] =>
  manifest.openConflicts.flatMap(({ path: file, newFile, markedHashes }): readonly Finding[] => {
    if (at(newFile).kind === 'nothing') {
      const there = at(file);
      // The markers that are left are told instead.
      if (there.kind === 'text' && conflictSides(there.text) !== undefined) return [];
      const message = 'the conflict is resolved, but not recorded as resolved yet';
      return [{ code: 'conflict-open', path: file, message, hint: GENERATE }];
    }
    const open = { file, newFile, isMarked: markedHashes.length > 0 };
    const message = `the conflict is open: ${conflictFileText(open)}`;
    const hint = resolveText([open], 'run create-service generate');
    return [{ code: 'conflict-open', path: file, message, hint }];
  });

/** Generated files in which conflict markers are left. */
const conflictMarkers = ({ manifest, diskFile: at }: Project): readonly Finding[] =>
  manifest.entries
    .filter(({ ownership }) => ownership !== 'append')
    .flatMap(({ path: file, hashes }): readonly Finding[] => {
      const there = at(file);
      if (there.kind !== 'text' || hashes.includes(there.hash)) return [];
      if (conflictSides(there.text) === undefined) return [];
      return [
        {
          code: 'conflict-markers',
          path: file,
          line: markerLine(there.text),
          message: CONFLICT_MARKERS_LEFT,
          hint: 'Resolve the conflict, and commit the file.',
        },
      ];
    });

function migrationFindings({ manifest, migrations, diskFile: at }: Project): readonly Finding[] {
  const written = manifest.entries
    .filter(({ ownership }) => ownership === 'append')
    .flatMap(({ path: file, hashes }): readonly Finding[] => {
      const there = at(file);
      if (there.kind === 'text' && hashes.includes(there.hash)) return [];
      return [migrationFinding(there.kind === 'nothing' ? 'missing' : 'altered', file)];
    });
  const writtenPaths = new Set(written.map(({ path: file }) => file));
  return [
    ...written,
    ...chainProblems(migrations)
      .map(({ kind, name }) => migrationFinding(kind, migrationPath(name)))
      .filter(({ path: file }) => !writtenPaths.has(file)),
  ];
}

function migrationFinding(kind: 'missing' | 'altered', file: string): Finding {
  const hint = `Restore it from git: git checkout HEAD -- ${file}`;
  return kind === 'missing'
    ? {
        code: 'migration-missing',
        path: file,
        message: 'the migration is missing, and databases may have applied it',
        hint,
      }
    : {
        code: 'migration-altered',
        path: file,
        message: 'the migration was changed, and databases may have applied it',
        hint: `${hint}. Write the change as a new migration.`,
      };
}

const missingBases = ({ manifest, record }: Project): readonly Finding[] =>
  manifest.entries
    .filter(({ path: file, ownership }) => ownership === 'merged' && !record.has(basePath(file)))
    .map(({ path: file }) => ({
      code: 'base-missing',
      path: file,
      message: `${basePath(file)} is missing: without it, edits of this file cannot be merged`,
      hint: `Restore it from git: git checkout HEAD -- ${basePath(file)}`,
    }));

/** Files of frozen contracts that are missing or were edited, by a wrong merge or by hand. */
const contractFindings = (project: Project): readonly Finding[] =>
  alteredContracts(project).map(({ path: file, version, isGone }) => ({
    code: isGone ? 'contract-missing' : 'contract-altered',
    path: file,
    message: `the file ${isGone ? 'is missing' : 'was edited by hand'}: it states what the clients of version ${version} rely on`,
    hint: `Restore it from git: git checkout HEAD -- ${file}. Or run create-service generate, which compares the definitions with those of its last run and writes the file again.`,
  }));

/** Conversions of older versions (`type_in`) that the team has to write, and has not. */
const missingConversions = ({ manifest, baseOf, diskFile: at }: Project): readonly Finding[] =>
  manifest.entries
    .filter(({ path: file }) => VIEWS.test(file))
    .flatMap(({ path: file }): readonly Finding[] => {
      const needed = [...(baseOf(file) ?? '').matchAll(CONVERSION)].map(([, name = '']) => name);
      const own = file.replace(VIEWS, '/versions.ts');
      const there = at(own);
      const text = there.kind === 'text' ? there.text.replace(COMMENT, '') : '';
      const missing = needed.filter((name) => !new RegExp(`\\b${name}\\b`).test(text));
      if (missing.length === 0) return [];
      return [
        {
          code: 'conversion-missing',
          path: own,
          message: `older versions need ${missing.length === 1 ? 'the conversion' : 'the conversions'} ${missing.join(', ')}, not written yet`,
          hint: 'Write its two functions: show converts a stored value to the form of the older version, and read converts a value of a request to the stored form.',
        },
      ];
    });

/** Endpoints of the team that show the newest version to clients of an older one. */
function newestShapes(service: ServiceDefinition, { sourceFiles, baseOf, diskFile: at }: Project) {
  if (service.versions.length < 2) return [];
  const uses = usesOfNewestShapes({
    model: buildModel(service),
    generated: baseOf,
    *files() {
      for (const file of sourceFiles()) {
        const there = at(file);
        if (there.kind === 'text') yield { path: file, text: there.text };
      }
    },
  });
  return uses.map(({ path: file, line, name, use }): Finding => ({
    code: 'newest-shape',
    path: file,
    line,
    message: `${name} is the form of the newest version, and an older version has another: an endpoint that uses it breaks the clients of that version`,
    hint: `Use ${use} of src/collections/views.ts; "An endpoint of your own" in the guide shows how.`,
  }));
}

const VIEWS = /\/views\.ts$/;
const CONVERSION = /^ {2}readonly (\w+): Conversion</gm;
const COMMENT = /\/\*[^]*?(?:\*\/|$)|\/\/.*/g;

const editedIn = ({ manifest, diskFile: at }: Project): readonly string[] =>
  manifest.entries
    .filter(({ ownership }) => ownership === 'merged')
    .filter(({ path: file, hashes }) => {
      const there = at(file);
      return there.kind !== 'nothing' && !(there.kind === 'text' && hashes.includes(there.hash));
    })
    .map(({ path: file }) => file);

/** The files that lack code of the last run. */
async function missingIn(project: Project): Promise<readonly FileWithMissing[]> {
  const found: FileWithMissing[] = [];
  for (const file of editedIn(project)) {
    const [there, base] = [project.diskFile(file), project.baseOf(file)];
    if (there.kind !== 'text' || base === undefined || conflictSides(there.text) !== undefined)
      continue;
    const restored = await findMissing(file, base, there.text);
    if (restored !== undefined) found.push({ path: file, missing: restored.parts });
  }
  return found;
}
