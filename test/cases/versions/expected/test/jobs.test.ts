/** Jobs: creations in the background, and the endpoint that reports their status. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import Fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { works } from '../src/collections/works.ts';
import { JobError } from '../src/platform/jobs/job-error.ts';
import { addJob, findJob, forgetJobs, recoverJobs } from '../src/platform/jobs/job-store.ts';
import { openQueue } from '../src/platform/jobs/queue.ts';
import { startWorker } from '../src/platform/jobs/worker.ts';
import type { Worker } from '../src/platform/jobs/worker.ts';
import { reviewBody } from './support/items/reviews.ts';
import { makeCaller } from './support/callers.ts';
import { A_TIME, NO_ID } from './support/expected.ts';
import { API, startService } from './support/service.ts';
import type { Job } from './support/service.ts';
import { addRule, dropRule } from './support/rules.ts';
import { setRoles } from './support/users.ts';

const PATH = '/reviews';

/** It runs no jobs: tests start workers. */
const service = await startService({ WORKERS: '0' });
const { database } = service;
const jobs = await openQueue(database);
const services = { database, jobs, works, log: Fastify().log };
const workers: Worker[] = [];

const startTestWorker = (): Worker => {
  const worker = startWorker(services, 2);
  workers.push(worker);
  return worker;
};

/** Sends a POST. @returns the job of the response. */
async function post(caller = service): Promise<Job> {
  const answer = await caller.post<Job>(PATH, await reviewBody(service));
  expect(answer).toHaveStatus(202);
  return answer.body;
}

/** Skips the delay before retries. */
const skipRetryDelay = () =>
  database.query({
    text: `do $$ begin
      execute format('update %I.job set start_after = now()', current_schema() || '_pgboss');
    end $$`,
  });

const count = async (): Promise<number> => (await service.get<unknown[]>(PATH)).body.length;

/** Adds a job of an unknown collection, which fails at once. */
const addFailingJob = (creator: string | null) =>
  addJob(database, jobs, { collection: 'unheard_of', creator_id: creator, values: {}, version: 1 });

/** The lines of the job metrics. */
async function metrics(): Promise<string[]> {
  const answer = await fetch(`http://127.0.0.1:${service.port}/metrics`);
  return (await answer.text()).split('\n').filter((line) => line.startsWith('jobs'));
}

beforeEach(() => service.clear());
afterEach(async () => {
  vi.restoreAllMocks();
  for (const worker of workers.splice(0)) await worker.stop(0);
});

describe('GET /jobs/{id}', () => {
  test('is for the creator of the job and administrators (401, 403)', async () => {
    const creator = await makeCaller(service, 'creator');
    const other = await makeCaller(service, 'other');
    const { id } = await addFailingJob(creator.id);
    const path = `/jobs/${id}`;
    const answer = await creator.service.get(path);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      id,
      status: 'queued',
      resource: null,
      error: null,
      created_at: A_TIME,
      updated_at: A_TIME,
    });
    expect(await service.get(path)).toHaveStatus(200);
    expect(await service.get(path.toUpperCase().replace('JOBS', 'jobs'))).toHaveStatus(200);
    expect(await other.service.get(path)).toBeError(403);
    expect(await service.as(undefined).get(path)).toBeError(401);
  });

  test('is for everybody if the job was created without a credential', async () => {
    const { id } = await addFailingJob(null);
    const other = await makeCaller(service, 'somebody');
    for (const caller of [service, other.service, service.as(undefined)]) {
      expect(await caller.get(`/jobs/${id}`)).toHaveStatus(200);
    }
    expect(await service.as('Bearer wrong').get(`/jobs/${id}`)).toBeError(401);
  });

  test('answers 404 for unknown ids and for the list', async () => {
    for (const path of [`/jobs/${NO_ID}`, '/jobs/no-id', '/jobs']) {
      expect(await service.get(path)).toBeError(404);
    }
    expect(await service.as(undefined).get(`/jobs/${NO_ID}`)).toBeError(401);
    expect(await service.post('/jobs', {})).toBeError(404);
  });

  test('refuses other methods (405) and parameters (400)', async () => {
    const { id } = await addFailingJob(null);
    const path = `/jobs/${id}`;
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await service.request(method, API + path);
      expect(answer).toBeError(405);
      expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    }
    expect(await service.request('OPTIONS', API + path)).toHaveStatus(204);
    expect(await service.head(path)).toHaveStatus(200);
    expect(await service.get(`${path}?wait=true`)).toBeError(400, 'wait');
  });

  test('answers 410 after 30 days', async () => {
    const ended = await addFailingJob(null);
    startTestWorker();
    expect(await service.finished(ended.id)).toMatchObject({ status: 'failed' });
    await forgetJobs(database);
    expect(await service.get(`/jobs/${ended.id}`)).toHaveStatus(200);
    await database.query({ text: `update "jobs" set "updated_at" = now() - interval '31 days'` });
    await forgetJobs(database);
    expect(await service.get(`/jobs/${ended.id}`)).toBeError(410);
  });

  test('keeps unfinished jobs', async () => {
    const { id } = await addFailingJob(null);
    await database.query({ text: `update "jobs" set "updated_at" = now() - interval '31 days'` });
    await forgetJobs(database);
    expect(await findJob(database, id)).toHaveProperty('status', 'queued');
  });
});

