/**
 * How long the command line takes to start and to make a service, as a ratio to an empty Node
 * process, side by side in one run: `npm run bench:start`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROUNDS = 15;
const root = fileURLToPath(new URL('../', import.meta.url));
const tool = join(root, 'bin/create-service.js');
const folder = mkdtempSync(join(tmpdir(), 'create-service-bench-'));
let made = 0;

const COMMANDS = {
  'node -e ""': () => ['-e', ''],
  'create-service --help': () => [tool, '--help'],
  'create-service --version': () => [tool, '--version'],
  'the bookshop, --no-install --no-git': () => [
    tool,
    'new',
    join(folder, `bookshop-${made++}`),
    ...['--from', join(root, 'examples/bookshop.yaml'), '--no-install', '--no-git', '--yes'],
  ],
  'explain of the bookshop': () => [
    tool,
    'explain',
    '--from',
    join(root, 'examples/bookshop.yaml'),
  ],
};

/** @returns milliseconds */
function time(args) {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}:\n${stderr}`);
  return performance.now() - start;
}

const times = Object.fromEntries(Object.keys(COMMANDS).map((name) => [name, []]));
// In turn, so that whatever else the machine does strikes all alike.
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, args] of Object.entries(COMMANDS)) times[name].push(time(args()));
}
rmSync(folder, { recursive: true });

const quantile = (values, share) =>
  values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * share)];
const empty = quantile(times['node -e ""'], 0.5);
console.log(`Median of ${ROUNDS} rounds, with the quartiles; Node ${process.version}`);
for (const [name, values] of Object.entries(times)) {
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(values, share));
  const ms = `${middle.toFixed(0)} ms (${low.toFixed(0)} to ${high.toFixed(0)})`;
  console.log(`${name.padEnd(38)} ${ms.padEnd(24)} ${(middle / empty).toFixed(1)} times`);
}
