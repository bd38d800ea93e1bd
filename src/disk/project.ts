/** A project as it stands on disk: its record, and what stands where outputs go. */
import type { Dirent } from 'node:fs';
import path from 'node:path';

import { userError } from '../shared/errors.ts';
import { EXISTING_TABLES, VIEWS_FILE } from '../shared/files.ts';
import { hashOf, readLayout } from '../update/text.ts';
import type { DiskFile } from '../update/types.ts';
import { errnoOf, withFileErrors } from './file-system.ts';
import type { FileSystem } from './file-system.ts';
import {
  basePath,
  MANIFEST,
  conflictTextPath,
  parseManifest,
  RECORD,
  contractVersion,
} from './manifest.ts';
import type { WrittenFile } from './manifest.ts';

/** What was read of a project; each file is looked at once. */
export interface Project {
  /** Absolute. */
  readonly folder: string;
  readonly manifest: ReturnType<typeof parseManifest>;
  /** The paths of all files in `.create-service/`. */
  readonly record: ReadonlySet<string>;
  readonly diskFile: (file: string) => DiskFile;
  /** The paths of all files in a folder and below; none where there is no such folder. */
  readonly filesIn: (folder: string) => readonly string[];
  /** The paths of all files but installed, built and hidden ones. */
  readonly sourceFiles: () => readonly string[];
  readonly baseOf: (file: string) => string | undefined;
  readonly conflictTextOf: (file: string) => string | undefined;
  /** The definitions as they were applied last. */
  readonly applied: readonly WrittenFile[];
  /** The shapes of the versions that were frozen then, by their paths in the project. */
  readonly contracts: ReadonlyMap<number, readonly WrittenFile[]>;
  /** All migrations, those that the team wrote too: their names without ending, and their texts. */
  readonly migrations: readonly { readonly name: string; readonly text: string }[];
  /** The SQL of existing tables, and of their views; undefined without any. */
  readonly existingTables: string | undefined;
  readonly views: string | undefined;
}

/** Where a project has its migrations. */
const MIGRATIONS = 'migrations';

/** A larger file is somebody's, and no text that was generated. */
const LARGEST = 16 * 1024 * 1024;

/** The project that a folder is in: the nearest above with a record, or with what is left of one. */
export function findProject(fs: FileSystem, folder: string): string | undefined {
  for (let here = folder; ; here = path.dirname(here)) {
    const record = path.join(here, RECORD);
    if (fs.statSync(record, { throwIfNoEntry: false })?.isDirectory() === true) return here;
    if (here === path.dirname(here)) return undefined;
  }
}

/**
 * Reads the record of a project; undefined where it has no manifest.
 * @param shown gives the name of a path of the project in messages.
 */
export function readProject(
  fs: FileSystem,
  folder: string,
  shown: (file: string) => string,
): Project | undefined {
  const read = (file: string): string | undefined => readText(fs, path.join(folder, file));
  refuseSpecialFiles(fs, folder, shown);
  const text = withFileErrors(shown(MANIFEST), () => read(MANIFEST));
  if (text === undefined) return undefined;
  const record = new Set(filesBelow(fs, folder, RECORD));
  const definitions = [...record].filter((file) => file.startsWith(`${RECORD}/definitions/`));
  const readRecorded = (file: string): string | undefined =>
    record.has(file) ? read(file) : undefined;
  return {
    folder,
    manifest: parseManifest(text),
    record,
    diskFile: lookAt(fs, folder, shown),
    filesIn: (below) =>
      namesIn(fs, path.join(folder, below)).length === 0 ? [] : filesBelow(fs, folder, below),
    sourceFiles: () => sourcesBelow(fs, folder, ''),
    baseOf: (file) => readRecorded(basePath(file)),
    conflictTextOf: (file) => readRecorded(conflictTextPath(file)),
    applied: definitions.toSorted().map((file) => ({
      path: file.slice(RECORD.length + 1),
      text: read(file) ?? '',
    })),
    contracts: contractsIn([...record], (file) => read(file) ?? ''),
    migrations: namesIn(fs, path.join(folder, MIGRATIONS))
      .filter((name) => name.endsWith('.sql'))
      .toSorted()
      .map((name) => ({
        name: name.slice(0, -'.sql'.length),
        text: read(`${MIGRATIONS}/${name}`) ?? '',
      })),
    existingTables: read(EXISTING_TABLES),
    views: read(VIEWS_FILE),
  };
}

/** Refuses a record with something that cannot be read like a file: reading a named pipe would wait without end. */
function refuseSpecialFiles(fs: FileSystem, folder: string, shown: (file: string) => string): void {
  if (namesIn(fs, path.join(folder, RECORD)).length === 0) return;
  for (const file of filesBelow(fs, folder, RECORD)) {
    const entry = fs.statSync(path.join(folder, file), { throwIfNoEntry: false });
    if (entry?.isFile() === false && !entry.isDirectory()) {
      throw userError('not-a-regular-file', { path: shown(file) });
    }
  }
}

