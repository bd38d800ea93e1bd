/** Runs the built command line as a process, in a folder of its own for each test. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { execa } from 'execa';
import { afterEach, beforeEach, expect } from 'vitest';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const BIN = path.join(ROOT, 'bin/create-service.js');
export const BOOKSHOP = path.join(ROOT, 'examples/bookshop.yaml');
/** What takes long is left out. */
export const FAST = ['--no-install', '--no-git'];

/** Matches the name of a staging folder. */
export const STAGING = expect.stringMatching(/create-service-[0-9a-f]{8}-/) as unknown;

/** A folder that is there for one test. */
export interface Place {
  readonly path: string;
}

export interface Ended {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

interface CliOptions {
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Gives each test of a file an empty folder. */
export function usePlace(): Place {
  const place = { path: '' };
  beforeEach(() => {
    place.path = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
  });
  afterEach(() => rmSync(place.path, { recursive: true, force: true }));
  return place;
}

export async function cli(
  place: Place,
  typed: readonly string[],
  options: CliOptions = {},
): Promise<Ended> {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [BIN, ...typed], {
    cwd: place.path,
    reject: false,
    stdin: 'ignore',
    stripFinalNewline: false,
    ...options,
  });
  return { exitCode, stdout, stderr };
}

/** The first line of what was said. */
export const firstLine = (text: string): string => text.slice(0, text.indexOf('\n'));

/** The texts of all files below a folder, by their paths. */
export function filesIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.flatMap((entry): [string, string][] => {
    if (!entry.isFile()) return [];
    const file = path.join(entry.parentPath, entry.name);
    return [[path.relative(folder, file), readFileSync(file, 'utf8')]];
  });
  return Object.fromEntries(files.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
