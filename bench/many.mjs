/**
 * What a service of many collections costs the generator, that the cost grows as their number does,
 * and that a change costs what it reaches: `npm run bench:many`. CPU time and memory are those of the
 * process itself, so that whatever else the machine does counts little.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROUNDS = Number(process.argv[2] ?? 3);
const SIZES = [100, 300, 1000];
const tool = fileURLToPath(new URL('../bin/create-service.js', import.meta.url));
const workshop = mkdtempSync(join(tmpdir(), 'create-service-bench-'));

/** Prints at the end what the process used. */
const METER =
  'data:text/javascript,process.on("exit",()=>{const{userCPUTime:u,systemCPUTime:s,maxRSS:m}=process.resourceUsage();process.stderr.write(`\\nUSED ${u+s} ${m}\\n`)})';

/** A name for each number: three letters, and a plural. */
const nameOf = (number) => {
  const letters = [0, 1, 2].map((at) =>
    String.fromCharCode(97 + (Math.floor(number / 26 ** at) % 26)),
  );
  return `${letters.join('')}_things`;
};

/** Twelve fields, of which one refers to the collection before. */
const definitionOf = (number) => `fields:
  title: { type: string, required: true, max_length: 200 }
  code: { type: string, required: true, unique: true, pattern: '^[A-Z]{3}[0-9]{4}$' }
  price: { type: decimal, precision: 10, scale: 2, minimum: '0' }
  amount: { type: integer, minimum: 0 }
  ratio: { type: number }
  active: { type: boolean, default: true }
  status: { type: enum, values: [draft, published], default: draft }
  happened_at: { type: timestamp }
  day: { type: date }
  tags: { type: list, of: { type: string, max_length: 40 }, max_items: 10 }
  address: { type: object, properties: { street: { type: text }, city: { type: text } } }
  ${number === 0 ? 'note: { type: text }' : `other_thing_id: { type: reference, to: ${nameOf(number - 1)}, nested: true }`}
sort: [title, created_at]
filter: [status, amount]
search: [title]
`;

function define(count) {
  const folder = join(workshop, `definitions-${count}`);
  mkdirSync(join(folder, 'collections'), { recursive: true });
  writeFileSync(join(folder, 'service.yaml'), 'name: many\n');
  for (let number = 0; number < count; number++)
    writeFileSync(join(folder, 'collections', `${nameOf(number)}.yaml`), definitionOf(number));
  return folder;
}

/** @returns seconds, seconds of all processors, and megabytes */
function run(cwd, ...words) {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ['--import', METER, tool, ...words], {
    cwd,
    encoding: 'utf8',
  });
  const wall = (performance.now() - start) / 1000;
  const used = /USED (\d+) (\d+)/.exec(stderr);
  if (status !== 0 || used === null)
    throw new Error(`${words.join(' ')} ended with ${status}:\n${stderr}`);
  return { wall, cpu: Number(used[1]) / 1e6, memory: Number(used[2]) / 1024 };
}

const rows = new Map();
const keep = (name, used) => rows.set(name, [...(rows.get(name) ?? []), used]);
const folders = new Map(SIZES.map((count) => [count, define(count)]));
for (let round = 0; round < ROUNDS; round++) {
  for (const count of SIZES) {
    const project = join(workshop, `project-${count}`);
    const words = [
      '--from',
      folders.get(count),
      '--tool',
      '0.1.0',
      '--no-install',
      '--no-git',
      '--yes',
    ];
    keep(`new, ${count} collections`, run(workshop, 'new', project, ...words));
    keep(`generate, ${count}, nothing changed`, run(project, 'generate'));
    keep(`check, ${count}, nothing changed`, run(project, 'check'));
    const file = join(project, 'definitions/collections', `${nameOf(50)}.yaml`);
    writeFileSync(file, readFileSync(file, 'utf8').replace('max_length: 200', 'max_length: 201'));
    keep(`generate, ${count}, one changed`, run(project, 'generate'));
    rmSync(project, { recursive: true });
  }
}
rmSync(workshop, { recursive: true });

const sorted = (name, key) =>
  rows
    .get(name)
    .map((used) => used[key])
    .toSorted((one, other) => one - other);
const median = (name, key) => sorted(name, key)[Math.floor((ROUNDS - 1) / 2)];
console.log(`Median of ${ROUNDS} rounds (least to most); Node ${process.version}`);
for (const name of rows.keys()) {
  const [wall, cpu] = ['wall', 'cpu'].map((key) => {
    const all = sorted(name, key);
    return `${median(name, key).toFixed(1)} s (${all[0].toFixed(1)} to ${all.at(-1).toFixed(1)})`;
  });
  console.log(
    `${name.padEnd(34)} ${wall.padEnd(22)} CPU ${cpu.padEnd(22)} ${median(name, 'memory').toFixed(0)} MB`,
  );
}
for (const what of ['generate, 1000, nothing changed', 'generate, 1000, one changed']) {
  const ratio = median(what, 'cpu') / median('new, 1000 collections', 'cpu');
  console.log(`${what}: ${ratio.toFixed(2)} of what new costs (CPU).`);
}
const perCollection = (count) => median(`new, ${count} collections`, 'cpu') / count;
for (const count of SIZES.slice(1)) {
  const ratio = perCollection(count) / perCollection(SIZES[0]);
  console.log(
    `A collection among ${count} costs ${ratio.toFixed(2)} of one among ${SIZES[0]} (CPU).`,
  );
}
