/** What is formatted has Prettier's style, and a text that does not parse is never emitted. */
import { expect, test } from 'vitest';

import { formatFile } from '../../../src/render/format.ts';

test.each([
  ['src/app.ts', 'export const a = "b"', `export const a = 'b';\n`],
  ['tsconfig.json', '{"a":1}', '{ "a": 1 }\n'],
  ['compose.yaml', 'a:   1', 'a: 1\n'],
  ['README.md', '* one', '- one\n'],
  ['migrations/0001_initial.sql', 'select  1', 'select  1'],
])('%s: %j', async (file, text, formatted) => {
  expect(await formatFile(file, text)).toBe(formatted);
});

test.each([
  ['src/app.ts', 'export const a = (1;\n'],
  ['src/app.ts', 'export function () {\n'],
  ['package.json', '{ "a": }\n'],
  ['compose.yaml', 'a: [1\n'],
])('%s that does not parse is refused: %j', async (file, text) => {
  await expect(formatFile(file, text)).rejects.toThrow(`${file} does not parse`);
});
