/** Creates empty PGlite databases in memory from a cached dump: `initdb` takes several times as long as loading a dump. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

/** The part of the `PGlite` interface that this module calls. */
interface Dumpable {
  readonly dumpDataDir: (compression: 'none') => Promise<Blob>;
}

/** Calls `PGlite.create`; callers may add options. */
type Create<Database extends Dumpable> = (options?: {
  readonly loadDataDir: Blob;
}) => Promise<Database>;

/**
 * Creates an empty database in memory. The first call for a version of PGlite runs `initdb` and stores a dump below
 * `node_modules/.cache`; later calls load it. As long as no dump can be stored, each call runs `initdb`.
 * @param entry the path of the module that exports `PGlite`.
 */
export async function createEmptyPglite<Database extends Dumpable>(
  create: Create<Database>,
  entry: string,
): Promise<Database> {
  const file = dumpFile(entry);
  if (file === undefined) return create();
  const dump = readDump(file);
  const loaded = dump && (await create({ loadDataDir: dump }).catch(() => undefined));
  if (loaded !== undefined) return loaded;
  const database = await create();
  await storeDump(file, database);
  return database;
}

/** The file for a dump of this version; undefined if the package is not in a folder `node_modules`. */
function dumpFile(entry: string): string | undefined {
  // pnpm and Bun may link packages to folders below `.pnpm` and `.bun`.
  const [modules = ''] = entry.split(/[/\\](?:\.pnpm|\.bun|@electric-sql)[/\\]/);
  if (basename(modules) !== 'node_modules') return undefined;
  try {
    const text = readFileSync(join(dirname(entry), '../package.json'), 'utf8');
    const { version } = JSON.parse(text) as { version: string };
    return join(modules, '.cache/pglite', `${version}.tar.gz`);
  } catch {
    return undefined;
  }
}

/** The dump, decompressed; undefined if there is none, or its checksum is wrong. */
function readDump(file: string): Blob | undefined {
  try {
    return new Blob([gunzipSync(readFileSync(file))]);
  } catch {
    return undefined;
  }
}

/** Stores a dump. Another process sees the whole file or none; without a file, the next call runs `initdb` again. */
async function storeDump(file: string, database: Dumpable): Promise<void> {
  const unfinished = `${file}.${randomUUID()}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    // Checks that the folder is writable before creating the dump.
    writeFileSync(unfinished, '');
    const dump = await database.dumpDataDir('none');
    writeFileSync(unfinished, gzipSync(await dump.arrayBuffer(), { level: 1 }));
    renameSync(unfinished, file);
  } catch {
    rmIfPossible(unfinished);
  }
}

function rmIfPossible(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The folder is read-only, or not a folder.
  }
}
