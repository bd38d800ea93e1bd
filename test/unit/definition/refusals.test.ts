/**
 * Every refusal with its exact words and its exact place. The cases stand in refusals.txt: a
 * title and what the text is, the text, and the lines that are printed for it.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ISSUE_CATALOGUE } from '../../../src/definition/index.ts';
import type { DefinitionResult } from '../../../src/definition/types.ts';
import { books, folder, lines, single } from './support.ts';

interface Case {
  readonly title: string;
  readonly kind: string;
  readonly text: string;
  readonly expected: string;
}

const cases = readFileSync(new URL('refusals.txt', import.meta.url), 'utf8')
  .split(/^#### /m)
  .slice(1)
  .map((part): Case => {
    const [, kind, title, text, expected] = /^(\w+): (.*)\n([^]*)^====\n([^]*)\n$/m.exec(part)!;
    return { title: title!, kind: kind!, text: text!, expected: expected!.trimEnd() };
  });

const BOOKS = 'name: books\nfields: { title: { type: string } }\n';
const AUTHORS = 'fields: { name: { type: string } }\n';

function read({ kind, text }: Case): Promise<DefinitionResult> {
  if (kind === 'field') return books(text.trimEnd());
  if (kind === 'single') return single(text);
  return folder({
    'service.yaml': kind === 'service' ? text : 'roles: [editor]\nschema: shop\n',
    'collections/authors.yaml': AUTHORS,
    'collections/books.yaml': kind === 'collection' ? text : BOOKS,
  });
}

describe('refusals', () => {
  test.each(cases)('$title', async (one) => {
    expect(lines(await read(one)).join('\n')).toBe(one.expected);
  });

  test('each code of the catalogue is that of a refusal, and has its words', async () => {
    const results = await Promise.all(cases.map(read));
    const seen = new Set(
      results.flatMap((one) => (one.ok ? [] : one.issues.map(({ code }) => code))),
    );
    // These are about whole files, and told in sources.test.ts and folder.test.ts.
    const elsewhere = ['file-encoding', 'file-too-large', 'file-misplaced', 'no-collections'];
    // These are about a change, and told in test/unit/migration.
    const ofChanges = [
      'key-changed',
      'needs-backfill',
      'schema-changed',
      'table-changed',
      'unknown-rename',
    ];
    const all = [...seen, ...elsewhere, ...ofChanges, 'too-many-fields'].toSorted();
    expect(all).toEqual(Object.keys(ISSUE_CATALOGUE).toSorted());
    for (const { title, explanation } of Object.values(ISSUE_CATALOGUE)) {
      expect(title).toMatch(/^[A-Z].*[^.]$/);
      expect(explanation).toMatch(/^[A-Z].*\.$/);
    }
  });
});
