/** Decides what happens to one file of a run: `FileState` → `Resolution`. */
import { hasBase } from '../shared/files.ts';
import type { OutputFile } from '../shared/files.ts';
import type { ConflictPlace, MergeConflict, MergeInput, MergeResult } from '../merge/index.ts';
import type { RestoredText } from '../merge/index.ts';
import { withoutLayout } from '../merge/syntax.ts';
import { baseFor } from './base.ts';
import {
  DEFAULT_LAYOUT,
  hashOf,
  markerLine,
  CONFLICT_MARKERS_LEFT,
  conflictSides,
  withMarkers,
} from './text.ts';
import type {
  FileAction,
  DiskFile,
  TextLayout,
  ManifestEntry,
  FileObstacle,
  OpenConflict,
  Outcome,
  RewriteImports,
} from './types.ts';

/** What resolving a file needs of other stages. */
export interface ResolveTools {
  readonly merge: (input: MergeInput) => Promise<MergeResult>;
  /** Merges a file that is the team's from its first edit on; absent: such files are not merged. */
  readonly mergeTeamOwned?: (input: MergeInput & { readonly base: string }) => Promise<MergeResult>;
  /** Formats a text like generated output; a text that does not parse is returned unchanged. */
  readonly format: (path: string, text: string) => Promise<string>;
  /** The text that was generated last for a path; undefined if it is lost. */
  readonly baseOf: (path: string) => string | undefined;
  /** The generated text of an open conflict; undefined if it is lost. */
  readonly conflictTextOf: (path: string) => string | undefined;
  readonly isFree: (path: string) => boolean;
  /** Restores in a text what an edit removed of the generated text; undefined if nothing is missing. */
  readonly restoreGenerated?: (
    path: string,
    generated: string,
    ours: string,
  ) => Promise<RestoredText | undefined>;
  /** The file in which what an edit removed is written again. */
  readonly restoredPath?: string | undefined;
  /** Formats a new file in the style of the project; absent if that is the style of generated output. */
  readonly style?: (path: string, text: string) => Promise<FormattedText>;
  /** Files that this run removes. */
  readonly removedFiles?: ReadonlySet<string>;
  /** Files that are no longer generated, and that code of the team imports. */
  readonly importedFiles?: ReadonlySet<string>;
  /** Rewrites imports of files that this run moves; absent if it moves none. */
  readonly rewriteImports?: RewriteImports | undefined;
}

/** A text in the style of a project, with LF, and whether files of the project have CRLF. */
interface FormattedText {
  readonly text: string;
  readonly crlf: boolean;
}

/** A file with its resolution. */
export interface ResolvedFile extends Resolution {
  readonly path: string;
}

/** The state of a file before a run. */
export interface FileState {
  readonly path: string;
  /** The path before its collection was renamed. */
  readonly from?: string | undefined;
  /** The generated file; absent if it is no longer generated. */
  readonly theirs?: OutputFile | undefined;
  /** Its manifest entry, of `from` if it moves. */
  readonly entry?: ManifestEntry | undefined;
  /** The file on disk, at `from` if it moves. */
  readonly disk: DiskFile;
  readonly openConflict?: OpenConflict | undefined;
  /** The new file of an open conflict, as it is on disk. */
  readonly newFileOnDisk?: DiskFile | undefined;
}

/** What a run writes, removes and records for one file. */
interface Resolution {
  /** Absent if there is nothing to report. */
  readonly outcome?: Outcome;
  readonly entry?: ManifestEntry;
  readonly openConflict?: OpenConflict;
  /** The texts to store for later merges. */
  readonly base?: string;
  readonly conflictText?: string;
  readonly writes: readonly Write[];
  readonly removes: readonly string[];
}

export interface Write {
  readonly path: string;
  readonly text: string;
  readonly form: TextLayout;
  /** The file whose mode it takes. */
  readonly like?: string;
}

/** Longer texts, in characters, are not merged: the time of a merge grows faster than their length. */
const LONGEST_MERGED = 2_000_000;

const OBSTACLE_TEXTS: Readonly<Record<FileObstacle, string>> = {
  folder: 'it is a folder',
  link: 'it is a symbolic link',
  'not text': 'it is not text in UTF-8',
  huge: 'it is too large to merge',
  'other name': 'its name differs from that of another file in upper and lower case alone',
};

