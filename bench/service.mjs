/**
 * The speed of an emitted service on PostgreSQL, as a ratio to a yardstick that an expert would
 * write by hand (bench/service/yardstick.mjs), side by side in one run: `npm run bench:service`.
 *
 * Both ask the same tables. They are measured in turn, round after round, so that whatever else the
 * machine does strikes both alike; a ratio is the median of those of the rounds. Linux only: what a
 * process used is read from /proc.
 */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import autocannon from 'autocannon';
import pg from 'pg';

const ROUNDS = Number(process.env.ROUNDS ?? 7);
const SECONDS = Number(process.env.SECONDS ?? 4);
const CONNECTIONS = 32;
const ROWS = 20_000;

const root = fileURLToPath(new URL('../', import.meta.url));
const workshop = mkdtempSync(path.join(tmpdir(), 'create-service-bench-'));
// PostgreSQL runs as a user of its own where we are root, and must get in.
chmodSync(workshop, 0o755);
const project = path.join(workshop, 'bookshop');
const children = [];

async function bench() {
  note('Making the service, and a PostgreSQL');
  run(
    process.execPath,
    [
      'bin/create-service.js',
      'new',
      project,
      '--no-git',
      '--yes',
      '--from',
      'bench/service/definitions.yaml',
    ],
    root,
  );
  run('npm', ['run', '--silent', 'build'], project);
  const databasePort = await freePort();
  await started(
    spawnChild(
      [
        'test/e2e/support/postgres-server.mjs',
        path.join(workshop, 'postgres'),
        String(databasePort),
      ],
      root,
      {},
    ),
    /ready/,
  );
  const DATABASE_URL = `postgresql://postgres:password@127.0.0.1:${databasePort}/postgres`;

  const ours = await startService(DATABASE_URL, { RATE_LIMIT: '1000000000' });
  const bare = await startService(DATABASE_URL, { RATE_LIMIT: '0', LOG_LEVEL: 'silent' });
  const port = await freePort();
  const other = spawnChild(['bench/service/yardstick.mjs', project, String(port)], root, {
    DATABASE_URL,
  });
  const yardstick = { child: other, origin: `http://127.0.0.1:${port}` };
  await answers(`${yardstick.origin}/books?limit=1`);
  const { author, ids } = await fill(DATABASE_URL);
  const token = await tokenOf(ours);

  const body = JSON.stringify({
    title: 'The Dispossessed',
    isbn: '9780060512750',
    price: '12.50',
    author_id: author,
  });
  const item = (base) => ({ requests: ids.map((id) => ({ path: `${base}/books/${id}` })) });
  const list = (base) => ({ requests: [{ path: `${base}/books` }] });
  const create = (base) => ({
    requests: [
      {
        method: 'POST',
        path: `${base}/books`,
        headers: { 'content-type': 'application/json' },
        body,
      },
    ],
  });
  const api = '/api/v1';

  note(
    `${ROUNDS} rounds of ${SECONDS} s each, ${CONNECTIONS} connections, ${ROWS} rows; Node ${process.version}`,
  );
  await compare('beside the yardstick', [
    ['item', [ours, item(api)], [yardstick, item('')]],
    ['list of 20', [ours, list(api)], [yardstick, list('')]],
    ['create', [ours, create(api)], [yardstick, create('')]],
  ]);
  const vendor = { accept: 'application/vnd.bookshop.v1+json' };
  const withHeaders = (headers) => ({
    requests: ids.map((id) => ({ path: `${api}/books/${id}`, headers })),
  });
  await compare('what conventions cost, of an item, beside a process without log and rate limit', [
    ['log and rate limit', [ours, item(api)], [bare, item(api)]],
    [
      'version by Accept',
      [bare, { requests: ids.map((id) => ({ path: `/api/books/${id}`, headers: vendor })) }],
      [bare, item(api)],
    ],
    ['access token', [bare, withHeaders({ authorization: `Bearer ${token}` })], [bare, item(api)]],
  ]);
  note(
    `Memory after it all: ${memory(ours.child)} MB, the yardstick ${memory(yardstick.child)} MB`,
  );
}

