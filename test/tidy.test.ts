/** The rules of ARCHITECTURE.md as tests: what holds everywhere stays so. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** The stages in the order in which data flows; a stage may import from those before it. */
const STAGES = [
  'definition',
  'model',
  'migration',
  'guard',
  'plan',
  'render',
  'merge',
  'update',
  'disk',
  'tasks',
];
/** Stages that neither read nor write. */
const PURE = ['definition', 'model', 'migration', 'guard', 'plan', 'render', 'merge', 'update'];

const filesBelow = (folder: string): string[] =>
  readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)))
    .map((file) => file.replaceAll(path.sep, '/'))
    .toSorted();

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const sources = filesBelow('src').filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));
const emitted = filesBelow('templates').filter((file) => /\.ts(\.hbs)?$/.test(file));

const importsOf = (file: string): string[] =>
  [...read(file).matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');

const stageOf = (file: string): string => /^src\/([^/]+)\//.exec(file)?.[1] ?? '';

describe('src', () => {
  test.each(sources)('%s says at its top what it is for', (file) => {
    expect(read(file), 'begin the file with a doc comment').toMatch(/^(#!.*\n)?\/\*\*/);
  });

  test.each(sources.filter((file) => STAGES.includes(stageOf(file))))(
    '%s imports from no later stage',
    (file) => {
      const own = STAGES.indexOf(stageOf(file));
      const later = importsOf(file)
        .filter((name) => name.startsWith('.'))
        .map((name) => path.posix.join(path.posix.dirname(file), name))
        .filter((target) => STAGES.indexOf(stageOf(target)) > own || stageOf(target) === 'cli');
      expect(later).toEqual([]);
    },
  );

  test.each(sources.filter((file) => PURE.includes(stageOf(file))))('%s does no I/O', (file) => {
    const doors = /^node:(fs|fs\/promises|child_process|http|https|process|os)$/;
    expect(importsOf(file).filter((name) => doors.test(name))).toEqual([]);
  });

  test.each(sources.filter((file) => stageOf(file) !== 'cli'))(
    '%s leaves the process to src/cli',
    (file) => {
      const code = read(file).replace(/\/\*[^]*?\*\/|\/\/.*|'[^'\n]*'|`[^`]*`/g, '');
      expect(
        code.match(/\bprocess\.(exit|exitCode|stdout|stderr|stdin|argv|on)\b|\bconsole\./g),
      ).toBeNull();
    },
  );
});

describe('templates', () => {
  test.each(emitted)('%s says at its top what it is for', (file) => {
    expect(read(file)).toMatch(/^(\{\{#if \w+\}\}\n)?(\/\*\*|\{\{doc )/);
  });

  test('each is an output of the plan, and each output has one', () => {
    const planned = [...read('src/plan/outputs.ts').matchAll(/'([^']+)'/g)].map(
      (match) => match[1],
    );
    const unplanned = filesBelow('templates')
      .map((file) => file.replace(/^templates\/(service|collection)\//, ''))
      .filter(
        (file) =>
          !planned.some(
            (name) => name === file || name === `service/${file}` || name === `collection/${file}`,
          ),
      );
    expect(unplanned).toEqual([]);
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

test('the versions of our own dependencies are exact', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
    string,
    Record<string, string>
  >;
  for (const version of Object.values({ ...dependencies, ...devDependencies })) {
    expect(version).toMatch(/^\d+\.\d+\.\d+(-[a-z]+\.\d+)?$/);
  }
});
