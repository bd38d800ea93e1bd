/** What conditions of indexes say of the rows that are not marked as removed. */
import { expect, test } from 'vitest';

import { conditionOnVisibleRows } from '../../../src/shared/soft-delete.ts';

const TIME = { column: 'deleted_at', type: 'timestamp' } as const;
const FLAG = { column: 'is Gone', type: 'boolean' } as const;

test.each([
  [null, null],
  ['(deleted_at IS NULL)', null],
  ['("deleted_at" IS NULL)', null],
  ['((deleted_at IS NULL) AND (a > 5))', '((a > 5))'],
  ['((a > 5) AND (deleted_at IS NULL))', '((a > 5))'],
  ['((deleted_at IS NULL) AND (a > 5) AND (b = 1))', '((a > 5) AND (b = 1))'],
  ['(deleted_at IS NOT NULL)', '(deleted_at IS NOT NULL)'],
  ['((deleted_at IS NULL) OR (a > 5))', '((deleted_at IS NULL) OR (a > 5))'],
  ['(undeleted_at IS NULL)', '(undeleted_at IS NULL)'],
])('of a time: %s', (where, rest) => {
  expect(conditionOnVisibleRows(where, TIME)).toBe(rest);
});

test.each([
  ['(NOT "is Gone")', null],
  ['("is Gone" = false)', null],
  ['("is Gone" IS NOT TRUE)', null],
  ['((NOT "is Gone") AND (a > 5))', '((a > 5))'],
  ['"is Gone"', '"is Gone"'],
  ['("is Gone" IS NULL)', '("is Gone" IS NULL)'],
])('of a boolean: %s', (where, rest) => {
  expect(conditionOnVisibleRows(where, FLAG)).toBe(rest);
});
