/**
 * What a project keeps of the last run, in `.create-service/`: enough to merge a later run with
 * the team's edits, without git, network or the old generator.
 *
 * `manifest` is text, with a line for each file, sorted:
 *
 *     manifest 1
 *     generator 0.2.0
 *     inputs 2c26b46b68ffc68ff99b453c1d304134…
 *     applied 98483c6eb40b6c31a448c22a66ded3b5…
 *     warnings 0
 *     .create-service/versions/v1/service.yaml contract 4a8a08f09d37b73795649038408b5f33…
 *     src/app.ts merged 5d41402abc4b2a76b9719d911017c592…
 *     src/app.ts.new conflict 9e107d9d372bb6826bd81d3542a419d6…
 *     src/app.ts.new marked 8d777f385d3dfec8815d20f7496026dc…
 *     src/app.ts.new over 0cc175b9c0f1b6a831c399e269772661…
 *     src/collections/books/hooks.ts once 7d793037a0760186574b0282f2f435e7…
 *
 * - `manifest` is the number of this format; `generator` the version that wrote it; `inputs` the
 *   hash of what it was generated from (fingerprint.ts), `applied` that of the copy of the definitions
 *   in `definitions/` here, and `warnings` how many warnings they give: a run with the same inputs
 *   need not parse them if there are none.
 * - A line is a path, its ownership, and the SHA-256 of the UTF-8 text as it was generated. The
 *   last two never hold a space, so a line is read from its end.
 * - A `conflict` is an open merge conflict. Its path is the file beside the one in conflict, and its hash that of the
 *   newly generated text; the line and the base of the file itself are still those of the run before. `marked` is the
 *   hash of the merge with conflict markers, which the file beside has. `over` is the hash of the file on disk when the
 *   conflict was found: as long as the file has it, nobody has resolved the conflict.
 * - A `contract` is a file of the record itself that states what clients of a frozen version rely
 *   on; its hash shows whether somebody has edited it.
 * - Two branches that add collections add lines in different places. Where both changed one line,
 *   git keeps both (`merge=union` in the `.gitattributes` beside it): a file that has either hash is
 *   unedited, and the next run writes one line again.
 *
 * Beside it stand `base/<path>.base`, the text of each `merged` file as it was generated;
 * `base/<path>.next`, the text of an open conflict; `definitions/`, the definitions of the last run; and
 * `versions/v1/`, what the clients of a frozen version rely on. The
 * suffixes keep compilers, test runners and update bots from taking these for part of the project.
 */
import { hasBase } from '../shared/files.ts';
import type { FileTree, Ownership } from '../shared/files.ts';
import { hashOf } from '../update/text.ts';
import type { ManifestEntry, OpenConflict } from '../update/types.ts';
import { isProjectPath } from './inside.ts';

/** A file as it is written: who owns it no longer matters. */
export interface WrittenFile {
  readonly path: string;
  readonly text: string;
}

/** The folder of a project in which all this stands. */
export const RECORD = '.create-service';
export const MANIFEST = `${RECORD}/manifest`;
const FORMAT = 1;

/** Git keeps line endings as they are and both sides of a line; reviews fold these files. */
const ATTRIBUTES =
  '* linguist-generated text eol=lf\nmanifest merge=union\nversions/** -linguist-generated merge=union\n';
/** What is there while a run is at work. */
const IGNORED = '/lock\n/run*/\n';

/** What the manifest says. */
export interface Manifest {
  /** The greatest number of a format that is named. */
  readonly format: number;
  /** All versions that are named: several where two branches met. */
  readonly generators: readonly string[];
  readonly inputs: readonly string[];
  readonly applied: readonly string[];
  readonly warnings: readonly string[];
  readonly entries: readonly ManifestEntry[];
  readonly openConflicts: readonly OpenConflict[];
  /** The files that tell of frozen versions. */
  readonly contracts: readonly ContractEntry[];
}

