/** What becomes of one output: the table of verdicts, row by row. */
import type { OutputFile } from '../shared/files.ts';
import type { MergeInput, MergeResult, ConflictPlace } from '../merge/index.ts';
import { baseFor } from './base.ts';
import type { RewriteImports } from './moved-imports.ts';
import { hashOf, markerLine, MARKERS_LEFT, PLAIN, sidesOf } from './text.ts';
import type {
  Action,
  DiskFile,
  TextLayout,
  ManifestEntry,
  Obstacle,
  OpenConflict,
  Outcome,
} from './types.ts';

/** What settling needs of the stages around it. */
export interface ResolveTools {
  readonly merge: (input: MergeInput) => Promise<MergeResult>;
  /** Formats as what is generated is; a text that does not parse stays as it is. */
  readonly format: (path: string, text: string) => Promise<string>;
  /** The text that was generated last, of the file that was there; undefined where it is lost. */
  readonly baseOf: (path: string) => string | undefined;
  /** The text of an open conflict, as it was generated; undefined where it is lost. */
  readonly nextOf: (path: string) => string | undefined;
  readonly isFree: (path: string) => boolean;
  /** Formats a new file in the style of the project; absent: it is that of what is generated. */
  readonly style?: (path: string, text: string) => Promise<StyledText>;
  /** Files that this run removes. */
  readonly gone?: ReadonlySet<string>;
  /** Lets imports lead to files that this run moves; absent: it moves none. */
  readonly rewriteImports?: RewriteImports | undefined;
}

/** A text in the style of a project, with LF; whether its files have CRLF. */
export interface StyledText {
  readonly text: string;
  readonly crlf: boolean;
}

/** An output that is settled. */
export interface ResolvedFile extends Resolution {
  readonly path: string;
}

/** One output, and all that is known of it. */
export interface FileState {
  readonly path: string;
  /** Where it stood before its collection was renamed. */
  readonly from?: string | undefined;
  /** What is generated; absent where nothing yields it any more. */
  readonly now?: OutputFile | undefined;
  /** What was generated last, at `from` if it moves. */
  readonly known?: ManifestEntry | undefined;
  /** What stands there, at `from` if it moves. */
  readonly found: DiskFile;
  readonly open?: OpenConflict | undefined;
  /** What stands beside it, where a conflict is open. */
  readonly besideFound?: DiskFile | undefined;
}

/** What is written, removed and remembered of one output. */
export interface Resolution {
  /** Absent where there is nothing to tell. */
  readonly outcome?: Outcome;
  readonly known?: ManifestEntry;
  readonly open?: OpenConflict;
  /** The texts to keep for merges to come; absent: none. */
  readonly base?: string;
  readonly next?: string;
  readonly writes: readonly Write[];
  readonly removes: readonly string[];
}

export interface Write {
  readonly path: string;
  readonly text: string;
  readonly form: TextLayout;
  /** Whose mode it takes over. */
  readonly like?: string;
}

/** Texts beyond this many characters are not merged: a merge takes more than their length. */
export const LONGEST_MERGED = 2_000_000;

const WORDS: Readonly<Record<Obstacle, string>> = {
  folder: 'it is a folder',
  link: 'it is a symbolic link',
  'not text': 'it is not text in UTF-8',
  huge: 'it is too large to merge',
  'other name': 'its name differs from that of another file in upper and lower case alone',
};

/** Decides on one output. */
export async function resolveFile(subject: FileState, tools: ResolveTools): Promise<Resolution> {
  const { now } = subject;
  if (now === undefined) return retire(subject, tools);
  const given = afterResolution(subject, tools);
  // What an older version had generated is merged once more before it is the team's.
  const isTeams = now.ownership !== 'merged' && given.known?.ownership !== 'merged';
  if (isTeams && given.from === undefined) return resolveTeamOwned(given, now, tools);
  const { found } = given;
  switch (found.kind) {
    case 'nothing':
      return resolveAbsent(given, now, tools);
    case 'obstacle':
      // Whoever gave a file another name has deleted it under the old one.
      if (found.obstacle === 'other name' && given.known !== undefined) {
        return resolveAbsent(given, now, tools);
      }
      return resolveObstacle(given, now, found.obstacle, tools);
    case 'text':
      return resolveText(given, now, found, tools);
  }
}

/** A subject, with the text that a merge starts from: read where it is asked for. */
interface ResolvingState extends FileState {
  readonly baseText: () => string | undefined;
}

