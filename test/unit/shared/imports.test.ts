/** Which files a text imports, told without a parser. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { ts } from 'ts-morph';
import { expect, test } from 'vitest';

import { importedFiles, relativeSpecifiers } from '../../../src/shared/imports.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

test.each([
  `import { a } from './x.ts';`,
  `import './x.ts';`,
  `import a, { type B } from "./x.ts"`,
  `import type { A } from './x.ts';`,
  `import * as all from './x.ts';`,
  `import {\n  a, // one\n  b,\n}\n  from\n  './x.ts';`,
  `export { a } from './x.ts';`,
  `export * from './x.ts';`,
  `export type * from './x.ts';`,
  `const a = await import('./x.ts');`,
  `const a = () => import(\n  './x.ts'\n);`,
  `const a = import(/* @vite-ignore */ './x.ts');`,
  `type A = typeof import('./x.ts');`,
  `type A = import('./x.ts').A;`,
  "const a = `${await import('./x.ts')}`;",
  'const a = `one ${`two ${{ b: "}" }.b} \\` ${3}`} four`; import "./x.ts";',
  'const a = `$ \\${ import("./y.ts") `; import("./x.ts");',
  `const a = b.replace(/['"\`]/g, ''); import('./x.ts');`,
  `const a = b / c; import('./x.ts'); const d = b / c;`,
  `const a = /[/*]/.test(b) ? 1 : 2; import('./x.ts');`,
  `const a = 'it\\'s'; import('./x.ts'); const b = "it's";`,
  `// don't\nimport './x.ts';`,
  `/* don't */ import './x.ts';`,
  `import { from } from './x.ts';`,
  `import(\n  // @ts-expect-error\n  './x.ts'\n);`,
  `const a = require('./x.ts');`,
  `const a = await vi.importActual('./x.ts');`,
  "const a = `${done! / all!}/h`; export * from './x.ts';",
  "const a = `${n++ / 2}/h`; export * from './x.ts';",
  "if (a) /`/.test(b); export * from './x.ts';",
  "const a = [\n  // fences\n  /^```/m,\n]; export * from './x.ts';",
  "const a = <p>it`s</p>; export * from './x.ts';",
  `const a = b =/[; import './x.ts';`,
])('%j imports x.ts', (text) => {
  expect(relativeSpecifiers(text)).toEqual(['./x.ts']);
});

test.each([
  `// import './x.ts';`,
  `/** import './x.ts'; */`,
  `/* one\nimport './x.ts';\n*/`,
  `const a = "import './x.ts';";`,
  `const a = 'export * from "./x.ts"';`,
  'const a = `import "./x.ts";`;',
  'const a = `${b} import("./x.ts")`;',
  `const a = /import '.\\/x'/;`,
  `import { a } from 'x';`,
  `const a = './x.ts';`,
  `const a = { from: './x.ts' };`,
  `Array.from('./x.ts');`,
  'import(`./x.ts`);',
  '',
])('%j imports nothing', (text) => {
  expect(relativeSpecifiers(text)).toEqual([]);
});

test('a specifier leads from the folder of the file', () => {
  const text = `import './b.ts'; import '../c.ts'; import './d/../e.js'; import './f'; import './g.ts?raw';`;
  const files = ['src/one/b.ts', 'src/c.ts', 'src/one/e.ts', 'src/one/f.ts', 'src/one/g.ts'];
  expect(importedFiles('src/one/a.ts', text)).toEqual(files);
});

test.each([
  ['regular expressions that do not end', '=/[', 200_000],
  ['a text of many characters', 'x', 9_000_000],
])('%s take no longer than their length', (_what, part, times) => {
  const text = `const a = '${part.repeat(times)}'; ${part.repeat(times)}\nimport './x.ts';`;
  expect(relativeSpecifiers(text)).toEqual(['./x.ts']);
});

test('the scan finds what the parser finds, in all sources of the tool, and of services', () => {
  const files = ['src', 'templates/service'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
      .map((name) => path.join(ROOT, folder, name)),
  );
  expect(files.length).toBeGreaterThan(400);
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const parsed = ts
      .preProcessFile(text, true, true)
      .importedFiles.map(({ fileName }) => fileName)
      .filter((name) => /^\.{1,2}\//.test(name));
    expect([file, ...relativeSpecifiers(text)]).toEqual([file, ...parsed]);
  }
});
