/**
 * What the benches of an emitted service share: the service itself, installed and built, a
 * PostgreSQL, processes that are started and stopped, and what they used. Linux only: that is read
 * from /proc.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import pg from 'pg';

const root = fileURLToPath(new URL('../../', import.meta.url));
const workshop = mkdtempSync(path.join(tmpdir(), 'create-service-bench-'));
// PostgreSQL runs as a user of its own where we are root, and must get in.
chmodSync(workshop, 0o755);
const children = [];

/** The emitted service that the benches ask. */
export const project = path.join(workshop, 'bookshop');

/** Runs a bench on a new service and a new PostgreSQL, and cleans up after it. */
export async function onPostgres(bench) {
  try {
    console.log('Making the service, and a PostgreSQL');
    make(project, 'definitions.yaml');
    run('npm', ['run', '--silent', 'build'], project);
    const port = await freePort();
    const folder = path.join(workshop, 'postgres');
    const server = ['test/e2e/support/postgres-server.mjs', folder, String(port)];
    await started(spawnChild(server, root, {}), /ready/);
    await bench(`postgresql://postgres:password@127.0.0.1:${port}/postgres`);
  } finally {
    for (const child of children.toReversed()) await stop(child);
    rmSync(workshop, { recursive: true, force: true });
  }
}

/**
 * Makes and builds another service.
 * @param installs whether it installs its own packages, in place of those of the first service.
 * @returns its folder
 */
export function makeBeside(name, definitions, installs = false) {
  const folder = path.join(workshop, name);
  make(folder, definitions, ...(installs ? [] : ['--no-install']));
  if (!installs) symlinkSync(path.join(project, 'node_modules'), path.join(folder, 'node_modules'));
  run('npm', ['run', '--silent', 'build'], folder);
  return folder;
}

/**
 * Makes a copy of a service with a change of its definitions, and its migrations.
 * @returns its folder, and what builds it: until then it has the code of before, which migrates as well.
 */
export function changeProject(from, name, file, change) {
  const folder = path.join(workshop, name);
  const modules = path.join(from, 'node_modules');
  cpSync(from, folder, { recursive: true, filter: (source) => source !== modules });
  symlinkSync(path.join(project, 'node_modules'), path.join(folder, 'node_modules'));
  const definition = path.join(folder, 'definitions', file);
  const text = readFileSync(definition, 'utf8');
  const changed = change(text);
  if (changed === text) throw new Error(`${name} changes nothing`);
  writeFileSync(definition, changed);
  const words = ['bin/create-service.js', 'generate', '--cwd', folder, '--allow-data-loss'];
  run(process.execPath, words, root);
  return { folder, build: () => run('npm', ['run', '--silent', 'build'], folder) };
}

/** Makes an empty database beside another. @returns its URL */
export async function makeDatabase(connectionString, name) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(`create database "${name}"`);
  await client.end();
  return connectionString.replace(/[^/]+$/, name);
}

/** Starts the service. @returns its process, its origin, and milliseconds until it was ready. */
export async function startService(DATABASE_URL, env = {}, folder = project) {
  const port = await freePort();
  const begun = performance.now();
  const child = spawnChild(['dist/server.js'], folder, {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    ADMIN_USERNAME: 'root',
    ADMIN_PASSWORD: 'correct horse',
    PORT: String(port),
    DATABASE_URL,
    ...env,
  });
  child.stdout.resume();
  const origin = `http://127.0.0.1:${port}`;
  await answers(`${origin}/health/ready`);
  return { child, origin, took: performance.now() - begun };
}

/** Starts the yardstick, on the same database. */
export async function startYardstick(DATABASE_URL, env = {}) {
  const port = await freePort();
  const begun = performance.now();
  const child = spawnChild(['bench/service/yardstick.mjs', project, String(port)], root, {
    DATABASE_URL,
    NODE_ENV: 'production',
    ...env,
  });
  child.stdout.resume();
  const origin = `http://127.0.0.1:${port}`;
  await answers(`${origin}/ready`);
  return { child, origin, took: performance.now() - begun };
}

/** Makes one author with so many books. @returns the author, and some of the books. */
export async function fill(connectionString, rows) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const {
    rows: [author],
  } = await client.query(
    `insert into "authors" ("id", "name") values (gen_random_uuid(), 'Ursula K. Le Guin') returning "id"`,
  );
  await client.query(
    `insert into "books" ("id", "title", "isbn", "price", "status", "author_id", "published_at", "created_at")
      select gen_random_uuid(), 'Title ' || n, '978' || lpad(n::text, 10, '0'), 12.5, 'draft', $1,
        now() - n * interval '1 minute', now() - n * interval '1 second'
      from generate_series(1, $2::int) n`,
    [author.id, rows],
  );
  await client.query('vacuum analyze');
  const some = await client.query('select "id" from "books" order by random() limit 200');
  await client.end();
  return { author: author.id, ids: some.rows.map(({ id }) => id) };
}

/** CPU time that a process has used, in microseconds. */
export const cpu = ({ pid }) => times(pid).own;

/** The same for PostgreSQL: its first process, those that it has now, and those that it had. */
export function databaseCpu() {
  const [first] = readFileSync(path.join(workshop, 'postgres/postmaster.pid'), 'utf8').split('\n');
  const { own, ended } = times(first);
  const now = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(times)
    .filter(({ parent }) => parent === first);
  return now.reduce((sum, child) => sum + child.own, own + ended);
}

/** What /proc says of a process; its clock has 100 ticks a second (proc(5), stat). */
function times(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    const [own, ended] = [11, 13].map((at) => Number(fields[at]) + Number(fields[at + 1]));
    return { parent: fields[1], own: own * 10_000, ended: ended * 10_000 };
  } catch {
    // It is gone.
    return { parent: '', own: 0, ended: 0 };
  }
}

/** Megabytes that a process holds in memory. */
export const memory = ({ pid }) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024);

/** The value below which such a share of them lies. */
export const quantile = (values, share) =>
  values.toSorted((one, other) => one - other)[Math.round((values.length - 1) * share)];

export const stop = (child) =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.on('exit', resolve);
    child.stdin.end();
    if (!child.spawnargs.some((word) => word.includes('postgres-server'))) child.kill('SIGTERM');
  });

function spawnChild(args, cwd, env) {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

const started = (child, pattern) =>
  new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => pattern.test(chunk) && resolve());
    child.on('exit', (status) => reject(new Error(`ended with ${status}`)));
  });

/** Waits until a URL answers 200. */
async function answers(url) {
  for (let attempt = 0; attempt < 3_000; attempt++) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${url} does not answer`);
}

function make(folder, definitions, ...options) {
  const from = ['--from', path.join('bench/service', definitions)];
  const words = ['bin/create-service.js', 'new', folder, '--no-git', '--yes', ...from, ...options];
  run(process.execPath, words, root);
}

function run(command, args, cwd) {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${stderr}`);
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
