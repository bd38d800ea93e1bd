/**
 * squawk, a linter of migrations, over the files that the changes of cases.ts make and over the first migrations
 * of test/cases. It knows no context: `ACCEPTED` says which of its findings do not apply, and why.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { nextMigrations } from '../../../src/migration/chain.ts';
import type { MigrationFile } from '../../../src/migration/chain.ts';
import { readHeaderLines } from '../../../src/migration/header-lines.ts';
import { planMigration } from '../../../src/migration/index.ts';
import { CASES } from './cases.ts';
import { initialSql, modelOf } from './support.ts';

/** What squawk prints with `--reporter json`; lines count from 0. */
interface Finding {
  readonly file: string;
  readonly line: number;
  readonly line_end: number;
  readonly rule_name: string;
  readonly message: string;
}

interface Accepted {
  readonly rule: string;
  /** The files in which it is accepted; absent: all. */
  readonly file?: (text: string) => boolean;
  /** The lines with the finding; absent: all. */
  readonly lines?: RegExp;
  readonly because: string;
}

const isContract = (text: string): boolean => readHeaderLines(text).isContract;
const isLocking = (text: string): boolean =>
  /^-- Locks these tables until all of their rows are rewritten:$/m.test(text);
const isSwitch = (text: string): boolean =>
  /^-- Puts new columns in the place of the old ones/m.test(text);
const isTransaction = (text: string): boolean => readHeaderLines(text).kind === 'transaction';

const ACCEPTED: readonly Accepted[] = [
  {
    rule: 'require-lock-timeout',
    because: 'apply-migrations.ts sets lock_timeout, and repeats what it ends',
  },
  {
    rule: 'require-statement-timeout',
    because:
      'apply-migrations.ts turns it off: statements that take long hold no lock that matters',
  },
  {
    rule: 'prefer-bigint-over-int',
    lines: /"(?:attempt|failures|logins|status|version)" integer/,
    because: 'none of these columns of the service itself counts without an end',
  },
  {
    rule: 'prefer-bigint-over-int',
    lines: /"\w*id" (?:type )?integer/,
    because: 'the definition says "key: integer", and can say "key: bigint" later',
  },
  {
    rule: 'prefer-bigint-over-smallint',
    lines: /"\w*id" smallint/,
    because: 'the ids of the existing table have this type',
  },
  ...['renaming-table', 'renaming-column'].map((rule) => ({
    rule,
    file: isTransaction,
    because: 'a view has the old name, unless another table or column gets it',
  })),
  ...['ban-drop-table', 'ban-drop-column'].map((rule) => ({
    rule,
    file: isContract,
    because: 'no process of an older version runs',
  })),
  {
    rule: 'ban-drop-column',
    file: isSwitch,
    because: 'the new column gets the name in the same transaction',
  },
  {
    rule: 'ban-drop-column',
    file: isTransaction,
    lines: /drop column "c"/,
    because: 'another column gets the name',
  },
  {
    rule: 'ban-drop-table',
    file: isTransaction,
    because: 'jobs and events go with their feature; another table gets the name of books',
  },
  {
    rule: 'ban-drop-not-null',
    file: isTransaction,
    because: 'older processes read null as they read a field without a value',
  },
  {
    rule: 'require-concurrent-index-deletion',
    file: isTransaction,
    because: 'the lock is held for a moment, and lock_timeout bounds the wait for it',
  },
  {
    rule: 'adding-foreign-key-constraint',
    file: isTransaction,
    lines: /add column if not exists "_owner_id" uuid/,
    because: 'PostgreSQL reads no rows for the reference of a new column without a default',
  },
  {
    rule: 'adding-field-with-default',
    lines: /now\(\) at time zone 'UTC'/,
    because: 'it is stable, not volatile: PostgreSQL keeps its value in the catalog',
  },
  {
    rule: 'prefer-robust-stmts',
    lines: /validate constraint|set not null|drop not null|drop default/,
    because: 'these can be repeated',
  },
  // Files that say which tables they lock.
  ...[
    'adding-foreign-key-constraint',
    'adding-not-nullable-field',
    'ban-drop-column',
    'changing-column-type',
    'constraint-missing-not-valid',
    'require-concurrent-index-creation',
  ].map((rule) => ({
    rule,
    file: isLocking,
    because: 'the table is locked already: it is rewritten',
  })),
];

const SQUAWK = createRequire(import.meta.url).resolve('squawk-cli/js/bin/squawk');
const CASE_FILES = path.join(import.meta.dirname, '../../cases');

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'squawk-'));
  for (const [at, one] of CASES.entries()) {
    const [then, today] = one.versions ?? [];
    const before = await modelOf(one.before, then);
    const first = { name: '0001_initial', text: await initialSql(before) };
    const migration = planMigration(before, await modelOf(one.now, today));
    for (const file of [first, ...nextMigrations([first], migration)]) write(String(at), file);
  }
  const files = readdirSync(CASE_FILES, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.sql'))) {
    const text = readFileSync(path.join(CASE_FILES, file), 'utf8');
    write(file.replaceAll(/\W/g, '-'), { name: path.basename(file, '.sql'), text });
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(prefix: string, { name, text }: MigrationFile): void {
  const kind = path.join(folder, isTransaction(text) ? 'transaction' : 'statements');
  mkdirSync(kind, { recursive: true });
  writeFileSync(path.join(kind, `${prefix}-${name}.sql`), text);
}

/** The findings in the files of a folder, each with the text of its file. */
function lint(kind: string, ...options: string[]): (Finding & { readonly text: string })[] {
  const args = ['--reporter', 'json', '--pg-version', '13.0', ...options, `${kind}/*.sql`];
  const { stdout, stderr } = spawnSync(process.execPath, [SQUAWK, ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (stdout === '') throw new Error(`squawk printed nothing: ${stderr}`);
  const findings = JSON.parse(stdout) as Finding[];
  return findings.map((one) => ({
    ...one,
    text: readFileSync(path.join(folder, one.file), 'utf8'),
  }));
}

test('squawk finds nothing that is not explained', () => {
  const findings = [...lint('transaction', '--assume-in-transaction'), ...lint('statements')];
  const used = new Set<Accepted>();
  const unexplained = findings.flatMap(({ file, text, line, line_end, rule_name, message }) => {
    const lines = text.split('\n').slice(line, line_end + 1);
    const all = ACCEPTED.filter(
      (one) =>
        one.rule === rule_name &&
        (one.file?.(text) ?? true) &&
        (one.lines?.test(lines.join('\n')) ?? true),
    );
    for (const one of all) used.add(one);
    return all.length > 0
      ? []
      : [`${file}:${line + 1} ${rule_name}: ${message} ${lines.join('\n')}`];
  });
  expect(unexplained).toEqual([]);
  expect(ACCEPTED.filter((one) => !used.has(one))).toEqual([]);
});
