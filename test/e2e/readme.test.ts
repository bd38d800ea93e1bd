/** The README and the guide, followed by somebody who knows nothing: each command as it stands there. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { execa } from 'execa';
import { expect, inject, test } from 'vitest';

import { blocksOf, Reader } from './support/page.ts';
import { ROOT } from './support/project.ts';
import { freePort } from '../../src/tasks/free-port.ts';

/** A page of this repository. */
const page = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

/** A folder in which npx finds the packed tool, in place of a registry. */
async function emptyFolder(name: string): Promise<string> {
  const folder = join(inject('workshop'), name);
  mkdirSync(folder);
  await execa('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, inject('tarball')]);
  return folder;
}

test('five minutes, from nothing to a service with a collection and edits of one’s own', async () => {
  const port = await freePort();
  const text = page('README.md').replaceAll(':3000', `:${port}`);
  const blocks = blocksOf(text, ['Five minutes']);
  expect(blocks.length).toBeGreaterThan(10);
  const folder = await emptyFolder('five minutes');
  await new Reader({ folder, env: { PORT: String(port) } }).follow(blocks);
});

test('the guide, from a definition to edits that collide', async () => {
  const blocks = blocksOf(page('docs/guide.md'), [
    'Your first service',
    'Another collection',
    'A field changes',
    'Living with edits',
    'In a team, and in CI',
  ]);
  expect(blocks.length).toBeGreaterThan(20);
  await new Reader({ folder: await emptyFolder('guide'), env: {} }).follow(blocks);
});
