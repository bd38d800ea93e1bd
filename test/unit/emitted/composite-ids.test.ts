/** Ids of several values in the emitted service: which texts are ids, and the SQL that reads their parts. */
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { compositeRowId } from '../../../templates/service/src/platform/database/composite-row-id.ts';
import type { IdPart } from '../../../templates/service/src/platform/http/composite-ids.ts';
import { isCompositeId } from '../../../templates/service/src/platform/http/composite-ids.ts';
import { idOfParts } from '../../../src/model/key-parts.ts';
import type { KeyPart } from '../../../src/model/key-parts.ts';
import { emptyDatabase } from '../../support/pglite.ts';

const database = await emptyDatabase();

const PARTS: readonly IdPart[] = [
  { expression: '"number"', type: 'integer' },
  { expression: '"big"', type: 'bigint' },
  { expression: '"word"', type: 'text' },
  { expression: '"code"', type: 'uuid' },
];
const CODE = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';

test.each([
  [`1~-2~a~${CODE}`, true],
  [`2147483647~-9223372036854775808~~${CODE}`, true],
  [`1~2~ä %7E%25/?#~${CODE}`, true],
  ['', false],
  ['1', false],
  [`1~2~${CODE}`, false],
  [`1~2~a~b~${CODE}`, false],
  [`1~2~a~${CODE}~`, false],
  [`2147483648~2~a~${CODE}`, false],
  [`01~2~a~${CODE}`, false],
  [`+1~2~a~${CODE}`, false],
  [`1~9223372036854775808~a~${CODE}`, false],
  [`1 ~2~a~${CODE}`, false],
  [`~2~a~${CODE}`, false],
  ['1~2~a~nobody', false],
  [`1~2~a\0~${CODE}`, false],
  [`1~2~\ud800~${CODE}`, false],
])('%j is an id: %s', (text, expected) => {
  expect(isCompositeId(text, PARTS)).toBe(expected);
});

test.each([
  ['32767~1', true],
  ['-32768~1', true],
  ['32768~1', false],
  ['-32769~1', false],
])('%j is an id with a smallint: %s', (text, expected) => {
  const parts: readonly IdPart[] = [
    { expression: '"hall"', type: 'smallint' },
    { expression: '"place"', type: 'integer' },
  ];
  expect(isCompositeId(text, parts)).toBe(expected);
});

/** The id as the view of the table has it. */
const columns = PARTS.map(({ expression, type }) => ({ type, column: { name: expression } }));
const id = idOfParts(columns as unknown as KeyPart[], ({ name }) => name);

test('the parts of the id of any row are its values, and the id leads to it alone', async () => {
  await database.exec(
    'create table "rows" ("number" integer, "big" bigint, "word" text, "code" uuid, primary key ("word", "number", "big", "code"))',
  );
  await database.exec(`create view "items" as select ${id} as "id", * from "rows"`);
  const word = fc.string({
    unit: fc.constantFrom('~', '%', '7', 'E', '2', '5', 'a', 'ä', "'", '\\'),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(word, { minLength: 1, maxLength: 6 }),
      fc.maxSafeInteger(),
      async (words, big) => {
        await database.exec('truncate "rows"');
        for (const one of words) {
          await database.query('insert into "rows" values (-7, $1, $2, $3)', [big, one, CODE]);
        }
        const { rows } = await database.query<{ id: string; word: string }>(
          'select * from "items"',
        );
        for (const row of rows) {
          expect(isCompositeId(row.id, PARTS)).toBe(true);
          const [parts] = (
            await database.query<Record<string, unknown>>(
              `select ${(compositeRowId(PARTS).order?.valuesOf('$1::text') ?? [])
                .map((part, at) => `${part} as "p${at}"`)
                .join(', ')}`,
              [row.id],
            )
          ).rows;
          expect(parts).toEqual({
            p0: -7,
            p1: expect.anything() as unknown,
            p2: row.word,
            p3: CODE,
          });
          expect(String(parts?.['p1'])).toBe(String(big));
          const found = await database.query(
            `select "word" from "items" where ${compositeRowId(PARTS).condition}`,
            [row.id],
          );
          expect(found.rows).toEqual([{ word: row.word }]);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('texts of different collations form an id', async () => {
  await database.exec('create table "two" ("a" text collate "C", "b" text collate "POSIX")');
  const texts = ['"a"', '"b"'].map((name) => ({ type: 'text', column: { name } }));
  const both = idOfParts(texts as unknown as KeyPart[], ({ name }) => name);
  await database.exec(`create view "twos" as select ${both} as "id" from "two"`);
  await database.exec(`insert into "two" values ('1', '~')`);
  expect((await database.query('select "id" from "twos"')).rows).toEqual([{ id: '1~%7E' }]);
});
