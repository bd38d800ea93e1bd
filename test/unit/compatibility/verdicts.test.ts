/**
 * The verdict on each kind of change of a version that clients rely on. Each case of verdicts.txt
 * has the definitions of before and of after, and under them what breaks; nothing, where nobody does.
 */
import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { breakingChanges } from '../../../src/compatibility/breaking-changes.ts';
import { BREAK_CATALOGUE } from '../../../src/compatibility/break-catalogue.ts';
import { reportBreaks } from '../../../src/compatibility/findings.ts';
import type { BreakingChange } from '../../../src/compatibility/findings.ts';
import type { PlaceOf } from '../../../src/compatibility/types.ts';
import { service, single } from '../definition/support.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

interface Case {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly expected: string;
}

const CASES = read('verdicts.txt')
  .split(/^#### /m)
  .slice(1)
  .map((text): Case => {
    const [, name = '', before = '', after = '', expected = ''] =
      /^(.*)\n([^]*?)^----\n([^]*?)^====\n([^]*)$/m.exec(text) ?? [];
    return { name, before, after, expected: expected.trim() };
  });

/** The definitions of a case: its first word says what of them is written there. */
function definitions(part: string, text: string): string {
  const indented = (depth: number): string => text.replaceAll(/^(?=.)/gm, ' '.repeat(depth));
  const others = [
    '  authors: { fields: { name: { type: string } } }',
    '  publishers: { fields: { name: { type: string } } }',
  ];
  const fields =
    '    fields: { title: { type: string }, body: { type: text }, price: { type: integer } }\n';
  const roles = 'roles: [editor, clerk]\n';
  if (part === 'fields') {
    return [
      'name: shop',
      `${roles}collections:`,
      ...others,
      '  books:',
      '    fields:',
      indented(6),
    ].join('\n');
  }
  if (part === 'collection') {
    const name = /^name: (.*)$/m.exec(text)?.[1] ?? 'books';
    const keys = indented(4).replace(/^ *name: .*\n/m, '');
    // Existing tables need it; lines keep their numbers.
    const first = /^ *table: /m.test(keys) ? 'schema: service' : 'name: shop';
    return (
      [first, `${roles}collections:`, ...others, `  ${name}:`, keys].join('\n') +
      (/^ *fields: /m.test(keys) ? '' : fields)
    );
  }
  const books = 'collections: { books: { fields: { title: { type: string } } } }\n';
  return (
    (/^name: /m.test(text) ? '' : 'name: shop\n') +
    text +
    (/^collections: /m.test(text) ? '' : books)
  );
}

const lineOf = ({ code, at, message, hint }: BreakingChange): string =>
  `${at.line}:${at.column} ${code} ${message}\n  ${hint}`;

async function judge({ name, before, after }: Case): Promise<readonly BreakingChange[]> {
  const part = name.split(':')[0] ?? '';
  const was = service(await single(definitions(part, before)));
  const is = service(await single(definitions(part, after)));
  const placeOf: PlaceOf = (_key, collection) =>
    collection ?? { file: 'shop.yaml', line: 1, column: 1 };
  return reportBreaks(
    [{ version: 1, breaks: breakingChanges(was, is, { placeOf, isListed: () => false }) }],
    [1, 2],
  );
}

describe('the verdict on', () => {
  test.each(CASES)('$name', async (one) => {
    expect((await judge(one)).map(lineOf).join('\n')).toBe(one.expected);
  });
});

describe('docs/breaking-changes.md', () => {
  const page = read('../../../docs/breaking-changes.md');
  const [verdicts = ''] = page.split('## The verdicts\n')[1]?.split(/^## /m) ?? [];
  /** The rows of its tables, without the marks of code. */
  const rows = [...verdicts.matchAll(/^\| (.*?) +\| (.*?) +\| (.*?) +\|$/gm)]
    .map((match) => match.slice(1).map((cell) => cell.replaceAll('`', '')))
    .filter(([change = '']) => change !== 'Change' && !change.startsWith('---'));

  test('has each verdict', () => {
    const told = rows
      .filter(([change]) => change !== 'Change')
      .map(([change = '', verdict]) => ({
        change: change.toLowerCase(),
        verdict,
      }));
    const judged = CASES.map(({ name, expected }) => {
      const codes = expected.split('\n').flatMap((line) => /^\d+:\d+ (\S+)/.exec(line)?.[1] ?? []);
      const change = name.replace(/^\w+: /, '').toLowerCase();
      return { change, verdict: [...new Set(codes)].join(', ') || 'no' };
    });
    expect(told).toEqual(judged);
  });

  test('says who breaks as the tool does', () => {
    for (const [index, [, verdict, who = '']] of rows
      .filter(([one]) => one !== 'Change')
      .entries()) {
      if (verdict === 'no') continue;
      expect(CASES[index]?.expected.toLowerCase()).toContain(
        `: ${who.split(';')[0]?.toLowerCase().replace(/\.$/, '')}`,
      );
    }
  });

  test('has each code', () => {
    for (const code of Object.keys(BREAK_CATALOGUE)) expect(page).toContain(`\`${code}\``);
  });
});
