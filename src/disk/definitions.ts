/** Reads definition files, under the names by which messages call them. */
import path from 'node:path';

import type { SourceFile } from '../reading/position.ts';
import { userError } from '../shared/errors.ts';
import { readLayout } from '../update/text.ts';
import { errnoOf, realFileSystem as fs, withFileErrors } from './file-system.ts';
import type { WrittenFile } from './manifest.ts';

/** Definitions as they were found: one file, or the files of a folder. */
export type DefinitionSources =
  | { readonly kind: 'file'; readonly file: SourceFile }
  | {
      readonly kind: 'folder';
      readonly folder: string;
      readonly files: readonly SourceFile[];
      /** Those of the project, or beside `service.yaml` if the folder is none of a project. */
      readonly seeds: readonly SourceFile[];
    };

/** The folder of a project that holds its definitions. */
export const DEFINITIONS = 'definitions';
/** The file in it with what the last import wrote: it is no definition. */
export const IMPORT_LOCK = 'import.lock';
/** The folder of a project that holds its seeds. */
const SEEDS = 'seeds';

const READ = /\.(?:ya?ml|json)$/;
/** The parser says what is misplaced; nothing sensible lies deeper. */
const DEEPEST = 4;

/**
 * Reads what `--from` names: a file, a folder of definitions, or a project that has one.
 * @param from an absolute path.
 * @param shown gives the name of an absolute path in messages.
 * @throws UserError where there is nothing to read.
 */
export function readDefinitions(from: string, shown: (file: string) => string): DefinitionSources {
  return withFileErrors(shown(from), () => {
    if (!isFolder(from, shown)) {
      const bytes = fs.readFileSync(from);
      return { kind: 'file', file: { path: shown(from), bytes } };
    }
    const own = path.join(from, DEFINITIONS);
    const folder = !holdsDefinitions(from) && isThere(own) ? own : from;
    const isOfProject = path.basename(folder) === DEFINITIONS;
    const besides = isOfProject ? path.dirname(folder) : folder;
    const seeds = path.join(besides, SEEDS);
    const files = filesIn(folder, DEEPEST).filter((file) => path.dirname(file) !== seeds);
    if (files.length === 0) throw userError('no-definitions', { folder: shown(folder) });
    return {
      kind: 'folder',
      folder,
      files: files.map((file) => readShown(file, shown)),
      seeds: readSeeds(besides, shown),
    };
  });
}

/** Reads the files of seeds in a project or another folder; none if there is no folder of them. */
export function readSeeds(folder: string, shown: (file: string) => string): readonly SourceFile[] {
  const seeds = path.join(folder, SEEDS);
  return withFileErrors(shown(seeds), () =>
    isThere(seeds)
      ? filesIn(seeds, 0)
          .filter((file) => !file.endsWith('.json'))
          .map((file) => readShown(file, shown))
      : [],
  );
}

/** What the last import wrote, if the definitions in a folder are from one. */
export function readImportLock(
  folder: string,
  shown: (file: string) => string,
): string | undefined {
  const file = path.join(folder, IMPORT_LOCK);
  if (fs.statSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  return readLayout(decoder.decode(withFileErrors(shown(file), () => readRegular(file, shown))))
    .text;
}

const readShown = (file: string, shown: (file: string) => string): SourceFile => ({
  path: shown(file),
  bytes: withFileErrors(shown(file), () => readRegular(file, shown)),
});

/** A file of a folder of definitions. Another thing, such as a pipe, would be waited for without end. */
function readRegular(file: string, shown: (file: string) => string): Uint8Array {
  if (!fs.statSync(file).isFile()) throw userError('not-a-file', { path: shown(file) });
  return fs.readFileSync(file);
}

/** Whether a folder of definitions is here, with something in it. */
export function hasDefinitions(project: string): boolean {
  return holdsDefinitions(path.join(project, DEFINITIONS));
}

const decoder = new TextDecoder();

/** A definition as text with LF; a parser has said that it is UTF-8. */
export const asText = (file: SourceFile): WrittenFile => ({
  path: file.path,
  text: readLayout(decoder.decode(file.bytes)).text,
});

/** Definitions as texts, by their paths in a project. */
export const definitionTexts = (
  project: string,
  cwd: string,
  sources: readonly SourceFile[],
): readonly WrittenFile[] =>
  sources.map((file) => ({
    ...asText(file),
    path: path.relative(project, path.resolve(cwd, file.path)).split(path.sep).join('/'),
  }));

function holdsDefinitions(folder: string): boolean {
  try {
    return fs
      .readdirSync(folder)
      .some((name) => name === 'collections' || /^service\.(?:ya?ml|json)$/.test(name));
  } catch {
    return false;
  }
}

function isFolder(from: string, shown: (file: string) => string): boolean {
  try {
    return fs.statSync(from).isDirectory();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') throw userError('from-missing', { path: shown(from) });
    throw error;
  }
}

const isThere = (file: string): boolean =>
  fs.statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;

function filesIn(folder: string, depth: number): string[] {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .flatMap((entry) => {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) return depth > 0 ? filesIn(file, depth - 1) : [];
      return READ.test(entry.name) ? [file] : [];
    });
}
