/** Whether a project lies below the root of workspaces, where installing it means something else. */
import path from 'node:path';

import type { PackageManager } from '../shared/package-manager.ts';
import { realFileSystem as fs } from './file-system.ts';

/**
 * The nearest file above a project that declares workspaces for its package manager.
 *
 * pnpm and Yarn are not affected: an emitted project has a pnpm-workspace.yaml or a yarn.lock of its
 * own, by which they take it for a root.
 * @param project absolute.
 * @returns the absolute path of a package.json, or undefined.
 */
export function enclosingWorkspace(project: string, manager: PackageManager): string | undefined {
  if (manager !== 'npm' && manager !== 'bun') return undefined;
  for (let folder = path.dirname(project); ; folder = path.dirname(folder)) {
    const file = path.join(folder, 'package.json');
    if (declaresWorkspaces(file)) return file;
    if (folder === path.dirname(folder)) return undefined;
  }
}

function declaresWorkspaces(file: string): boolean {
  try {
    const { workspaces } = JSON.parse(fs.readFileSync(file, 'utf8')) as { workspaces?: unknown };
    return typeof workspaces === 'object' && workspaces !== null;
  } catch {
    // None is there, it may not be read, or it is no JSON: the package manager will say so.
    return false;
  }
}
