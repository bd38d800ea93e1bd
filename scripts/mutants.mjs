/**
 * Mutation tests of an emitted service: `npm run mutants`. Each line of `mutants/mutants.txt` breaks
 * one convention in an emitted project, whose own tests must then fail. The tests run on PGlite, two
 * mutants at a time: first the files that the line names, then, for a mutant that they do not
 * notice, all.
 *
 *   --only NAME     runs this mutant alone (may be repeated)
 *   --no-baseline   does not first run the tests of the project without a mutant
 *
 * Exit status 1: a mutant survives, or its text is not found.
 */
import { execFileSync, spawn } from 'node:child_process';
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
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const WORKSHOP = join(tmpdir(), 'create-service-mutants');
/** Milliseconds after which a mutant that does not end counts as noticed. */
const PATIENCE = 10 * 60_000;
const AT_ONCE = 2;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    'no-baseline': { type: 'boolean', default: false },
  },
});

const mutants = readMutants();
for (const name of options.only ?? []) {
  if (!mutants.some((mutant) => mutant.name === name)) fail(`There is no mutant ${name}.`);
}
const chosen = mutants.filter(({ name }) => options.only?.includes(name) ?? true);
const project = makeProject();
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
      console.log(`${result.padEnd(11)}  ${mutant.name}: ${mutant.convention}${by && ` (${by})`}`);
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
  if (!text.includes(find)) return { result: 'not applied', by: `${file} has no ${find}` };
  writeFileSync(
    path,
    text.replace(find, () => replacement),
  );
  try {
    for (const files of [tests, []]) {
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
  const words = ['run', '--bail=1', '--maxWorkers=1', ...files];
  const { DATABASE_URL: _, ...env } = process.env;
  const child = spawn(process.execPath, [vitest, ...words], {
    cwd: folder,
    env: { ...env, NO_COLOR: '1' },
    timeout: PATIENCE,
    killSignal: 'SIGKILL',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part));
  return new Promise((resolve) => {
    child.on('close', (status) => {
      const failed = /FAIL {2}(.+)/.exec(output)?.[1] ?? `status ${status}`;
      resolve({ isPassed: status === 0, failed, output });
    });
  });
}

/** Makes and installs the project that the mutants are applied to. */
function makeProject() {
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

function packageOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function copyProject(name) {
  const copy = join(WORKSHOP, name);
  rmSync(copy, { recursive: true, force: true });
  cpSync(project, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

/** The table: see the first lines of the file. */
function readMutants() {
  const lines = readFileSync(join(ROOT, 'scripts/mutants/mutants.txt'), 'utf8').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const parts = line.split(' ;; ');
      if (parts.length !== 6) fail(`A mutant has six parts: ${line}`);
      const [name, file, find, replacement, convention, tests] = parts;
      return {
        ...{ name, file, find, replacement, convention },
        tests: tests.split(',').map((test) => `test/${test}.test.ts`),
      };
    });
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
