/** The header lines of a migration: the generator and the emitted service read them alike. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, onTestFinished, test } from 'vitest';

import {
  batchLine,
  CHANGES_VIEWS,
  CONTRACT,
  EXPAND,
  NO_TRANSACTION,
  readHeaderLines,
  tablesLine,
} from '../../../src/migration/header-lines.ts';
import { readMigrations } from '../../../templates/service/src/platform/database/migrations.ts';

const PLAIN = { kind: 'transaction', isExpand: false, isContract: false, changesViews: false };

test.each<[text: string, expected: object, tables: readonly string[]]>([
  ['select 1;', PLAIN, []],
  [EXPAND, { ...PLAIN, isExpand: true }, []],
  [CHANGES_VIEWS, { ...PLAIN, changesViews: true }, []],
  [CONTRACT, { ...PLAIN, isContract: true }, []],
  [NO_TRANSACTION, { ...PLAIN, kind: 'statements' }, []],
  [batchLine('a"b'), { ...PLAIN, kind: 'batch' }, ['"a""b"']],
  [tablesLine(['a', 'b, c']), PLAIN, ['"a"', '"b, c"']],
  [
    `-- Words.\n\n${CONTRACT}\n${NO_TRANSACTION}\n${tablesLine(['a'])}\n\nselect 1;\n`,
    { ...PLAIN, kind: 'statements', isContract: true },
    ['"a"'],
  ],
  [`${NO_TRANSACTION}\r\n${EXPAND}\r\n`, { ...PLAIN, kind: 'statements', isExpand: true }, []],
  // In a text, in another case, or with something behind it, a line is a comment.
  ["select '-- contract';", PLAIN, []],
  ['-- Contract', PLAIN, []],
  ['-- expand it', PLAIN, []],
  [' -- no transaction', PLAIN, []],
])('%j is read alike by the generator and the service', async (text, expected, tables) => {
  const folder = await mkdtemp(join(tmpdir(), 'header-lines-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, '0001_one.sql'), text);
  const [migration] = await readMigrations(pathToFileURL(`${folder}/`));
  expect(readHeaderLines(text)).toEqual(expected);
  expect(migration).toMatchObject({ ...expected, tables });
});
