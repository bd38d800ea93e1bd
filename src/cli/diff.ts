/** Prints differences: plain, so that `patch` reads them, and in colour on a terminal. */
import { unifiedDiff } from '../update/unified.ts';
import type { Outcome } from '../update/types.ts';
import type { TerminalStyle } from './style.ts';

/** The difference that a run makes to each file, as text. */
export function diffOf(outcomes: readonly Outcome[], style: TerminalStyle): string {
  return outcomes
    .flatMap(changeOf)
    .flatMap(({ path, before, after }) => unifiedDiff(path, before, after))
    .map((line) => `${painted(line, style)}\n`)
    .join('');
}

interface Change {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

function changeOf({ path, action, before, after, conflict }: Outcome): readonly Change[] {
  switch (action) {
    case 'added':
    case 'updated':
    case 'merged':
    case 'moved':
    case 'removed':
    case 'imports':
      return [{ path, before, after }];
    case 'conflict':
      return conflict?.newFile === undefined || conflict.isOld
        ? []
        : [{ path: conflict.newFile, before: undefined, after: conflict.text }];
    case 'kept':
    case 'absent':
    case 'left':
      return [];
  }
}

function painted(line: string, style: TerminalStyle): string {
  if (/^(?:---|\+\+\+) /.test(line)) return style.bold(line);
  if (line.startsWith('@@')) return style.cyan(line);
  if (line.startsWith('+')) return style.green(line);
  return line.startsWith('-') ? style.red(line) : line;
}
