/** File systems that fail or die at a call, and how to look at what they leave. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { realFileSystem } from '../../../src/disk/file-system.ts';
import type { FileSystem } from '../../../src/disk/file-system.ts';

const MUTATIONS = [
  'mkdirSync',
  'chmodSync',
  'writeFileSync',
  'renameSync',
  'rmSync',
  'rmdirSync',
] as const;

/** Tries with a fault at the first call, the second, and so on, until there is none left. */
export function eachCall(attempt: (call: number) => boolean): number {
  for (let call = 1; ; call += 1) if (!attempt(call)) return call - 1;
}

export function caught(act: () => void): Error | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

type Veto = (name: string, args: readonly unknown[]) => string | undefined;

/** A file system that refuses a call with the code that the veto answers. */
export function vetoing(fs: FileSystem, veto: Veto): FileSystem {
  const wrapped = MUTATIONS.map((name) => [
    name,
    (...args: unknown[]): unknown => {
      const code = veto(name, args);
      if (code !== undefined) throw Object.assign(new Error(code), { code, syscall: name });
      return (fs[name] as (...all: unknown[]) => unknown)(...args);
    },
  ]);
  return { ...fs, ...(Object.fromEntries(wrapped) as Partial<FileSystem>) };
}

/** Fails at one call, and works again after it. */
export function failingAt(call: number, code: string): FileSystem {
  let calls = 0;
  return vetoing(realFileSystem, (name) => {
    // That what is left cannot be cleaned up is another matter.
    if (name === 'rmSync' || name === 'rmdirSync') return undefined;
    calls += 1;
    return calls === call ? code : undefined;
  });
}

/** From this call on nothing is done any more. */
export function dyingAt(call: number): FileSystem {
  let calls = 0;
  return vetoing(realFileSystem, () => {
    calls += 1;
    return calls >= call ? 'EIO' : undefined;
  });
}

/** The texts of all files below a folder, by their paths; an empty folder has the text `/`. */
export function treeOf(folder: string, below = ''): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const entry of readdirSync(path.join(folder, below), { withFileTypes: true })) {
    const name = path.posix.join(below, entry.name);
    if (!entry.isDirectory()) {
      tree[name] = readFileSync(path.join(folder, name), 'utf8');
      continue;
    }
    const inside = treeOf(folder, name);
    if (Object.keys(inside).length === 0) tree[name] = '/';
    Object.assign(tree, inside);
  }
  return Object.fromEntries(Object.entries(tree).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
