/** Builds the command line once for a run, for the tests that run it as a process. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Each group of tests runs this module anew: the process has what they share. */
const run = globalThis as { isBuiltForTests?: boolean };

export default function setup(): void {
  if (run.isBuiltForTests === true) return;
  const root = fileURLToPath(new URL('../../', import.meta.url));
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' });
  run.isBuiltForTests = true;
}
