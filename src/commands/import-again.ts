/**
 * `import --again`: merges what has changed in a database since the last import into the definitions on disk. All is decided in
 * memory (`src/reimport/plan-reimport.ts`); the last act is one commit.
 */
import { usesExistingTables } from '../model/existing.ts';
import path from 'node:path';

import { withDatabase } from '../database/session.ts';
import { nameWithSchema } from '../definition/existing-table.ts';
import { parseFolder } from '../definition/index.ts';
import type { ServiceDefinition } from '../definition/types.ts';
import {
  DEFINITIONS,
  definitionTexts,
  hasDefinitions,
  IMPORT_LOCK,
  readDefinitions,
  readImportLock,
} from '../disk/definitions.ts';
import { realFileSystem as fs } from '../disk/file-system.ts';
import { applyChanges, recover } from '../disk/journal.ts';
import type { FileChange, Recovery } from '../disk/journal.ts';
import { MANIFEST } from '../disk/manifest.ts';
import { packageRoot } from '../disk/package.ts';
import { findProject } from '../disk/project.ts';
import { ensureRecordFolder } from '../disk/record-folder.ts';
import { takeLock } from '../disk/run-lock.ts';
import { planImport } from '../import/plan-import.ts';
import type { ImportPlan } from '../import/plan-import.ts';
import type { Issue, SourceFile } from '../reading/position.ts';
import { expectedTables, isOtherDatabase } from '../reimport/removed-tables.ts';
import { idColumns, parseLock, softDeleteColumns } from '../reimport/import-lock.ts';
import type { ImportLock, ImportOptions, ReimportPlan } from '../reimport/types.ts';
import { knownNames } from '../reimport/known-names.ts';
import {
  renamedColumns,
  withRenamedColumns,
  withRenamedPlaces,
} from '../reimport/renamed-columns.ts';
import type { WithRenamedColumns } from '../reimport/renamed-columns.ts';
import { planReimport } from '../reimport/plan-reimport.ts';
import type { ReimportInput } from '../reimport/plan-reimport.ts';
import { enumerate } from '../reading/quote.ts';
import { displayPath } from '../shared/display-path.ts';
import { userError } from '../shared/errors.ts';
import { DEFAULT_LAYOUT, hashOf, readLayout, withLayout } from '../update/text.ts';
import type { TextLayout } from '../update/types.ts';
import { readTables, selectTables } from './import.ts';
import { throwIfInterrupted } from './interruption.ts';
import { reportJson } from './import/report-json.ts';
import { reportMarkdown } from './import/report-markdown.ts';
import type { ImportTarget } from './import/write-import.ts';

/** Options that replace those of the last import. */
type GivenOptions = Partial<Omit<ImportOptions, 'adopt'>>;

export interface ImportAgainRequest extends Omit<ImportTarget, 'target'> {
  /** The URL of the database. */
  readonly url: string;
  readonly given: GivenOptions;
  /** The folder of a project or of an earlier import, or one below it; absolute. */
  readonly folder: string;
  readonly reportOnly: boolean;
  /** Whether the definitions stay as they are where both they and the database have changed. */
  readonly keepEdits: boolean;
}

/** What became of the definitions. */
type Merged =
  /** The definitions on disk are not valid. */
  | { readonly ok: false; readonly issues: readonly Issue[] }
  | {
      readonly ok: true;
      readonly reimport: ReimportPlan;
      /** Whether the folder is that of a project. */
      readonly isProject: boolean;
      /** Whether there was a lock of the last import. */
      readonly hadLock: boolean;
      /** Whether nothing may be written: there are conflicts, or the merged definitions are not valid. */
      readonly isRefused: boolean;
      readonly isWritten: boolean;
    };

export type ImportAgainResult = Merged & {
  /** The folder of the project or of the import, absolute. */
  readonly folder: string;
  /** What was done about a run that was killed; undefined if there was none. */
  readonly recovered: Recovery | undefined;
};

/**
 * Merges what has changed in a database into definitions, whole or not at all.
 * @throws UserError if the database or the definitions cannot be read, or the database is another one.
 */
