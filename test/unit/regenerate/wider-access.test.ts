/** Wider access over the life of a project, and what it is compared with. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeProject } from './support.ts';
import type { TestProject } from './support.ts';

let place = '';
let project: TestProject;

const NOTES = 'definitions/collections/notes.yaml';

beforeEach(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
  project = await makeProject(path.join(place, 'shop'), {
    'service.yaml': 'name: shop\nroles: [clerk]\n',
    'collections/notes.yaml':
      'fields: { body: { type: text } }\npermissions: { read: public, update: [admin] }\n',
  });
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const setRead = (read: string): void =>
  project.edit(NOTES, (text) => text.replace(/read: [^,]*,/, `read: ${read},`));

/** Does to the manifest what a merge of two branches does, each of which has run `generate`. */
const mergeManifests = (): void =>
  project.edit('.create-service/manifest', (text) =>
    text.replace(/^applied .*$/m, (line) => `${line}\napplied ${'0'.repeat(64)}`),
  );

const refused = async (allowWider = false): Promise<readonly string[]> =>
  (await project.generate(undefined, false, allowWider)).refused;

test('what a run narrowed is wider again, also after a merge, though no migration tells', async () => {
  setRead('[clerk]');
  expect(await refused()).toEqual([]);
  mergeManifests();
  setRead('public');
  expect(await refused()).toEqual(['wider']);
});

test('what was allowed is not asked again after a merge', async () => {
  setRead('[clerk]');
  expect(await refused()).toEqual([]);
  setRead('authenticated');
  expect(await refused()).toEqual(['wider']);
  expect(await refused(true)).toEqual([]);
  mergeManifests();
  project.edit('definitions/service.yaml', (text) => `${text}title: Notes\n`);
  expect(await refused()).toEqual([]);
});
