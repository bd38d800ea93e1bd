/** An emitted project as its users meet it: checked, tested, booted, and asked by strangers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { readDefinitions } from './definitions.ts';
import { fuzz } from './fuzz.ts';
import {
  AUTHORIZATION,
  makeDatabase,
  makeProject,
  ROOT,
  runCommand,
  runScript,
  start,
} from './project.ts';

export interface EmittedCase {
  readonly name: string;
  /** The definitions, from the root of this repository. */
  readonly from: string;
  /** The databases that its own tests run on. */
  readonly tests: readonly DatabaseName[];
  /** Tests that do not run on PGlite: of what is the same there, and runs on PostgreSQL. */
  readonly notOnPglite?: readonly string[];
  /** How many random requests it gets on each database. */
  readonly requests?: Partial<Record<DatabaseName, number>>;
}

type DatabaseName = 'PGlite' | 'PostgreSQL';

/** The tests of one project, in the order in which they need each other. */
export function testEmitted({
  name,
  from,
  tests,
  notOnPglite = [],
  requests,
}: EmittedCase): void {
  let project = '';

  test('is emitted and installs', async () => {
    project = await makeProject(name, from);
    const { version } = JSON.parse(
      readFileSync(join(project, 'node_modules/create-service/package.json'), 'utf8'),
    ) as { version: string };
    expect(version).toBe(
      (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version,
    );
  });

  test('passes `npm run types`, which is no long work for an editor', async () => {
    const words = ['run', '--silent', 'types', '--', '--singleThreaded', '--extendedDiagnostics'];
    const { exitCode, output } = await runCommand(project, words, { env: {}, input: '' });
    expect(exitCode, output).toBe(0);
    // A type of TypeBox that is not resolved costs each thread 1,200,000.
    expect(Number(/Instantiations:\s+(\d+)/.exec(output)?.[1])).toBeLessThan(800_000);
  });

  test.each(['lint', 'build'])('passes `npm run %s`', async (script) => {
    const { exitCode, output } = await runScript(project, script);
    expect({ exitCode, output }).toEqual({
      exitCode: 0,
      output: expect.not.stringMatching(/warning: |[1-9]\d* warnings?/i),
    });
  });

  test.each(tests)('passes its own tests on %s', async (database) => {
    // Shuffled on one of the databases: nothing may rely on the order of tests.
    const isShuffled = database === 'PostgreSQL';
    const env = isShuffled ? { DATABASE_URL: await makeDatabase(`${name}_tests`) } : {};
    const options = isShuffled
      ? ['--sequence.shuffle']
      : notOnPglite.map((pattern) => `--exclude=${pattern}`);
    const words = ['run', '--silent', 'test', '--', ...options];
    const { exitCode, output } = await runCommand(project, words, { env, input: '' });
    expect(exitCode, output).toBe(0);
    // Vitest prints the seed, by which an order can be repeated.
    expect(output.includes('Running tests with seed')).toBe(isShuffled);
  });

  if (requests === undefined) return;
  const counts = Object.entries(requests) as [DatabaseName, number][];
  test.each(counts)('keeps the contract under random requests on %s', async (database, count) => {
    const env: Record<string, string> =
      database === 'PGlite'
        ? { DATA_DIR: 'memory' }
        : { DATABASE_URL: await makeDatabase(`${name}_fuzz`) };
    const service = await start(project, env);
    const { statuses, violations } = await fuzz(service.origin, await readDefinitions(from), {
      requests: count,
      seed: 20_261_121,
      authorization: AUTHORIZATION,
    });
    expect(await service.stop()).toBe(0);
    expect(violations).toEqual([]);
    // A run that only met errors would have shown nothing.
    expect(statuses[200]).toBeGreaterThan(count / 20);
    expect(statuses[201]).toBeGreaterThan(count / 100);
  });
}
