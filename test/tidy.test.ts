/** The rules of ARCHITECTURE.md as tests. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

import { OFFERED_PATHS } from '../src/plan/outputs.ts';
import { breachesOf, filesInCircles, sharedNames, STAGES } from './support/tidy.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

const filesBelow = (folder: string): string[] =>
  readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)))
    .map((file) => file.replaceAll(path.sep, '/'))
    .toSorted();

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const sources = filesBelow('src').filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));
const emitted = filesBelow('templates').filter((file) => /\.ts(\.hbs)?$/.test(file));

describe('src', () => {
  test.each(sources)('%s keeps to what its stage may import and use', (file) => {
    expect(breachesOf(file, read(file))).toEqual([]);
  });

  test('has no name that two files export', () => {
    expect(sharedNames(new Map(sources.map((file) => [file, read(file)])))).toEqual([]);
  });

  test.each([
    ['export const a = 1;', 'export interface a {}'],
    ['export const a = 1, b = 2;', 'export async function a() {}'],
    ['export abstract class a {}', 'export type a = string;'],
  ])('%j and %j share a name', (one, other) => {
    const texts = new Map([
      ['src/one.ts', one],
      ['src/other.ts', other],
    ]);
    expect(sharedNames(texts)).toEqual(['a: src/one.ts, src/other.ts']);
  });

  test.each([
    ['export const a = 1;', "export { a } from './one.ts';"],
    ['export const a = 1;', 'const a = 2;'],
    ['export function a(): void; export function a() {}', 'export default function () {}'],
  ])('%j and %j share none', (one, other) => {
    const texts = new Map([
      ['src/one.ts', one],
      ['src/other.ts', other],
    ]);
    expect(sharedNames(texts)).toEqual([]);
  });

  test('has no files that import values in a circle', () => {
    expect(filesInCircles(new Map(sources.map((file) => [file, read(file)])))).toEqual([]);
  });

  test.each([
    ["import { b } from './b.ts';", "import { a } from './a.ts';"],
    ["import b from './b.ts';", "import * as a from './a.ts';"],
    ["import b, { type B } from './b.ts';", "import { type A, a } from './a.ts';"],
    ["import './b.ts';", "export * from './a.ts';"],
    ["export { b } from './b.ts';", "export * as a from '../x/a.ts';"],
  ])('%j and %j are a circle', (a, b) => {
    const texts = new Map([
      ['src/x/a.ts', a],
      ['src/x/b.ts', b],
      ['src/x/c.ts', "import { a } from './a.ts';"],
    ]);
    expect(filesInCircles(texts)).toEqual([['src/x/a.ts', 'src/x/b.ts']]);
  });

  test('finds two circles of several files, and a file that imports itself', () => {
    const imports = {
      a: ['b', 'd'],
      b: ['c'],
      c: ['a'],
      d: ['e'],
      e: ['d', 'f'],
      f: ['f', 'g'],
      g: [],
    };
    const texts = Object.entries(imports).map(([file, modules]) => [
      `src/${file}.ts`,
      modules.map((module) => `import { x } from './${module}.ts';`).join('\n'),
    ]);
    expect(filesInCircles(new Map(texts as [string, string][]))).toEqual([
      ['src/f.ts'],
      ['src/d.ts', 'src/e.ts'],
      ['src/a.ts', 'src/b.ts', 'src/c.ts'],
    ]);
  });

  test.each([
    ["import { b } from './b.ts';", "import type { A } from './a.ts';"],
    ["import { b } from './b.ts';", "import { type A, type A2 } from './a.ts';"],
    ["import { b } from './b.ts';", "export type { A } from './a.ts';"],
    ["import { b } from './b.ts';", "export { type A } from './a.ts';"],
    ["import { b } from './b.ts';", "const { a } = await import('./a.ts');"],
    ["import { b } from './b.ts';", "import { a } from 'a'; import { other } from '../a.ts';"],
  ])('%j and %j are none', (a, b) => {
    const texts = new Map([
      ['src/a.ts', a],
      ['src/b.ts', b],
    ]);
    expect(filesInCircles(texts)).toEqual([]);
  });

  test('has a folder for each stage, and no other', () => {
    const names = readdirSync(path.join(ROOT, 'src'));
    expect(names.toSorted()).toEqual(Object.keys(STAGES).toSorted());
  });

  test('has no cycle', () => {
    const names = Object.keys(STAGES);
    const later = Object.entries(STAGES).flatMap(([name, { imports }]) =>
      imports.filter((one) => names.indexOf(one) >= names.indexOf(name)).map((one) => [name, one]),
    );
    expect(later).toEqual([]);
  });

  test('allows nothing that no file uses', () => {
    // A stage without one of its permissions must have a file that breaks the rule.
    const unused = Object.entries(STAGES).flatMap(([name, stage]) =>
      (['imports', 'builtins', 'packages', 'globals'] as const).flatMap((kind) =>
        (stage[kind] ?? [])
          .filter((one) => {
            const less = { ...stage, [kind]: stage[kind]?.filter((other) => other !== one) };
            const own = sources.filter((file) => file.split('/')[1] === name);
            return own.every((file) => breachesOf(file, read(file), less).length === 0);
          })
          .map((one) => `${name}: ${one}`),
      ),
    );
    expect(unused).toEqual([]);
  });

  const DOC = '/** Text. */\n';
  test.each([
    ['src/model/x.ts', 'export const x = 1;', 'begins without a doc comment'],
    ['src/parts/x.ts', DOC, 'parts is no stage: add it to STAGES, with what it may import'],
    ['src/x.ts', DOC, 'x.ts is no stage: add it to STAGES, with what it may import'],
    ['src/model/x.ts', `${DOC}import { y } from '../render/y.ts';`, 'model imports render'],
    ['src/model/a/x.ts', `${DOC}import type { y } from '../../disk/y.ts';`, 'model imports disk'],
    ['src/model/x.ts', `${DOC}export * from '../render/y.ts';`, 'model imports render'],
    ['src/model/x.ts', `${DOC}const y = await import('../cli/y.ts');`, 'model imports cli'],
    ['src/model/x.ts', `${DOC}type Y = import('../cli/y.ts').Y;`, 'model imports cli'],
    ['src/model/x.ts', `${DOC}const y = await import(name);`, 'model imports (computed)'],
    ['src/model/x.ts', `${DOC}import fs from 'node:fs';`, 'model imports node:fs'],
    ['src/model/x.ts', `${DOC}import fs from 'fs/promises';`, 'write node:fs/promises'],
    ['src/model/x.ts', `${DOC}import { execa } from 'execa';`, 'model imports execa'],
    ['src/model/x.ts', `${DOC}process.exit(1);`, 'model uses process'],
    ['src/model/x.ts', `${DOC}const { env } = process;`, 'model uses process'],
    ['src/model/x.ts', `${DOC}console.log(1);`, 'model uses console'],
    ['src/model/x.ts', `${DOC}await fetch('/');`, 'model uses fetch'],
    ['src/model/x.ts', `${DOC}globalThis.x = 1;`, 'model uses globalThis'],
    ['src/model/x.ts', `${DOC}const now = Date.now();`, 'model uses Date.now'],
    ['src/model/x.ts', `${DOC}const now = new Date();`, 'model uses new Date()'],
    ['src/model/x.ts', `${DOC}const now = new Date;`, 'model uses new Date()'],
    ['src/model/x.ts', `${DOC}const now = Date();`, 'model uses Date()'],
    ['src/model/x.ts', `${DOC}const x = Math.random();`, 'model uses Math.random'],
    ['src/model/x.ts', `${DOC}const id = crypto.randomUUID();`, 'model uses crypto'],
    [
      'src/model/x.ts',
      `${DOC}switch (field.type.type) { case 'date': f(); break; default: g(); }`,
      'has a switch with a default over a field type: say it in src/types/',
    ],
    [
      'src/model/x.ts',
      `${DOC}const f = (process: object) => process;\nprocess.exit();`,
      'model uses process',
    ],
    [
      'src/model/x.ts',
      `${DOC}const words: Readonly<Record<string, string>> = {}; f(words[name]);`,
      'looks up words[name], which may be a name that objects inherit: use ownMember',
    ],
    [
      'src/model/x.ts',
      `${DOC}if (name in words) f();`,
      'looks up name in words, which may be a name that objects inherit: use ownMember',
    ],
    [
      'src/model/x.ts',
      `${DOC}import { y } from '../../test/merge/y.ts';`,
      'model imports test/merge/y.ts',
    ],
  ])('in %s, %j is a breach', (file, text, breach) => {
    expect(breachesOf(file, text)).toEqual([breach]);
  });

  test.each([
    `const x = { process: 1 }; x.process;`,
    `const text = 'process.exit()'; // fetch`,
    `const day = new Date('2026-01-31'); const time: Date = new Date(Date.parse(text));`,
    `const f = (process: object) => process;`,
    `import { y } from './y.ts'; import { z } from '../definition/z.ts';`,
    `const words: Record<string, string> = {}; words[name] = name; f(words['a'], ownMember(words, name)); 'a' in words;`,
    `switch (type.type) { case 'date': f(); break; case 'json': g(); }`,
    `switch (element.type) { case 'Character': f(); break; default: g(); }`,
  ])('%j is none', (text) => {
    expect(breachesOf('src/model/x.ts', `${DOC}${text}`)).toEqual([]);
  });
});