/** A conflict whose file beside is gone was resolved: the team has seen the text that it was over. */
function afterResolution(subject: FileState, tools: ResolveTools): ResolvingState {
  const { open, besideFound, path, from = path } = subject;
  const isOpen = besideFound !== undefined && besideFound.kind !== 'nothing';
  if (open === undefined || isOpen) return { ...subject, baseText: () => tools.baseOf(from) };
  const ownership = subject.known?.ownership ?? 'merged';
  return {
    ...subject,
    open: undefined,
    known: { path, ownership, hashes: open.hashes },
    baseText: () => tools.nextOf(from),
  };
}

/** Written where it is new, and the team's from then on, or from their first edit on. */
async function resolveTeamOwned(
  { path, known, found, open }: ResolvingState,
  now: OutputFile,
  tools: ResolveTools,
): Promise<Resolution> {
  const { ownership } = now;
  const kept = known ?? { path, ownership, hashes: [hashOf(now.text)] };
  if (open !== undefined) {
    const places: ConflictPlace[] = [];
    const over = { beside: open.beside, text: now.text, places, isOld: true };
    const outcome: Outcome = { path, action: 'conflict', conflict: over };
    return { known: kept, open, next: now.text, outcome, ...NOTHING };
  }
  if (known === undefined && found.kind === 'nothing') {
    const { text, form } = await styled(path, now.text, tools);
    return {
      known: { path, ownership, hashes: [hashOf(text)] },
      outcome: { path, action: 'added', after: text },
      writes: [{ path, text, form }],
      removes: [],
    };
  }
  if (known === undefined || ownership !== 'until-edited' || found.kind !== 'text') {
    return { known: kept, ...NOTHING };
  }
  // What the definitions yield is unedited, also where git has put it together from two branches.
  const unedited: ManifestEntry = { path, ownership, hashes: [found.hash] };
  if (found.text === now.text) return { known: unedited, ...NOTHING };
  if (!wasGenerated(found.text, known)) {
    const own = await styled(path, now.text, tools).catch(() => undefined);
    return { known: own?.text === found.text ? unedited : kept, ...NOTHING };
  }
  const { text } = await styled(path, now.text, tools);
  if (text === found.text) return { known: unedited, ...NOTHING };
  return {
    known: { path, ownership, hashes: [hashOf(text)] },
    outcome: { path, action: 'updated', before: found.text, after: text },
    writes: [{ path, text, form: found.form }],
    removes: [],
  };
}

/** Whether a text is one that was generated, or git's conflict markers around two of these. */
const wasGenerated = (text: string, { hashes }: ManifestEntry): boolean =>
  (sidesOf(text) ?? [text]).every((side) => hashes.includes(hashOf(side)));

/** A text that is written for the first time, in the style of the project. */
async function styled(
  path: string,
  text: string,
  { style }: ResolveTools,
): Promise<{ readonly text: string; readonly form: TextLayout }> {
  if (style === undefined) return { text, form: PLAIN };
  const { text: own, crlf } = await style(path, text);
  return { text: own, form: { ...PLAIN, crlf } };
}

const NOTHING = { writes: [], removes: [] } as const;

/**
 * Nothing is there: it is new, or the team has deleted it. It may come back as it was, and would be
 * told from an edit then; so its base stays, and what is generated now is known beside that.
 */
async function resolveAbsent(
  given: ResolvingState,
  now: OutputFile,
  tools: ResolveTools,
): Promise<Resolution> {
  const { path, known } = given;
  if (known === undefined) {
    const { text, form } = await styled(path, now.text, tools);
    const settled = take(given, now, 'added');
    return {
      ...settled,
      outcome: { path, action: 'added', after: text },
      writes: settled.writes.map((one) => ({ ...one, text, form })),
    };
  }
  const base = given.baseText();
  const before = base === undefined ? known.hashes : [hashOf(base)];
  return {
    known: { ...known, path, hashes: [...new Set([...before, hashOf(now.text)])] },
    ...(base !== undefined && { base }),
    outcome: { path, action: 'absent' },
    writes: [],
    removes: besideOf(given),
  };
}

async function resolveObstacle(
  given: ResolvingState,
  now: OutputFile,
  obstacle: Obstacle,
  tools: ResolveTools,
): Promise<Resolution> {
  const { known } = given;
  if (known?.hashes.includes(hashOf(now.text)) === true) return keep(given, now);
  return conflict(given, now, [{ line: 1, what: WORDS[obstacle] }], tools);
}

type Text = Extract<DiskFile, { kind: 'text' }>;

