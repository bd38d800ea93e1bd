/** Collections that use no rules, includes or events receive none of their code, whatever others use. */
import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { render } from '../../../src/api.ts';

/** The files that belong to `authors` and `books` of a service of the bench, by path. */
async function filesOf(name: string): Promise<Map<string, string>> {
  const url = new URL(`../../../bench/service/${name}`, import.meta.url);
  const files = await render({ path: name, text: readFileSync(url, 'utf8') });
  return new Map(
    files
      .filter(({ path }) => /\/(?:authors|books)[/.]/.test(path))
      .map(({ path, text }) => [path, text] as const),
  );
}

test('another collection with all of them changes no file of a plain one', async () => {
  const alone = await filesOf('definitions.yaml');
  expect(alone.size).toBeGreaterThan(10);
  expect(await filesOf('beside.yaml')).toEqual(alone);
});
