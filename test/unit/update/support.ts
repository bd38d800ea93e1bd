/** A project in memory, and runs of the generator over it. */
import type { OutputFile, Ownership } from '../../../src/shared/files.ts';
import { diskFileOf } from '../../../src/disk/project.ts';
import { mergeFixture } from '../../../src/merge/fixture.ts';
import { merge } from '../../../src/merge/index.ts';
import { formatFile } from '../../../src/render/format.ts';
import type { DiskFile, ManifestEntry, OpenConflict } from '../../../src/update/types.ts';
import { update } from '../../../src/update/update.ts';
import { withLayout } from '../../../src/update/text.ts';

/** Texts by path; what else stands there is named instead. */
export type Tree = Readonly<
  Record<string, string | { readonly is: 'folder' | 'link' | 'other name' }>
>;

/** What stands on disk, and what is remembered of the last run. */
export interface State {
  readonly disk: Tree;
  readonly known: readonly ManifestEntry[];
  readonly open: readonly OpenConflict[];
  readonly bases: ReadonlyMap<string, string>;
  readonly conflictTexts: ReadonlyMap<string, string>;
}

export const EMPTY: State = {
  disk: {},
  known: [],
  open: [],
  bases: new Map(),
  conflictTexts: new Map(),
};

/** What a run did: actions by path, and the places of conflicts. */
export interface Ran {
  readonly state: State;
  readonly actions: Readonly<Record<string, string>>;
  /** Files that would have changed. */
  readonly outdated: readonly string[];
  readonly changes: number;
}

/** A project that was generated from these texts and not touched since. */
export async function generated(
  texts: Record<string, string>,
  once: string[] = [],
): Promise<State> {
  return (await run(EMPTY, texts, { once })).state;
}

/** The same project after the team has had its way with it; undefined removes a file. */
export function edited(
  state: State,
  edits: Readonly<Record<string, Tree[string] | undefined>>,
): State {
  const disk = Object.entries({ ...state.disk, ...edits }).filter(([, text]) => text !== undefined);
  return { ...state, disk: Object.fromEntries(disk) as Tree };
}

interface RunOptions {
  /** Paths that are the team's from the first day. */
  readonly once?: readonly string[];
  /** Paths that are replaced until the team edits them. */
  readonly untilEdited?: readonly string[];
  /** How the project formats its files. */
  readonly style?: (text: string) => string;
  readonly moves?: Readonly<Record<string, string>>;
  /** New names of the fields of fixtures. */
  readonly fields?: Readonly<Record<string, string>>;
}

export async function run(
  state: State,
  texts: Readonly<Record<string, string>>,
  { once = [], untilEdited = [], style, moves = {}, fields = {} }: RunOptions = {},
): Promise<Ran> {
  const now = Object.entries(texts)
    .map(([path, text]): OutputFile => {
      const ownership: Ownership = once.includes(path)
        ? 'once'
        : untilEdited.includes(path)
          ? 'until-edited'
          : 'merged';
      return { path, text, ownership };
    })
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const found = (path: string): DiskFile => foundAt(state.disk, path);
  const result = await update(
    {
      generated: now,
      resolved: [],
      entries: state.known,
      openConflicts: state.open,
      diskFile: found,
      moves: new Map(Object.entries(moves)),
    },
    {
      merge,
      mergeTeamOwned: async (input) => mergeFixture(input, new Map(Object.entries(fields)), merge),
      format: formatFile,
      baseOf: (path) => state.bases.get(path),
      conflictTextOf: (path) => state.conflictTexts.get(path),
      isFree: (path) => found(path).kind === 'nothing',
      ...(style !== undefined && {
        style: async (_path: string, text: string) => ({ text: style(text), crlf: false }),
      }),
    },
  );
  const disk: Record<string, Tree[string]> = { ...state.disk };
  for (const path of result.removes) delete disk[path];
  for (const { path, text, form } of result.writes) disk[path] = withLayout(text, form);
  const { entries, openConflicts, bases, conflictTexts } = result;
  return {
    state: { disk, known: entries, open: openConflicts, bases, conflictTexts },
    actions: Object.fromEntries(result.outcomes.map(({ path, action }) => [path, action])),
    outdated: result.outcomes.flatMap(({ path, isOutdated }) => (isOutdated === true ? path : [])),
    changes: result.writes.length + result.removes.length,
  };
}

function foundAt(disk: Tree, path: string): DiskFile {
  const there = disk[path];
  if (there === undefined) return { kind: 'nothing' };
  if (typeof there !== 'string') return { kind: 'obstacle', obstacle: there.is };
  return diskFileOf(new TextEncoder().encode(there));
}