async function resolveText(
  given: ResolvingState,
  now: OutputFile,
  found: Text,
  tools: ResolveTools,
): Promise<Resolution> {
  const { known, from, open } = given;
  const hash = found.text === now.text ? found.hash : hashOf(now.text);
  if (found.hash === hash) return take(given, now, from === undefined ? undefined : 'moved');
  if (known === undefined) {
    return conflict(given, now, [{ line: 1, what: 'this file is yours' }], tools);
  }
  if (known.hashes.includes(found.hash)) return take(given, now, 'updated');
  const { path } = given;
  const ours = await oursWithImports(found.text, given, tools);
  const base = await baseWithImports(given, tools);
  const isUnchanged = base === undefined ? known.hashes.includes(hash) : hashOf(base) === hash;
  if (isUnchanged && ours === found.text) return keep(given, now);
  if (isUnchanged) return write(given, now, { action: 'merged', text: ours });

  const sides = sidesOf(found.text);
  if (sides !== undefined) {
    if (wasGenerated(found.text, known)) return take(given, now, 'updated');
    const left = { line: markerLine(found.text), what: MARKERS_LEFT };
    return conflict(given, now, [left], tools);
  }
  if (Math.max(found.text.length, now.text.length) > LONGEST_MERGED) {
    return conflict(given, now, [{ line: 1, what: WORDS.huge }], tools);
  }
  const result = await tools.merge({
    path,
    base: base === undefined ? undefined : baseFor(base, ours),
    now: now.text,
    disk: ours,
    gone: tools.gone,
  });
  if (result.kind === 'conflict') return conflict(given, now, result.places, tools);
  // What was in the way then, a name that has changed since, may no longer be known.
  const isTold = open?.hashes.includes(hash) === true && open.over.includes(found.hash);
  if (isTold) return conflict(given, now, [], tools);
  if (result.text === now.text) return take(given, now, 'updated');
  if (result.text === found.text) return keep(given, now);
  const text = await inStyleOf(found.text, { ...result, path }, tools);
  return write(given, now, { action: 'merged', text });
}

/** What was generated last, with the imports of files that this run moves; undefined where it is lost. */
async function baseWithImports(
  given: ResolvingState,
  tools: ResolveTools,
): Promise<string | undefined> {
  const { path, from = path } = given;
  const base = given.baseText();
  const rewritten = base && tools.rewriteImports?.(base, from, path);
  return rewritten === undefined || rewritten === base ? base : tools.format(path, rewritten);
}

/** The team's text, with the imports of files that this run moves, in the style that it has. */
async function oursWithImports(
  text: string,
  given: ResolvingState,
  tools: ResolveTools,
): Promise<string> {
  const { path, from = path } = given;
  const rewritten = tools.rewriteImports?.(text, from, path) ?? text;
  return rewritten === text ? text : inStyleOf(text, { path, text: rewritten }, tools);
}

/** A merged text, in the style of the project where the file was. */
export async function inStyleOf(
  ours: string,
  { path, text }: { readonly path: string; readonly text: string },
  tools: ResolveTools,
): Promise<string> {
  // What the formatter does not read is in no style.
  const own = await styled(path, ours, tools).catch(() => undefined);
  return own?.text === ours ? (await styled(path, text, tools)).text : text;
}

/** The generated text, without a trace of the team's. */
function take(given: ResolvingState, now: OutputFile, action: Action | undefined): Resolution {
  const { path, from, found, open, besideFound } = given;
  const removes = isOurs(open, besideFound) ? [open!.beside] : [];
  const isThere = found.kind === 'text' && found.text === now.text;
  const hash = isThere ? found.hash : hashOf(now.text);
  const known: ManifestEntry = { path, ownership: now.ownership, hashes: [hash] };
  const base = now.ownership === 'merged' ? { base: now.text } : {};
  if (action === undefined) return { known, ...base, writes: [], removes };
  const before = found.kind === 'text' ? { before: found.text } : {};
  const moved = from === undefined ? {} : { from };
  return {
    known,
    ...base,
    outcome: {
      path,
      action: from === undefined ? action : 'moved',
      after: now.text,
      ...before,
      ...moved,
    },
    writes: [
      {
        path,
        text: now.text,
        form: found.kind === 'text' ? found.form : PLAIN,
        ...(from !== undefined && { like: from }),
      },
    ],
    removes: from === undefined ? removes : [...removes, from],
  };
}

/** The team's text stays, and is right over what is generated now. */
function keep(given: ResolvingState, now: OutputFile): Resolution {
  const { path, from, found } = given;
  if (from !== undefined && found.kind === 'text') {
    return write(given, now, { action: 'moved', text: found.text });
  }
  return {
    known: { path, ownership: now.ownership, hashes: [hashOf(now.text)] },
    ...(now.ownership === 'merged' && { base: now.text }),
    outcome: { path, action: 'kept' },
    writes: [],
    removes: besideOf(given),
  };
}

