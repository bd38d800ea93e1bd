/**
 * Where this copy of the tool came from, as a dependency specifier: a project that it makes
 * installs the same tool from the same place, whether or not a registry has it.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const NAME = 'create-service';

interface Package {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** npm's own record of what it installed (`node_modules/.package-lock.json`). */
interface InstallRecord {
  readonly packages?: Readonly<Record<string, { readonly resolved?: string }>>;
}

/**
 * @param root the folder of this package, with symbolic links followed.
 * @param version what `package.json` there says: the specifier where a registry has it.
 */
export function toolSpec(root: string, version: string): string {
  const modules = path.dirname(root);
  // A checkout, or a folder that somebody unpacked, is not among installed modules.
  if (path.basename(modules) !== 'node_modules') return fileSpec(root);

  const project = path.dirname(modules);
  const recordFile = path.join(modules, '.package-lock.json');
  const record = readJson(recordFile) as InstallRecord | undefined;
  const resolved = record?.packages?.[`node_modules/${NAME}`]?.resolved;
  if (resolved !== undefined && !resolved.startsWith('http')) return absolute(resolved, project);

  // Other package managers keep no such record, and an address may be that of a registry: what
  // was asked for tells.
  const asked = askedFor(project);
  if (asked !== undefined)
    return PLACE.test(asked.spec) ? absolute(asked.spec, asked.folder) : version;
  // npm keeps no record of what it installs for all projects, either: what was never published no
  // registry has, and the installed copy itself is where there is one.
  const isFromRegistry = existsSync(recordFile) || existsSync(path.join(root, PUBLISHED));
  return isFromRegistry ? version : fileSpec(root);
}

/** What `npm publish` leaves in the package, and `npm pack` does not: `scripts/build.mjs` makes it. */
const PUBLISHED = 'dist/published';
/** A specifier that names a place, and not a version. */
const PLACE = /^(file:|link:|https?:|git)/;

/** The specifier of the nearest package.json that depends on this tool. */
function askedFor(folder: string): { spec: string; folder: string } | undefined {
  const found = readJson(path.join(folder, 'package.json')) as Package | undefined;
  const spec = found?.dependencies?.[NAME] ?? found?.devDependencies?.[NAME];
  if (spec !== undefined) return { spec, folder };
  const parent = path.dirname(folder);
  return parent === folder ? undefined : askedFor(parent);
}

/** A specifier whose path, if it has one, no longer depends on where it stands. */
function absolute(spec: string, folder: string): string {
  const local = /^(?:file|link):(?:\/\/)?(.*)$/.exec(spec)?.[1];
  return local === undefined ? spec : fileSpec(path.resolve(folder, local));
}

const fileSpec = (file: string): string => `file:${file.split(path.sep).join('/')}`;

function readJson(file: string): unknown {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Somebody else's broken file is not ours to complain of.
    return undefined;
  }
}
