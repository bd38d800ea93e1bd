/** A Redis server for tests: the `redis-server` of this machine, installed where that is possible. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { execa } from 'execa';

import { freePort } from '../../../src/tasks/free-port.ts';

const PROGRAM = 'redis-server';

/** A server that can be stopped and started again, and made to hang; it keeps nothing on disk. */
export interface RedisServer {
  /** With the password. */
  readonly url: string;
  readonly port: number;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** It takes connections and answers nobody, until it goes on. */
  readonly hang: () => void;
  readonly goOn: () => void;
}

/** A server on a port of its own, not started yet. @throws where none can be had here. */
export async function redisServer(password: string): Promise<RedisServer> {
  await ensureInstalled();
  const port = await freePort();
  let child: ChildProcess | undefined;
  return {
    url: `redis://:${password}@127.0.0.1:${port}`,
    port,
    async start() {
      const words = `--port ${port} --bind 127.0.0.1 --save  --appendonly no --requirepass ${password}`;
      const server = spawn(PROGRAM, words.split(' '), { stdio: 'ignore' });
      child = server;
      while (!(await isListening(port))) {
        if (server.exitCode !== null) throw new Error(`${PROGRAM} ended: ${server.exitCode}`);
        await sleep(50);
      }
    },
    async stop() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    hang: () => void child?.kill('SIGSTOP'),
    goOn: () => void child?.kill('SIGCONT'),
  };
}

/** Has Debian's package installed where there is no server, and we may. */
async function ensureInstalled(): Promise<void> {
  if (await isInstalled()) return;
  if (process.getuid?.() === 0) {
    const options = { reject: false, env: { DEBIAN_FRONTEND: 'noninteractive' } };
    const install = ['install', '-qq', '-y', '--no-install-recommends', PROGRAM];
    await execa('apt-get', ['update', '-qq'], options);
    await execa('apt-get', install, options);
    if (await isInstalled()) return;
  }
  throw new Error(
    `These tests need ${PROGRAM} on the PATH. Install Redis: on Debian and Ubuntu "apt-get install ${PROGRAM}", on macOS "brew install redis".`,
  );
}

const isInstalled = async (): Promise<boolean> =>
  (await execa(PROGRAM, ['--version'], { reject: false })).exitCode === 0;

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
