/** An emitted project on disk: made by the packed tool, installed, checked, tested and run. */
import { spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { execa } from 'execa';
import pg from 'pg';
import { inject, onTestFinished, vi } from 'vitest';

import { freePort } from '../../../src/tasks/free-port.ts';

/** The root of this repository. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The administrator that every service of the tests begins with. */
export const ADMINISTRATOR = { username: 'root', password: 'correct horse battery' };

/** What an administrator shows in `Authorization`. */
export const AUTHORIZATION = `Basic ${Buffer.from(
  `${ADMINISTRATOR.username}:${ADMINISTRATOR.password}`,
).toString('base64')}`;

/** What a script of a project printed, and how it ended. */
export interface ScriptResult {
  readonly exitCode: number | undefined;
  readonly output: string;
}

/** A running service. */
export interface Running {
  readonly origin: string;
  readonly port: number;
  /** What it has printed, the last of it. */
  readonly output: () => string;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Ends the process with a signal; gives its exit status. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

interface ProjectOptions {
  readonly git?: boolean;
  /** The tool that makes it. */
  readonly command?: string;
}

/** Emits a project from definitions of this repository, with packages; with git only if asked for. */
export async function makeProject(
  name: string,
  from: string,
  { git = false, command = inject('command') }: ProjectOptions = {},
): Promise<string> {
  const project = join(inject('workshop'), name);
  const { exitCode, stderr } = await execa(
    command,
    [
      'new',
      project,
      '--from',
      join(ROOT, from),
      '--tool',
      `file:${inject('tarball')}`,
      '--no-install',
      ...(git ? [] : ['--no-git']),
      '--yes',
    ],
    { reject: false },
  );
  if (exitCode !== 0) throw new Error(`create-service ended with ${exitCode}:\n${stderr}`);
  await installInto(project);
  return project;
}

/** Links the packages of the installation that all projects share. `imports.test.ts` finds those that a project does not name. */
async function installInto(project: string): Promise<void> {
  const modules = join(inject('installed'), 'node_modules');
  await execa('cp', ['-al', modules, project]);
  // npm writes its record in place, and the link would change that of all.
  const record = 'node_modules/.package-lock.json';
  rmSync(join(project, record));
  copyFileSync(join(inject('installed'), record), join(project, record));
}

/**
 * Emits a project that is compiled. Of several with the same definitions, the first is made; the others wait for it and copy it,
 * as test files run in processes of their own.
 * @throws with the output of the compiler if it finds an error.
 */
export async function makeBuiltProject(name: string, from: string): Promise<string> {
  const original = `built-${from.replaceAll('/', '-')}`;
  const folder = join(inject('workshop'), original);
  const outcome = `${folder}.txt`;
  const claim = `${folder}.claimed`;
  if (isFirst(claim)) {
    const output = await build(original, from).catch(String);
    writeFileSync(`${outcome}.new`, output);
    renameSync(`${outcome}.new`, outcome);
  } else {
    await vi.waitUntil(() => existsSync(outcome) || !isAlive(claim), {
      timeout: 500_000,
      interval: 100,
    });
    if (!existsSync(outcome)) throw new Error(`the process that builds ${from} has ended`);
  }
  const output = readFileSync(outcome, 'utf8');
  if (output !== '') throw new Error(output);
  const project = join(inject('workshop'), name);
  mkdirSync(project);
  const parts = readdirSync(folder).filter((part) => part !== 'node_modules');
  await execa('cp', ['-a', ...parts.map((part) => join(folder, part)), project]);
  await installInto(project);
  return project;
}

/** Emits and compiles a project. @returns what the compiler prints, which is nothing if all is well. */
async function build(name: string, from: string): Promise<string> {
  const { exitCode, output } = await runScript(await makeProject(name, from), 'build');
  return exitCode === 0 ? output : `the build ended with ${exitCode}:\n${output}`;
}

/** Whether this is the first process that asks; writes its id into the file. */
function isFirst(claim: string): boolean {
  try {
    writeFileSync(claim, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

/** Whether the process still runs whose id is in a file. */
function isAlive(claim: string): boolean {
  const pid = Number(readFileSync(claim, 'utf8'));
  try {
    // The file is empty for a moment.
    return pid === 0 || process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Runs npm in a project, with something on standard input. */
export async function runCommand(
  project: string,
  words: readonly string[],
  { env, input }: { readonly env: Readonly<Record<string, string>>; readonly input: string },
): Promise<ScriptResult> {
  const { exitCode, all } = await execa('npm', words, {
    cwd: project,
    env,
    input,
    all: true,
    reject: false,
  });
  return { exitCode, output: all };
}

/** Runs SQL on a database of the tests; gives the rows. */
export async function runSql(
  url: string,
  text: string,
): Promise<Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(text);
  await client.end();
  return rows;
}

/** Runs a script of a project's package.json. */
export async function runScript(
  project: string,
  script: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ScriptResult> {
  const { exitCode, all } = await execa('npm', ['run', '--silent', script], {
    cwd: project,
    env,
    all: true,
    reject: false,
  });
  return { exitCode, output: all };
}

/** A new empty database on the real PostgreSQL; gives its connection string. */
export async function makeDatabase(name: string): Promise<string> {
  const client = new pg.Client({ connectionString: `${inject('postgresUrl')}/postgres` });
  await client.connect();
  await client.query(`create database ${client.escapeIdentifier(name)}`);
  await client.end();
  return `${inject('postgresUrl')}/${name}`;
}

/** The arguments that the script `start` of a project gives to Node. */
function startArguments(project: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  return scripts.start.split(' ').slice(2);
}

/**
 * Starts the compiled service and waits until it is ready, or answers another probe.
 * @param onEnd receives what kills it; by default that is done when the test has finished.
 */
export async function start(
  project: string,
  env: Readonly<Record<string, string>>,
  node = process.execPath,
  probe = '/health/ready',
  onEnd: (kill: () => void) => void = onTestFinished,
): Promise<Running> {
  const port = await freePort();
  const child = spawn(node, startArguments(project), {
    cwd: project,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      RATE_LIMIT: '0',
      SHUTDOWN_DELAY: '0',
      ADMIN_USERNAME: ADMINISTRATOR.username,
      ADMIN_PASSWORD: ADMINISTRATOR.password,
      PORT: String(port),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A test that fails leaves no process behind.
  onEnd(() => {
    child.kill('SIGKILL');
  });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-20_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ended = new Promise<number | null>((resolve) => {
    // After the last line of its log.
    child.on('close', resolve);
  });
  const origin = `http://127.0.0.1:${port}`;
  for (let attempt = 0; ; attempt++) {
    const ready = await fetch(origin + probe).catch(() => undefined);
    if (ready?.status === 200) break;
    if (child.exitCode !== null || attempt > 900) {
      child.kill('SIGKILL');
      throw new Error(`the service did not start:\n${output}`);
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
  return {
    origin,
    port,
    output: () => output,
    signal: (signal) => {
      child.kill(signal);
    },
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}
