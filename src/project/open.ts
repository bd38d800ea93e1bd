/**
 * A project that was generated before, opened: where it is, what its record and its definitions say,
 * and what its package.json says of the tool and of the package manager.
 */
import path from 'node:path';

import type { SourceFile } from '../reading/position.ts';
import {
  DEFINITIONS,
  definitionTexts,
  hasDefinitions,
  readDefinitions,
} from '../disk/definitions.ts';
import { realFileSystem as fs } from '../disk/file-system.ts';
import { fingerprintOf, recordedInputs } from '../disk/fingerprint.ts';
import { MANIFEST, readsFormat } from '../disk/manifest.ts';
import type { WrittenFile } from '../disk/manifest.ts';
import { packageVersion } from '../disk/package.ts';
import { findProject, readProject } from '../disk/project.ts';
import type { Project } from '../disk/project.ts';
import { userError } from '../shared/errors.ts';
import { displayPath } from '../shared/display-path.ts';
import { recordLines } from '../migration/recorded-definitions.ts';
import { COMMANDS, managerIn, NPM } from '../shared/package-manager.ts';
import type { ChosenManager } from '../shared/package-manager.ts';
import { isOnlyValue } from './render-cache.ts';
import { compareVersions, newest } from '../update/versions.ts';

/** Where a project is. @throws UserError where there is none. */
export function locateProject(cwd: string): string {
  const folder = findProject(fs, cwd);
  if (folder === undefined) throw userError('no-project', { folder: displayPath(cwd, cwd) });
  return folder;
}

/** Reads the record of a project that this version can go on with. */
export function openProject(folder: string, shown: (file: string) => string): Project {
  const project = readProject(fs, folder, shown);
  const manifest = shown(MANIFEST);
  if (project === undefined) throw userError('manifest-missing', { path: manifest });
  const { damage, generators, format } = project.manifest;
  // A newer version may write lines that this one does not know: those are no damage.
  const was = newest(generators) ?? '';
  const is = packageVersion();
  if (compareVersions(was, is) > 0 || !readsFormat(format)) {
    throw userError('newer-project', {
      was,
      is,
      add: COMMANDS[packageManagerOf(project).name].add,
    });
  }
  const [first] = damage;
  if (first !== undefined) {
    throw userError('manifest-damaged', { path: manifest, count: damage.length, ...first });
  }
  return project;
}

/** The definitions as files, under the names by which messages call them. */
export function readSources(
  folder: string,
  cwd: string,
  added: SourceFile | undefined,
): readonly SourceFile[] {
  if (!hasDefinitions(folder)) {
    throw userError('no-definitions', { folder: displayPath(cwd, folder) });
  }
  const read = readDefinitions(path.join(folder, DEFINITIONS), (file) => displayPath(cwd, file));
  const files = read.kind === 'folder' ? read.files : [read.file];
  if (added === undefined) return files;
  return [...files, { ...added, path: displayPath(cwd, path.join(folder, added.path)) }];
}

/** Whether the recorded hash of the inputs equals that of the current definitions, migrations and manifest. */
export function isCurrent(project: Project, cwd: string): boolean {
  const { folder } = project;
  return isGeneratedFrom(
    project,
    definitionTexts(folder, cwd, readSources(folder, cwd, undefined)),
  );
}

export function isGeneratedFrom(project: Project, definitions: readonly WrittenFile[]): boolean {
  const { inputs, generators, entries } = project.manifest;
  const version = packageVersion();
  const manager = packageManagerOf(project).name;
  const more = recordedInputs(recordLines(project.migrations), entries);
  return (
    isOnlyValue(inputs, fingerprintOf(version, manager, definitions, more)) &&
    isOnlyValue(generators, version)
  );
}

/** What the service is called where its definition does not say: the folder may be called otherwise. */
export function serviceNameOf({ baseOf, folder }: Project): string {
  try {
    return (JSON.parse(baseOf('package.json') ?? '') as { readonly name: string }).name;
  } catch {
    return path.basename(folder);
  }
}

/**
 * The project's package manager: what its package.json names. Where that names none, it is the one
 * that was generated for last: removing the field does not select another manager.
 */
export function packageManagerOf({ diskFile, baseOf }: Project): ChosenManager {
  const there = diskFile('package.json');
  const named = there.kind === 'text' ? managerIn(there.text) : undefined;
  return named ?? managerIn(baseOf('package.json') ?? '') ?? NPM;
}

/** What the project installs this tool from: as its package.json says now. */
export function toolOf({ diskFile, baseOf }: Project): string | undefined {
  const there = diskFile('package.json');
  const texts = [there.kind === 'text' ? there.text : undefined, baseOf('package.json')];
  return texts.map(toolIn).find((spec) => spec !== undefined);
}

/** Whether package.json names the tool and the package manager that it was generated with last. */
export function hasSameToolAndManager(project: Project, is: string): boolean {
  const text = project.baseOf('package.json') ?? '';
  const { name, version } = managerIn(text) ?? NPM;
  const manager = packageManagerOf(project);
  return (
    toolIn(text) === (toolOf(project) ?? is) && name === manager.name && version === manager.version
  );
}

function toolIn(text: string | undefined): string | undefined {
  try {
    const { dependencies, devDependencies } = JSON.parse(text ?? '{}') as Record<
      string,
      Readonly<Record<string, string>> | undefined
    >;
    return devDependencies?.['create-service'] ?? dependencies?.['create-service'];
  } catch {
    // It does not parse: the merge tells of it.
    return undefined;
  }
}

/** The file that defines a collection already; undefined where there is none. */
export function definitionPathOf(folder: string, name: string): string | undefined {
  if (!/^[a-z0-9_]+$/.test(name)) return undefined;
  return ['yaml', 'yml', 'json']
    .map((ending) => `${DEFINITIONS}/collections/${name}.${ending}`)
    .find((file) => fs.statSync(path.join(folder, file), { throwIfNoEntry: false }) !== undefined);
}