export async function importAgain(request: ImportAgainRequest): Promise<ImportAgainResult> {
  const { cwd, reportOnly, owner, isAlive } = request;
  const folder = definitionsParent(request);
  const shown = (file: string): string => displayPath(cwd, path.join(folder, file));
  if (reportOnly) return { ...(await merge(request, folder, shown)), folder, recovered: undefined };
  const removeRecordFolder = ensureRecordFolder(fs, folder, shown('.'));
  try {
    const release = takeLock(fs, folder, { owner, isAlive, shown: shown('.') });
    try {
      const recovered = recover(fs, folder, shown);
      return { ...(await merge(request, folder, shown)), folder, recovered };
    } finally {
      release();
    }
  } finally {
    removeRecordFolder();
  }
}

/** The folder that holds `definitions/`. */
function definitionsParent({ folder, cwd }: ImportAgainRequest): string {
  const parent = path.dirname(folder);
  const project = findProject(fs, folder);
  const candidates = [
    folder,
    ...(path.basename(folder) === DEFINITIONS ? [parent] : []),
    ...(project === undefined ? [] : [project]),
  ];
  const found = candidates.find(hasDefinitions);
  if (found === undefined) throw userError('not-imported', { folder: displayPath(cwd, folder) });
  return found;
}

async function merge(
  request: ImportAgainRequest,
  folder: string,
  shown: (file: string) => string,
): Promise<Merged> {
  const { cwd, interrupted, keepEdits, reportOnly } = request;
  const definitions = path.join(folder, DEFINITIONS);
  const lockPath = `${DEFINITIONS}/${IMPORT_LOCK}`;
  const lockBefore = readImportLock(definitions, (file) => displayPath(cwd, file));
  const lock = lockBefore === undefined ? undefined : parseLock(lockBefore);
  if (lockBefore !== undefined && lock === undefined) {
    throw userError('import-lock-damaged', { path: shown(lockPath) });
  }
  const read = readDefinitions(definitions, (file) => displayPath(cwd, file));
  const sources = read.kind === 'folder' ? read.files : [read.file];
  const fallbackName = path.basename(folder);
  const parsed = await parseFolder(sources, { fallbackName });
  if (!parsed.ok) return parsed;

  const options = optionsOf(request, lock, parsed.service);
  const texts = definitionTexts(folder, cwd, sources);
  const files = new Map(texts.map(({ path: file, text }) => [file, text]));
  const { plan, tables, known } = await readDatabase(
    request,
    options,
    { lock, files },
    parsed.service,
  );
  const expected = lock && expectedTables(lock, files, { options, tables });
  if (expected !== undefined && isOtherDatabase(expected)) {
    const gone = enumerate(expected.gone.map(shown), 'and');
    throw userError('other-database', { database: plan.database, ...expected, gone });
  }
  const reimport = withRenamedPlaces(
    await planReimport({ ...known, options, plan, tables, fallbackName }),
    known,
  );

  interrupted.throwIfAborted();
  const isRefused = reimport.issues.length > 0 || (reimport.conflicts.length > 0 && !keepEdits);
  const isWritten = !isRefused && !reportOnly;
  if (isWritten) {
    const layouts = new Map(texts.map(({ path: file }, index) => [file, layoutOf(sources[index])]));
    const changes = [
      ...reimport.files.map(({ path: file, before, after }) =>
        changeOf(file, before, after, layouts.get(file)),
      ),
      changeOf(lockPath, lockBefore, reimport.lock),
      ...reportChanges(folder, plan),
    ];
    applyChanges(fs, folder, changes.filter(isChange), shown);
  }
  const isProject = fs.statSync(path.join(folder, MANIFEST), { throwIfNoEntry: false });
  return {
    ok: true,
    ...{ reimport, isRefused, isWritten },
    isProject: isProject !== undefined,
    hadLock: lock !== undefined,
  };
}

