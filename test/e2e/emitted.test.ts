/** Emitted projects as their users meet them: checked, tested, booted, and asked by strangers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { readDefinitions } from './support/definitions.ts';
import { fuzz } from './support/fuzz.ts';
import {
  AUTHORIZATION,
  makeDatabase,
  makeProject,
  ROOT,
  runScript,
  start,
} from './support/project.ts';

const CASES = [
  { name: 'bookshop', from: 'examples/bookshop.yaml', requests: 5000 },
  { name: 'everything', from: 'test/cases/everything/definitions', requests: 5000 },
  { name: 'permissions', from: 'test/cases/permissions/definitions.yaml', requests: 2000 },
  { name: 'minimal', from: 'test/cases/minimal/definitions.yaml', requests: 500 },
  { name: 'hostile', from: 'test/cases/hostile/definitions.json', requests: 2000 },
];

describe.each(CASES)('$name', ({ name, from, requests }) => {
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

  test('passes its own tests on PostgreSQL', async () => {
    const { exitCode, output } = await runScript(project, 'test', {
      DATABASE_URL: await makeDatabase(`${name}_tests`),
    });
    expect(exitCode, output).toBe(0);
  });

  test.each(['PGlite', 'PostgreSQL'])(
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
});
