/**
 * What requests notice of migrations: `npm run bench:migrations`. A service answers 32 clients that read and
 * write at a bounded rate, on a table of a million rows, while `npm run migrate` of another version of the
 * definitions runs beside it. Each change starts with a copy of the same database, and is made while the old
 * version runs; what it leaves for the time when no old process runs (`-- contract`) is applied beside the
 * new version.
 *
 * ROWS is the number of rows, KINDS a regular expression for the titles of changes.
 */
import { spawn } from 'node:child_process';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';

import {
  changeProject,
  makeBeside,
  onPostgres,
  quantile,
  startService,
  stop,
} from './service/harness.mjs';
import { startClients } from './service/clients.mjs';

const ROWS = Number(process.env.ROWS ?? 1_000_000);
const KINDS = new RegExp(process.env.KINDS ?? '');
const IDLE_SECONDS = Number(process.env.SECONDS ?? 8);
const WARM_UP = Number(process.env.WARM_UP ?? 5);
/** Milliseconds between two looks at who waits for a lock. */
const LOCK_INTERVAL = 20;

const QUIET = { RATE_LIMIT: '0', LOG_LEVEL: 'silent', MIGRATE: 'false' };

/** Changes of the books: a text of their definition, and what takes its place. */
const CHANGES = [
  {
    title: 'optional field with bounds',
    from: '  note:',
    to: '  shelf: { type: integer, minimum: 1, maximum: 999 }\n  note:',
  },
  { title: 'sort key', from: 'sort: [title,', to: 'sort: [price, title,' },
  {
    title: 'reference',
    from: '  note:',
    to: '  editor_id: { type: reference, to: authors }\n  note:',
  },
  { title: 'search', from: 'filter:', to: 'search: [title]\nfilter:' },
  {
    title: 'required, with a backfill',
    from: 'pages: { ',
    to: 'pages: { required: true, backfill: 1, ',
  },
  { title: 'renamed field', from: '  price: { ', to: '  cost: { renamed_from: price, ' },
  {
    title: 'wider enum',
    from: '[draft, published]',
    to: '[draft, published, archived]',
  },
  { title: 'unique value', from: 'isbn: { ', to: 'isbn: { unique: true, ' },
  { title: 'removed field', from: '  note: { type: string, max_length: 100 }\n', to: '' },
  {
    title: 'new type',
    from: 'precision: 10, scale: 2',
    to: 'precision: 12, scale: 3',
  },
];

await onPostgres(async (postgres) => {
  const project = makeBeside('books', 'migrations.yaml');
  await runSql(postgres, 'create database "filled"');
  const filled = postgres.replace(/[^/]+$/, 'filled');
  await migrate(project, filled);
  console.log(`Making ${ROWS} rows`);
  const ids = await fill(filled);
  console.log(
    `${ROWS} rows, ${cpus().length} cores, Node ${process.version}. Milliseconds; "lock" is the longest time that a ` +
      'statement of the service waited for one.\n',
  );
  const columns = ['', 'migration', 'longest', 'lock', 'p99', 'p99 idle', 'requests', '4xx', '5xx'];
  console.log(row(columns));
  for (const [at, { title, from, to }] of CHANGES.entries()) {
    if (!KINDS.test(title)) continue;
    const changed = changeProject(project, `change_${at}`, 'collections/books.yaml', (text) =>
      text.replace(from, to),
    );
    const name = `change_${at}`;
    await runSql(postgres, `create database "${name}" template "filled" strategy file_copy`);
    const url = postgres.replace(/[^/]+$/, name);
    const waiting = await measure(title, project, changed.folder, url, ids);
    if (waiting.length > 0) {
      changed.build();
      await measure(`${title}: contract`, changed.folder, changed.folder, url, ids);
    }
    await runSql(postgres, `drop database "${name}" with (force)`);
  }
});