/** Decides what happens to one file. */
export async function resolveFile(file: FileState, tools: ResolveTools): Promise<Resolution> {
  const { theirs } = file;
  if (theirs === undefined) return retire(file, tools);
  const resolving = afterResolution(file, tools);
  const isRestored = tools.restoredPath === file.path && file.disk.kind === 'nothing';
  // A deleted file that is to be restored is written like a new one.
  const state = isRestored ? { ...resolving, entry: undefined } : resolving;
  // A file that an older version merged is merged one last time before it becomes the team's.
  const isTeams = theirs.ownership !== 'merged' && state.entry?.ownership !== 'merged';
  if (isTeams && state.from === undefined) return resolveTeamOwned(state, theirs, tools);
  const { disk } = state;
  switch (disk.kind) {
    case 'nothing':
      return resolveAbsent(state, theirs, tools);
    case 'obstacle':
      // A file that was renamed in upper and lower case alone was deleted under its old name.
      if (disk.obstacle === 'other name' && state.entry !== undefined) {
        return resolveAbsent(state, theirs, tools);
      }
      return resolveObstacle(state, theirs, disk.obstacle, tools);
    case 'text':
      return withRestored(await resolveText(state, theirs, disk, tools), state, theirs, tools);
  }
}

/** A `FileState` with its merge base, which is read lazily. */
interface ResolvingState extends FileState {
  readonly baseText: () => string | undefined;
}

/**
 * A conflict whose new file was deleted is resolved: the generated text of the conflict is the merge base. It is not
 * while the file has conflict markers: the team has moved the merge over it and has not decided yet.
 */
function afterResolution(file: FileState, tools: ResolveTools): ResolvingState {
  const { openConflict, newFileOnDisk, path, from = path } = file;
  const hasMarkers = file.disk.kind === 'text' && conflictSides(file.disk.text) !== undefined;
  const isOpen = (newFileOnDisk !== undefined && newFileOnDisk.kind !== 'nothing') || hasMarkers;
  if (openConflict === undefined || isOpen) return { ...file, baseText: () => tools.baseOf(from) };
  const ownership = file.entry?.ownership ?? 'merged';
  return {
    ...file,
    openConflict: undefined,
    entry: { path, ownership, hashes: openConflict.hashes },
    baseText: () => tools.conflictTextOf(from),
  };
}

/** A file that is written once, and is the team's from then on or from its first edit on. */
async function resolveTeamOwned(
  state: ResolvingState,
  theirs: OutputFile,
  tools: ResolveTools,
): Promise<Resolution> {
  const { path, entry, disk, openConflict } = state;
  const { ownership } = theirs;
  const currentEntry = entry ?? { path, ownership, hashes: [hashOf(theirs.text)] };
  if (openConflict !== undefined) {
    const places: ConflictPlace[] = [];
    const { newFile, markedHashes } = openConflict;
    const isMarked = markedHashes.length > 0;
    const reported = { newFile, text: theirs.text, isMarked, places, isOld: true };
    const outcome: Outcome = { path, action: 'conflict', conflict: reported };
    return { entry: currentEntry, openConflict, conflictText: theirs.text, outcome, ...NO_CHANGES };
  }
  const base = ownership === 'until-edited' ? { base: theirs.text } : {};
  if (entry === undefined && disk.kind === 'nothing') {
    const { text, form } = await inProjectStyle(path, theirs.text, tools);
    return {
      ...base,
      entry: { path, ownership, hashes: [hashOf(text)] },
      outcome: { path, action: 'added', after: text },
      writes: [{ path, text, form }],
      removes: [],
    };
  }
  if (entry === undefined || ownership !== 'until-edited') {
    return { ...base, entry: currentEntry, ...NO_CHANGES };
  }
  return resolveUntilEdited(state, theirs, entry, tools);
}

