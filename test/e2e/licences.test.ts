/** Licences: of all that comes with the tool, and of all that a service needs. */
import { dirname } from 'node:path';

import { expect, inject, test } from 'vitest';

import { licencesIn } from '../../scripts/licences.mjs';

const refused = (folder: string): string[] =>
  licencesIn(folder)
    .filter(({ isAllowed }) => !isAllowed)
    .map(({ name, licence }) => `${name}: ${licence}`);

test('of the tool', () => {
  const home = dirname(dirname(dirname(inject('command'))));
  expect(licencesIn(home).map(({ name }) => name)).toContain('create-service');
  expect(refused(home)).toEqual([]);
});

test('of a service with everything in it', () => {
  const project = inject('installed');
  expect(licencesIn(project).map(({ name }) => name)).toContain('pg-boss');
  expect(refused(project)).toEqual([]);
});