describe('metrics', () => {
  const NONE = [
    'jobs{status="queued"} 0',
    'jobs{status="running"} 0',
    'jobs{status="failed"} 0',
    'jobs_oldest_seconds{status="queued"} 0',
    'jobs_oldest_seconds{status="running"} 0',
    'jobs_oldest_seconds{status="failed"} 0',
  ];

  test('count jobs by status, with the age of the oldest', async () => {
    expect(await metrics()).toEqual(NONE);
    for (let n = 0; n < 3; n++) await addFailingJob(null);
    const { id } = await addFailingJob(null);
    await database.query({ text: `update "jobs" set "status" = 'running' where "id" = $1` }, [id]);
    await database.query({ text: `update "jobs" set "created_at" = now() - interval '1 hour'` });
    const waiting = await metrics();
    expect(waiting.slice(0, 3)).toEqual([
      'jobs{status="queued"} 3',
      'jobs{status="running"} 1',
      'jobs{status="failed"} 0',
    ]);
    expect(Number(waiting[3]?.split(' ')[1])).toBeGreaterThanOrEqual(3600);
    expect(waiting[5]).toBe('jobs_oldest_seconds{status="failed"} 0');
    await database.query({ text: `update "jobs" set "status" = 'failed'` });
    expect(await metrics()).toContain('jobs{status="failed"} 4');
    await database.query({ text: `update "jobs" set "status" = 'succeeded'` });
    expect(await metrics()).toEqual(NONE);
  });

  test('count up to 10,000 jobs', async () => {
    await database.query({
      text: `insert into "jobs" ("id", "collection", "item_id", "version")
        select gen_random_uuid(), 'unheard_of', gen_random_uuid(), 1 from generate_series(1, 10001)`,
    });
    expect(await metrics()).toContain('jobs{status="queued"} 10000');
  });
});

