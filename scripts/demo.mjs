/**
 * `npm run demo`: from a fresh clone to a running bookshop, and a tour of its interface. Checks
 * every answer, and ends with status 1 where one is not as it should be.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { show, style } from './demo/show.mjs';
import { ADMINISTRATOR, tour } from './demo/tour.mjs';
import { ensureInstalled } from './ensure-installed.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const workshop = mkdtempSync(path.join(tmpdir(), 'create-service-demo-'));
const project = path.join(workshop, 'bookshop');
/** The service, while it runs. */
let service;

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    end(service === undefined ? 130 : 0);
  });
}
try {
  const wrong = await demonstrate();
  if (wrong > 0) {
    console.error(style.red(`\n${wrong} answers were not as they should be.`));
    end(1);
  } else if (!process.stdout.isTTY) end(0);
} catch (error) {
  console.error(error);
  end(1);
}

/** Makes, starts and shows the service; answers how much of it was wrong. */
async function demonstrate() {
  ensureInstalled();
  run([path.join(root, 'scripts/build.mjs')], root);
  const command = ['bin/create-service.js', project, '--from', 'examples/bookshop.yaml'];
  console.log(style.dim(`$ npx create-service ${command.slice(1).join(' ')}`));
  run([...command, '--no-git'], root);

  const origin = `http://127.0.0.1:${await freePort()}`;
  console.log(style.dim(`\n$ cd ${project} && npm run dev`));
  await start(origin);
  console.log(`The bookshop listens on ${origin}, with PGlite as its database.`);

  let [steps, wrong] = [0, 0];
  await tour(origin, (step) => {
    steps += 1;
    if (!show(steps, step)) wrong += 1;
  });
  if (wrong > 0) return wrong;
  console.log(style.green('\nEvery answer was as it should be.'));
  if (process.stdout.isTTY) {
    console.log(`\nThe bookshop goes on at ${style.bold(`${origin}/api/v1/books`)}.`);
    console.log('Ctrl-C stops it, and removes it.');
  }
  return 0;
}

/** Runs a script of Node to its end, and ends with it where it fails. */
function run(words, cwd) {
  const { status } = spawnSync(process.execPath, words, { cwd, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`${words.join(' ')} ended with status ${status}`);
}

async function start(origin) {
  const { port } = new URL(origin);
  service = spawn(process.execPath, ['--import', 'tsx', 'src/server.ts'], {
    cwd: project,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, ...ADMINISTRATOR, PORT: port, LOG_LEVEL: 'warn' },
  });
  const deadline = performance.now() + 60_000;
  while (performance.now() < deadline && service.exitCode === null) {
    const answer = await fetch(`${origin}/health/ready`).catch(() => undefined);
    if (answer?.ok) return;
    await pause(100);
  }
  throw new Error('the service did not start');
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Stops the service, removes it, and ends the process. */
function end(status) {
  const last = () => {
    rmSync(workshop, { recursive: true, force: true });
    process.exit(status);
  };
  if (service === undefined || service.exitCode !== null) last();
  else service.once('exit', last).kill('SIGTERM');
}
