/** Opens or creates the folder of a PGlite database, and refuses folders with anything else. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file that exists while a database is created: if the process ends meanwhile, the next one starts over. */
const UNFINISHED = 'pglite.unfinished';

/**
 * Opens the database in `<folder>/pglite`, or creates it.
 * @param open opens PGlite at a path.
 * @throws if the path is neither empty nor a database, or the database is damaged.
 */
export async function openFolder<Opened>(
  folder: string,
  open: (path: string) => Promise<Opened>,
): Promise<Opened> {
  const path = join(folder, 'pglite');
  const unfinished = join(folder, UNFINISHED);
  if (existsSync(unfinished)) rmSync(path, { recursive: true, force: true });
  if (isEmpty(path)) {
    writeFileSync(unfinished, '');
    mkdirSync(path, { recursive: true });
    const opened = await open(path);
    rmSync(unfinished);
    return opened;
  }
  const version = versionOf(path);
  if (version === undefined) {
    throw new Error(
      `${path} is neither empty nor a database: it has no file PG_VERSION. Restore a backup of it, name another ` +
        'folder in DATA_DIR, or empty this folder to create a database.',
    );
  }
  try {
    return await open(path);
  } catch (error) {
    throw new Error(
      `The database in ${path} (PostgreSQL ${version}) cannot be opened, it may be damaged: ${(error as Error).message}. ` +
        'Restore a backup of it, or name another folder in DATA_DIR.',
      { cause: error },
    );
  }
}

const isEmpty = (path: string): boolean => !existsSync(path) || readdirSync(path).length === 0;

/** The major version of PostgreSQL that made a database; undefined if it is none. */
function versionOf(path: string): string | undefined {
  try {
    return /^\d+/.exec(readFileSync(join(path, 'PG_VERSION'), 'utf8'))?.[0];
  } catch {
    return undefined;
  }
}
