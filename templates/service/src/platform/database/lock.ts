/** A lock file for the folder of PGlite, which only one process may open. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The process that holds a lock. */
interface Holder {
  readonly pid: number;
  /** When it started, if the system has that: process ids are reused. */
  readonly started: string | undefined;
}

/**
 * Locks a folder by a file in it that names this process. The lock of a dead process is taken over.
 * @returns a function that releases the lock.
 * @throws if a living process holds it.
 */
export function lockFolder(folder: string): () => void {
  const file = join(folder, 'lock');
  const own = `${file}.${process.pid}`;
  writeFileSync(own, JSON.stringify({ pid: process.pid, started: startOf(process.pid) }));
  try {
    while (!tryLink(own, file)) {
      const holder = readHolder(file);
      if (holder !== undefined && isAlive(holder)) {
        throw new Error(
          `The database folder ${folder} is in use by process ${holder.pid}. Stop that process, ` +
            'or name another folder in DATA_DIR.',
        );
      }
      // Of several processes that see a dead holder, one moves its file away; the others retry.
      takeAway(file, `${own}.dead`);
    }
  } finally {
    rmSync(own, { force: true });
  }
  return () => rmSync(file, { force: true });
}

/** Creates the lock file atomically, with its content; false if there is one. */
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function takeAway(file: string, to: string): void {
  try {
    renameSync(file, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const moved = readHolder(to);
  // Another process took the lock over in between: its file is put back.
  if (moved !== undefined && isAlive(moved)) tryLink(to, file);
  rmSync(to, { force: true });
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

function isAlive({ pid, started }: Holder): boolean {
  // In a container each start has the same process id. Without a start time the lock counts as old.
  if (pid === process.pid && started === startOf(pid)) return started !== undefined;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return started === undefined || started === startOf(pid);
}

/** When a process started, in clock ticks since Linux booted; undefined for a dead process. */
function startOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may hold anything (proc(5), /proc/pid/stat).
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
