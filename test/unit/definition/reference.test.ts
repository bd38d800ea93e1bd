/** The reference of the language: the page is what the tool would write, and its examples are right. */
import { readFileSync } from 'node:fs';

import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';

import { ISSUE_CATALOGUE } from '../../../src/reading/issue-catalogue.ts';
import { formatIssue, parseSingleFile } from '../../../src/definition/index.ts';
import { definitionReference } from '../../../src/definition/reference.ts';
import { TYPE_NAMES, TYPES } from '../../../src/types/registry.ts';

const PAGE = new URL('../../../docs/definitions.md', import.meta.url);

test('the page is that of the table of keys: npm run reference writes it', async () => {
  const options = await resolveConfig(PAGE);
  expect(readFileSync(PAGE, 'utf8')).toBe(
    await format(definitionReference(), { ...options, parser: 'markdown' }),
  );
});

test('it has every type and every issue', () => {
  const page = readFileSync(PAGE, 'utf8');
  for (const type of TYPE_NAMES) expect(page).toContain(`\n### ${type}\n`);
  for (const code of Object.keys(ISSUE_CATALOGUE)) expect(page).toContain(`\n| \`${code}\``);
});

test.each(Object.entries(TYPES))(
  'its example of a field of %s is right',
  async (_, { example: line }) => {
    const text = [
      'name: shop',
      'collections:',
      '  authors: { fields: { name: { type: string } } }',
      '  books:',
      '    fields:',
      `      ${line}`,
    ].join('\n');
    const source = { path: 'shop.yaml', bytes: new TextEncoder().encode(text) };
    const result = await parseSingleFile(source, { fallbackName: 'shop' });
    expect(result.ok ? [] : result.issues.map(formatIssue)).toEqual([]);
  },
);
