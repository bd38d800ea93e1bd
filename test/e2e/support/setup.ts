/**
 * What all end-to-end tests share: the packed tool, installed as a user would install it, and a
 * real PostgreSQL.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { execa } from 'execa';
import type { TestProject } from 'vitest/node';

import { freePort } from '../../../src/tasks/free-port.ts';
import { createEmptyPglite } from '../../../templates/service/src/platform/database/empty-pglite.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder for emitted projects, removed at the end. */
    workshop: string;
    /** The tarball of this package. */
    tarball: string;
    /** A folder whose `node_modules` has all that emitted projects depend on. */
    installed: string;
    /** The installed command. */
    command: string;
    /** A PostgreSQL on which databases can be made, without the name of one. */
    postgresUrl: string;
  }
}

/**
 * Writes go to the operating system, and not to the disk: that takes a tenth of the time of a commit, and no test
 * ends the operating system.
 */
const WITHOUT_SYNC = ['-c', 'fsync=off', '-c', 'full_page_writes=off'];

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** What is made once for a run. */
interface Workshop {
  readonly folder: string;
  readonly tarball: string;
  readonly installed: string;
  readonly command: string;
  readonly postgres: PostgresServer;
}

/** Each group of tests runs this module anew, one after the other: the process has what they share. */
const run = globalThis as { workshopOfTests?: { made: Promise<Workshop>; users: number } };

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = (run.workshopOfTests ??= { made: makeWorkshop(), users: 0 });
  shared.users++;
  const { folder, tarball, installed, command, postgres } = await shared.made;
  project.provide('workshop', folder);
  project.provide('tarball', tarball);
  project.provide('installed', installed);
  project.provide('command', command);
  project.provide('postgresUrl', postgres.url);
  return async () => {
    shared.users--;
    if (shared.users > 0) return;
    delete run.workshopOfTests;
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

async function makeWorkshop(): Promise<Workshop> {
  const folder = mkdtempSync(join(tmpdir(), 'create-service-e2e-'));
  // PostgreSQL runs as a user of its own where we are root, and must get in.
  chmodSync(folder, 0o755);
  const installed = join(folder, 'installed');
  // All of it waits for the disk for most of the time.
  const [tarball, postgres] = await Promise.all([
    pack(folder),
    startPostgres(join(folder, 'postgres')),
    installDependencies(installed),
  ]);
  const home = join(folder, 'tool');
  mkdirSync(home);
  await Promise.all([
    execa('npm', ['install', ...QUIET, '--prefix', home, tarball]),
    execa('npm', ['install', ...QUIET, '--no-save', tarball], { cwd: installed }),
  ]);
  const command = join(home, 'node_modules', '.bin', 'create-service');
  return { folder, tarball, installed, command, postgres };
}

const QUIET = ['--no-audit', '--no-fund', '--prefer-offline'];

/** Packs this repository. @returns the path of the tarball. */
async function pack(folder: string): Promise<string> {
  const { stdout } = await execa('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: ROOT,
  });
  return join(folder, packedName(stdout));
}

/** Installs what emitted projects may depend on, from a lock file that `npm run lock` writes. */
async function installDependencies(folder: string): Promise<void> {
  cpSync(join(ROOT, 'test/e2e/installed'), folder, { recursive: true });
  await execa('npm', ['ci', ...QUIET], { cwd: folder });
  // Each project begins with the dump of an empty PGlite.
  const entry = createRequire(join(folder, 'package.json')).resolve('@electric-sql/pglite');
  const { PGlite } = (await import(entry)) as typeof import('@electric-sql/pglite');
  const database = await createEmptyPglite((options) => PGlite.create(options), entry);
  await database.close();
}

/** What `npm pack --json` made: a list of packages, or, from npm 11 on, one under each name. */
function packedName(output: string): string {
  const packed = Object.values(JSON.parse(output) as Record<string, { filename: string }>)[0];
  if (packed === undefined) throw new Error(`npm pack made nothing: ${output}`);
  return packed.filename;
}

/** A PostgreSQL server that can be stopped, and started again with the same data. */
export interface PostgresServer {
  /** Without the name of a database. */
  readonly url: string;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts a PostgreSQL server of its own in a folder. */
export async function startPostgres(folder: string): Promise<PostgresServer> {
  const port = await freePort();
  const program = fileURLToPath(new URL('postgres-server.mjs', import.meta.url));
  let child: ChildProcess | undefined;
  const start = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const server = spawn(process.execPath, [program, folder, String(port), ...WITHOUT_SYNC], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      child = server;
      server.stdout.once('data', () => resolve());
      server.once('exit', (status) => reject(new Error(`PostgreSQL ended with status ${status}`)));
    });
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      child?.once('exit', () => resolve());
      child?.stdin?.end();
    });
  await start();
  return { url: `postgresql://postgres:password@127.0.0.1:${port}`, start, stop };
}