/** A file of the record, with the hash of its text; of several where two branches met. */
export interface ContractEntry {
  readonly path: string;
  readonly hashes: readonly string[];
}

/** A line of the manifest that cannot be parsed. */
export interface DamagedLine {
  readonly line: number;
  readonly text: string;
}

const OWNERSHIPS: readonly string[] = [
  'merged',
  'once',
  'until-edited',
  'append',
] satisfies Ownership[];
const LINE = /^(.+) (merged|once|until-edited|append|conflict|contract) ([0-9a-f]{64})$/;
/** The text of the team that a conflict is over, or the merge with markers, by the file that stands beside. */
const BESIDE = /^(.+) (over|marked) ([0-9a-f]{64})$/;
const HEAD = /^(manifest|generator|inputs|applied|warnings) (\S+)$/;
/** What git leaves where it does not know that both sides are wanted. */
const MARKER = /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/;

/** Reads the text of a manifest; lines that say nothing are told beside what the others say. */
export function parseManifest(
  text: string,
): Manifest & { readonly damage: readonly DamagedLine[] } {
  const heads = new Map<string, string[]>();
  const headsOf = (name: string): readonly string[] => heads.get(name) ?? [];
  const files = new Map<string, { ownership: string; hashes: string[] }>();
  const beside = { over: new Map<string, string[]>(), marked: new Map<string, string[]>() };
  const damage: DamagedLine[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const head = HEAD.exec(line);
    const file = LINE.exec(line);
    const [, newFile, word, besideHash] = BESIDE.exec(line) ?? [];
    const named = newFile ?? file?.[1];
    if (named !== undefined && !isProjectPath(named)) {
      damage.push({ line: index + 1, text: line });
    } else if (newFile !== undefined && besideHash !== undefined) {
      const hashes = beside[word as keyof typeof beside];
      hashes.set(newFile, [...(hashes.get(newFile) ?? []), besideHash]);
    } else if (file !== null) {
      const [, path = '', ownership = '', hash = ''] = file;
      const entry = files.get(path) ?? { ownership, hashes: [] };
      if (!entry.hashes.includes(hash)) entry.hashes.push(hash);
      files.set(path, entry);
    } else if (head !== null) {
      const [, name = '', value = ''] = head;
      if (!headsOf(name).includes(value)) heads.set(name, [...headsOf(name), value]);
    } else if (line !== '' && !MARKER.test(line)) damage.push({ line: index + 1, text: line });
  }
  if (!heads.has('manifest') || !heads.has('generator')) {
    damage.unshift({ line: 1, text: '' });
  }
  const entries = [...files];
  return {
    format: Math.max(...headsOf('manifest').map(Number), 0),
    generators: headsOf('generator'),
    inputs: headsOf('inputs'),
    applied: headsOf('applied'),
    warnings: headsOf('warnings'),
    entries: entries
      .filter(([, { ownership }]) => OWNERSHIPS.includes(ownership))
      .map(([path, { ownership, hashes }]) => ({
        path,
        ownership: ownership as Ownership,
        hashes,
      })),
    openConflicts: entries
      .filter(([, { ownership }]) => ownership === 'conflict')
      .map(([newFile, { hashes }]) => ({
        path: fileOfConflict(newFile),
        newFile,
        hashes,
        markedHashes: beside.marked.get(newFile) ?? [],
        oursHashes: beside.over.get(newFile) ?? [],
      })),
    contracts: entries
      .filter(([, { ownership }]) => ownership === 'contract')
      .map(([path, { hashes }]) => ({ path, hashes })),
    damage,
  };
}

/** The file that the new text of a conflict was for. */
const fileOfConflict = (newFile: string): string => newFile.replace(/\.new\d*$/, '');

/** Whether this version reads a manifest of that format. */
export const readsFormat = (format: number): boolean => format <= FORMAT;

