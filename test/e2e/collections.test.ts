/** The tests of collections, of a service that uses all of the language: all types, options and versions. */
import { expect, test } from 'vitest';

import { OF_COLLECTIONS } from './support/emitted.ts';
import { makeBuiltProject, makeDatabase, runCommand } from './support/project.ts';

/** The most fields, and three times the same: emitted/versions.test.ts has versions in which everything differs. */
const EXCLUDED = '--exclude=test/collections/v{1,2}/rentals.test.ts';

test('the collections of `everything` pass their own tests on PostgreSQL, in any order', async () => {
  const project = await makeBuiltProject('collections', 'test/definitions/everything');
  const words = [
    'run',
    '--silent',
    'test',
    '--',
    '--sequence.shuffle',
    ...OF_COLLECTIONS,
    EXCLUDED,
  ];
  const env = { DATABASE_URL: await makeDatabase('collections') };
  const { exitCode, output } = await runCommand(project, words, { env, input: '' });
  expect(exitCode, output).toBe(0);
  // Vitest prints the seed, by which an order can be repeated.
  expect(output).toContain('Running tests with seed');
});