function contractsIn(
  record: readonly string[],
  read: (file: string) => string,
): ReadonlyMap<number, readonly WrittenFile[]> {
  const contracts = new Map<number, WrittenFile[]>();
  for (const file of record.toSorted()) {
    const version = contractVersion(file);
    if (version === undefined) continue;
    const files = contracts.get(version) ?? [];
    files.push({ path: file, text: read(file) });
    contracts.set(version, files);
  }
  return contracts;
}

/** The text of a file with LF; undefined where there is none. */
function readText(fs: FileSystem, file: string): string | undefined {
  try {
    return readLayout(fs.readFileSync(file, 'utf8')).text;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function filesBelow(fs: FileSystem, folder: string, below: string): string[] {
  return fs
    .readdirSync(path.join(folder, below), { withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory()
        ? filesBelow(fs, folder, `${below}/${entry.name}`)
        : [`${below}/${entry.name}`],
    );
}

/** Folders that hold no source of the team: by their names outside of `src/`, and by their paths. */
const NO_SOURCE = new Set(['node_modules', 'dist', 'coverage']);
const NO_SOURCE_AT = new Set(['definitions', 'migrations']);

/** More files than these are not looked at. */
const MOST_SOURCES = 20_000;

/** Folders that cannot be read: of another user, or gone meanwhile. */
const UNREADABLE = new Set(['EACCES', 'EPERM', 'ENOENT']);

function sourcesBelow(fs: FileSystem, folder: string, below: string): string[] {
  const files: string[] = [];
  for (const entry of sourceEntries(fs, path.join(folder, below))) {
    const { name } = entry;
    const file = below === '' ? name : `${below}/${name}`;
    const isBelowSrc = file.startsWith('src/');
    if (name.startsWith('.') || NO_SOURCE_AT.has(file)) continue;
    if (NO_SOURCE.has(name) && !isBelowSrc) continue;
    if (entry.isDirectory()) files.push(...sourcesBelow(fs, folder, file));
    else if (entry.isFile()) files.push(file);
    if (files.length > MOST_SOURCES) return files.slice(0, MOST_SOURCES);
  }
  return files;
}

function sourceEntries(fs: FileSystem, folder: string): readonly Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (UNREADABLE.has(errnoOf(error) ?? '')) return [];
    throw error;
  }
}

/** Tells what stands at a path, and remembers it. */
function lookAt(
  fs: FileSystem,
  folder: string,
  shown: (file: string) => string,
): (file: string) => DiskFile {
  const seen = new Map<string, DiskFile>();
  const namesBeside = listing(fs, folder);
  return (file) => {
    const known = seen.get(file);
    if (known !== undefined) return known;
    const found = withFileErrors(shown(file), () => findAt(fs, folder, file, namesBeside));
    seen.set(file, found);
    return found;
  };
}

/** The names in a folder; none where there is no such folder. */
function namesIn(fs: FileSystem, folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return [];
    throw error;
  }
}

/** The names in each folder, in lower case. */
function listing(fs: FileSystem, folder: string): (below: string) => ReadonlySet<string> {
  const lists = new Map<string, ReadonlySet<string>>();
  return (below) => {
    const known = lists.get(below);
    if (known !== undefined) return known;
    const names = namesIn(fs, path.join(folder, below));
    const list = new Set(names.map((name) => name.toLowerCase()));
    lists.set(below, list);
    return list;
  };
}

function findAt(
  fs: FileSystem,
  folder: string,
  file: string,
  namesBeside: (below: string) => ReadonlySet<string>,
): DiskFile {
  const absolute = path.join(folder, file);
  const entry = entryAt(fs, absolute);
  if (entry === undefined) {
    const isNamed = namesBeside(path.posix.dirname(file)).has(
      path.posix.basename(file).toLowerCase(),
    );
    return isNamed ? { kind: 'obstacle', obstacle: 'other name' } : { kind: 'nothing' };
  }
  if (entry.isSymbolicLink()) return { kind: 'obstacle', obstacle: 'link' };
  if (!entry.isFile()) return { kind: 'obstacle', obstacle: 'folder' };
  if (entry.size > LARGEST) return { kind: 'obstacle', obstacle: 'huge' };
  return diskFileOf(fs.readFileSync(absolute));
}

function entryAt(fs: FileSystem, absolute: string): ReturnType<FileSystem['lstatSync']> {
  try {
    return fs.lstatSync(absolute, { throwIfNoEntry: false });
  } catch (error) {
    // A file where a folder was: what stood in the folder is gone.
    if (errnoOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The state of a file on disk, from its bytes. */
export function diskFileOf(bytes: Uint8Array): DiskFile {
  try {
    const { text, form } = readLayout(UTF8.decode(bytes));
    return { kind: 'text', text, form, hash: hashOf(text) };
  } catch {
    return { kind: 'obstacle', obstacle: 'not text' };
  }
}
