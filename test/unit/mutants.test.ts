/** The list of mutants of the generator stays applicable: each names code and tests that exist. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

const MUTANTS = read('scripts/mutants/generator.txt')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(' ;; '));

test('each mutant has six parts, and a name of its own', () => {
  expect(MUTANTS.filter((parts) => parts.length !== 6)).toEqual([]);
  const names = MUTANTS.map(([name]) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test.each(MUTANTS)('%s: its text occurs once in %s', (_name, file = '', text = '') => {
  expect(read(file).split(text.replaceAll(String.raw`\n`, '\n'))).toHaveLength(2);
});

test.each(MUTANTS)('%s names tests that exist', (...parts) => {
  const paths = (parts[5] ?? '')
    .split(',')
    .map((name) => `test/${name}${name.endsWith('/') ? '' : '.test.ts'}`);
  expect(paths.filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([]);
});
