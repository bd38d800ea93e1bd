/** A rule in a hook costs a team edits of one file of tests: the fixture of the collection. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { execa } from 'execa';
import { beforeAll, expect, test } from 'vitest';

import { makeProject, runScript } from './support/project.ts';

const RULES = `import type { Hooks } from '../../platform/database/hooks.ts';
import { unprocessable } from '../../platform/http/errors.ts';
import type { Book, BookValues } from './schema.ts';

function check(values: BookValues): BookValues {
  if (!/^\\p{Lu}/u.test(values.title)) throw unprocessable('A title begins with a capital letter.');
  if (Number(values.price) < 1 || Number(values.price) % 0.5 !== 0) {
    throw unprocessable('A price is at least 1, and a multiple of 0.5.');
  }
  return values;
}

export const bookHooks: Hooks<Book, BookValues> = {
  beforeCreate(values) {
    if (values.status !== 'draft') throw unprocessable('A new book is a draft.');
    return check(values);
  },
  beforeUpdate: (values) => check(values),
};
`;

let project = '';
beforeAll(async () => {
  project = await makeProject('business-rules', 'examples/bookshop.yaml');
  writeFileSync(join(project, 'src/collections/books/hooks.ts'), RULES);
});

/** Runs the tests of books, and of what refers to them. */
async function redTests(): Promise<{ passed: number; failed: string[] }> {
  const report = join(project, 'report.json');
  const filters = ['books', 'reviews'];
  await execa('npx', ['vitest', 'run', ...filters, '--reporter=json', `--outputFile=${report}`], {
    cwd: project,
    reject: false,
  });
  const { numPassedTests: passed, testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    numPassedTests: number;
    testResults: { assertionResults: { fullName: string; status: string }[] }[];
  };
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = all.filter(({ status }) => status !== 'passed').map(({ fullName }) => fullName);
  return { passed, failed };
}

test('three rules turn tests red, and edits of the fixture turn them green', async () => {
  const before = await redTests();
  expect(before.failed.length).toBeGreaterThan(100);

  const fixture = join(project, 'test/fixtures/books.ts');
  const [head = '', another = '', changed = ''] = readFileSync(fixture, 'utf8').split(
    /(?=export function (?:another|changed))/,
  );
  const edited = [
    head.replace(`title: 'Title 1',`, `title: 'Title 1',\n    price: '1.00',`),
    another.replace(`status: 'published'`, `status: 'draft'`),
    changed.replace(`status: 'draft'`, `status: 'published'`).replace(
      '= {};',
      `= {
  title: ['A', 'Quiet River', 'Quiet', 'Élan Straße 7'],
  price: ['1.00', '2.50', '4.00'],
  status: ['draft'],
};`,
    ),
  ].join('');
  writeFileSync(fixture, edited);
  expect((await runScript(project, 'types')).output).not.toContain('error');
  const after = await redTests();
  expect(after.failed).toEqual([]);
  expect(after.passed).toBeGreaterThan(200);
});
