/** Jobs: work that is accepted with 202, who may ask after it, and what becomes of it. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import Fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { works } from '../src/collections/works.ts';
import { JobError } from '../src/jobs/job-error.ts';
import { addJob, findJob, forgetJobs, recoverJobs } from '../src/jobs/jobs.ts';
import { openQueue } from '../src/jobs/queue.ts';
import { startWorker } from '../src/jobs/worker.ts';
import type { Worker } from '../src/jobs/worker.ts';
import { reviewBody } from './fixtures/reviews.ts';
import { makeCaller } from './support/callers.ts';
import { A_TIME, NO_ID } from './support/expected.ts';
import { API, startService } from './support/service.ts';
import type { Job } from './support/service.ts';
import { setRoles } from './support/users.ts';

const PATH = '/reviews';

/** Its jobs wait until a test starts a worker. */
const service = await startService({ WORKERS: '0' });
const { database } = service;
const jobs = await openQueue(database);
const workshop = { database, jobs, log: Fastify().log };
const workers: Worker[] = [];

const work = (): Worker => {
  const worker = startWorker(workshop, 2);
  workers.push(worker);
  return worker;
};

/** Sends a POST; gives the job that it is answered. */
async function post(caller = service): Promise<Job> {
  const answer = await caller.post<Job>(PATH, await reviewBody(service));
  expect(answer).toHaveStatus(202);
  return answer.body;
}

/** Makes the time pass that a job waits before it is tried again. */
const hurry = () =>
  database.query({
    text: `do $$ begin
      execute format('update %I.job set start_after = now()', current_schema() || '_pgboss');
    end $$`,
  });

const count = async (): Promise<number> => (await service.get<unknown[]>(PATH)).body.length;

/** A job of a collection that this service does not have: it fails at once. */
const addStranger = (creator: string | null) =>
  addJob(database, jobs, { collection: 'unheard_of', creator_id: creator, values: {}, version: 1 });

/** The figures of jobs, as they are told. */
async function figures(): Promise<string[]> {
  const answer = await fetch(`http://127.0.0.1:${service.port}/metrics`);
  return (await answer.text()).split('\n').filter((line) => line.startsWith('jobs'));
}

beforeEach(() => service.clear());
afterEach(async () => {
  vi.restoreAllMocks();
  for (const worker of workers.splice(0)) await worker.stop(0);
});

