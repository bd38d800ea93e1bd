/** What the clients of frozen versions rely on, as a project keeps it: read, and written anew. */
import { parseFolder } from '../definition/index.ts';
import type { ServiceDefinition } from '../definition/types.ts';
import type { Position, SourceFile } from '../reading/position.ts';
import { asText } from '../disk/definitions.ts';
import { contractPath, contractVersion } from '../disk/manifest.ts';
import type { WrittenFile } from '../disk/manifest.ts';
import type { Project } from '../disk/project.ts';
import { userError } from '../shared/errors.ts';
import { frozenContracts } from '../compatibility/frozen-contracts.ts';
import type { FrozenContract } from '../compatibility/frozen-contracts.ts';
import { contractFiles } from '../compatibility/contract-files.ts';
import type { PlaceOf } from '../compatibility/types.ts';
import { hashOf } from '../update/text.ts';

/** The contracts of all frozen versions, by their paths in the project. */
export const contractTexts = (service: ServiceDefinition): readonly WrittenFile[] =>
  frozenContracts(service).flatMap(({ version, view }) =>
    contractFiles(view).map(({ path, text }) => ({ path: contractPath(version, path), text })),
  );

/** A file of a contract that is not as the last run wrote it. */
export interface AlteredContract {
  readonly path: string;
  readonly version: number;
  readonly isGone: boolean;
}

/**
 * Files of contracts that were edited or removed since the last run. After a merge of branches the manifest has two
 * hashes: a file with neither is the merge of both, and accepted; a file with one of them lacks what the other
 * branch promised, and counts as altered.
 */
export function alteredContracts({ manifest, contracts }: Project): readonly AlteredContract[] {
  const there = new Map(
    [...contracts.values()].flat().map(({ path, text }) => [path, hashOf(text)]),
  );
  const known = new Map(manifest.contracts.map(({ path, hashes }) => [path, hashes]));
  return [...new Set([...known.keys(), ...there.keys()])].toSorted().flatMap((path) => {
    const version = contractVersion(path);
    const hash = there.get(path);
    const hashes = known.get(path) ?? [];
    if (version === undefined) return [];
    const isOneSide = hashes.length > 1 && hash !== undefined && hashes.includes(hash);
    const isAsKept = hashes.length > 1 ? hash !== undefined && !isOneSide : hash === hashes[0];
    if (isAsKept) return [];
    return [{ path, version, isGone: hash === undefined }];
  });
}

/**
 * The contracts that the last run recorded.
 * @param shown gives the name of a path of the project in messages.
 * @throws UserError where one of them is damaged.
 */
export async function readContracts(
  project: Project,
  shown: (file: string) => string,
): Promise<readonly FrozenContract[]> {
  const encoder = new TextEncoder();
  const altered = alteredContracts(project);
  const isAltered = (version: number): boolean => altered.some((one) => one.version === version);
  // Without one of its files a contract cannot be parsed: the definitions of the last run are compared instead.
  const isWhole = (version: number): boolean =>
    !altered.some((one) => one.version === version && one.isGone);
  const whole = [...project.contracts].filter(([version]) => isWhole(version));
  return Promise.all(
    whole.map(async ([version, files]): Promise<FrozenContract> => {
      const sources = files.map(({ path, text }) => ({
        path: shown(path),
        bytes: encoder.encode(text),
      }));
      const result = await parseFolder(sources, { fallbackName: 'service' });
      if (result.ok) return { version, view: result.service, isAltered: isAltered(version) };
      const [first] = result.issues;
      throw userError('contract-damaged', {
        path: first?.at.file ?? shown(contractPath(version, '')),
        line: first?.at.line ?? 1,
        version,
        message: first?.message ?? '',
      });
    }),
  );
}

/** Where keys stand: at the beginning of a line of their file. */
export function keyPlaces(sources: readonly SourceFile[], otherwise: string): PlaceOf {
  const service = sources.find(({ path }) => /(?:^|\/)service\.(?:ya?ml|json)$/.test(path));
  return (key, collection): Position => {
    const file = collection === undefined ? service : sources.find(isFile(collection.file));
    const lines = file === undefined ? [] : asText(file).text.split('\n');
    const index = lines.findIndex((line) => new RegExp(`^["']?${key}["']?[ \\t]*:`).test(line));
    const place = { file: file?.path ?? otherwise, line: index + 1, column: 1 };
    return index === -1 ? (collection ?? { ...place, line: 1 }) : place;
  };
}

const isFile =
  (name: string) =>
  ({ path }: SourceFile): boolean =>
    path === name;