/** A file that is replaced until its first edit; an edited one is the team's, and is merged if that is possible. */
async function resolveUntilEdited(
  state: ResolvingState,
  theirs: OutputFile,
  entry: ManifestEntry,
  tools: ResolveTools,
): Promise<Resolution> {
  const { path, disk } = state;
  const { ownership } = theirs;
  const before = state.baseText();
  const teams: Resolution = {
    base: theirs.text,
    entry: { path, ownership, hashes: [...new Set([...entry.hashes, hashOf(theirs.text)])] },
    ...NO_CHANGES,
  };
  const isChanged = before !== undefined && before !== theirs.text;
  if (disk.kind !== 'text') {
    const action = disk.kind === 'nothing' ? 'absent' : 'kept';
    return isChanged ? { ...teams, outcome: { path, action, isOutdated: true } } : teams;
  }
  const unedited: Resolution = {
    base: theirs.text,
    entry: { path, ownership, hashes: [disk.hash] },
    ...NO_CHANGES,
  };
  const replaced = async (): Promise<Resolution> => {
    const { text } = await inProjectStyle(path, theirs.text, tools);
    if (text === disk.text) return unedited;
    return {
      base: theirs.text,
      entry: { path, ownership, hashes: [hashOf(text)] },
      outcome: { path, action: 'updated', before: disk.text, after: text },
      writes: [{ path, text, form: disk.form }],
      removes: [],
    };
  };
  // A file that equals the generated text is unedited, also if git merged it from two branches.
  if (disk.text === theirs.text) return unedited;
  if (wasGenerated(disk.text, entry)) return replaced();
  const own = await inProjectStyle(path, theirs.text, tools).catch(() => undefined);
  if (own?.text === disk.text) return unedited;
  if (await areEqualButForLayout(path, disk.text, theirs.text)) return unedited;
  if (before === undefined) return teams;
  if (await areEqualButForLayout(path, disk.text, before)) return replaced();
  if (!isChanged) return teams;
  const { text: ours } = disk;
  const base = baseFor(before, ours);
  const result = await tools.mergeTeamOwned?.({ path, base, ours, theirs: theirs.text });
  if (result?.kind !== 'merged') {
    return { ...teams, outcome: { path, action: 'kept', isOutdated: true } };
  }
  const text = await inStyleOf(ours, { path, text: result.text }, tools);
  if (text === ours) return teams;
  return {
    ...teams,
    outcome: { path, action: 'merged', before: ours, after: text },
    writes: [{ path, text, form: disk.form }],
  };
}

/** Whether two texts differ in their layout alone. */
async function areEqualButForLayout(path: string, one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([withoutLayout(path, one), withoutLayout(path, other)]);
  return first === second;
}

/** Whether a text was generated, or is two generated texts with git's conflict markers. */
const wasGenerated = (text: string, { hashes }: ManifestEntry): boolean =>
  (conflictSides(text) ?? [text]).every((side) => hashes.includes(hashOf(side)));

/** A text that is written for the first time, in the style of the project. */
async function inProjectStyle(
  path: string,
  text: string,
  { style }: ResolveTools,
): Promise<{ readonly text: string; readonly form: TextLayout }> {
  if (style === undefined) return { text, form: DEFAULT_LAYOUT };
  const { text: own, crlf } = await style(path, text);
  return { text: own, form: { ...DEFAULT_LAYOUT, crlf } };
}

const NO_CHANGES = { writes: [], removes: [] } as const;

/**
 * The file is not on disk: it is new, or the team has deleted it. A deleted file may come back as it was, which is no
 * edit; so its base is kept, and its entry has the hash of that and of the text that is generated now.
 */
async function resolveAbsent(
  state: ResolvingState,
  theirs: OutputFile,
  tools: ResolveTools,
): Promise<Resolution> {
  const { path, entry } = state;
  if (entry === undefined) {
    const { text, form } = await inProjectStyle(path, theirs.text, tools);
    const resolution = take(state, theirs, 'added');
    return {
      ...resolution,
      outcome: { path, action: 'added', after: text },
      writes: resolution.writes.map((one) => ({ ...one, text, form })),
    };
  }
  const base = state.baseText();
  const before = base === undefined ? entry.hashes : [hashOf(base)];
  return {
    entry: { ...entry, path, hashes: [...new Set([...before, hashOf(theirs.text)])] },
    ...(base !== undefined && { base }),
    outcome: {
      path,
      action: 'absent',
      ...(!entry.hashes.includes(hashOf(theirs.text)) && { isOutdated: true }),
    },
    writes: [],
    removes: uneditedNewFile(state),
  };
}

async function resolveObstacle(
  state: ResolvingState,
  theirs: OutputFile,
  obstacle: FileObstacle,
  tools: ResolveTools,
): Promise<Resolution> {
  const { entry } = state;
  if (entry?.hashes.includes(hashOf(theirs.text)) === true) return keep(state, theirs);
  return conflict(state, theirs, [{ line: 1, what: OBSTACLE_TEXTS[obstacle] }], tools);
}

