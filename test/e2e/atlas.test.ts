/** Real data through a real service: the atlas of the world, loaded and read back over HTTP. */
import { expect, test } from 'vitest';

import { load } from '../../examples/atlas/load.mjs';
import { ADMINISTRATOR, makeDatabase, makeProject, runScript, start } from './support/project.ts';

test.each(['PGlite', 'PostgreSQL'])('holds the atlas on %s, value by value', async (database) => {
  const project = await makeProject(
    `atlas-${database.toLowerCase()}`,
    'examples/atlas/definitions',
  );
  expect((await runScript(project, 'build')).exitCode).toBe(0);
  const service = await start(project, {
    ...(database === 'PGlite'
      ? { DATA_DIR: 'memory' }
      : { DATABASE_URL: await makeDatabase('atlas') }),
  });
  // The loader compares every member of every row with what pages give back, or throws.
  const { username, password } = ADMINISTRATOR;
  const url = new URL('/api/v1', service.origin);
  Object.assign(url, { username, password });
  const counts = await load(url.href, { log: () => {} });
  expect(await service.stop()).toBe(0);
  expect(counts).toMatchObject({ countries: 250, cities: 430, memberships: 694 });
  expect(Object.values<number>(counts).reduce((sum, count) => sum + count)).toBe(3294);
});
