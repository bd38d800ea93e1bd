/** The event loop of a service stays free, whatever a client sends. */
import { Agent, request as openRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { beforeAll, expect, test } from 'vitest';

import { INPUT_KINDS, ORDINARY } from './support/largest-inputs.ts';
import type { InputRequest } from './support/largest-inputs.ts';
import { makeDatabase, makeProject, runScript, start } from './support/project.ts';
import type { Running } from './support/project.ts';

/** An input may block the event loop this many times longer than an ordinary request of its size. */
const MOST_TIMES = 20;
/** A block below this many milliseconds may be the machine's own. */
const FLOOR = 100;
/** Milliseconds after which a request has failed: the service may be blocked for ever. */
const TIMEOUT = 20_000;
/** How often an input that seems slow is sent again. The fastest answer counts. */
const REPETITIONS = 4;

let project = '';

beforeAll(async () => {
  project = await makeProject('every-input', 'test/e2e/definitions/every-input.yaml');
  await runScript(project, 'build');
});

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** A client with one connection, so that a service does one thing at a time. */
class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #service: Running;
  #cpu = 0;

  constructor(service: Running) {
    this.#service = service;
  }

  /** Sends a request; first creates the item that it is about. */
  async send({ item, ...request }: InputRequest): Promise<Answer> {
    if (item === undefined) return this.#exchange(request);
    const created = await this.#exchange({
      method: 'POST',
      path: request.path.replace('/{id}', ''),
      headers: { 'content-type': 'application/json' },
      body: item,
    });
    const { id } = JSON.parse(created.body) as { id: string };
    return this.#exchange({ ...request, path: request.path.replace('{id}', id) });
  }

  #exchange({ method, path, headers, body }: InputRequest): Promise<Answer> {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    return new Promise((resolve, reject) => {
      const outgoing = openRequest(
        {
          host: '127.0.0.1',
          port: this.#service.port,
          agent: this.#agent,
          method,
          path,
          headers: { ...headers, ...length },
          timeout: TIMEOUT,
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
          });
        },
      );
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer in ${TIMEOUT} ms`)));
      outgoing.on('error', reject);
      // With a text Node would write the bytes of the headers as UTF-8 too.
      outgoing.end(body === undefined ? undefined : Buffer.from(body));
    });
  }

  /**
   * Milliseconds for which the event loop was blocked at most since the last call. Other processes
   * delay the event loop too but do not use its CPU time, so the lesser of both is what counts.
   */
  async longestBlock(): Promise<number> {
    // The service samples the delay every 10 ms.
    await sleep(15);
    const { body } = await this.#exchange({ method: 'GET', path: '/metrics' });
    const figure = (name: string): number => {
      const [, seconds] = new RegExp(`^${name} (\\S+)`, 'm').exec(body) ?? [];
      if (seconds === undefined) throw new Error(`the service does not export ${name}`);
      return 1_000 * Number(seconds);
    };
    const cpu = figure('process_cpu_seconds_total');
    const used = cpu - this.#cpu;
    this.#cpu = cpu;
    return Math.min(figure('nodejs_eventloop_lag_max_seconds'), used);
  }

  /** How long one request blocks the event loop: the least of several measurements. */
  async measure(request: InputRequest, enough = 0): Promise<number> {
    let least = Infinity;
    for (let round = 0; round < REPETITIONS && least > enough; round++) {
      await this.longestBlock();
      await this.send(request);
      least = Math.min(least, await this.longestBlock());
    }
    return least;
  }
}

test('no input blocks the event loop longer than 20 ordinary requests of its size', async () => {
  const service = await start(project, {
    DATABASE_URL: await makeDatabase('every_input'),
    CORS_ORIGINS: 'https://a.example',
    TRUST_PROXY: '127.0.0.1',
  });
  const client = new Client(service);
  const limits = new Map<string, number>();
  const suspects: { what: string; request: InputRequest; limit: number }[] = [];
  const refused: string[] = [];
  for (const { name, yardstick, statuses, requests } of INPUT_KINDS) {
    const limit =
      limits.get(yardstick) ??
      Math.max(FLOOR, MOST_TIMES * (await client.measure(ORDINARY[yardstick])));
    limits.set(yardstick, limit);
    for (const [at, request] of requests.entries()) {
      const { status, body } = await client.send(request).catch((error: unknown) => {
        throw new Error(`${name}, request ${at}: no answer`, { cause: error });
      });
      if (!statuses.includes(status)) {
        refused.push(`${name}, request ${at}: ${status} ${body.slice(0, 200)}`);
      }
    }
    // All inputs of a kind are measured together; which of them is slow matters only if one is.
    const block = await client.longestBlock();
    if (block <= limit) continue;
    for (const [at, request] of requests.entries()) {
      if ((await client.measure(request, limit)) <= limit) continue;
      suspects.push({ what: `${name}, request ${at}`, request, limit });
    }
  }
  // A second measurement, at another time, excludes load by other processes.
  const slow: string[] = [];
  for (const { what, request, limit } of suspects) {
    const least = await client.measure(request, limit);
    if (least > limit) slow.push(`${what}: ${least.toFixed(0)} ms`);
  }
  // A text, because the reporter leaves the elements of a nested list out.
  expect([...refused, ...slow].join('\n')).toBe('');
  expect(await service.stop()).toBe(0);
});
