/** Runs the service of a project from its source, for a command that sends it requests. */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { execaNode } from 'execa';

import { lastLines } from './output.ts';

/** A service that runs. */
export interface StartedService {
  readonly origin: string;
  /** Is aborted when the process ends. */
  readonly ended: AbortSignal;
  /** The last lines that it printed. */
  readonly output: () => readonly string[];
  readonly stop: () => Promise<void>;
}

/** What came of a start. */
export type StartOutcome =
  | { readonly kind: 'started'; readonly service: StartedService }
  | { readonly kind: 'failed'; readonly output: readonly string[] }
  /** The dependencies of the project are not installed. */
  | { readonly kind: 'not-installed' };

/** Milliseconds until a service is ready, and between two questions whether it is. */
const START_TIMEOUT = 60_000;
const POLL_INTERVAL = 100;
/** Characters of the output that are kept. */
const MOST_OUTPUT = 20_000;

/** Settings that are those of the command, whatever the environment and `.env` say. An empty one counts as not set. */
const SETTINGS: Readonly<Record<string, string>> = {
  HOST: '127.0.0.1',
  MIGRATE: 'false',
  RATE_LIMIT: '0',
  REDIS_URL: '',
  PUBLIC_URL: '',
  ADMIN_USERNAME: '',
  ADMIN_PASSWORD: '',
  LOG_LEVEL: 'warn',
  SHUTDOWN_GRACE: '1',
};

/**
 * Starts a service on a database, on a free port of the loopback interface, and waits until it is ready.
 * @param folder the project, whose dependencies are installed.
 * @param url the database, which the service does not migrate.
 * @param interrupted ends the process.
 */
export async function startService(
  folder: string,
  url: string,
  interrupted: AbortSignal,
): Promise<StartOutcome> {
  const port = await freePort();
  const child = execaNode('src/server.ts', [], {
    cwd: folder,
    nodeOptions: ['--import', 'tsx'],
    ipc: false,
    env: { ...SETTINGS, DATABASE_URL: url, PORT: String(port) },
    stdin: 'ignore',
    all: true,
    buffer: false,
    reject: false,
    cancelSignal: interrupted,
  });
  let text = '';
  child.all.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-MOST_OUTPUT);
  });
  const output = (): readonly string[] => lastLines(text);
  const end = new AbortController();
  void child.then(() => end.abort());
  const stop = async (): Promise<void> => {
    child.kill();
    await child;
  };
  const origin = `http://127.0.0.1:${port}`;
  const patience = AbortSignal.timeout(START_TIMEOUT);
  while (!(await isReady(origin))) {
    if (end.signal.aborted || patience.aborted) {
      await stop();
      interrupted.throwIfAborted();
      return text.includes('ERR_MODULE_NOT_FOUND')
        ? { kind: 'not-installed' }
        : { kind: 'failed', output: output() };
    }
    await sleep(POLL_INTERVAL);
  }
  return { kind: 'started', service: { origin, ended: end.signal, output, stop } };
}

async function isReady(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/health/ready`)).status === 200;
  } catch {
    return false;
  }
}

/** A port that nothing listens on. */
const freePort = async (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