function write(
  given: ResolvingState,
  now: OutputFile,
  { action, text }: { action: Action; text: string },
): Resolution {
  const { path, from, found } = given;
  return {
    known: { path, ownership: now.ownership, hashes: [hashOf(now.text)] },
    ...(now.ownership === 'merged' && { base: now.text }),
    outcome: {
      path,
      action,
      after: text,
      ...(found.kind === 'text' && { before: found.text }),
      ...(from !== undefined && { from }),
    },
    writes: [
      {
        path,
        text,
        form: found.kind === 'text' ? found.form : PLAIN,
        ...(from !== undefined && { like: from }),
      },
    ],
    removes: [...besideOf(given), ...(from === undefined ? [] : [from])],
  };
}

/** The team's text stays, and the new one is put beside it. */
async function conflict(
  given: ResolvingState,
  now: OutputFile,
  places: readonly ConflictPlace[],
  tools: ResolveTools,
): Promise<Resolution> {
  const { path, from, known, open, besideFound, found } = given;
  const base = given.baseText();
  const hash = hashOf(now.text);
  const isOld = open?.hashes.includes(hash) === true;
  const stays = open !== undefined && (isOld || isOurs(open, besideFound));
  const beside = stays ? open.beside : freeBeside(path, tools.isFree);
  const { text, form } = await styled(path, now.text, tools);
  const moved =
    from !== undefined && found.kind === 'text'
      ? { from, form: found.form, text: await oursWithImports(found.text, given, tools) }
      : undefined;
  return {
    ...(known !== undefined && { known: { ...known, path } }),
    ...(base !== undefined && (known ?? now).ownership === 'merged' && { base }),
    next: now.text,
    // The file beside is known by its own hash, and what it was made of by the other.
    open: {
      path,
      beside,
      hashes: [...new Set([hash, hashOf(text)])],
      over: moved !== undefined ? [hashOf(moved.text)] : found.kind === 'text' ? [found.hash] : [],
    },
    outcome: {
      path,
      action: 'conflict',
      ...(found.kind === 'text' && { before: found.text }),
      ...(from !== undefined && { from }),
      conflict: { beside, text, places, isOld },
    },
    writes: [
      ...(isOld ? [] : [{ path: beside, text, form }]),
      ...(moved === undefined
        ? []
        : [{ path, text: moved.text, form: moved.form, like: moved.from }]),
    ],
    removes: moved === undefined ? [] : [moved.from],
  };
}

/**
 * Nothing yields it any more. What nobody has edited goes, also of a file that is the team's from
 * the first day: there is nothing of theirs in it.
 */
async function retire(subject: FileState, tools: ResolveTools): Promise<Resolution> {
  const { path, known, found } = subject;
  const removes = besideOf(subject);
  if (known === undefined) return { writes: [], removes };
  if (known.ownership === 'append') return { known, ...NOTHING };
  if (found.kind === 'nothing') return { writes: [], removes };
  if (found.kind === 'text' && (await isUntouched(path, known, found, tools))) {
    const outcome: Outcome = { path, action: 'removed', before: found.text };
    return { outcome, writes: [], removes: [...removes, path] };
  }
  return { outcome: { path, action: 'left' }, writes: [], removes };
}

async function isUntouched(
  path: string,
  known: ManifestEntry,
  { text, hash }: Text,
  tools: ResolveTools,
): Promise<boolean> {
  if (known.hashes.includes(hash)) return true;
  const { baseOf, format } = tools;
  const base = baseOf(path);
  if (base === undefined) return false;
  if ((await format(path, text)) === (await format(path, base))) return true;
  // Formatting twice is not formatting once: a narrower style leaves objects over several lines.
  return (await styled(path, base, tools)).text === text;
}

/** Whether the file beside is as it was written. */
const isOurs = (open: OpenConflict | undefined, found: DiskFile | undefined): boolean =>
  open !== undefined && found?.kind === 'text' && open.hashes.includes(found.hash);

/** The file beside, where a conflict is no more and nobody has edited it. */
const besideOf = ({ open, besideFound }: FileState): readonly string[] =>
  open !== undefined && isOurs(open, besideFound) ? [open.beside] : [];

/** A name that compilers, test runners and formatters take for none of theirs, and nobody has. */
function freeBeside(path: string, isFree: (path: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const name = `${path}.new${number === 1 ? '' : number}`;
    if (isFree(name)) return name;
  }
}
