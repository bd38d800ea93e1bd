/** Runs the service of a project from its source, for a command that sends it requests. */
import { setTimeout as sleep } from 'node:timers/promises';

import { execaNode } from 'execa';

import type { StartedService } from '../shared/started-service.ts';
import { freePort } from './free-port.ts';
import { lastLines } from './output.ts';

/** The result of a start. */
export type StartOutcome =
  | { readonly kind: 'started'; readonly service: StartedService }
  | { readonly kind: 'failed'; readonly output: readonly string[] }
  /** The dependencies of the project are not installed. */
  | { readonly kind: 'not-installed' };

/** Milliseconds until a service is ready, between two requests that ask it, and for each of these. */
const START_TIMEOUT = 60_000;
const POLL_INTERVAL = 100;
const POLL_TIMEOUT = 5_000;
/** Characters of the output that are kept. */
const MOST_OUTPUT = 20_000;

/** Where a service says that it waits for migrations, and where that ends. This command applies none: waiting would not help. */
const PENDING = ['Migrations are pending: ', '`.'] as const;

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
  // Neither jobs nor webhooks: these are for the processes of the team.
  WORKERS: '0',
};

/** A module that ends the process when its standard input ends, as it does when this process is killed. */
const END_WITH_PARENT = `data:text/javascript,${encodeURIComponent(
  "process.stdin.on('end', () => process.exit(1)).on('error', () => process.exit(1)).resume().unref?.();",
)}`;

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
    nodeOptions: ['--import', 'tsx', '--import', END_WITH_PARENT],
    ipc: false,
    env: { ...SETTINGS, DATABASE_URL: url, PORT: String(port) },
    stdin: 'pipe',
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
  const ended = new AbortController();
  void child.then(() => ended.abort());
  const stop = async (): Promise<void> => {
    child.kill();
    await child;
  };
  const origin = `http://127.0.0.1:${port}`;
  const timeout = AbortSignal.timeout(START_TIMEOUT);
  while (!(await isReady(origin))) {
    const pending = sentenceIn(text, PENDING);
    if (ended.signal.aborted || timeout.aborted || pending !== undefined) {
      await stop();
      interrupted.throwIfAborted();
      if (pending !== undefined) return { kind: 'failed', output: [pending] };
      if (text.includes('Cannot find package')) return { kind: 'not-installed' };
      const late = timeout.aborted
        ? [`It was not ready after ${START_TIMEOUT / 1000} seconds.`]
        : [];
      return { kind: 'failed', output: [...output(), ...late] };
    }
    await sleep(POLL_INTERVAL);
  }
  return { kind: 'started', service: { origin, ended: ended.signal, output, stop } };
}

async function isReady(origin: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(POLL_TIMEOUT);
    return (await fetch(`${origin}/health/ready`, { signal })).status === 200;
  } catch {
    return false;
  }
}

/** The first text between two others, with both; undefined as long as one of them is missing. */
function sentenceIn(text: string, [first, last]: readonly [string, string]): string | undefined {
  const start = text.indexOf(first);
  const end = start === -1 ? -1 : text.indexOf(last, start);
  return end === -1 ? undefined : text.slice(start, end + last.length);
}
