/** What an error of PostgreSQL means to a client, by its SQLSTATE and the function that reports it. */
import { expect, test } from 'vitest';

import {
  constraintError,
  deletionError,
} from '../../../templates/service/src/platform/database/constraints.ts';
import type { Resource } from '../../../templates/service/src/platform/database/constraints.ts';
import type { Database } from '../../../templates/service/src/platform/database/database.ts';

const RESOURCE: Resource = {
  ...{ collection: 'books', item: 'book', anItem: 'a book', table: '"books"' },
  unique: { books_isbn_key: ['isbn'] },
  uniqueWhere: { books_isbn_key: 'price > 0' },
};

/** Without references there is nothing to ask it. */
const database = {} as Database;

const failed = (code: string, more: object = {}): Error =>
  Object.assign(new Error('refused'), { code, ...more });

/** The status and the message that a client gets; the status is undefined for an error that is none of the client's. */
async function answerOf(error: Error): Promise<unknown> {
  const known = (await constraintError(database, error, RESOURCE)) as {
    statusCode?: number;
    message: string;
  };
  return [known.statusCode, known.message];
}

test.each([
  ['row-level security', failed('42501', { routine: 'ExecWithCheckOptions' })],
  ['a trigger that denies', failed('42501', { routine: 'exec_stmt_raise' })],
  ['a check', failed('23514')],
  ['a value out of range', failed('22003')],
  ['an error of a trigger with a code of its own', failed('P0001')],
])('%s is 422', async (_what, error) => {
  expect(await answerOf(error)).toEqual([422, 'A database constraint rejects this book.']);
});

test.each([
  ['a missing grant on a table', failed('42501', { routine: 'aclcheck_error' })],
  ['a missing grant on a sequence', failed('42501', { routine: 'nextval_internal' })],
  ['a parameter that the role may not set', failed('42501', { routine: 'set_config_option' })],
  ['a missing column', failed('42703')],
  ['no error of the database', new Error('refused')],
])('%s is no fault of the client', async (_what, error) => {
  expect(await constraintError(database, error, RESOURCE)).toBe(error);
  expect(deletionError(error, RESOURCE)).toBe(error);
});

test.each([
  ['the unique index', 'books_isbn_key', 'Another book where price > 0 already has this isbn.'],
  ['another one', 'other_key', 'This book conflicts with another item.'],
  ['one that objects inherit', 'constructor', 'This book conflicts with another item.'],
])('%s is 409', async (_what, constraint, message) => {
  expect(await answerOf(failed('23505', { constraint }))).toEqual([409, message]);
});