describe('asking after a job', () => {
  test('only who asked for it may, and administrators', async () => {
    const creator = await makeCaller(service, 'creator');
    const other = await makeCaller(service, 'other');
    const { id } = await addStranger(creator.id);
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

  test('what somebody unknown asked for may whoever knows its id', async () => {
    const { id } = await addStranger(null);
    const other = await makeCaller(service, 'somebody');
    for (const caller of [service, other.service, service.as(undefined)]) {
      expect(await caller.get(`/jobs/${id}`)).toHaveStatus(200);
    }
    expect(await service.as('Bearer wrong').get(`/jobs/${id}`)).toBeError(401);
  });

  test('there is nothing at other ids, and no list', async () => {
    for (const path of [`/jobs/${NO_ID}`, '/jobs/no-id', '/jobs']) {
      expect(await service.get(path)).toBeError(404);
    }
    expect(await service.as(undefined).get(`/jobs/${NO_ID}`)).toBeError(401);
    expect(await service.post('/jobs', {})).toBeError(404);
  });

  test('nothing else can be done with it', async () => {
    const { id } = await addStranger(null);
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

  test('it is gone some time after it has ended, and not before', async () => {
    const ended = await addStranger(null);
    work();
    expect(await service.finished(ended.id)).toMatchObject({ status: 'failed' });
    await forgetJobs(database);
    expect(await service.get(`/jobs/${ended.id}`)).toHaveStatus(200);
    await database.query({ text: `update "jobs" set "updated_at" = now() - interval '31 days'` });
    await forgetJobs(database);
    expect(await service.get(`/jobs/${ended.id}`)).toBeError(410);
  });

  test('one that has not ended is never forgotten', async () => {
    const { id } = await addStranger(null);
    await database.query({ text: `update "jobs" set "updated_at" = now() - interval '31 days'` });
    await forgetJobs(database);
    expect(await findJob(database, id)).toHaveProperty('status', 'queued');
  });
});

describe('the figures', () => {
  const NONE = [
    'jobs{status="queued"} 0',
    'jobs{status="running"} 0',
    'jobs{status="failed"} 0',
    'jobs_oldest_seconds{status="queued"} 0',
    'jobs_oldest_seconds{status="running"} 0',
    'jobs_oldest_seconds{status="failed"} 0',
  ];

  test('tell how many jobs there are of a status, and how old the oldest is', async () => {
    expect(await figures()).toEqual(NONE);
    for (let n = 0; n < 3; n++) await addStranger(null);
    const { id } = await addStranger(null);
    await database.query({ text: `update "jobs" set "status" = 'running' where "id" = $1` }, [id]);
    await database.query({ text: `update "jobs" set "created_at" = now() - interval '1 hour'` });
    const waiting = await figures();
    expect(waiting.slice(0, 3)).toEqual([
      'jobs{status="queued"} 3',
      'jobs{status="running"} 1',
      'jobs{status="failed"} 0',
    ]);
    expect(Number(waiting[3]?.split(' ')[1])).toBeGreaterThanOrEqual(3600);
    expect(waiting[5]).toBe('jobs_oldest_seconds{status="failed"} 0');
    await database.query({ text: `update "jobs" set "status" = 'failed'` });
    expect(await figures()).toContain('jobs{status="failed"} 4');
    await database.query({ text: `update "jobs" set "status" = 'succeeded'` });
    expect(await figures()).toEqual(NONE);
  });

  test('cost no more the more jobs there are', async () => {
    await database.query({
      text: `insert into "jobs" ("id", "collection", "item_id", "version")
        select gen_random_uuid(), 'unheard_of', gen_random_uuid(), 1 from generate_series(1, 10001)`,
    });
    expect(await figures()).toContain('jobs{status="queued"} 10000');
  });
});

describe('running a job', () => {
  const subject = works['reviews'];
  if (subject === undefined) throw new Error('there is no such work');

  test('it makes its item, and says where it is', async () => {
    const { id } = await post();
    expect(await count()).toBe(0);
    work();
    const job = await service.finished(id);
    const item = await service.made(job);
    expect(job).toMatchObject({ status: 'succeeded', resource: `${API}${PATH}/${item.id}` });
    expect(Date.parse(job.updated_at)).toBeGreaterThan(Date.parse(job.created_at));
    expect(await count()).toBe(1);
  });

  test('the item has its URL in the way that the job is asked after', async () => {
    const { id } = await post();
    work();
    await service.finished(id);
    const headers = { accept: 'application/vnd.library.v3+json' };
    const { body } = await service.request<Job>('GET', `/api/jobs/${id}`, { headers });
    expect(body.resource).toMatch(/^\/api\/reviews\//);
  });

  test('the slow work says what is stored, and is told for what it is done', async () => {
    const process = vi.spyOn(subject, 'process');
    const { id } = await post();
    work();
    const item = await service.made(await service.finished(id));
    expect(process).toHaveBeenCalledOnce();
    const [, context] = process.mock.calls[0] ?? [];
    expect(context).toMatchObject({ jobId: id, itemId: item.id, attempt: 1 });
  });

  test('a JobError fails it with a sentence, and it is not tried again', async () => {
    const process = vi.spyOn(subject, 'process');
    process.mockRejectedValue(new JobError('The page is empty.'));
    const { id } = await post();
    work();
    const job = await service.finished(id);
    expect(job).toMatchObject({ status: 'failed', resource: null, error: 'The page is empty.' });
    expect(process).toHaveBeenCalledOnce();
    expect(await count()).toBe(0);
  });

  test('anything else is tried again', async () => {
    const process = vi.spyOn(subject, 'process');
    process.mockRejectedValueOnce(new Error('the scanner is away'));
    const { id } = await post();
    work();
    await vi.waitFor(async () => {
      expect(process).toHaveBeenCalledOnce();
      expect(await findJob(database, id)).toHaveProperty('status', 'queued');
    }, 10_000);
    await hurry();
    expect(await service.finished(id)).toMatchObject({ status: 'succeeded' });
    expect(process.mock.calls.map(([, { attempt }]) => attempt)).toEqual([1, 2]);
    expect(await count()).toBe(1);
  });

  test('the last try fails it, and the client learns nothing of the insides', async () => {
    vi.spyOn(subject, 'process').mockRejectedValue(new Error('select * from "secrets"'));
    const { id } = await post();
    await database.query({
      text: `do $$ begin
        execute format('update %I.job set retry_count = retry_limit, started_on = null', current_schema() || '_pgboss');
      end $$`,
    });
    work();
    const job = await service.finished(id);
    expect(job).toMatchObject({ status: 'failed', resource: null });
    expect(job.error).toBe('The work failed 8 times, and is not tried again.');
  });

  test('a worker that stops gives it back, and another makes it', async () => {
    const process = vi.spyOn(subject, 'process');
    process.mockImplementationOnce(async (_values, { signal }) => {
      await sleep(60_000, undefined, { signal });
      throw new Error('it was not stopped');
    });
    const { id } = await post();
    const worker = work();
    await vi.waitFor(() => expect(process).toHaveBeenCalledOnce(), 10_000);
    await worker.stop(0);
    expect(await findJob(database, id)).toHaveProperty('status', 'queued');
    work();
    await service.made(await service.finished(id));
    // As if it had not been tried before.
    expect(process.mock.calls.map(([, { attempt }]) => attempt)).toEqual([1, 1]);
  });

  test('a worker that stops lets it finish in the time there is', async () => {
    const process = vi.spyOn(subject, 'process');
    process.mockImplementationOnce(async (values) => {
      await sleep(300);
      return values;
    });
    const { id } = await post();
    const worker = work();
    await vi.waitFor(() => expect(process).toHaveBeenCalledOnce(), 10_000);
    await worker.stop(60_000);
    expect(await findJob(database, id)).toHaveProperty('status', 'succeeded');
  });

  test('what a dead process left comes again; were it alive after all, there is one item', async () => {
    const revival = new AbortController();
    const process = vi.spyOn(subject, 'process');
    process.mockImplementationOnce(async (values) => {
      await once(revival.signal, 'abort');
      return values;
    });
    const { id } = await post();
    const dead = work();
    await vi.waitFor(() => expect(process).toHaveBeenCalledOnce(), 10_000);
    expect(await recoverJobs(database, jobs)).toEqual([]);
    await database.query({ text: `update "jobs" set "lease_until" = now() - interval '1 second'` });
    expect(await recoverJobs(database, jobs)).toEqual([id]);
    await hurry();
    const job = await service.finished(id);
    revival.abort();
    await dead.stop(60_000);
    expect(await service.finished(id)).toEqual(job);
    expect(await count()).toBe(1);
  });

  test('what was accepted is made, whoever asked is removed or may no longer', async () => {
    const leaving = await makeCaller(service, 'leaving', ['admin']);
    const demoted = await makeCaller(service, 'demoted', ['admin']);
    const [first, second] = [await post(leaving.service), await post(demoted.service)];
    expect(await service.delete(`/users/${leaving.id}`)).toHaveStatus(204);
    await setRoles(database, demoted.id, []);
    work();
    for (const { id } of [first, second]) {
      expect(await service.finished(id)).toMatchObject({ status: 'succeeded' });
    }
    expect(await demoted.service.get(`/jobs/${second.id}`)).toHaveStatus(200);
  });

  test('several workers make each once', async () => {
    const accepted = [];
    for (let n = 0; n < 6; n++) accepted.push(await post());
    for (let n = 0; n < 3; n++) work();
    for (const { id } of accepted) {
      expect(await service.finished(id)).toMatchObject({ status: 'succeeded' });
    }
    expect((await service.get(`${PATH}?count=true`)).headers.get('total-count')).toBe('6');
  });
});
