/**
 * Mutation tests: `npm run mutants` for an emitted service, `npm run mutants -- --of generator` for the
 * sources of the generator. Each line of `mutants/service.txt` or `mutants/generator.txt` is one mutant:
 * a bug that the tests must notice. Two mutants are tried at a time, each in a copy of its own: first
 * with the test files that the line names, then, if these pass, with all tests (of the generator: all
 * `fast` and `slow` ones).
 *
 *   --of LIST       service (the default) or generator
 *   --only NAME     runs this mutant alone (may be repeated)
 *   --named         runs only the test files that each line names
 *   --no-baseline   does not first run the tests without a mutant
 *
 * Exit status 1: a mutant survives, or its text does not occur exactly once.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const MINUTE = 60_000;
const AT_ONCE = 2;
/** Left out of copies: it checks that the text of each mutant is there, and fails for all of them. */
const TEST_OF_LIST = 'test/unit/mutants.test.ts';

/**
 * What each list mutates: how the project is made, what Vitest is given to run its tests, and the
 * milliseconds after which a mutant whose tests do not end counts as killed.
 */
const LISTS = {
  service: { make: makeService, arguments: [], limits: { named: 10 * MINUTE, all: 10 * MINUTE } },
  generator: {
    make: copyGenerator,
    arguments: ['--project', 'fast', '--project', 'slow'],
    limits: { named: 5 * MINUTE, all: 30 * MINUTE },
  },
};

const { values: options } = parseArgs({
  options: {
    of: { type: 'string', default: 'service' },
    only: { type: 'string', multiple: true },
    named: { type: 'boolean', default: false },
    'no-baseline': { type: 'boolean', default: false },
  },
});

const list = Object.hasOwn(LISTS, options.of) ? LISTS[options.of] : undefined;
if (list === undefined) fail(`There is no list ${options.of}: write service or generator.`);
// Two checkouts may be tested at once.
const CHECKOUT = createHash('sha256').update(ROOT).digest('hex').slice(0, 8);
const WORKSHOP = join(tmpdir(), `create-service-mutants-${CHECKOUT}`, options.of);
const mutants = readMutants();
for (const name of options.only ?? []) {
  if (!mutants.some((mutant) => mutant.name === name)) fail(`There is no mutant ${name}.`);
}
const chosen = mutants.filter(({ name }) => options.only?.includes(name) ?? true);
const running = new Set();
process.once('SIGINT', () => {
  for (const child of running) stop(child);
  process.exit(130);
});
const project = list.make();
for (const { name, tests } of chosen) {
  for (const file of tests) {
    if (!existsSync(join(project, file))) fail(`${name}: there is no ${file} in the project.`);
  }
}
if (!options['no-baseline']) {
  const { isPassed, output } = await runTests(project, []);
  if (!isPassed) fail(`The tests fail without a mutant:\n${output}`);
  console.log('Without a mutant all tests pass.');
}

const results = { killed: 0, survived: 0, 'not applied': 0 };
const queue = [...chosen];
await Promise.all(
  Array.from({ length: AT_ONCE }, async (_, at) => {
    const copy = copyProject(`copy-${at}`);
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const { result, by } = await tryMutant(copy, mutant);
      results[result]++;
      console.log(`${result.padEnd(11)}  ${mutant.name}: ${mutant.behaviour}${by && ` (${by})`}`);
    }
  }),
);
console.log(
  `${results.killed} of ${chosen.length} mutants killed, ${results.survived} survived, ` +
    `${results['not applied']} not applied.`,
);
process.exit(results.killed === chosen.length ? 0 : 1);

/** Applies a mutant to a copy of the project, runs the tests, and takes the mutant back. */
async function tryMutant(copy, { file, find, replacement, tests }) {
  const path = join(copy, file);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const count = text.split(find).length - 1;
  if (count !== 1) return { result: 'not applied', by: `${file} has ${count} times ${find}` };
  writeFileSync(
    path,
    text.replace(find, () => replacement),
  );
  try {
    for (const files of options.named ? [tests] : [tests, []]) {
      const { isPassed, failed } = await runTests(copy, files);
      if (!isPassed) return { result: 'killed', by: failed };
    }
    return { result: 'survived', by: '' };
  } finally {
    writeFileSync(path, text);
  }
}

