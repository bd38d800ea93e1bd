/** Everything that changes in a project when it is generated again, file by file. */
import type { FileTree } from '../shared/files.ts';
import { resolveFile } from './resolve-file.ts';
import type { ResolvedFile, FileState, ResolveTools, Write } from './resolve-file.ts';
import type { DiskFile, ManifestEntry, OpenConflict, Outcome } from './types.ts';

/** The files and the record of a project, and what is generated for it now. */
interface UpdateInput {
  readonly generated: FileTree;
  /** Generated files that are resolved without their text. */
  readonly resolved: readonly ResolvedFile[];
  readonly entries: readonly ManifestEntry[];
  readonly openConflicts: readonly OpenConflict[];
  /** The file on disk at a path. */
  readonly diskFile: (path: string) => DiskFile;
  /** New paths of files by their old ones: those of collections that were renamed. */
  readonly moves: ReadonlyMap<string, string>;
}

export interface Update {
  /** By path; files without a change to report are left out. */
  readonly outcomes: readonly Outcome[];
  readonly writes: readonly Write[];
  readonly removes: readonly string[];
  readonly entries: readonly ManifestEntry[];
  readonly openConflicts: readonly OpenConflict[];
  /** By path: the bases of later merges. */
  readonly bases: ReadonlyMap<string, string>;
  readonly conflictTexts: ReadonlyMap<string, string>;
}

/** Resolves all files: those that are generated now, and those that were and no longer are. */
export async function update(input: UpdateInput, tools: ResolveTools): Promise<Update> {
  const states = statesOf(input);
  const all = [...input.resolved];
  // What goes is decided first: a merge must not bring back an import of it.
  const isRetired = ({ theirs }: FileState): boolean => theirs === undefined;
  const removedFiles = new Set(states.flatMap(({ from = [] }) => from));
  for (const state of [...states.filter(isRetired), ...states.filter((one) => !isRetired(one))]) {
    const resolved = await resolveFile(state, { ...tools, removedFiles });
    all.push({ path: state.path, ...resolved });
    if (isRetired(state)) for (const path of resolved.removes) removedFiles.add(path);
  }
  const resolved = all.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  return {
    outcomes: resolved.flatMap(({ outcome }) => outcome ?? []),
    writes: resolved.flatMap(({ writes }) => writes),
    removes: resolved.flatMap(({ removes }) => removes),
    entries: resolved.flatMap(({ entry }) => entry ?? []),
    openConflicts: resolved.flatMap(({ openConflict }) => openConflict ?? []),
    bases: textsOf(resolved, 'base'),
    conflictTexts: textsOf(resolved, 'conflictText'),
  };
}

function statesOf({
  generated,
  resolved,
  entries,
  openConflicts,
  diskFile,
  moves,
}: UpdateInput): FileState[] {
  const byPath = new Map(entries.map((one) => [one.path, one]));
  const openAt = new Map(openConflicts.map((one) => [one.path, one]));
  const generatedPaths = new Set([...generated, ...resolved].map(({ path }) => path));
  const origins = new Map(
    [...moves]
      .filter(
        ([from, to]) =>
          byPath.has(from) &&
          !generatedPaths.has(from) &&
          generatedPaths.has(to) &&
          !byPath.has(to) &&
          diskFile(to).kind === 'nothing' &&
          diskFile(from).kind !== 'obstacle',
      )
      .map(([from, to]) => [to, from]),
  );
  const moved = new Set(origins.values());
  const openOf = (path: string): Pick<FileState, 'openConflict' | 'newFileOnDisk'> => {
    const one = openAt.get(path);
    return one === undefined ? {} : { openConflict: one, newFileOnDisk: diskFile(one.newFile) };
  };
  const current = generated.map((file): FileState => {
    const from = origins.get(file.path);
    const source = from ?? file.path;
    return {
      path: file.path,
      from,
      theirs: file,
      entry: byPath.get(source),
      disk: diskFile(source),
      ...openOf(source),
    };
  });
  const recordedPaths = new Set([...byPath.keys(), ...openAt.keys()]);
  const retired = [...recordedPaths]
    .filter((path) => !generatedPaths.has(path) && !moved.has(path))
    .map((path): FileState => ({
      path,
      entry: byPath.get(path),
      disk: diskFile(path),
      ...openOf(path),
    }));
  return [...current, ...retired];
}

function textsOf(
  resolved: readonly ResolvedFile[],
  key: 'base' | 'conflictText',
): ReadonlyMap<string, string> {
  return new Map(
    resolved.flatMap(({ path, [key]: text }): [string, string][] =>
      text === undefined ? [] : [[path, text]],
    ),
  );
}
