/** A lock for a folder that only one process may use: the database in it. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The process that holds a lock. */
interface Holder {
  readonly pid: number;
  /** When it started, where the system tells: a process id is used again. */
  readonly started: string | undefined;
}

/**
 * Takes the lock of a folder: a file in it that names this process. The lock of a process that is
 * no more is taken over, by one of those who try.
 * @returns gives the lock back.
 * @throws where a living process holds it.
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
      // Of several that find it dead one moves it away; the others find it gone, or a new one.
      takeAway(file, `${own}.dead`);
    }
  } finally {
    rmSync(own, { force: true });
  }
  return () => rmSync(file, { force: true });
}

/** Makes the lock appear whole or not at all; tells whether it was free. */
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
  // Somebody took it over in between: it is theirs, and goes back.
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
  // In a container each start has the same id: then the time tells, or it is left from the last.
  if (pid === process.pid && started === startOf(pid)) return started !== undefined;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return started === undefined || started === startOf(pid);
}

/** When a process started, in ticks since the boot of Linux; undefined for a dead one. */
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