type Text = Extract<DiskFile, { kind: 'text' }>;

async function resolveText(
  state: ResolvingState,
  theirs: OutputFile,
  disk: Text,
  tools: ResolveTools,
): Promise<Resolution> {
  const { entry, from, openConflict } = state;
  const hash = disk.text === theirs.text ? disk.hash : hashOf(theirs.text);
  if (disk.hash === hash) return take(state, theirs, from === undefined ? undefined : 'moved');
  if (entry === undefined) {
    return conflict(state, theirs, [{ line: 1, what: 'this file is yours' }], tools);
  }
  if (entry.hashes.includes(disk.hash)) return take(state, theirs, 'updated');
  const { path } = state;
  const ours = await oursWithImports(disk.text, state, tools);
  const base = await baseWithImports(state, tools);
  const isUnchanged = base === undefined ? entry.hashes.includes(hash) : hashOf(base) === hash;
  if (isUnchanged && ours === disk.text) return keep(state, theirs);
  if (isUnchanged) return write(state, theirs, { action: 'merged', text: ours });

  const sides = conflictSides(disk.text);
  if (sides !== undefined) {
    if (wasGenerated(disk.text, entry)) return take(state, theirs, 'updated');
    const markersLeft = { line: markerLine(disk.text), what: CONFLICT_MARKERS_LEFT };
    return conflict(state, theirs, [markersLeft], tools);
  }
  if (Math.max(disk.text.length, theirs.text.length) > LONGEST_MERGED) {
    return conflict(state, theirs, [{ line: 1, what: OBSTACLE_TEXTS.huge }], tools);
  }
  const result = await tools.merge({
    path,
    base: base === undefined ? undefined : baseFor(base, ours),
    theirs: theirs.text,
    ours,
    removedFiles: tools.removedFiles,
  });
  if (result.kind === 'conflict') {
    return conflict(state, theirs, result.places, tools, result.versions);
  }
  // The merge succeeds now, but the team has not touched the file of the open conflict: it stays open.
  const isReported =
    openConflict?.hashes.includes(hash) === true && openConflict.oursHashes.includes(disk.hash);
  if (isReported) return conflict(state, theirs, [], tools);
  if (result.text === theirs.text) return take(state, theirs, 'updated');
  if (result.text === disk.text) return keep(state, theirs);
  const text = await inStyleOf(disk.text, { ...result, path }, tools);
  return write(state, theirs, { action: 'merged', text });
}

/** The resolution of an edited file with what it lacks of the generated text: named, or written again. */
async function withRestored(
  resolution: Resolution,
  state: ResolvingState,
  theirs: OutputFile,
  tools: ResolveTools,
): Promise<Resolution> {
  const { path, disk } = state;
  const { outcome } = resolution;
  if (outcome === undefined || disk.kind !== 'text' || outcome.action === 'conflict') {
    return resolution;
  }
  const { after: text = disk.text } = outcome;
  if (text === theirs.text) return resolution;
  const restored = await tools.restoreGenerated?.(path, theirs.text, text);
  if (restored === undefined) return resolution;
  const { parts } = restored;
  if (tools.restoredPath !== path) {
    return { ...resolution, outcome: { ...outcome, missing: parts } };
  }
  const whole = await inStyleOf(disk.text, { path, text: restored.text }, tools);
  const written = write(state, theirs, { action: 'merged', text: whole });
  return { ...written, outcome: { ...written.outcome!, restored: parts } };
}

/** The base with rewritten imports of files that this run moves; undefined if it is lost. */
async function baseWithImports(
  state: ResolvingState,
  tools: ResolveTools,
): Promise<string | undefined> {
  const { path, from = path } = state;
  const base = state.baseText();
  const rewritten = base && tools.rewriteImports?.(base, from, path);
  return rewritten === undefined || rewritten === base ? base : tools.format(path, rewritten);
}

/** The team's text with rewritten imports of files that this run moves, in its own style. */
async function oursWithImports(
  text: string,
  state: ResolvingState,
  tools: ResolveTools,
): Promise<string> {
  const { path, from = path } = state;
  const rewritten = tools.rewriteImports?.(text, from, path) ?? text;
  return rewritten === text ? text : inStyleOf(text, { path, text: rewritten }, tools);
}

