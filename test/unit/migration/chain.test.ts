/** The chain of migrations: what comes next, and what is wrong with the files. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';

import { chainProblems, nextMigration } from '../../../src/migration/chain.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const ONE = { name: '0001_initial', text: 'create table x ();\n' };
const ADD = { name: 'add_reviews', sql: '-- Adds the collection reviews.\n\ncreate table y ();\n' };
const TWO = {
  name: '0002_add_reviews',
  text: `-- after: 0001_initial ${sha256(ONE.text)}\n\n${ADD.sql}`,
};

test('the next migration names the last one, with its hash', () => {
  expect(nextMigration([ONE], ADD)).toEqual(TWO);
});

test('nothing comes next where nothing to do', () => {
  expect(nextMigration([ONE, TWO], undefined)).toBeUndefined();
});

test('one that a person wrote follows the one before it', () => {
  const byHand = { name: '0003_by_hand', text: 'select 1;\n' };
  const next = nextMigration([byHand, ONE, TWO], ADD);
  expect(next?.name).toBe('0004_add_reviews');
  expect(next?.text).toMatch(
    new RegExp(`^-- after: 0003_by_hand ${sha256(byHand.text)}\n\n-- Adds`),
  );
});

test('branches that were merged are joined, by the next migration or by one of its own', () => {
  const other = { name: '0002_add_notes', text: `-- after: 0001_initial ${sha256(ONE.text)}\n` };
  const links =
    `-- after: 0002_add_notes ${sha256(other.text)}\n` +
    `-- after: 0002_add_reviews ${sha256(TWO.text)}\n\n`;
  const files = [TWO, ONE, other];
  expect(nextMigration(files, ADD)).toEqual({ name: '0003_add_reviews', text: links + ADD.sql });
  const join = nextMigration(files, undefined);
  expect(join?.name).toBe('0003_join');
  expect(join?.text.startsWith(links)).toBe(true);
  expect(chainProblems(files)).toEqual([]);
  expect(nextMigration([...files, join!], undefined)).toBeUndefined();
});

test('line ends are no change, and anything else is', () => {
  const windows = { ...ONE, text: ONE.text.replaceAll('\n', '\r\n') };
  expect(chainProblems([windows, TWO])).toEqual([]);
  const changed = { ...ONE, text: `${ONE.text}-- changed\n` };
  expect(chainProblems([changed, TWO])).toEqual([
    { kind: 'altered', name: '0001_initial', by: '0002_add_reviews' },
  ]);
  expect(chainProblems([TWO])).toEqual([
    { kind: 'missing', name: '0001_initial', by: '0002_add_reviews' },
  ]);
});
