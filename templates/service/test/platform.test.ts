/** The platform imports nothing from the collections, or from the other files of `src/`. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

const PLATFORM = fileURLToPath(new URL('../src/platform/', import.meta.url));

/** The paths of relative imports, static and dynamic. */
const importsOf = (text: string): string[] =>
  Array.from(text.matchAll(/(?:from|import) ?\(?'(\.[^']*)'/g), ([, target = '']) => target);

test('no file of the platform imports from outside of it', () => {
  const files = readdirSync(PLATFORM, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const imports = files.flatMap((file) =>
    importsOf(readFileSync(path.join(PLATFORM, file), 'utf8')).map((target) => ({ file, target })),
  );
  expect(imports).not.toEqual([]);
  const outside = imports.filter(({ file, target }) =>
    path.join(path.dirname(file), target).startsWith('..'),
  );
  expect(outside).toEqual([]);
});
