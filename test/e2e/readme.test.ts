/** The README and the guide, followed by somebody who knows nothing: each command as it stands there. */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, inject, test } from 'vitest';

import { linkedInstalls } from './support/npm-shim.ts';
import { blocksOf, Reader } from './support/page.ts';
import { ROOT } from './support/project.ts';
import { freePort } from '../../src/tasks/free-port.ts';

/** A page of this repository. */
const page = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

/** A folder in which npx finds the packed tool, in place of a registry. */
function emptyFolder(name: string): string {
  const folder = join(inject('workshop'), name);
  mkdirSync(folder);
  symlinkSync(dirname(dirname(inject('command'))), join(folder, 'node_modules'));
  return folder;
}

test('five minutes, from nothing to a service with a collection and edits of one’s own', async () => {
  const port = await freePort();
  const text = page('README.md').replaceAll(':3000', `:${port}`);
  const blocks = blocksOf(text, ['Five minutes']);
  expect(blocks.length).toBeGreaterThan(10);
  const folder = emptyFolder('five minutes');
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
  const folder = emptyFolder('guide');
  // The README has its packages installed.
  const env = linkedInstalls(join(folder, 'bin'));
  await new Reader({ folder, env }).follow(blocks);
});
