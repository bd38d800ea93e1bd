/** A reporter that prints the ten test files that took longest, each with its share of the time of all files. */
import path from 'node:path';

import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 10;

/** Milliseconds that a file took: to load, and to run its hooks and tests. */
function durationOf(file: TestModule): number {
  const { collectDuration, duration } = file.diagnostic();
  return collectDuration + duration;
}

/** @param root the folder that paths begin at. */
export function slowestFiles(
  files: readonly { readonly path: string; readonly duration: number }[],
  root: string,
): string {
  const total = files.reduce((sum, { duration }) => sum + duration, 0);
  const lines = files
    .toSorted((one, other) => other.duration - one.duration)
    .slice(0, SHOWN)
    .map(({ path: file, duration }) => {
      const seconds = (duration / 1000).toFixed(1).padStart(7);
      const share = ((100 * duration) / total).toFixed(1).padStart(5);
      return `${seconds} s ${share} %  ${path.relative(root, file)}`;
    });
  return `The slowest of ${files.length} files:\n${lines.join('\n')}\n`;
}

export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < 2) return;
    const files = modules.map((file) => ({ path: file.moduleId, duration: durationOf(file) }));
    process.stdout.write(`\n${slowestFiles(files, process.cwd())}`);
  }
}
