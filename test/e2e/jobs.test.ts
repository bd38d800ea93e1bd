/** Work in the background, with real processes and a real PostgreSQL, and what may happen to them. */
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { AUTHORIZATION, makeDatabase, makeProject, runScript, start } from './support/project.ts';
import type { Running } from './support/project.ts';

/** The slow work of the tests: what it does stands in the number of the scan. */
const HOOKS = `
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { JobError } from '../../platform/jobs/job-error.ts';
import type { BackgroundHooks } from '../../platform/jobs/work.ts';
import type { Scan, ScanValues } from './schema.ts';

export const scanHooks: BackgroundHooks<Scan, ScanValues> = {
  async process(values, { signal, attempt }) {
    if (values.number.startsWith('refused')) throw new JobError('The scan is empty.');
    if (values.number.startsWith('broken')) throw new Error('postgresql://secret@scanner');
    while (values.number.startsWith('held') && existsSync('held')) {
      await sleep(50, undefined, { signal });
    }
    await sleep(150);
    return { ...values, text: \`read in try \${attempt}\` };
  },
};
`;

let project = '';

beforeAll(async () => {
  project = await makeProject('archive', 'examples/scans.yaml');
  writeFileSync(join(project, 'src/collections/scans/hooks.ts'), HOOKS);
  const { exitCode, output } = await runScript(project, 'build');
  if (exitCode !== 0) throw new Error(output);
});

interface Job {
  readonly id: string;
  readonly status: string;
  readonly resource: string | null;
  readonly error: string | null;
}

