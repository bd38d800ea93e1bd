/**
 * The render cache: reuses the output of the last run. It is valid only if one run of this version wrote the
 * record, from definitions that the record still holds; after a merge of two branches everything is rendered.
 *
 * For a file on disk, only an entry of the manifest with one hash is used: it is that of the last generated text. A
 * file that is absent stays absent, and files in conflict are rendered again.
 */
import type { SourceFile } from '../reading/position.ts';
import { asText } from '../disk/definitions.ts';
import { fingerprintOf } from '../disk/fingerprint.ts';
import { packageVersion } from '../disk/package.ts';
import type { Project } from '../disk/project.ts';
import type { OutputFile } from '../shared/files.ts';
import { renderDependenciesOf } from '../model/render-dependencies.ts';
import type { Model } from '../model/types.ts';
import type { PackageManager } from '../shared/package-manager.ts';
import type { Output } from '../plan/outputs.ts';
import type { ResolvedFile } from '../update/resolve-file.ts';
import { hashOf } from '../update/text.ts';
import type { ManifestEntry } from '../update/types.ts';

/** Outputs that are not rendered. */
export interface CacheHits {
  /** Outputs with their text. */
  readonly tree: readonly OutputFile[];
  /** Outputs whose text is not needed: the team owns or has deleted them. */
  readonly resolved: readonly ResolvedFile[];
}

/** What the cache has of an output: its text, or its resolution where no text is needed. */
export type CachedFile = OutputFile | ResolvedFile;

/** Gives outputs from the record. @param isSame whether an output is made of the same inputs as in the last run. */
export function readCache(
  project: Project,
  isSame: (output: Output) => boolean,
): (output: Output) => CachedFile | undefined {
  const entry = new Map(project.manifest.entries.map((one) => [one.path, one]));
  const open = new Set(project.manifest.openConflicts.map(({ path }) => path));
  return (output) => {
    const { target } = output;
    const last = entry.get(target);
    return last === undefined || open.has(target) || !isSame(output)
      ? undefined
      : cachedFile(project, last);
  };
}

/**
 * The output of the last run for all entries of the manifest but migrations. The caller ensures that the inputs are
 * unchanged and no conflict is open.
 * @returns undefined if the record is incomplete.
 */
export function readWholeCache(project: Project): CacheHits | undefined {
  const tree: OutputFile[] = [];
  const resolved: ResolvedFile[] = [];
  for (const entry of project.manifest.entries) {
    if (entry.ownership === 'append') continue;
    const one = cachedFile(project, entry);
    if (one === undefined) return undefined;
    if ('text' in one) tree.push(one);
    else resolved.push(one);
  }
  return { tree, resolved };
}

function cachedFile({ diskFile, baseOf }: Project, entry: ManifestEntry): CachedFile | undefined {
  const { path, ownership, hashes } = entry;
  if (ownership !== 'merged') {
    const base = ownership === 'until-edited' ? baseOf(path) : undefined;
    return { path, entry, ...(base !== undefined && { base }), writes: [], removes: [] };
  }
  const there = diskFile(path);
  if (there.kind === 'nothing') {
    const base = baseOf(path);
    const outcome = { path, action: 'absent' } as const;
    return {
      path,
      entry: entry,
      ...(base !== undefined && { base }),
      outcome,
      writes: [],
      removes: [],
    };
  }
  const [hash] = hashes;
  if (there.kind === 'obstacle' || hashes.length !== 1) return undefined;
  if (there.hash === hash) return { path, ownership, text: there.text };
  const base = baseOf(path);
  return base !== undefined && hashOf(base) === hash ? { path, ownership, text: base } : undefined;
}

/** Whether the record is of one run of this version, from the definitions that it holds. */
export function isOfOneRun({ manifest, applied }: Project, manager: PackageManager): boolean {
  const version = packageVersion();
  return (
    isOnlyValue(manifest.generators, version) &&
    isOnlyValue(manifest.applied, fingerprintOf(version, manager, applied))
  );
}

export const isOnlyValue = (values: readonly string[], value: string): boolean =>
  values.length === 1 && values[0] === value;

/** What the last run made files of, and what this one does. */
interface Then {
  readonly model: Model;
  readonly manager: PackageManager;
}
interface Now {
  readonly model: Model;
  /** The definitions as they are applied now. */
  readonly files: readonly SourceFile[];
}

/** Which outputs are made of just what the record holds, for the same package manager. */
export function unchangedSince(
  project: Project,
  { model: before, manager }: Then,
  { model: now, files }: Now,
): (output: Output) => boolean {
  if (!isOfOneRun(project, manager)) return () => false;
  const texts = new Map(project.applied.map(({ path, text }) => [path, text]));
  const current = new Map(files.map(asText).map(({ path, text }) => [path, text]));
  const changed = [...new Set([...texts.keys(), ...current.keys()])].filter(
    (path) => texts.get(path) !== current.get(path),
  );
  // What the project installs the tool from is not among the definitions.
  if (changed.length === 0) return ({ madeOf }) => madeOf !== 'tool';
  const names = new Set(changed.map(collectionOf));
  if (names.has(undefined) || before.versions !== undefined || now.versions !== undefined) {
    return () => false;
  }
  const isFar = (model: Model, name: string): boolean =>
    [...renderDependenciesOf(model, name)].every((one) => !names.has(one));
  const far = new Set(
    now.collections
      .map(({ definition }) => definition.name)
      .filter((name) => isFar(now, name) && isFar(before, name)),
  );
  return ({ madeOf, collection }) =>
    madeOf === 'template' ||
    madeOf === 'manager' ||
    (collection !== undefined && far.has(collection.definition.name));
}

/** The collection that a file of definitions is about; undefined for that of the service. */
const collectionOf = (path: string): string | undefined =>
  /^definitions\/collections\/([^/]+)\.yaml$/.exec(path)?.[1];