describe('running a job', () => {
  const subject = works['reviews'];
  if (subject === undefined) throw new Error('the collection has no background work');

  test('creates the item, and links to it', async () => {
    const { id } = await post();
    expect(await count()).toBe(0);
    startTestWorker();
    const job = await service.finished(id);
    const item = await service.made(job);
    expect(job).toMatchObject({ status: 'succeeded', resource: `${API}${PATH}/${item.id}` });
    expect(Date.parse(job.updated_at)).toBeGreaterThan(Date.parse(job.created_at));
    expect(await count()).toBe(1);
  });

  test('links to the item in the version of the request', async () => {
    const { id } = await post();
    startTestWorker();
    await service.finished(id);
    const headers = { accept: 'application/vnd.library.v3+json' };
    const { body } = await service.request<Job>('GET', `/api/jobs/${id}`, { headers });
    expect(body.resource).toMatch(/^\/api\/reviews\//);
  });

  test('passes the job and item ids to process', async () => {
    const process = vi.spyOn(subject, 'process');
    const { id } = await post();
    startTestWorker();
    const item = await service.made(await service.finished(id));
    expect(process).toHaveBeenCalledOnce();
    const [, context] = process.mock.calls[0] ?? [];
    expect(context).toMatchObject({ jobId: id, itemId: item.id, attempt: 1 });
  });

  test('a JobError fails the job with its message, without a retry', async () => {
    const process = vi.spyOn(subject, 'process');
    process.mockRejectedValue(new JobError('The page is empty.'));
    const { id } = await post();
    startTestWorker();
    const job = await service.finished(id);
    expect(job).toMatchObject({ status: 'failed', resource: null, error: 'The page is empty.' });
    expect(process).toHaveBeenCalledOnce();
    expect(await count()).toBe(0);
  });

  test('a violated database constraint fails the job, without a retry', async () => {
    const process = vi.spyOn(subject, 'process');
    process.mockImplementationOnce(async (values) => {
      await addRule(database, '"reviews"', 'P0001');
      return values;
    });
    const { id } = await post();
    startTestWorker();
    const job = await service.finished(id);
    await dropRule(database);
    expect(job).toMatchObject({ status: 'failed', resource: null });
    expect(job.error).toMatch(/^A database constraint rejects this .*\.$/);
    expect(process).toHaveBeenCalledOnce();
    expect(await count()).toBe(0);
  });

  test('other errors are retried', async () => {
    const process = vi.spyOn(subject, 'process');
    process.mockRejectedValueOnce(new Error('the scanner is away'));
    const { id } = await post();
    startTestWorker();
    await vi.waitFor(async () => {
      expect(process).toHaveBeenCalledOnce();
      expect(await findJob(database, id)).toHaveProperty('status', 'queued');
    }, 10_000);
    await skipRetryDelay();
    expect(await service.finished(id)).toMatchObject({ status: 'succeeded' });
    expect(process.mock.calls.map(([, { attempt }]) => attempt)).toEqual([1, 2]);
    expect(await count()).toBe(1);
  });

  test('the last attempt fails the job without internal details', async () => {
    vi.spyOn(subject, 'process').mockRejectedValue(new Error('select * from "secrets"'));
    const { id } = await post();
    await database.query({
      text: `do $$ begin
        execute format('update %I.job set retry_count = retry_limit, started_on = null', current_schema() || '_pgboss');
      end $$`,
    });
    startTestWorker();
    const job = await service.finished(id);
    expect(job).toMatchObject({ status: 'failed', resource: null });
    expect(job.error).toBe('The work failed 8 times, and is not tried again.');
  });

  test('a stopped worker returns its job, and another worker runs it', async () => {
    const process = vi.spyOn(subject, 'process');
    process.mockImplementationOnce(async (_values, { signal }) => {
      await sleep(60_000, undefined, { signal });
      throw new Error('the signal did not abort');
    });
    const { id } = await post();
    const worker = startTestWorker();
    await vi.waitFor(() => expect(process).toHaveBeenCalledOnce(), 10_000);
    await worker.stop(0);
    expect(await findJob(database, id)).toHaveProperty('status', 'queued');
    startTestWorker();
    await service.made(await service.finished(id));
    // The aborted run does not count as an attempt.
    expect(process.mock.calls.map(([, { attempt }]) => attempt)).toEqual([1, 1]);
  });

  test('a stopped worker lets its job finish within the grace period', async () => {
    const process = vi.spyOn(subject, 'process');
    process.mockImplementationOnce(async (values) => {
      await sleep(300);
      return values;
    });
    const { id } = await post();
    const worker = startTestWorker();
    await vi.waitFor(() => expect(process).toHaveBeenCalledOnce(), 10_000);
    await worker.stop(60_000);
    expect(await findJob(database, id)).toHaveProperty('status', 'succeeded');
  });

  test('a job whose lease expired is run again, and the first run creates nothing when it finishes', async () => {
    const revival = new AbortController();
    const process = vi.spyOn(subject, 'process');
    process.mockImplementationOnce(async (values) => {
      await once(revival.signal, 'abort');
      return values;
    });
    const { id } = await post();
    const dead = startTestWorker();
    await vi.waitFor(() => expect(process).toHaveBeenCalledOnce(), 10_000);
    expect(await recoverJobs(database, jobs)).toEqual([]);
    await database.query({ text: `update "jobs" set "lease_until" = now() - interval '1 second'` });
    expect(await recoverJobs(database, jobs)).toEqual([id]);
    await skipRetryDelay();
    const job = await service.finished(id);
    const [item] = (await service.get<{ id: string }[]>(PATH)).body;
    expect(await service.delete(`${PATH}/${item?.id}`)).toHaveStatus(204);
    revival.abort();
    await dead.stop(60_000);
    expect(await service.finished(id)).toEqual(job);
    expect(await count()).toBe(0);
  });

  test('an accepted job runs even if its creator is removed or loses the permission', async () => {
    const leaving = await makeCaller(service, 'leaving', ['admin']);
    const demoted = await makeCaller(service, 'demoted', ['admin']);
    const [first, second] = [await post(leaving.service), await post(demoted.service)];
    expect(await service.delete(`/users/${leaving.id}`)).toHaveStatus(204);
    await setRoles(database, demoted.id, []);
    startTestWorker();
    for (const { id } of [first, second]) {
      expect(await service.finished(id)).toMatchObject({ status: 'succeeded' });
    }
    expect(await demoted.service.get(`/jobs/${second.id}`)).toHaveStatus(200);
  });

  test('several workers run each job once', async () => {
    const accepted = [];
    for (let n = 0; n < 6; n++) accepted.push(await post());
    for (let n = 0; n < 3; n++) startTestWorker();
    for (const { id } of accepted) {
      expect(await service.finished(id)).toMatchObject({ status: 'succeeded' });
    }
    expect((await service.get(`${PATH}?count=true`)).headers.get('total-count')).toBe('6');
  });
});
