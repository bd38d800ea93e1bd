/** Files that a newer version of the tool no longer has stay where code of the team imports them. */
import { expect, test } from 'vitest';

import { importedRetiredFiles } from '../../../src/update/imported-files.ts';

const TEXTS: Readonly<Record<string, string>> = {
  'src/platform/a.ts': `import './b.ts';\n// import './c.ts';\n`,
  'src/platform/b.ts': `import './a.ts';\nimport '../app.ts';\n`,
  'src/platform/c.ts': '',
  'test/support/d.ts': '',
  'src/collections/books/routes.ts': '',
};

/** What stays of these files. */
const kept = (path: string, imports: readonly string[], generated: readonly string[] = []) =>
  Object.fromEntries(
    importedRetiredFiles({
      retired: Object.keys(TEXTS),
      team: [{ path, imports, generatedImports: generated }],
      textOf: (file) => TEXTS[file] ?? '',
    }),
  );

test('an imported file stays, with those that it imports', () => {
  expect(kept('src/own.ts', ['src/platform/a.ts', 'src/app.ts'])).toEqual({
    'src/platform/a.ts': ['src/platform/b.ts'],
    'src/platform/b.ts': ['src/platform/a.ts', 'src/app.ts'],
  });
  expect(kept('test/own.test.ts', ['test/support/d.ts'])).toEqual({ 'test/support/d.ts': [] });
});

test('nothing stays that only generated code imported, and no code of a collection', () => {
  expect(kept('src/app.ts', [], ['src/platform/a.ts'])).toEqual({});
  expect(kept('src/own.ts', ['src/collections/books/routes.ts'])).toEqual({});
});

test('an edited file that is no longer generated needs all that it imports', () => {
  expect(kept('src/collections/books/routes.ts', [], ['src/platform/c.ts'])).toEqual({
    'src/platform/c.ts': [],
  });
});
