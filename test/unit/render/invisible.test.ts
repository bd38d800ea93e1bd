/** No emitted code or SQL has a character that changes how a reader sees the text around it. */
import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { render } from '../../../src/api.ts';

test('texts of definitions are escaped in code and in SQL', async () => {
  const file = new URL('../../cases/hostile/definitions.json', import.meta.url);
  const files = await render({ path: 'hostile.json', text: readFileSync(file, 'utf8') });
  const code = files.filter(({ path }) => /\.(?:ts|js|sql|md)$/.test(path));
  expect(code.length).toBeGreaterThan(100);
  for (const { path, text } of code) {
    expect(text.match(/[^\n]*[\p{Cf}\p{Zl}\p{Zp}][^\n]*/u)?.[0], path).toBeUndefined();
  }
});