/** A merged text, in the style of the project if the team's text was in it. */
export async function inStyleOf(
  ours: string,
  { path, text }: { readonly path: string; readonly text: string },
  tools: ResolveTools,
): Promise<string> {
  // A text that the formatter cannot read is in no style.
  const own = await inProjectStyle(path, ours, tools).catch(() => undefined);
  return own?.text === ours ? (await inProjectStyle(path, text, tools)).text : text;
}

/** The base of later merges, of a file that is merged. */
const baseOfMerged = ({ ownership, text }: OutputFile): Pick<Resolution, 'base'> =>
  hasBase(ownership) ? { base: text } : {};

/** Takes the generated text. */
function take(
  state: ResolvingState,
  theirs: OutputFile,
  action: FileAction | undefined,
): Resolution {
  const { path, from, disk, openConflict, newFileOnDisk } = state;
  const removes = isNewFileUnedited(openConflict, newFileOnDisk) ? [openConflict!.newFile] : [];
  const isThere = disk.kind === 'text' && disk.text === theirs.text;
  const hash = isThere ? disk.hash : hashOf(theirs.text);
  const entry: ManifestEntry = { path, ownership: theirs.ownership, hashes: [hash] };
  const base = baseOfMerged(theirs);
  if (action === undefined) return { entry, ...base, writes: [], removes };
  const before = disk.kind === 'text' ? { before: disk.text } : {};
  const moved = from === undefined ? {} : { from };
  return {
    entry,
    ...base,
    outcome: {
      path,
      action: from === undefined ? action : 'moved',
      after: theirs.text,
      ...before,
      ...moved,
    },
    writes: [
      {
        path,
        text: theirs.text,
        form: disk.kind === 'text' ? disk.form : DEFAULT_LAYOUT,
        ...(from !== undefined && { like: from }),
      },
    ],
    removes: from === undefined ? removes : [...removes, from],
  };
}

/** Keeps the team's text, which needs no change. */
function keep(state: ResolvingState, theirs: OutputFile): Resolution {
  const { path, from, disk } = state;
  if (from !== undefined && disk.kind === 'text') {
    return write(state, theirs, { action: 'moved', text: disk.text });
  }
  return {
    entry: { path, ownership: theirs.ownership, hashes: [hashOf(theirs.text)] },
    ...baseOfMerged(theirs),
    outcome: { path, action: 'kept' },
    writes: [],
    removes: uneditedNewFile(state),
  };
}

function write(
  state: ResolvingState,
  theirs: OutputFile,
  { action, text }: { action: FileAction; text: string },
): Resolution {
  const { path, from, disk } = state;
  return {
    entry: { path, ownership: theirs.ownership, hashes: [hashOf(theirs.text)] },
    ...baseOfMerged(theirs),
    outcome: {
      path,
      action,
      after: text,
      ...(disk.kind === 'text' && { before: disk.text }),
      ...(from !== undefined && { from }),
    },
    writes: [
      {
        path,
        text,
        form: disk.kind === 'text' ? disk.form : DEFAULT_LAYOUT,
        ...(from !== undefined && { like: from }),
      },
    ],
    removes: [...uneditedNewFile(state), ...(from === undefined ? [] : [from])],
  };
}

