/**
 * Requests that are valid by the documents of all versions: the service answers what the documents
 * have, and refuses only what no document can tell, such as a unique value that is taken.
 */
import { expect, test } from 'vitest';

import { fuzzDocument } from './support/documented-fuzz.ts';
import type { FuzzedDocument } from './support/documented-fuzz.ts';
import { AUTHORIZATION, makeDatabase, makeProject, runScript, start } from './support/project.ts';

test.each([
  ['everything', 'test/definitions/everything', [1, 2, 3], 250],
  ['versions', 'test/cases/versions/definitions.yaml', [1, 2, 3], 250],
  // On PGlite, which creates the tables.
  ['existing-tables', 'test/e2e/definitions/existing-tables.yaml', [1, 2], 250],
])(
  'the documents of %s tell every refusal that they can',
  async (name, from, versions, requests) => {
    const project = await makeProject(`documented-${name}`, from);
    const built = await runScript(project, 'build');
    expect(built.exitCode, built.output).toBe(0);
    const env =
      name === 'existing-tables'
        ? { DATA_DIR: 'memory' }
        : { DATABASE_URL: await makeDatabase(`documented_${name}`) };
    const service = await start(project, env);
    for (const version of versions) {
      const response = await fetch(`${service.origin}/api/v${version}/openapi.json`);
      const document = (await response.json()) as FuzzedDocument;
      const report = await fuzzDocument(service.origin, document, {
        requests,
        seed: 20_261_122 + version,
        authorization: AUTHORIZATION,
      });
      expect(report.problems).toEqual([]);
      // A run that only met refusals would have shown nothing.
      expect(report.statuses[200], `version ${version}`).toBeGreaterThan(requests / 10);
      expect(report.statuses[201], `version ${version}`).toBeGreaterThan(requests / 20);
    }
    expect(await service.stop()).toBe(0);
  },
);