describe('templates', () => {
  test.each(emitted)('%s says at its top what it is for', (file) => {
    expect(read(file)).toMatch(/^(\{\{#if \w+\}\}\n)?(\/\*\*|\{\{doc )/);
  });

  test('plain files of the platform do not import values in a circle', () => {
    const plain = filesBelow('templates/service/src/platform').filter((file) =>
      file.endsWith('.ts'),
    );
    expect(plain.length).toBeGreaterThan(90);
    expect(filesInCircles(new Map(plain.map((file) => [file, read(file)])))).toEqual([]);
  });

  test('each is a row of the plan, and each row has its template', () => {
    const plan = read('src/plan/outputs.ts').replace(/const OFFERED: [^]*?\n};\n/, '');
    const rows = [...plan.matchAll(/'(_\w+|[\w./-]*[./][\w./-]*)'/g)]
      .map((match) => match[1] ?? '')
      .filter((name) => !/^\.|[/]$/.test(name));
    const files = filesBelow('templates').map((file) => file.replace(/^templates\//, ''));
    // A file beside a template of its name stands in for what that yields (test/cases/cases.test.ts).
    const templates = files.filter((file) => !files.includes(`${file}.hbs`));
    const namesOf = (file: string): string[] => [
      file,
      file.replace(/^(?:service|collection)\//, ''),
    ];
    const isOffered = (file: string): boolean =>
      OFFERED_PATHS.has(file.replace(/^service\//, '').replace(/\.hbs$/, ''));
    const unplanned = templates.filter(
      (file) => !isOffered(file) && !namesOf(file).some((name) => rows.includes(name)),
    );
    const missing = [...OFFERED_PATHS].filter(
      (file) => !files.includes(`service/${file}`) && !files.includes(`service/${file}.hbs`),
    );
    expect(missing).toEqual([]);
    expect(unplanned).toEqual([]);
    const names = templates.flatMap(namesOf);
    expect(rows.filter((row) => !names.includes(row))).toEqual([]);
  });

  test('the versions of emitted dependencies are exact', () => {
    const { dependencies, devDependencies } = JSON.parse(
      read('templates/service/package.json'),
    ) as Record<string, Record<string, string>>;
    for (const version of Object.values({ ...dependencies, ...devDependencies })) {
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    }
  });
});

test('test/README.md names files and folders that exist', () => {
  const names = [...read('test/README.md').matchAll(/`((?:test|templates|scripts)\/[\w./-]+)`/g)];
  expect(names.length).toBeGreaterThan(200);
  const missing = names
    .map(([, name = '']) => name)
    .filter((name) => !existsSync(path.join(ROOT, name)));
  expect(missing).toEqual([]);
});

/** Where the titles stand that a test file reads from another. */
const TITLES: Readonly<Record<string, readonly string[]>> = {
  'test/unit/definition/refusals.test.ts': ['test/unit/definition/refusals.txt'],
  'test/unit/compatibility/verdicts.test.ts': ['test/unit/compatibility/verdicts.txt'],
  'test/unit/migration/schema.test.ts': [
    'test/unit/migration/cases.ts',
    'test/unit/migration/sql-writes.ts',
  ],
  'test/e2e/emitted/bookshop.test.ts': ['test/e2e/support/emitted.ts'],
  'test/e2e/emitted/everything.test.ts': ['test/e2e/support/emitted.ts'],
  'test/e2e/emitted/mixed.test.ts': ['test/e2e/support/emitted.ts'],
};

test('test/README.md quotes titles that its files have', () => {
  const plain = (text: string): string => text.replaceAll('\\', '');
  const rows = read('test/README.md').matchAll(
    /`((?:test|templates)\/[^`]+)`: ((?:“[^”]+”(?:, )?)+)/g,
  );
  const quoted = [...rows].flatMap(([, file = '', titles = '']) =>
    [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => [file, title] as const),
  );
  expect(quoted.length).toBeGreaterThan(200);
  const missing = quoted.filter(([file, title]) =>
    [file, ...(TITLES[file] ?? [])].every((one) => !plain(read(one)).includes(plain(title))),
  );
  expect(missing).toEqual([]);
});

test('end-to-end tests install the versions that projects get: npm run lock', () => {
  const template = packagesIn('templates/service/package.json');
  for (const name of ['@yarnpkg/cli-dist', 'bun', 'pnpm']) delete template.devDependencies[name];
  expect(packagesIn('test/e2e/installed/package.json')).toMatchObject(template);
  const { packages } = JSON.parse(read('test/e2e/installed/package-lock.json')) as {
    packages: Record<string, { version?: string }>;
  };
  const { overrides: _none, ...asked } = template;
  expect(packages['']).toMatchObject(asked);
  for (const [name, version] of Object.entries({
    ...template.dependencies,
    ...template.devDependencies,
  })) {
    expect([name, packages[`node_modules/${name}`]?.version]).toEqual([name, version]);
  }
});

/** The dependencies of a package.json. */
function packagesIn(
  file: string,
): Pick<PackageJson, 'dependencies' | 'devDependencies' | 'overrides'> {
  const { dependencies, devDependencies, overrides } = JSON.parse(read(file)) as PackageJson;
  return { dependencies, devDependencies, overrides };
}

interface PackageJson {
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
  readonly overrides: Record<string, string>;
}

test('the configuration of the tests names files that exist', () => {
  const texts = ['vitest.config.ts', 'test/support/longest-first.ts'].map(read).join('\n');
  const names = [
    ...texts.matchAll(/'(?:test\/)?((?:unit|e2e|merge)\/[\w/{},-]+)(?:\.test\.ts)?'/g),
  ];
  const files = names.flatMap(([, name = '']) => {
    const [head = '', list, tail = ''] = name.split(/[{}]/);
    return list === undefined ? [name] : list.split(',').map((one) => `${head}${one}${tail}`);
  });
  expect(files.length).toBeGreaterThan(15);
  const all = filesBelow('test');
  expect(files.filter((file) => !all.includes(`test/${file}.test.ts`))).toEqual([]);
});

test('the versions of our own dependencies are exact', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
    string,
    Record<string, string>
  >;
  for (const version of Object.values({ ...dependencies, ...devDependencies })) {
    expect(version).toMatch(/^\d+\.\d+\.\d+(-[a-z]+\.\d+)?$/);
  }
});
