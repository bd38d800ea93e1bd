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
  /** How many random requests it is asked on each database; none where 0. */
  readonly requests: number;
  /**
   * Whether tests and random requests run on both databases. Where false, the tests run on PGlite and
   * the requests on PostgreSQL: other projects have shown that both answer alike.
   */
  readonly onBoth: boolean;
}

/** The tests of one project, in the order in which they need each other. */
export function testEmitted({ name, from, requests, onBoth }: EmittedCase): void {
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

  test.each(['types', 'lint', 'format:check', 'build'])('passes `npm run %s`', async (script) => {
    const { exitCode, output } = await runScript(project, script);
    expect({ exitCode, output }).toEqual({
      exitCode: 0,
      output: expect.not.stringMatching(/warning: |[1-9]\d* warnings?/i),
    });
  });

  test('passes its own tests on PGlite', async () => {
    const { exitCode, output } = await runScript(project, 'test');
    expect(exitCode, output).toBe(0);
  });

  test.each(onBoth ? ['PostgreSQL'] : [])(
    'passes its own tests on %s, in whatever order',
    async () => {
      const env = { DATABASE_URL: await makeDatabase(`${name}_tests`) };
      const words = ['run', '--silent', 'test', '--', '--sequence.shuffle'];
      const { exitCode, output } = await runCommand(project, words, { env, input: '' });
      expect(exitCode, output).toBe(0);
      // Vitest tells the seed, by which an order can be repeated.
      expect(output).toContain('Running tests with seed');
    },
  );

  if (requests === 0) return;
  test.each(onBoth ? ['PGlite', 'PostgreSQL'] : ['PostgreSQL'])(
    'keeps the contract under random requests on %s',
    async (database) => {
      const env: Record<string, string> =
        database === 'PGlite'
          ? { DATA_DIR: 'memory' }
          : { DATABASE_URL: await makeDatabase(`${name}_fuzz`) };
      const service = await start(project, env);
      const { statuses, violations } = await fuzz(service.origin, await readDefinitions(from), {
        requests,
        seed: 20_261_121,
        authorization: AUTHORIZATION,
      });
      expect(await service.stop()).toBe(0);
      expect(violations).toEqual([]);
      // A run that only met errors would have shown nothing.
      expect(statuses[200]).toBeGreaterThan(requests / 20);
      expect(statuses[201]).toBeGreaterThan(requests / 100);
    },
  );
}