/** Prints, of each pair, the ratio of their requests a second. */
async function compare(title, pairs) {
  console.log(`\n${title}`);
  for (const [name, ours, theirs] of pairs) {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
      const both = [await load(...ours), await load(...theirs)];
      rounds.push({ ratio: both[0].rate / both[1].rate, both });
    }
    const ratios = rounds.map(({ ratio }) => ratio).toSorted((one, two) => one - two);
    const at = (share) => ratios[Math.round((ratios.length - 1) * share)].toFixed(2);
    const median = (pick) =>
      rounds.map(pick).toSorted((one, two) => one - two)[Math.floor(rounds.length / 2)];
    const side = (index) =>
      `${median(({ both }) => both[index].rate).toFixed(0)}/s p99 ${median(({ both }) => both[index].p99)} ms ${median(({ both }) => both[index].cpu).toFixed(0)} µs`;
    console.log(`${name.padEnd(22)} ${at(0.5)} (${at(0)} to ${at(1)})   ${side(0)} | ${side(1)}`);
  }
}

/** Requests a second, milliseconds of the slowest hundredth, and CPU microseconds for each request. */
async function load({ origin, child }, { requests }) {
  const before = cpu(child);
  const result = await autocannon({
    url: origin,
    connections: CONNECTIONS,
    duration: SECONDS,
    requests,
    workers: 0,
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${origin}: ${result.non2xx} answers were not 2xx, ${result.errors} failed`);
  return {
    rate: result.requests.average,
    p99: result.latency.p99,
    cpu: (cpu(child) - before) / result['2xx'],
  };
}

async function startService(DATABASE_URL, env) {
  const port = await freePort();
  const child = spawnChild(['dist/server.js'], project, {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    ADMIN_USERNAME: 'root',
    ADMIN_PASSWORD: 'correct horse',
    PORT: String(port),
    DATABASE_URL,
    ...env,
  });
  const origin = `http://127.0.0.1:${port}`;
  await answers(`${origin}/health/ready`);
  return { child, origin };
}

async function fill(connectionString) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const {
    rows: [author],
  } = await client.query(
    `insert into "authors" ("id", "name") values (gen_random_uuid(), 'Ursula K. Le Guin') returning "id"`,
  );
  await client.query(
    `insert into "books" ("id", "title", "isbn", "price", "status", "author_id", "published_at")
      select gen_random_uuid(), 'Title ' || n, '9780060512750', 12.5, 'draft', $1, now()
      from generate_series(1, $2::int) n`,
    [author.id, ROWS],
  );
  await client.query('analyze');
  const { rows } = await client.query('select "id" from "books" order by random() limit 200');
  await client.end();
  return { author: author.id, ids: rows.map(({ id }) => id) };
}

async function tokenOf({ origin }) {
  const answer = await fetch(`${origin}/api/v1/tokens`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa('root:correct horse')}`,
      'content-type': 'application/json',
    },
    body: '{}',
  });
  return (await answer.json()).token;
}

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

/** Waits until a URL answers 200; what is printed meanwhile is let go. */
async function answers(url) {
  for (const child of children) child.stdout.resume();
  for (let attempt = 0; attempt < 300; attempt++) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} does not answer`);
}

const stop = (child) =>
  new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.on('exit', resolve);
    child.stdin.end();
    if (!child.spawnargs.some((word) => word.includes('postgres-server'))) child.kill('SIGTERM');
  });

/** CPU time that a process has used, in microseconds; the clock of the kernel has 100 ticks a second. */
function cpu({ pid }) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** Megabytes that a process holds in memory. */
const memory = ({ pid }) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024);

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

const note = (text) => console.log(text);

try {
  await bench();
} finally {
  for (const child of children.toReversed()) await stop(child);
  rmSync(workshop, { recursive: true, force: true });
}
