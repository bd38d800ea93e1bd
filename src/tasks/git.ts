/** Makes a project a git repository, where it is not in one already. */
import { rm } from 'node:fs/promises';
import path from 'node:path';

import { lastLines } from './output.ts';
import { runProgram } from './run.ts';

/**
 * - `committed`: a new repository, with all files in its first commit.
 * - `staged`: the same but for the commit, which git refused (nobody to name as its author, say).
 * - `inside`: the folder is in a repository already, which stays as it is.
 * - `missing`: there is no git; `failed`: git would not; `interrupted`: by the user.
 */
type GitOutcome = 'committed' | 'staged' | 'inside' | 'missing' | 'failed' | 'interrupted';

/** What came of a repository; `reason` is what git said where it refused. */
interface MadeRepository {
  readonly outcome: GitOutcome;
  readonly reason?: string;
}

/** Git would take these, set by a hook that runs us say, for the place of the repository. */
const FOREIGN = { GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_INDEX_FILE: undefined };

/** Never throws, for a service is a service without git. */
export async function makeRepository(
  folder: string,
  message: string,
  interrupted: AbortSignal,
): Promise<MadeRepository> {
  const git = async (...words: string[]) =>
    runProgram('git', words, { cwd: folder, interrupted, env: FOREIGN });

  const found = await git('rev-parse', '--is-inside-work-tree');
  if (interrupted.aborted) return { outcome: 'interrupted' };
  if (found.isMissing) return { outcome: 'missing' };
  if (found.status === 0) return { outcome: 'inside' };

  const branch = await git('config', 'init.defaultBranch');
  const named = branch.status !== 0 ? ['--initial-branch=main'] : [];
  const steps = [
    ['init', '--quiet', ...named],
    ['add', '--all'],
    ['commit', '--quiet', '--message', message],
  ];
  for (const [index, step] of steps.entries()) {
    let { status, output } = await git(...step);
    if (status !== 0 && index === 0 && named.length > 0 && !interrupted.aborted) {
      // Git before 2.28 does not know the option.
      ({ status, output } = await git('init', '--quiet'));
    }
    if (status === 0) continue;
    const reason = reasonIn(output);
    if (index === steps.length - 1 && !interrupted.aborted) return { outcome: 'staged', reason };
    // Half a repository is none.
    await rm(path.join(folder, '.git'), { recursive: true, force: true });
    return interrupted.aborted ? { outcome: 'interrupted' } : { outcome: 'failed', reason };
  }
  return { outcome: 'committed' };
}

/** The line in which git says why it refused; a hook may say it in any words, in its last line. */
function reasonIn(output: string): string {
  const lines = lastLines(output);
  const said = lines.find((line) => /^(?:fatal|error): /.test(line)) ?? lines.at(-1) ?? '';
  return said.replace(/^(?:fatal|error): /, '').trim();
}