/** Keeps the team's text, and writes the merge with conflict markers, or else the generated text, to a new file. */
async function conflict(
  state: ResolvingState,
  theirs: OutputFile,
  places: readonly ConflictPlace[],
  tools: ResolveTools,
  versions?: MergeConflict['versions'],
): Promise<Resolution> {
  const { path, from, entry, openConflict, newFileOnDisk, disk } = state;
  const base = state.baseText();
  const hash = hashOf(theirs.text);
  const isOld = openConflict?.hashes.includes(hash) === true;
  const isUnedited = isNewFileUnedited(openConflict, newFileOnDisk);
  const keepsNewFile = openConflict !== undefined && (isOld || isUnedited);
  const newFile = keepsNewFile ? openConflict.newFile : freeNewFileName(path, tools.isFree);
  const generated = await inProjectStyle(path, theirs.text, tools);
  const marked = await markedIn(state, versions, tools);
  const { text, form } = marked ?? generated;
  // The team has edited the file since, so its merge is another one. Otherwise that of the first run stays: it knew
  // which names the run changed.
  const isEdited = disk.kind === 'text' && openConflict?.oursHashes.includes(disk.hash) === false;
  const isStale = isUnedited && isEdited && marked !== undefined;
  const writesNewFile = !isOld || isStale;
  const isThere = writesNewFile || newFileOnDisk?.kind !== 'nothing';
  const markedHashes = writesNewFile
    ? marked === undefined
      ? []
      : [hashOf(text)]
    : (openConflict?.markedHashes ?? []);
  const moved =
    from !== undefined && disk.kind === 'text'
      ? { from, form: disk.form, text: await oursWithImports(disk.text, state, tools) }
      : undefined;
  return {
    ...(entry !== undefined && { entry: { ...entry, path } }),
    ...(base !== undefined && (entry ?? theirs).ownership === 'merged' && { base }),
    conflictText: theirs.text,
    // Two hashes: of the generated text, and of that in the style of the project.
    openConflict: {
      path,
      newFile,
      hashes: [...new Set([hash, hashOf(generated.text)])],
      markedHashes,
      oursHashes:
        moved !== undefined ? [hashOf(moved.text)] : disk.kind === 'text' ? [disk.hash] : [],
    },
    outcome: {
      path,
      action: 'conflict',
      ...(disk.kind === 'text' && { before: disk.text }),
      ...(from !== undefined && { from }),
      conflict: {
        ...(isThere && { newFile }),
        ...{ text, isMarked: markedHashes.length > 0, places, isOld },
      },
    },
    writes: [
      ...(writesNewFile ? [{ path: newFile, text, form }] : []),
      ...(moved === undefined
        ? []
        : [{ path, text: moved.text, form: moved.form, like: moved.from }]),
    ],
    removes: moved === undefined ? [] : [moved.from],
  };
}

/** The merge with conflict markers, in the style of the project and with the layout of the text on disk. */
async function markedIn(
  { path, disk }: ResolvingState,
  versions: MergeConflict['versions'],
  tools: ResolveTools,
): Promise<{ readonly text: string; readonly form: TextLayout } | undefined> {
  if (versions === undefined || disk.kind !== 'text') return undefined;
  const [ours, theirs] = await Promise.all(
    [versions.ours, versions.theirs].map(async (text) => {
      // A version need not parse.
      const own = await inProjectStyle(path, text, tools).catch(() => undefined);
      return own?.text ?? text;
    }),
  );
  return { text: withMarkers(ours!, theirs!), form: disk.form };
}

/**
 * The file is no longer generated. It is removed if nobody has edited it and no code of the team imports it, also if
 * the team owns it: there is nothing of theirs in it.
 */
async function retire(file: FileState, tools: ResolveTools): Promise<Resolution> {
  const { path, entry, disk } = file;
  const removes = uneditedNewFile(file);
  if (entry === undefined) return { writes: [], removes };
  if (entry.ownership === 'append') return { entry, ...NO_CHANGES };
  if (disk.kind === 'nothing') return { writes: [], removes };
  const isImported = tools.importedFiles?.has(path) === true;
  if (disk.kind === 'text' && !isImported && (await isUntouched(path, entry, disk, tools))) {
    const outcome: Outcome = { path, action: 'removed', before: disk.text };
    return { outcome, writes: [], removes: [...removes, path] };
  }
  return { outcome: { path, action: 'left' }, writes: [], removes };
}

async function isUntouched(
  path: string,
  entry: ManifestEntry,
  { text, hash }: Text,
  tools: ResolveTools,
): Promise<boolean> {
  if (entry.hashes.includes(hash)) return true;
  const { baseOf, format } = tools;
  const base = baseOf(path);
  if (base === undefined) return false;
  if ((await format(path, text)) === (await format(path, base))) return true;
  // Formatting is not reversible: after a narrower style, objects stay on several lines.
  return (await inProjectStyle(path, base, tools)).text === text;
}

/** Whether the new file of a conflict is as it was written. */
const isNewFileUnedited = (open: OpenConflict | undefined, disk: DiskFile | undefined): boolean =>
  open !== undefined &&
  disk?.kind === 'text' &&
  [...open.hashes, ...open.markedHashes].includes(disk.hash);

/** The new file of a conflict that is over, if nobody has edited it. */
const uneditedNewFile = ({ openConflict, newFileOnDisk }: FileState): readonly string[] =>
  openConflict !== undefined && isNewFileUnedited(openConflict, newFileOnDisk)
    ? [openConflict.newFile]
    : [];

/** A free name that compilers, test runners and formatters ignore. */
function freeNewFileName(path: string, isFree: (path: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const name = `${path}.new${number === 1 ? '' : number}`;
    if (isFree(name)) return name;
  }
}