/** What is remembered of a run. */
export interface NewManifest {
  readonly version: string;
  /** Absent where it cannot be told yet. */
  readonly inputs: string | undefined;
  readonly applied: string;
  /** How many warnings the definitions give. */
  readonly warnings: number;
  readonly entries: readonly ManifestEntry[];
  readonly openConflicts: readonly OpenConflict[];
  readonly contracts: readonly ContractEntry[];
}

/** The entries of the files of frozen contracts. */
export const contractEntries = (contracts: readonly WrittenFile[]): readonly ContractEntry[] =>
  contracts.map(({ path, text }) => ({ path, hashes: [hashOf(text)] }));

/** The text of a manifest. */
export function formatManifest(remembered: NewManifest): string {
  const { version, inputs, applied, warnings, entries, openConflicts, contracts } = remembered;
  const lines = [
    ...contracts.flatMap(({ path, hashes }) => hashes.map((hash) => `${path} contract ${hash}`)),
    ...entries.flatMap(({ path, ownership, hashes }) =>
      hashes.map((hash) => `${path} ${ownership} ${hash}`),
    ),
    ...openConflicts.flatMap(({ newFile, hashes, markedHashes, oursHashes }) => [
      ...hashes.map((hash) => `${newFile} conflict ${hash}`),
      ...markedHashes.map((hash) => `${newFile} marked ${hash}`),
      ...oursHashes.map((hash) => `${newFile} over ${hash}`),
    ]),
  ].toSorted();
  const head = [
    `manifest ${FORMAT}`,
    `generator ${version}`,
    ...(inputs === undefined ? [] : [`inputs ${inputs}`]),
    `applied ${applied}`,
    `warnings ${warnings}`,
  ];
  return [...head, ...lines, ''].join('\n');
}

/** Where the text of a `merged` file is kept as it was generated. */
export const basePath = (path: string): string => `${RECORD}/base/${path}.base`;
/** Where the text of an open conflict is kept as it was generated. */
export const conflictTextPath = (path: string): string => `${RECORD}/base/${path}.next`;
/** Where a definition is kept as it was applied. */
export const appliedPath = (path: string): string => `${RECORD}/${path}`;
/** Where a version is kept as its clients know it. */
export const contractPath = (version: number, path: string): string =>
  `${RECORD}/versions/v${version}/${path}`;
const CONTRACT_PATH = new RegExp(`^${RECORD}/versions/v([1-9][0-9]*)/`);
/** The version whose contract a file of the record belongs to. */
export const contractVersion = (path: string): number | undefined => {
  const version = CONTRACT_PATH.exec(path)?.[1];
  return version === undefined ? undefined : Number(version);
};

/** What stands in `.create-service/` of every project, beside what is remembered. */
export const RECORD_FILES: readonly WrittenFile[] = [
  { path: `${RECORD}/.gitattributes`, text: ATTRIBUTES },
  { path: `${RECORD}/.gitignore`, text: IGNORED },
];

export interface NewRecord {
  readonly version: string;
  readonly inputs: string | undefined;
  readonly applied: string;
  /** How many warnings the definitions give. */
  readonly warnings: number;
  /** The definitions as they are applied, by their paths in a project. */
  readonly definitions: readonly WrittenFile[];
  /** The contracts of frozen versions. */
  readonly contracts: readonly WrittenFile[];
}

/** The files of `.create-service/` for a tree that was generated by this version. */
export function recordOf(tree: FileTree, record: NewRecord): readonly WrittenFile[] {
  const { definitions, contracts, ...rest } = record;
  const entries = tree.map(({ path, ownership, text }) => ({
    path,
    ownership,
    hashes: [hashOf(text)],
  }));
  return [
    ...RECORD_FILES,
    ...tree
      .filter(({ ownership }) => hasBase(ownership))
      .map(({ path, text }) => ({ path: basePath(path), text })),
    ...definitions.map(({ path, text }) => ({ path: appliedPath(path), text })),
    ...contracts,
    {
      path: MANIFEST,
      text: formatManifest({
        ...rest,
        entries,
        openConflicts: [],
        contracts: contractEntries(contracts),
      }),
    },
  ];
}
