/** Installs a project's dependencies, with one of four package managers. */
import { lastLines } from './output.ts';
import { run } from './run.ts';

export type InstallOutcome =
  | { readonly kind: 'installed' }
  | { readonly kind: 'interrupted' }
  /** `output`: the last of what the package manager said. */
  | { readonly kind: 'failed'; readonly reason: string; readonly output: readonly string[] };

/** What installs with each: the words after its name. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  npm: ['install', '--no-audit', '--no-fund'],
};

/** Runs to its end; ends it where `interrupted` is aborted. */
export async function install(
  manager: string,
  folder: string,
  interrupted: AbortSignal,
): Promise<InstallOutcome> {
  const ended = await run(manager, ARGUMENTS[manager] ?? ['install'], {
    cwd: folder,
    interrupted,
  });
  if (interrupted.aborted) return { kind: 'interrupted' };
  if (ended.status === 0) return { kind: 'installed' };
  const reason = ended.isMissing
    ? `${manager} is not on this machine`
    : ended.status === undefined
      ? `it was ended by ${ended.signal ?? 'something else'}`
      : `it ended with status ${ended.status}`;
  return { kind: 'failed', reason, output: lastLines(ended.output) };
}
