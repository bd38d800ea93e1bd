/** A rolling restart behind a balancer of TCP connections, which knows of the service by its probe alone: no request fails. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { AUTHORIZATION, makeBuiltProject, makeDatabase, start } from './support/project.ts';
import type { Running } from './support/project.ts';

/** Milliseconds between two probes. */
const INTERVAL = 1_000;
/** Longer than it takes the balancer to notice. */
const SETTINGS = { SHUTDOWN_DELAY: '2', RATE_LIMIT: '0' };
const PROCESSES = 4;

/** Passes each connection on to a backend that was ready at the last probe, one after the other. */
async function startBalancer(backends: Set<Running>): Promise<{ port: number; stop: () => void }> {
  let ready: Running[] = [...backends];
  let turn = 0;
  const probe = async (): Promise<void> => {
    const answers = await Promise.all(
      [...backends].map(async (backend) => {
        const answer = await fetch(`${backend.origin}/health/ready`).catch(() => undefined);
        return answer?.status === 200 ? [backend] : [];
      }),
    );
    ready = answers.flat();
  };
  const probes = setInterval(() => void probe(), INTERVAL);
  const server = createServer((client) => {
    const backend = ready[turn++ % ready.length];
    if (backend === undefined) {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(backend.port, '127.0.0.1');
    client.on('error', () => upstream.destroy());
    // What the backend refuses or resets, the client sees.
    upstream.on('error', () => client.resetAndDestroy());
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => {
      clearInterval(probes);
      server.close();
    },
  };
}

test('processes that are replaced one at a time under load fail no request', async () => {
  const project = await makeBuiltProject('rolling_restart', 'examples/bookshop.yaml');
  const environment = { ...SETTINGS, DATABASE_URL: await makeDatabase('rolling_restart') };
  const backends = new Set<Running>();
  for (let at = 0; at < PROCESSES; at++) backends.add(await start(project, environment));
  const balancer = await startBalancer(backends);
  const keptAlive = new Agent({ keepAlive: true });

  const failures: string[] = [];
  let sent = 0;
  const send = async (method: string, agent: Agent | false): Promise<void> => {
    sent++;
    const post = request({
      port: balancer.port,
      agent,
      method,
      path: '/api/v1/authors',
      headers: { 'content-type': 'application/json', authorization: AUTHORIZATION },
    });
    try {
      const answered = once(post, 'response') as Promise<[IncomingMessage]>;
      post.end(method === 'POST' ? JSON.stringify({ name: 'One of many' }) : undefined);
      const [response] = await answered;
      response.resume();
      await once(response, 'end');
      if ((response.statusCode ?? 0) >= 400) failures.push(`${method} ${response.statusCode}`);
    } catch (error) {
      failures.push(`${method} ${String(error)}`);
    }
  };
  const over = new AbortController();
  const clients = [false as const, keptAlive].flatMap((agent) =>
    ['GET', 'POST'].map(async (method) => {
      while (!over.signal.aborted) {
        await send(method, agent);
        await sleep(5);
      }
    }),
  );

  for (const old of [...backends]) {
    expect(await old.stop()).toBe(0);
    backends.delete(old);
    backends.add(await start(project, environment));
    // Until the balancer knows the new one.
    await sleep(INTERVAL);
  }
  over.abort();
  await Promise.all(clients);
  balancer.stop();
  keptAlive.destroy();
  await Promise.all([...backends].map((backend) => backend.stop()));
  expect(failures).toEqual([]);
  expect(sent).toBeGreaterThan(500);
});