/** The options of the last import, with those that are given now. */
function optionsOf(
  { given }: ImportAgainRequest,
  lock: ImportLock | undefined,
  service: ServiceDefinition,
): ImportOptions {
  const last: ImportOptions = lock?.options ?? {
    schemas: ['public'],
    skip: [],
    adopt: usesExistingTables(service),
  };
  if (given.timestamps !== undefined && !last.adopt) {
    throw userError('usage', {
      problem: '--timestamps is only for definitions that use the existing tables',
      hint: 'Remove --timestamps.',
    });
  }
  const { schemas = last.schemas, tables = last.tables, skip = last.skip } = given;
  return { ...last, schemas, tables, skip, timestamps: given.timestamps ?? last.timestamps };
}

/** What import writes now, and the names of all tables that it could read. */
async function readDatabase(
  { url, given, interrupted }: ImportAgainRequest,
  { schemas, tables, skip, adopt, timestamps }: ImportOptions,
  { lock, files }: Pick<ReimportInput, 'lock' | 'files'>,
  { name, schema: serviceSchema }: ServiceDefinition,
): Promise<{
  readonly plan: ImportPlan;
  readonly tables: ReadonlySet<string>;
  /** The last import and the definitions, with the new names of renamed columns. */
  readonly known: WithRenamedColumns;
}> {
  const command = { command: 'import', driverFolder: packageRoot, signal: interrupted } as const;
  const schema = await withDatabase(url, command, async (session) => readTables(session, schemas));
  const all = new Set(schema.tables.flatMap((one) => [one.name, `${one.schema}.${one.name}`]));
  // A table that the last import left out may be gone; one that is named now has to be there.
  const existing = (names: readonly string[]): readonly string[] =>
    names.filter((one) => all.has(one));
  const selected = selectTables(schema, {
    tables: given.tables ?? (tables && existing(tables)),
    skip: given.skip ?? existing(skip),
  });
  const known = withRenamedColumns(lock, files, renamedColumns(lock, selected.tables));
  const tableNames = new Set(
    schema.tables.map((one) => nameWithSchema({ schema: one.schema, table: one.name })),
  );
  const plan = await planImport(
    // The service may have its schema already: import is not to look for another one.
    { ...selected, schemas: [] },
    {
      service: name,
      adopt: adopt
        ? {
            timestamps,
            softDeleteColumns: softDeleteColumns(known.lock, known.files),
            previousIdColumns: idColumns(known.lock),
          }
        : undefined,
      names: knownNames(known.lock, known.files, { options: { schemas }, tables: tableNames }),
      checkpoint: () => throwIfInterrupted(interrupted),
    },
  );
  return {
    // The schema of the service has tables by now, so import would propose another one.
    plan: adopt ? { ...plan, serviceSchema: serviceSchema ?? plan.serviceSchema } : plan,
    tables: tableNames,
    known,
  };
}

/** The reports of the last import, if they are still there. */
function reportChanges(folder: string, plan: ImportPlan): readonly (FileChange | undefined)[] {
  const reports = {
    'import-report.md': reportMarkdown(plan),
    'import-report.json': `${JSON.stringify(reportJson(plan), undefined, 2)}\n`,
  };
  return Object.entries(reports).map(([file, after]) => {
    const target = path.join(folder, file);
    if (fs.statSync(target, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
    const { text, form } = readLayout(fs.readFileSync(target, 'utf8'));
    return changeOf(file, text, after, form);
  });
}

/** A file to write or to remove; undefined if it stays as it is. */
function changeOf(
  file: string,
  before: string | undefined,
  after: string | undefined,
  form: TextLayout = DEFAULT_LAYOUT,
): FileChange | undefined {
  if (before === after) return undefined;
  return {
    path: file,
    ...(after !== undefined && { raw: withLayout(after, form) }),
    ...(before !== undefined && { before: hashOf(before) }),
  };
}

const isChange = (change: FileChange | undefined): change is FileChange => change !== undefined;

const layoutOf = (source: SourceFile | undefined): TextLayout =>
  readLayout(decoder.decode(source?.bytes)).form;

/** Keeps a byte order mark, which is part of the layout. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
