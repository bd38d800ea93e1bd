/** The guide, followed by somebody who knows nothing: each command as it stands there. */
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { linkedInstalls } from './support/npm-shim.ts';
import { blocksOf, folderWithTool, pageOf, Reader } from './support/page.ts';

test('the guide, from a definition to edits that collide', async () => {
  const blocks = blocksOf(pageOf('docs/guide.md'), [
    'Your first service',
    'Another collection',
    'A field changes',
    'Living with edits',
    'In a team, and in CI',
  ]);
  expect(blocks.length).toBeGreaterThan(20);
  const folder = folderWithTool('guide');
  // Where the README is followed, packages are installed (journey.test.ts).
  const env = linkedInstalls(join(folder, 'bin'));
  await new Reader({ folder, env }).follow(blocks);
});
