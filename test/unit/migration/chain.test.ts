/** The chain of migrations: what comes next, and what is wrong with the files. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';

import { chainProblems, inChainOrder, nextMigrations } from '../../../src/migration/chain.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const ONE = { name: '0001_initial', text: 'create table x ();\n' };
const SQL = '-- Adds the collection reviews.\n\ncreate table y ();\n';
const ADD = { name: 'add_reviews', parts: [{ suffix: '', sql: SQL }] };
const TWO = {
  name: '0002_add_reviews',
  text: `-- after: 0001_initial ${sha256(ONE.text)}\n\n${SQL}`,
};

test('the next migration names the last one and its hash', () => {
  expect(nextMigrations([ONE], ADD)).toEqual([TWO]);
});

test('the first of several files follows the last migration, and each of the others the file before it', () => {
  const parts = [
    { suffix: '', sql: 'select 1;\n' },
    { suffix: '_fill', sql: 'select 2;\n' },
    { suffix: '_contract', sql: 'select 3;\n' },
  ];
  const files = nextMigrations([ONE], { name: 'x', parts }, '-- record\n', '-- author\n');
  expect(files.map(({ name }) => name)).toEqual(['0002_x', '0003_x_fill', '0004_x_contract']);
  const [first, second, third] = files.map(({ text }) => text);
  expect(first).toBe(`-- after: 0001_initial ${sha256(ONE.text)}\n\nselect 1;\n-- record\n`);
  expect(second).toBe(`-- after: 0002_x ${sha256(first!)}\n\nselect 2;\n-- author\n`);
  expect(third).toBe(`-- after: 0003_x_fill ${sha256(second!)}\n\nselect 3;\n-- author\n`);
});

test('no change makes no migration', () => {
  expect(nextMigrations([ONE, TWO], undefined)).toEqual([]);
});

test('a file without an `-- after:` line follows the file before it', () => {
  const byHand = { name: '0003_by_hand', text: 'select 1;\n' };
  const [next] = nextMigrations([byHand, ONE, TWO], ADD);
  expect(next?.name).toBe('0004_add_reviews');
  expect(next?.text).toMatch(
    new RegExp(`^-- after: 0003_by_hand ${sha256(byHand.text)}\n\n-- Adds`),
  );
});

test('merged branches are joined by the next migration, or by one that only joins them', () => {
  const other = { name: '0002_add_notes', text: `-- after: 0001_initial ${sha256(ONE.text)}\n` };
  const links =
    `-- after: 0002_add_notes ${sha256(other.text)}\n` +
    `-- after: 0002_add_reviews ${sha256(TWO.text)}\n\n`;
  const files = [TWO, ONE, other];
  expect(nextMigrations(files, ADD)).toEqual([{ name: '0003_add_reviews', text: links + SQL }]);
  const [join] = nextMigrations(files, undefined);
  expect(join?.name).toBe('0003_join');
  expect(join?.text.startsWith(links)).toBe(true);
  expect(chainProblems(files)).toEqual([]);
  expect(nextMigrations([...files, join!], undefined)).toEqual([]);
});

test('a hash ignores line ends and a byte order mark, and nothing else', () => {
  const windows = { ...ONE, text: `\ufeff${ONE.text.replaceAll('\n', '\r\n')}` };
  expect(chainProblems([windows, TWO])).toEqual([]);
  const marked = { ...TWO, text: `\ufeff${TWO.text}` };
  expect(chainProblems([marked])).toHaveLength(1);
  expect(chainProblems([ONE, marked])).toEqual([]);
  const changed = { ...ONE, text: `${ONE.text}-- changed\n` };
  expect(chainProblems([changed, TWO])).toEqual([
    { kind: 'altered', name: '0001_initial', by: '0002_add_reviews' },
  ]);
  expect(chainProblems([TWO])).toEqual([
    { kind: 'missing', name: '0001_initial', by: '0002_add_reviews' },
  ]);
});

test('a migration is after those that it follows, directly or by way of others, and after no other', () => {
  const after = (...names: string[]): string =>
    names.map((name) => `-- after: ${name} ${'0'.repeat(64)}\n`).join('');
  const files = [
    { name: '0001', text: '' },
    { name: '0002_one', text: after('0001') },
    { name: '0002_other', text: after('0001') },
    { name: '0003_one', text: after('0002_one') },
    { name: '0004', text: after('0003_one', '0002_other') },
  ];
  const chain = inChainOrder(files.toReversed());
  expect(chain.map(({ file }) => file.name)).toEqual(files.map(({ name }) => name));
  const before = (name: string): string[] => {
    const one = chain.find(({ file }) => file.name === name)!;
    return chain.filter((other) => one.isAfter(other)).map(({ file }) => file.name);
  };
  expect(before('0001')).toEqual([]);
  expect(before('0002_other')).toEqual(['0001']);
  expect(before('0003_one')).toEqual(['0001', '0002_one']);
  expect(before('0004')).toEqual(['0001', '0002_one', '0002_other', '0003_one']);
});