const api = (service: Running, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${service.origin}/api/v1${path}`, {
    ...init,
    headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
  });

/** Sends a POST that is accepted; gives its job. */
async function accept(service: Running, body: object): Promise<Job> {
  const answer = await api(service, '/scans', { method: 'POST', body: JSON.stringify(body) });
  expect(answer.status).toBe(202);
  const job = (await answer.json()) as Job;
  expect(answer.headers.get('location')).toBe(`/api/v1/jobs/${job.id}`);
  return job;
}

const read = async (service: Running, id: string): Promise<Job> =>
  (await (await api(service, `/jobs/${id}`)).json()) as Job;

/** Waits until something holds; the time-out of the test ends it. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(100);
}

/** Waits until a job has ended. */
async function finished(service: Running, id: string): Promise<Job> {
  let job = await read(service, id);
  await until(async () => {
    job = await read(service, id);
    return job.status === 'succeeded' || job.status === 'failed';
  });
  return job;
}

const countOf = async (service: Running): Promise<number> =>
  Number((await api(service, '/scans?count=true&limit=1')).headers.get('total-count'));

/** A connection to look at the database with, until the test ends. */
async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

interface WorkerProcess {
  readonly output: () => string;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<number | null>;
}

/** Starts the compiled worker. */
function startWorker(env: Readonly<Record<string, string>>, cwd = project): WorkerProcess {
  const child = spawn(process.execPath, [join(project, 'dist/worker.js')], {
    cwd,
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return {
    output: () => output,
    kill: (signal) => child.kill(signal),
    ended: new Promise((resolve) => {
      child.on('exit', resolve);
    }),
  };
}

test('100 jobs, two workers, kills at random: exactly 100 items', async () => {
  const url = await makeDatabase('jobs_killed');
  const service = await start(project, { DATABASE_URL: url, WORKERS: '0' });
  const database = await connect(url);
  const jobs: Job[] = [];
  for (let n = 0; n < 100; n++) jobs.push(await accept(service, { number: `scan ${n}` }));
  expect(await countOf(service)).toBe(0);

  const env = { DATABASE_URL: url, WORKERS: '4', LOG_LEVEL: 'warn' };
  const workers = [startWorker(env), startWorker(env)];
  for (let kills = 0; kills < 8; kills++) {
    // Whoever it is: while jobs are running, one of them is hit.
    await until(async () => {
      const { rows } = await database.query(`select 1 from jobs where status = 'running'`);
      return rows.length > 0;
    });
    await sleep(Math.random() * 400);
    workers[kills % 2]?.kill('SIGKILL');
    await workers[kills % 2]?.ended;
    workers[kills % 2] = startWorker(env);
  }
  const ended: Job[] = [];
  for (const { id } of jobs) ended.push(await finished(service, id));
  expect(ended.filter(({ status }) => status !== 'succeeded')).toEqual([]);
  expect(new Set(ended.map(({ resource }) => resource)).size).toBe(100);
  expect(await countOf(service)).toBe(100);
  // It was no easy run: some were killed, and ran again.
  const { rows } = await database.query('select 1 from jobs where attempt > 1');
  expect(rows.length).toBeGreaterThan(0);
  const { rows: queued } = await database.query('select 1 from public_pgboss.job');
  expect(queued).toEqual([]);
});

test('what was answered 202 is there, though the service is killed at once', async () => {
  const url = await makeDatabase('jobs_accepted');
  const accepted: Job[] = [];
  for (let round = 0; round < 3; round++) {
    const service = await start(project, { DATABASE_URL: url });
    accepted.push(await accept(service, { number: `round ${round}` }));
    await service.stop('SIGKILL');
  }
  const service = await start(project, { DATABASE_URL: url });
  for (const { id } of accepted) {
    expect(await finished(service, id)).toMatchObject({ status: 'succeeded', error: null });
  }
  expect(await countOf(service)).toBe(3);
});

test('PGlite keeps what was accepted, too', async () => {
  const env = { DATA_DIR: join(project, '.data-jobs') };
  const killed = await start(project, env);
  const { id } = await accept(killed, { number: 'one' });
  await killed.stop('SIGKILL');
  const service = await start(project, env);
  expect(await finished(service, id)).toMatchObject({ status: 'succeeded' });
  expect(await countOf(service)).toBe(1);
  expect(await service.stop()).toBe(0);
});

test('work that fails is tried again, and then the job has failed with a sentence', async () => {
  const url = await makeDatabase('jobs_failing');
  const service = await start(project, { DATABASE_URL: url });
  const database = await connect(url);
  const refused = await finished(service, (await accept(service, { number: 'refused' })).id);
  expect(refused).toMatchObject({ status: 'failed', resource: null, error: 'The scan is empty.' });

  const broken = await accept(service, { number: 'broken' });
  await until(async () => {
    // The pauses between the tries pass at once.
    await database.query('update public_pgboss.job set start_after = now()');
    return (await read(service, broken.id)).status === 'failed';
  });
  const job = await read(service, broken.id);
  expect(job.error).toBe('The work failed 8 times, and is not tried again.');
  await until(async () => service.output().includes('postgresql://secret@scanner'));
  const { rows } = await database.query('select attempt from jobs where id = $1', [broken.id]);
  expect(rows).toEqual([{ attempt: 8 }]);
  expect(await countOf(service)).toBe(0);
});

test('a value that is taken, or a reference that is removed meanwhile, fails the job', async () => {
  const url = await makeDatabase('jobs_taken');
  const service = await start(project, { DATABASE_URL: url, WORKERS: '0' });
  const made = await api(service, '/folders', { method: 'POST', body: '{"name":"red"}' });
  const { id: folder } = (await made.json()) as { id: string };
  const twins = [
    await accept(service, { number: 'twin' }),
    await accept(service, { number: 'twin' }),
  ];
  const orphan = await accept(service, { number: 'orphan', folder_id: folder });
  expect((await api(service, `/folders/${folder}`, { method: 'DELETE' })).status).toBe(204);

  startWorker({ DATABASE_URL: url });
  const ended: Job[] = [];
  for (const { id } of twins) ended.push(await finished(service, id));
  expect(ended.map(({ status }) => status).toSorted()).toEqual(['failed', 'succeeded']);
  expect(ended.find(({ status }) => status === 'failed')?.error).toContain('number');
  expect((await finished(service, orphan.id)).error).toContain('folder_id');
  expect(await countOf(service)).toBe(1);

  // From now on it is told at once.
  const late = await api(service, '/scans', { method: 'POST', body: '{"number":"twin"}' });
  expect(late.status).toBe(409);
  const lost = JSON.stringify({ number: 'lost', folder_id: folder });
  expect((await api(service, '/scans', { method: 'POST', body: lost })).status).toBe(422);
});

describe('a worker that is stopped', () => {
  const cwd = (): string => {
    const folder = join(project, '.held');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'held'), '');
    return folder;
  };

  test('gives back what it cannot finish, and another takes it at once', async () => {
    const url = await makeDatabase('jobs_stopped');
    const service = await start(project, { DATABASE_URL: url, WORKERS: '0' });
    const folder = cwd();
    const { id } = await accept(service, { number: 'held' });
    const first = startWorker({ DATABASE_URL: url, SHUTDOWN_GRACE: '3' }, folder);
    await until(async () => (await read(service, id)).status === 'running');
    first.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    expect(await read(service, id)).toMatchObject({ status: 'queued' });
    rmSync(join(folder, 'held'));
    startWorker({ DATABASE_URL: url }, folder);
    const { resource } = await finished(service, id);
    // It was not a failure: the try counts as the first.
    const scan = await fetch(service.origin + resource, {
      headers: { authorization: AUTHORIZATION },
    });
    expect(await scan.json()).toMatchObject({ text: 'read in try 1' });
  });

  test('finishes what it can, and takes nothing new', async () => {
    const url = await makeDatabase('jobs_drained');
    const service = await start(project, { DATABASE_URL: url, WORKERS: '0' });
    const folder = cwd();
    const held = await accept(service, { number: 'held' });
    const worker = startWorker({ DATABASE_URL: url, SHUTDOWN_GRACE: '300' }, folder);
    await until(async () => (await read(service, held.id)).status === 'running');
    worker.kill('SIGTERM');
    await until(async () => worker.output().includes('SIGTERM: stopping'));
    const late = await accept(service, { number: 'late' });
    rmSync(join(folder, 'held'));
    expect(await worker.ended).toBe(0);
    expect(await read(service, held.id)).toMatchObject({ status: 'succeeded' });
    expect(await read(service, late.id)).toMatchObject({ status: 'queued' });
  });
});

test('a worker that cannot work says why', async () => {
  const onPglite = startWorker({ DATABASE_URL: '' });
  expect(await onPglite.ended).toBe(1);
  expect(onPglite.output()).toMatch(
    /^The worker did not start\. A separate worker needs PostgreSQL.*\n$/,
  );
  const none = startWorker({ DATABASE_URL: 'postgresql://127.0.0.1:1/none', WORKERS: '0' });
  expect(await none.ended).toBe(1);
  expect(none.output()).toMatch(/^The worker did not start\. WORKERS is 0.*\n$/);
  const wrong = startWorker({ WORKERS: 'many' });
  expect(await wrong.ended).toBe(1);
  expect(wrong.output()).toContain('WORKERS must be an integer from 0 to 100');
});
