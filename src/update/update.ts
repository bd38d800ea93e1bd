/** Everything that changes in a project when it is generated again, file by file. */
import type { FileTree } from '../shared/files.ts';
import { resolveFile } from './resolve-file.ts';
import type { ResolvedFile, FileState, ResolveTools, Write } from './resolve-file.ts';
import type { DiskFile, ManifestEntry, OpenConflict, Outcome } from './types.ts';

/** A project as it stands, and what is generated for it now. */
export interface UpdateInput {
  readonly now: FileTree;
  /** What is generated too, and settled without its text. */
  readonly settled: readonly ResolvedFile[];
  readonly known: readonly ManifestEntry[];
  readonly open: readonly OpenConflict[];
  /** What stands at a path; the same answer each time. */
  readonly found: (path: string) => DiskFile;
  /** New paths of files by their old ones: those of collections that were renamed. */
  readonly moves: ReadonlyMap<string, string>;
}

export interface Update {
  /** By path; files of which there is nothing to tell are left out. */
  readonly outcomes: readonly Outcome[];
  readonly writes: readonly Write[];
  readonly removes: readonly string[];
  readonly known: readonly ManifestEntry[];
  readonly open: readonly OpenConflict[];
  /** By path: the texts to keep for merges to come. */
  readonly bases: ReadonlyMap<string, string>;
  readonly nexts: ReadonlyMap<string, string>;
}

/** Settles all outputs: those that are generated now, and those that were and no longer are. */
export async function update(input: UpdateInput, tools: ResolveTools): Promise<Update> {
  const subjects = subjectsOf(input);
  const all = [...input.settled];
  // What goes is decided first: a merge must not bring back an import of it.
  const isRetired = ({ now }: FileState): boolean => now === undefined;
  const gone = new Set(subjects.flatMap(({ from = [] }) => from));
  for (const subject of [
    ...subjects.filter(isRetired),
    ...subjects.filter((one) => !isRetired(one)),
  ]) {
    const settled = await resolveFile(subject, { ...tools, gone });
    all.push({ path: subject.path, ...settled });
    if (isRetired(subject)) for (const path of settled.removes) gone.add(path);
  }
  const settled = all.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  return {
    outcomes: settled.flatMap(({ outcome }) => outcome ?? []),
    writes: settled.flatMap(({ writes }) => writes),
    removes: settled.flatMap(({ removes }) => removes),
    known: settled.flatMap(({ known }) => known ?? []),
    open: settled.flatMap(({ open }) => open ?? []),
    bases: textsOf(settled, 'base'),
    nexts: textsOf(settled, 'next'),
  };
}

function subjectsOf({ now, settled, known, open, found, moves }: UpdateInput): FileState[] {
  const byPath = new Map(known.map((one) => [one.path, one]));
  const openAt = new Map(open.map((one) => [one.path, one]));
  const generated = new Set([...now, ...settled].map(({ path }) => path));
  const origins = new Map(
    [...moves]
      .filter(
        ([from, to]) =>
          byPath.has(from) &&
          !generated.has(from) &&
          generated.has(to) &&
          !byPath.has(to) &&
          found(to).kind === 'nothing' &&
          found(from).kind !== 'obstacle',
      )
      .map(([from, to]) => [to, from]),
  );
  const moved = new Set(origins.values());
  const openOf = (path: string): Pick<FileState, 'open' | 'besideFound'> => {
    const one = openAt.get(path);
    return one === undefined ? {} : { open: one, besideFound: found(one.beside) };
  };
  const current = now.map((file): FileState => {
    const from = origins.get(file.path);
    const source = from ?? file.path;
    return {
      path: file.path,
      from,
      now: file,
      known: byPath.get(source),
      found: found(source),
      ...openOf(source),
    };
  });
  const gone = new Set([...byPath.keys(), ...openAt.keys()]);
  const retired = [...gone]
    .filter((path) => !generated.has(path) && !moved.has(path))
    .map((path): FileState => ({
      path,
      known: byPath.get(path),
      found: found(path),
      ...openOf(path),
    }));
  return [...current, ...retired];
}

function textsOf(
  settled: readonly ResolvedFile[],
  key: 'base' | 'next',
): ReadonlyMap<string, string> {
  return new Map(
    settled.flatMap(({ path, [key]: text }): [string, string][] =>
      text === undefined ? [] : [[path, text]],
    ),
  );
}
