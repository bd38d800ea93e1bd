/** From what is decided to what is written: files as they stand, and the record of the run. */
import { hashOf, withLayout } from '../update/text.ts';
import type { Update } from '../update/update.ts';
import type { FileChange } from './journal.ts';
import {
  appliedPath,
  basePath,
  formatManifest,
  contractEntries,
  MANIFEST,
  conflictTextPath,
} from './manifest.ts';
import { RECORD, RECORD_FILES } from './manifest.ts';
import type { WrittenFile } from './manifest.ts';
import type { Project } from './project.ts';

/** What is to be remembered beside the update itself. */
export interface NextRecord {
  readonly version: string;
  readonly inputs: string;
  readonly applied: string;
  /** How many warnings the definitions give. */
  readonly warnings: number;
  /** The definitions that are applied then, by their paths in the project. */
  readonly definitions: readonly WrittenFile[];
  /** The shapes of the versions that are frozen then. */
  readonly contracts: readonly WrittenFile[];
  /** Files that are new, and the generator's never again: migrations, and a definition. */
  readonly added: readonly WrittenFile[];
}

/** All changes of a run; none where everything is as it should be. */
export function fileChanges(project: Project, update: Update, next: NextRecord): FileChange[] {
  const { diskFile } = project;
  const hashAt = (path: string): Pick<FileChange, 'before'> => {
    const diskState = diskFile(path);
    return diskState.kind === 'text' ? { before: diskState.hash } : {};
  };
  return [
    ...next.added.map(({ path, text }): FileChange => ({ path, raw: text })),
    ...update.writes.map(({ path, text, form, like }): FileChange => ({
      path,
      raw: withLayout(text, form),
      ...hashAt(path),
      ...(like !== undefined && { like }),
    })),
    ...update.removes.map((path): FileChange => ({ path, ...hashAt(path) })),
    ...recordChanges(project, update, next, hashAt),
  ];
}

function recordChanges(
  project: Project,
  update: Update,
  next: NextRecord,
  hashAt: (path: string) => Pick<FileChange, 'before'>,
): FileChange[] {
  const { entries, openConflicts } = update;
  const { version, inputs, applied, warnings, definitions, contracts } = next;
  const manifest = formatManifest({
    ...{ version, inputs, applied, warnings, entries, openConflicts },
    contracts: contractEntries(contracts),
  });
  const wanted = new Map<string, string>([
    ...RECORD_FILES.map(({ path, text }) => [path, text] as const),
    ...[...update.bases].map(([path, text]) => [basePath(path), text] as const),
    ...[...update.conflictTexts].map(([path, text]) => [conflictTextPath(path), text] as const),
    ...definitions.map(({ path, text }) => [appliedPath(path), text] as const),
    ...contracts.map(({ path, text }) => [path, text] as const),
    [MANIFEST, manifest],
  ]);
  const untouched = new Set([
    ...untouchedBases(project, update),
    ...definitionsAsBefore(project, definitions),
  ]);
  const writes = [...wanted].flatMap(([path, text]): FileChange[] => {
    if (untouched.has(path)) return [];
    const there = hashAt(path);
    return there.before === hashOf(text) ? [] : [{ path, raw: text, ...there }];
  });
  const removes = [...project.record]
    .filter((path) => isKept(path) && !wanted.has(path))
    .map((path): FileChange => ({ path, ...hashAt(path) }));
  return [...writes, ...removes];
}

/** Whether a file of the record is one that a run writes. */
const isKept = (path: string): boolean =>
  ['base', 'definitions', 'versions'].some((folder) => path.startsWith(`${RECORD}/${folder}/`));

/**
 * The bases of files that are known by the same hash as before: the manifest says that they are as
 * they should be, so there is no need to read them.
 */
function untouchedBases({ manifest, record }: Project, { bases, entries }: Update): string[] {
  const before = new Map(manifest.entries.map((one) => [one.path, one.hashes]));
  return entries
    .filter(({ path, hashes }) => {
      const [was, ...others] = before.get(path) ?? [];
      const isSame = others.length === 0 && hashes.length === 1 && hashes[0] === was;
      return isSame && bases.has(path) && record.has(basePath(path));
    })
    .map(({ path }) => basePath(path));
}

/** The definitions that say in the record what they are to say. */
function definitionsAsBefore(
  { applied }: Project,
  definitions: readonly WrittenFile[],
): readonly string[] {
  const texts = new Map(applied.map(({ path, text }) => [path, text]));
  return definitions
    .filter(({ path, text }) => texts.get(path) === text)
    .map(({ path }) => appliedPath(path));
}
