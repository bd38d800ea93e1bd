/** Opens the folder of a PGlite database: a new one is made, and what is no database is refused. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Is there while a database is being made: what a process leaves that ends meanwhile is no database. */
const UNFINISHED = 'unfinished';

/**
 * Opens the database in `<folder>/pglite`, and makes it if there is none.
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
        'folder in DATA_DIR, or empty this one to begin anew.',
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