/** Runs test files of a project, or all; stops at the first test that fails. */
function runTests(folder, files) {
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
  const words = ['run', '--bail=1', '--maxWorkers=1', ...list.arguments, ...files];
  const { DATABASE_URL: _, ...env } = process.env;
  const child = spawn(process.execPath, [vitest, ...words], {
    cwd: folder,
    env: { ...env, NO_COLOR: '1' },
    // A group of its own: a worker in an endless loop outlives Vitest.
    detached: true,
  });
  running.add(child);
  const limit = list.limits[files.length > 0 ? 'named' : 'all'];
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    stop(child);
  }, limit);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part));
  return new Promise((resolve) => {
    child.on('close', (status) => {
      clearTimeout(timer);
      running.delete(child);
      const reason = isLate ? `no end after ${limit / MINUTE} minutes` : `status ${status}`;
      const failed = /FAIL {2}(.+)/.exec(output)?.[1] ?? reason;
      resolve({ isPassed: status === 0, failed, output });
    });
  });
}

/** Ends a test run with all of its processes. */
function stop(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Makes and installs the service that mutants are applied to. */
function makeService() {
  const folder = join(WORKSHOP, 'project');
  const definitions = join(ROOT, 'scripts/mutants/definitions.yaml');
  const packages = join(WORKSHOP, 'package.json');
  const installed = existsSync(packages) ? readFileSync(packages, 'utf8') : '';
  mkdirSync(WORKSHOP, { recursive: true });
  rmSync(folder, { recursive: true, force: true });
  execFileSync(process.execPath, [join(ROOT, 'scripts/build.mjs')], { stdio: 'inherit' });
  const made = [folder, '--from', definitions, '--no-install', '--no-git', '--yes', '--quiet'];
  execFileSync(process.execPath, [join(ROOT, 'bin/create-service.js'), ...made], {
    stdio: 'inherit',
  });
  // The tests of what a project runs, and does not test itself.
  cpSync(join(ROOT, 'test/e2e/migrations/test'), join(folder, 'test'), { recursive: true });
  const { 'create-service': _, ...devDependencies } = packageOf(folder).devDependencies;
  const wanted = JSON.stringify({ ...packageOf(folder), devDependencies });
  if (wanted !== installed) {
    writeFileSync(packages, wanted);
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], {
      cwd: WORKSHOP,
      stdio: 'inherit',
    });
  }
  symlinkSync(join(WORKSHOP, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Copies the files of this repository that git tracks or would track. */
function copyGenerator() {
  const folder = join(WORKSHOP, 'project');
  rmSync(folder, { recursive: true, force: true });
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const file of listed.split('\0')) {
    if (file === '' || file === TEST_OF_LIST || !existsSync(join(ROOT, file))) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

function packageOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function copyProject(name) {
  const copy = join(WORKSHOP, name);
  rmSync(copy, { recursive: true, force: true });
  cpSync(project, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

/** The mutants of the list: see the first lines of its file. */
function readMutants() {
  const lines = readFileSync(join(ROOT, `scripts/mutants/${options.of}.txt`), 'utf8').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const parts = line.split(' ;; ');
      if (parts.length !== 6) fail(`A mutant has six parts: ${line}`);
      const [name, file, find, replacement, behaviour, tests] = parts;
      return {
        ...{ name, file, behaviour },
        ...{ find: withBreaks(find), replacement: withBreaks(replacement) },
        // With a slash at its end it is a folder.
        tests: tests
          .split(',')
          .map((test) => `test/${test}${test.endsWith('/') ? '' : '.test.ts'}`),
      };
    });
}

function withBreaks(text) {
  return text.replaceAll('\\n', '\n');
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