/** Migrates a database while another version of the service answers, and prints what its clients noticed. */
async function measure(title, serving, migrated, url, ids) {
  const service = await startService(url, QUIET, serving);
  const clients = startClients(service.origin, ids);
  await sleep(WARM_UP * 1000);
  const locks = watchLocks(url);
  const begun = performance.now();
  await sleep(IDLE_SECONDS * 1000);
  const started = performance.now();
  const { waiting } = await migrate(migrated, url);
  const ended = performance.now();
  // Requests that began before the end may still wait.
  await sleep(500);
  await clients.stop();
  await stop(service.child);
  const longestLock = await locks.stop(started);
  const idle = clients.requests.filter(({ at }) => at >= begun && at < started);
  const during = clients.requests.filter(
    (request) => request.at + request.took > started && request.at < ended,
  );
  const p99 = (requests) =>
    quantile(
      requests.map(({ took }) => took),
      0.99,
    ).toFixed(0);
  const failed = during.filter(({ status }) => status >= 500 || status === 0);
  const refused = during.filter(({ status }) => status >= 400 && status < 500);
  console.log(
    row([
      title,
      `${((ended - started) / 1000).toFixed(1)} s`,
      Math.max(...during.map(({ took }) => took)).toFixed(0),
      longestLock.toFixed(0),
      p99(during),
      p99(idle),
      during.length,
      refused.length,
      failed.length,
    ]),
  );
  for (const [what, count] of clients.failures()) console.log(`  ${count} times: ${what}`);
  return waiting;
}

/** A row of the table. */
function row(cells) {
  const padded = cells.map((cell, at) =>
    at === 0 ? String(cell).padEnd(36) : String(cell).padStart(9),
  );
  return `| ${padded.join(' | ')} |`;
}

/** Runs what `npm run migrate` runs. */
function migrate(folder, DATABASE_URL) {
  const child = spawn(process.execPath, ['dist/migrate.js', '--json'], {
    cwd: folder,
    env: { ...process.env, DATABASE_URL, PGAPPNAME: 'migrate' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const out = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (out.stdout += chunk));
  child.stderr.on('data', (chunk) => (out.stderr += chunk));
  return new Promise((resolve, reject) => {
    child.on('close', (status) => {
      if (process.env.VERBOSE) console.log(out.stderr);
      if (status === 0) resolve(JSON.parse(out.stdout));
      else reject(new Error(`migrate ended with ${status}:\n${out.stderr}${out.stdout}`));
    });
  });
}

/** Looks at how long statements of the service wait for locks. */
function watchLocks(connectionString) {
  const waits = [];
  const stopped = new AbortController();
  const text = `select extract(epoch from max(clock_timestamp() - "waitstart")) * 1000 as "ms"
    from "pg_locks" join "pg_stat_activity" using ("pid")
    where not "granted" and "application_name" <> 'migrate' and "datname" = current_database()`;
  const watch = async () => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    while (!stopped.signal.aborted) {
      const { rows } = await client.query(text);
      if (rows[0].ms !== null) waits.push({ at: performance.now(), took: Number(rows[0].ms) });
      await sleep(LOCK_INTERVAL);
    }
    await client.end();
  };
  const watched = watch();
  return {
    async stop(since) {
      stopped.abort();
      await watched;
      return Math.max(0, ...waits.filter(({ at }) => at >= since).map(({ took }) => took));
    },
  };
}

async function runSql(connectionString, ...statements) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  let result;
  for (const text of statements) result = await client.query(text);
  await client.end();
  return result.rows;
}

/** Fills the tables. @returns an author, and some books. */
async function fill(url) {
  const [{ id: author }] = await runSql(
    url,
    `insert into "authors" ("name", "_words") values ('Ursula K. Le Guin', '{ursula,k,le,guin}') returning "id"`,
  );
  const books = await runSql(
    url,
    `insert into "books" ("title", "isbn", "price", "status", "note", "author_id", "created_at")
      select 'The Dispossessed, volume ' || n, '978' || lpad(n::text, 10, '0'), n % 10000 / 100.0,
        case n % 2 when 0 then 'draft' else 'published' end, 'note ' || n, '${author}',
        now() - n * interval '1 second'
      from generate_series(1, ${ROWS}) n`,
    'vacuum analyze',
    'checkpoint',
    'select "id" from "books" order by random() limit 2000',
  );
  return { author, books: books.map(({ id }) => id) };
}
