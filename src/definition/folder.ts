/** Definitions as a folder: `service.yaml`, and one file a collection in `collections/`. */
import { readKeys } from '../reading/records.ts';
import { areKnown, checkParts, failedResult, readFile } from './check.ts';
import { deepFreeze } from './deep-freeze.ts';
import { Issues } from '../reading/issues.ts';
import { SERVICE_KEYS } from './keys.ts';
import { withModeline, pathOf, type FileKind } from './layout.ts';
import type { Part } from './part.ts';
import { readOnce } from './read-once.ts';
import { plainDefinitions } from './plain-definitions.ts';
import { quote } from '../reading/quote.ts';
import { startOf, type Source } from '../reading/source.ts';
import { newServiceFile, yamlFile } from './split.ts';
import type { DefinitionResult } from './types.ts';
import type { SourceFile } from '../reading/position.ts';

export interface ParseOptions {
  /** What the service is called where its file does not say: the name of the folder. */
  readonly fallbackName: string;
  /** A file that says the same to the letter, and may have been read before: it stands for the one given. */
  readonly sameAs?: (file: SourceFile) => SourceFile | undefined;
}

/**
 * Reads the folder layout, under whatever folder it was given. Files that are neither YAML nor
 * JSON are left alone.
 */
export async function parseFolder(
  files: readonly SourceFile[],
  options: ParseOptions,
): Promise<DefinitionResult> {
  const issues = new Issues();
  const sorted = sortFiles(files, issues);
  const service = sorted.service && readFile(sorted.service, 'name: bookshop', issues);
  const { sameAs = () => undefined, fallbackName } = options;
  const read = sorted.collections.map((file) => readPart(sameAs(file) ?? file, { issues }));
  const parts = read.flatMap((one) => one?.part ?? []);
  const keys = service ? readKeys(service.tree, SERVICE_KEYS, 'the service', issues) : {};
  const checked = await checkParts(
    {
      service: keys,
      collections: parts,
      fallbackName,
      complete: parts.length === read.length && !sorted.service === !service,
      rolesKnown: service ? areKnown(service.tree, keys, 'roles') : !sorted.service,
      versionsKnown: service
        ? areKnown(service.tree, keys, 'versions', 'retired')
        : !sorted.service,
    },
    issues,
  );
  if (checked === undefined) return failedResult(issues);
  const sources = new Map(read.map((one) => [one!.source.file, one!]));
  const kept = checked.collections.map(({ name, at }) =>
    written(sources.get(at.file)!.source, 'collection', name),
  );
  const { name } = checked;
  const own = service ? written(keptOf(service.source), 'service', name) : newServiceFile(name);
  const plain = plainDefinitions(service?.tree, parts);
  return deepFreeze({ ok: true, service: checked, files: [own, ...kept], seeds: [], plain });
}

/** A file of one collection. */
const readPart = readOnce(
  (file: SourceFile, { issues }: { readonly issues: Issues }) => {
    const read = readFile(file, 'fields:', issues);
    if (read === undefined) return undefined;
    const outer = { value: baseName(file.path), at: startOf(file.path) };
    const part: Part = { outer, tree: read.tree, inMap: false };
    return { source: keptOf(read.source), part };
  },
  () => '',
);

/** What is kept of a file: a document takes much memory, and only that of JSON is needed again. */
type KeptSource = Pick<Source, 'file' | 'text'> & Partial<Pick<Source, 'document'>>;

const keptOf = ({ file, text, document }: Source): KeptSource =>
  file.endsWith('.json') ? { file, text, document } : { file, text };

const written = ({ text, document }: KeptSource, kind: FileKind, name: string): SourceFile =>
  document === undefined ? withModeline({ text }, kind, name) : yamlFile({ document }, kind, name);

const ENDING = /\.(?:ya?ml|json)$/;

interface SortedFiles {
  readonly service: SourceFile | undefined;
  readonly collections: readonly SourceFile[];
}

/** Tells the files apart by where they stand. */
function sortFiles(files: readonly SourceFile[], issues: Issues): SortedFiles {
  const own = files
    .filter(({ path }) => ENDING.test(path))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const root = rootOf(own.map(({ path }) => path.split('/').slice(0, -1)));
  const isIn = (folder: readonly string[], { path }: SourceFile): boolean =>
    path.split('/').slice(0, -1).join('/') === [...root, ...folder].join('/');
  const collections = own.filter((file) => isIn(['collections'], file));
  const services = own.filter((file) => isIn([], file) && baseName(file.path) === 'service');
  const [service, second] = services;
  if (second !== undefined) {
    const message = `the service is defined twice: also in ${service!.path}. Remove one of the files.`;
    issues.add(startOf(second.path), 'file-misplaced', message);
  }
  for (const file of own.filter((one) => !collections.includes(one) && !services.includes(one))) {
    const message = `the file ${quote(file.path.split('/').at(-1)!)} is not read here. Move it to ${pathOf('collection', baseName(file.path))}.`;
    issues.add(startOf(file.path), 'file-misplaced', message);
  }
  if (collections.length === 0) {
    const at = startOf(service?.path ?? pathOf('service', ''));
    const message = `there are no collections, and a service needs one. Write a file such as ${pathOf('collection', 'books')}.`;
    issues.add(at, 'no-collections', message);
  }
  return { service, collections };
}

/** The folder that holds all of these, or the one above where that is the one of collections. */
function rootOf(folders: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = folders;
  const apart = first.findIndex((name, index) => others.some((other) => other[index] !== name));
  const common = apart === -1 ? first : first.slice(0, apart);
  const below = folders.some((folder) => folder[common.length] === 'collections');
  return common.at(-1) === 'collections' && !below ? common.slice(0, -1) : common;
}

function baseName(path: string): string {
  return path.split('/').at(-1)!.replace(ENDING, '');
}
