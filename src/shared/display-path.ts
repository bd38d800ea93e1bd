/** Paths in messages. */
import path from 'node:path';

/** A path as a user writes it from a folder: relative, or absolute where that is shorter. */
export function displayPath(cwd: string, file: string): string {
  const relative = path.relative(cwd, file) || '.';
  const isFar = relative.startsWith('..') && file.length < relative.length;
  return (isFar ? file : relative).split(path.sep).join('/');
}
