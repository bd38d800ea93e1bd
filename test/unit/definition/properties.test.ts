/** What holds for all definitions: any that is valid is read as it was meant, none throws. */
import fc from 'fast-check';
import { stringify } from 'yaml';
import { describe, expect, test } from 'vitest';
import { formatIssue, parseFolder, parseSingleFile } from '../../../src/definition/index.ts';
import type { DefinitionResult } from '../../../src/definition/types.ts';
import { generatedService, hostileText } from './generated.ts';
import { fieldOf, file, lines, OPTIONS, service, single, withoutPositions } from './support.ts';

/** What is not well formed in a result: issues stand in their files, and are lines of text. */
function malformed(result: DefinitionResult, path: string, text: string): readonly string[] {
  if (result.ok) return [];
  if (result.issues.length === 0) return ['refused without an issue'];
  const rows = text.replace(/^\ufeff/, '').split(/\r\n?|\n/);
  return result.issues
    .filter(({ at }) => {
      const row = at.file === path ? rows[at.line - 1] : undefined;
      return row === undefined || at.column < 1 || at.column > row.length + 1;
    })
    .map(formatIssue)
    .concat(result.issues.map(formatIssue).filter((line) => !/^\P{Cc}+[.]$/u.test(line)));
}

describe('any valid definition', () => {
  test('is read as it was meant, from YAML, from JSON, and from what it is split into', async () => {
    await fc.assert(
      fc.asyncProperty(generatedService, async ({ written, read }) => {
        const yaml = await single(stringify(written));
        expect(withoutPositions(service(yaml))).toEqual(read);
        const json = await single(JSON.stringify(written), 'shop.json');
        expect(withoutPositions(service(json))).toEqual(read);
        for (const one of [yaml, json]) {
          const split = one.ok ? await parseFolder(one.files, OPTIONS) : one;
          expect(withoutPositions(service(split))).toEqual(read);
          // What was emitted once is emitted again as it is.
          expect(split.ok && split.files).toEqual(one.ok && one.files);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('is read as it was meant in blocks, in flow and in every style of text', async () => {
    const styles = [
      { collectionStyle: 'flow' },
      { collectionStyle: 'block', defaultStringType: 'QUOTE_DOUBLE' },
      { defaultStringType: 'QUOTE_SINGLE', lineWidth: 20 },
      { defaultStringType: 'BLOCK_LITERAL' },
      { indent: 7, lineWidth: 0 },
    ] as const;
    await fc.assert(
      fc.asyncProperty(
        generatedService,
        fc.constantFrom(...styles),
        async ({ written, read }, style) => {
          const result = await single(stringify(written, style));
          expect(withoutPositions(service(result))).toEqual(read);
          const split = result.ok ? await parseFolder(result.files, OPTIONS) : result;
          expect(withoutPositions(service(split))).toEqual(read);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('any text', () => {
  test('is data wherever a text may stand', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, async (text) => {
        const shown = JSON.stringify(text);
        const options = `description: ${shown}, default: ${shown}, example: ${shown}`;
        const {
          default: initial,
          example,
          description,
        } = await fieldOf(`{ type: string, ${options} }`);
        expect([initial, example]).toEqual([text, text]);
        expect(description ?? '').toBe(text.trim() === '' ? '' : text);
        const values = await fieldOf(`{ type: enum, values: [${shown}], default: ${shown} }`);
        expect(values).toMatchObject({ type: { values: [text] }, default: text });
        const json = await fieldOf(`{ type: json, default: { ? ${shown} : ${shown} } }`);
        expect(json.default).toEqual({ [text]: text });
      }),
      { numRuns: 300 },
    );
  });

  test('is quoted where a name or a word is wanted, and nothing is thrown', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, fc.nat(9), async (text, place) => {
        const shown = JSON.stringify(text);
        const at = (index: number, other: string): string => (index === place ? shown : other);
        const source = `{ "name": ${at(0, '"shop"')}, "roles": [${at(1, '"editor"')}], "versioning": ${at(2, '"path"')}, "collections": { ${at(3, '"books"')}: { "singular": ${at(4, '"tome"')}, "fields": { ${at(5, '"a"')}: { "type": ${at(6, '"string"')}, "format": ${at(7, '"slug"')} } }, "sort": [${at(8, '"created_at"')}], "permissions": { "read": [${at(9, '"admin"')}] } } } }`;
        expect(malformed(await single(source), 'shop.yaml', source)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

describe('any bytes', () => {
  const TEXT = [
    '# yaml-language-server: $schema=x',
    'name: shop # é😀',
    'versions: [1, 2]',
    'collections:',
    '  books: &b',
    '    fields:',
    '      title: { type: string, required: true, max_length: 300, default: "a\\tb" }',
    "      price: { type: decimal, precision: 10, scale: 2, minimum: '0' }",
    '      kind: { type: enum, values: [a, b], default: a }',
    '      author_id: { type: reference, to: authors, nested: true }',
    '      size: { type: object, properties: { w: { type: integer, minimum: -5 } } }',
    '      tags: { type: list, of: { type: date }, default: [2026-01-01] }',
    '    sort: [title, created_at]',
    '    description: |',
    '      Long',
    '    permissions: { read: public, create: [admin] }',
    '  authors: { <<: *b, fields: { name: { type: json, default: { a: [1, null] } } }, sort: [] }',
    '',
  ].join('\n');
  const BYTES = new TextEncoder().encode(TEXT);

  test('the text without changes is fine', async () => {
    expect(lines(await single(TEXT))).toEqual([]);
  });

  const change = fc.record({
    at: fc.nat(BYTES.length - 1),
    remove: fc.oneof(fc.constantFrom(0, 1), fc.nat(40)),
    insert: fc.oneof(
      fc.uint8Array({ maxLength: 3 }),
      fc
        .constantFrom(
          ...': - ? [ ] { } , # & * ! | > " \' % @ ` \n \t \r\n << --- ... *b &b 5 ~ é'.split(' '),
        )
        .map((text) => new TextEncoder().encode(text)),
    ),
  });

  test('changed at random never throw, and issues stand inside the file', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        let bytes = BYTES;
        for (const { at, remove, insert } of changes) {
          bytes = Uint8Array.from([...bytes.slice(0, at), ...insert, ...bytes.slice(at + remove)]);
        }
        const result = await parseSingleFile({ path: 'shop.yaml', bytes }, OPTIONS);
        expect(malformed(result, 'shop.yaml', new TextDecoder().decode(bytes))).toEqual([]);
        if (!result.ok) return;
        const split = await parseFolder(result.files, OPTIONS);
        expect(withoutPositions(service(split))).toEqual(withoutPositions(result.service));
      }),
      { numRuns: 2000 },
    );
  });

  test('made of anything never throw', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.string({ unit: 'binary', maxLength: 60 }).map((text) => new TextEncoder().encode(text)),
      fc
        .array(
          fc.constantFrom(
            ...'a: - ? [ ] { } , # &a *a !x | > " \' \n \u0020 \t'.split(' '),
            '\n',
            ' ',
          ),
          { maxLength: 40 },
        )
        .map((tokens) => new TextEncoder().encode(tokens.join(''))),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (found) => {
        const one = await parseSingleFile({ path: 'shop.yaml', bytes: found }, OPTIONS);
        const text = new TextDecoder().decode(found);
        expect(malformed(one, 'shop.yaml', text)).toEqual([]);
        const path = 'definitions/collections/books.yaml';
        const other = await parseFolder([{ path, bytes: found }], OPTIONS);
        expect(malformed(other, path, text)).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('many collections', () => {
  test('a thousand of twelve fields are read in a second or a few', async () => {
    const fields = [
      '{ type: string, required: true, min_length: 1, max_length: 300 }',
      "{ type: string, unique: true, pattern: '^97[89][0-9]{10}$' }",
      "{ type: decimal, precision: 10, scale: 2, minimum: '0' }",
      '{ type: enum, values: [draft, published], default: draft }',
      '{ type: timestamp, default: now }',
      '{ type: integer, minimum: 0 }',
    ];
    const rows = [...fields, ...fields].map((field, index) => `  f${index}: ${field}\n`).join('');
    const files = Array.from({ length: 1000 }, (_, index) =>
      file(
        `definitions/collections/c${index}_things.yaml`,
        `fields:\n${rows}  next_id: { type: reference, to: c${(index + 1) % 1000}_things, nested: true }\nsort: [f0, f4]\nfilter: [f3]\n`,
      ),
    );
    const start = performance.now();
    expect(service(await parseFolder(files, OPTIONS)).collections).toHaveLength(1000);
    // Alone on a machine it takes one; this is a guard against what grows with the square.
    expect(performance.now() - start).toBeLessThan(120_000);
  });
});
